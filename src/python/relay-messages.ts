/** What the process that asks for runs and the relay of the process that carries them out say to each other. */

import type { MessagePort } from "node:worker_threads";
import type { FromTask, Task } from "./tasks.ts";

/** A line on which the thread asks the host and waits: the answer is at the port once the flag, one int32, is 1. */
export interface HostLine {
  readonly port: MessagePort;
  readonly flag: SharedArrayBuffer;
}

/** A question to the host: who answers, and what is asked. Anything that a message can carry. */
export interface Question {
  readonly service: string;
  readonly question: unknown;
}

/** Who answers when what was printed so far has been read. */
export const READER_SERVICE = "reader";

/** How an interpreter starts: it restores a snapshot, imports everything anew, or does that to be frozen. */
export type InterpreterStart = "warm" | "cold" | "freeze";

/** What the thread finds in its `workerData`. */
export interface ThreadData {
  readonly start: InterpreterStart;
  /** The snapshot that is restored instead of our own. */
  readonly snapshot: string | null;
  /** One byte that the relay sets to the number of a signal to stop the program. */
  readonly interrupt: SharedArrayBuffer;
  readonly host: HostLine;
}

/** Copies of the shared memory of a thread, by name: what it left behind, or a portion of it. */
export type LeftBehind = Readonly<Record<string, Uint8Array>>;

export type ToRelay =
  | { readonly to: "thread"; readonly task: Task }
  /** Raises a signal in the program, again and again: one can get lost in a finalizer. */
  | { readonly to: "relay"; readonly order: "interrupt"; readonly signal: number }
  | { readonly to: "relay"; readonly order: "answer"; readonly answer: unknown }
  /** Asks for what the thread has left in shared memory up to now. */
  | { readonly to: "relay"; readonly order: "hand_over" };

export type FromRelay =
  | { readonly from: "thread"; readonly message: FromTask }
  /** The thread broke down; `code` is Node's code of the error. */
  | { readonly from: "relay"; readonly type: "broken"; readonly code: string; readonly message: string }
  | ({ readonly from: "relay"; readonly type: "question" } & Question)
  /** What is new in shared memory, now and then: it outlives the process. */
  | { readonly from: "relay"; readonly type: "portion"; readonly left: LeftBehind }
  /** The last portion, which was asked for. */
  | { readonly from: "relay"; readonly type: "left"; readonly left: LeftBehind };
