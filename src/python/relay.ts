/**
 * The main thread of the process in which programs run. It starts the one thread that there is, passes on what the two
 * sides say, and holds the memory that outlives the thread. It runs no program, and once the thread is started it has no power but
 * its channel and its own end: what the thread sends it finds nothing here to use.
 */

import { constants } from "node:os";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { MessageChannel, Worker } from "node:worker_threads";
import { portionsOf } from "../trace/recorder-memory.ts";
import { RELAY_FUNCTIONS, RELAY_PROCESS_NAMES } from "./ambient.ts";
import { closeChannel, closeNode } from "./node-sandbox.ts";
import type { FromRelay, InterpreterStart, LeftBehind, Question, ThreadData, ToRelay } from "./relay-messages.ts";
import { closeThread } from "./sandbox.ts";
import type { FromTask } from "./tasks.ts";

/** More than CPython uses of the stack that it counts itself, so that a deep recursion in C is an error of Python. */
const STACK_MIB = 64;
/** A request to stop can get lost in a finalizer, so it is repeated. */
const REPEAT_MS = 20;
/** How often what is new in shared memory goes to whoever asked for the run: all that is lost if this process is killed. */
const PORTION_MS = 100;
/** After a large portion the next one waits, so that sending takes a small part of a run: so many bytes add a millisecond. */
const BYTES_PER_MS = 25_000;

/**
 * How much of a function of WebAssembly runs before V8 compiles it better, in bytes of its code. V8 thinks of pages that stay; most
 * programs end within a second, and compiled a fifth of their processor time for what never paid.
 */
const WASM_TIERING_BUDGET = 200_000_000;

const [heapMib, start, snapshot = null] = process.argv.slice(2);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of threads
const pass = (to: Pick<Worker, "postMessage">, message: unknown): void => to.postMessage(message);
const tell = (message: FromRelay, sent?: () => void): void => void process.send!(message, undefined, undefined, sent);

// before anything is compiled; a V8 that does not know the flag says so on a channel that nobody reads, and runs on
setFlagsFromString(`--wasm-tiering-budget=${WASM_TIERING_BUDGET}`);
const interrupt = new SharedArrayBuffer(1);
const { port1: line, port2 } = new MessageChannel();
const answered = new Int32Array(new SharedArrayBuffer(4));
const data: ThreadData = {
  start: start as InterpreterStart,
  snapshot,
  interrupt,
  host: { port: port2, flag: answered.buffer },
};
const thread = new Worker(new URL("./worker.js", import.meta.url), {
  workerData: data,
  transferList: [port2],
  env: {},
  stdout: true,
  stderr: true,
  trackUnmanagedFds: false,
  resourceLimits: { maxOldGenerationSizeMb: Number(heapMib), stackSizeMb: STACK_MIB },
});

// what is needed later is taken now
const { setInterval, setTimeout, clearInterval } = globalThis;
const { pid } = process;
const { SIGKILL } = constants.signals;
const { _kill: kill } = process as unknown as { _kill: (pid: number, signal: number) => void };
process.env = Object.freeze({});
closeChannel();
closeNode(RELAY_PROCESS_NAMES, RELAY_FUNCTIONS);
closeThread();

/** What the thread recorded since the last call; nothing before it told of its memory. */
let nextPortion: (always: boolean) => LeftBehind | null = () => ({});
const sendPortions = (): void => {
  const left = nextPortion(false);
  const bytes = Object.values(left ?? {}).reduce((sum, part) => sum + part.byteLength, 0);
  // by its bytes, not by a clock: on a busy machine a small one took long, and the next came too late for what was lost then
  const again = (): void => void setTimeout(sendPortions, Math.max(PORTION_MS, bytes / BYTES_PER_MS));
  // the next one waits until this one is on its way: a slow reader gets fewer
  if (left === null) again();
  else tell({ from: "relay", type: "portion", left }, again);
};

thread.on("message", (message: FromTask) => {
  if (message.type === "shared_memory") {
    nextPortion = portionsOf(message.memory);
    setTimeout(sendPortions, PORTION_MS);
  } else tell({ from: "thread", message });
});
thread.on("error", (error: NodeJS.ErrnoException) =>
  tell({ from: "relay", type: "broken", code: error.code ?? "", message: String(error.message) }),
);
thread.on("exit", (code) =>
  tell({ from: "relay", type: "broken", code: "", message: `the worker ended with code ${code}` }),
);

line.on("message", (question: Question) => tell({ from: "relay", type: "question", ...question }));
/** The thread waits for this one: it takes the message as soon as the flag is set. */
const answer = (message: unknown): void => {
  pass(line, message);
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
};

let repeat: NodeJS.Timeout | undefined;
process.on("message", (message: ToRelay) => {
  if (message.to === "thread") pass(thread, message.task);
  else if (message.order === "hand_over") tell({ from: "relay", type: "left", left: nextPortion(true)! });
  else if (message.order === "answer") answer(message.answer);
  else {
    const byte = new Uint8Array(interrupt);
    const ask = (): void => void (byte[0] = message.signal);
    ask();
    clearInterval(repeat);
    repeat = setInterval(ask, REPEAT_MS);
  }
});
/** Whoever asked is gone: nobody would hear the result. At once, whatever the thread does. */
const end = (): void => kill.call(process, pid, SIGKILL);
process.on("disconnect", end);
// it may have gone while this was loaded
if (!process.connected) end();
