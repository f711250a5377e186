/** How the thread of a program asks the process that wanted the run, and waits for the answer. */

import { receiveMessageOnPort } from "node:worker_threads";
import type { HostLine, Question } from "./relay-messages.ts";

// kept: the sandbox takes Node's modules away, and with them what they export
const { wait, store } = Atomics;
const receive = receiveMessageOnPort;

/** A function that asks a service of the host and gives its answer; `undefined` where nobody offers that service. */
export function hostAsker({ port, flag }: HostLine): (service: string, question: unknown) => unknown {
  const state = new Int32Array(flag);
  const post = port.postMessage.bind(port) as (question: Question) => void;
  return (service, question) => {
    store(state, 0, 0);
    post({ service, question });
    wait(state, 0, 0);
    return (receive(port) as { message: unknown } | undefined)?.message;
  };
}
