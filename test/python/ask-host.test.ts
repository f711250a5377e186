/** The program's thread gets the answer to its own question, whenever it is woken. */

import { MessageChannel, Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { hostAsker } from "../../src/python/ask-host.ts";

/** Answers every question with itself, after the flag's waiters were woken without an answer. */
const LATE_WAKES = `
const { workerData: { port, flag } } = require("node:worker_threads");
const state = new Int32Array(flag);
const pause = new Int32Array(new SharedArrayBuffer(4));
port.on("message", ({ question }) => {
  Atomics.wait(pause, 0, 0, 50);
  Atomics.notify(state, 0);
  Atomics.wait(pause, 0, 0, 50);
  port.postMessage(question);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
});
`;

it("waits for the answer when it is woken once more for the last one", async () => {
  const { port1, port2 } = new MessageChannel();
  const flag = new SharedArrayBuffer(4);
  const host = new Worker(LATE_WAKES, { eval: true, workerData: { port: port2, flag }, transferList: [port2] });
  const ask = hostAsker({ port: port1, flag });
  try {
    expect([1, 2, 3].map((question) => ask("echo", question))).toEqual([1, 2, 3]);
  } finally {
    port1.close();
    await host.terminate();
  }
});
