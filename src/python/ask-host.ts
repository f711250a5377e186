/** How the thread of a program asks the process that wanted the run, and waits for the answer. */

import { receiveMessageOnPort } from "node:worker_threads";
import type { HostLine, Question } from "./relay-messages.ts";

// kept: the sandbox takes Node's modules away, and with them what they export
const { wait, store, load } = Atomics;
const receive = receiveMessageOnPort;

/** A function that asks a service of the host and gives its answer; `undefined` where nobody offers that service. */
export function hostAsker({ port, flag }: HostLine): (service: string, question: unknown) => unknown {
  const state = new Int32Array(flag);
  const post = port.postMessage.bind(port) as (question: Question) => void;
  return (service, question) => {
    store(state, 0, 0);
    post({ service, question });
    // who answers sets the flag and wakes after it: the wake of the last answer can come while this one is waited for
    while (load(state, 0) === 0) wait(state, 0, 0);
    return (receive(port) as { message: unknown } | undefined)?.message;
  };
}
