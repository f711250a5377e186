/** A process in which programs run: started confined, talked to by messages only, ended as a whole. */

import { spawn, type ChildProcess } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import { GatheredPortions } from "../trace/recorder-memory.ts";
import { CHECKSUM_ENDING } from "./memory-image.ts";
import { confinedCommand, heapMib } from "./confinement.ts";
import type { FromRelay, InterpreterStart, LeftBehind, ToRelay } from "./relay-messages.ts";
import type { FromTask, Task } from "./tasks.ts";

const MIB = 2 ** 20;
const RELAY = fileURLToPath(new URL("../python/relay.js", import.meta.url));
/** Of what a process says when it breaks down, the end is kept. */
const LONGEST_LAST_WORDS = 4000;
/** How long to wait for what a thread left behind: the relay only copies memory, but there may be much and little time for it. */
const HAND_OVER_MS = 60_000;

export interface ProcessListener {
  readonly onMessage: (message: FromTask) => void;
  /** The thread or the process came to an end that nobody asked for; `left` is what it had in shared memory. */
  readonly onBroken: (error: Error, left: LeftBehind) => void;
}

/** Answers what the thread asks of the host. What it gets comes from a program, and a program may ask anything. */
export type HostService = (question: unknown) => unknown;

export interface ProgramProcess {
  send(task: Task): void;
  /** Whoever has the process hears everything that it says. */
  listen(listener: ProcessListener): void;
  /** Offers a service to the thread, by the name under which it asks. */
  offer(name: string, service: HostService): void;
  /** Raises a signal in the program until it ends. */
  interrupt(signal: number): void;
  /** What the thread has in shared memory up to now, or had shortly before its process ended. */
  handOver(): Promise<LeftBehind>;
  /** Ends the process and all that belongs to it, at once. */
  end(): void;
}

interface Kept extends ProgramProcess {
  readonly isAlive: () => boolean;
  /** Whether the process keeps this one from ending. */
  hold(holds: boolean): void;
}

function startProcess(start: InterpreterStart, snapshot: string | null = null): Kept {
  const own = snapshot === null ? [] : [snapshot];
  const readable = own.flatMap((path) => [path, path + CHECKSUM_ENDING]);
  const { command, args, env, cwd } = confinedCommand(RELAY, [String(heapMib()), start, ...own], readable);
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
    // a group of its own: a key pressed at the terminal does not reach it, and it ends as a whole
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let listener: ProcessListener | null = null;
  let broken: Error | null = null;
  let ended = false;
  let lastWords = "";
  let ranOut = false;
  const waiting: (() => void)[] = [];
  const gathered = new GatheredPortions();

  const services = new Map<string, HostService>();

  const breakDown = (error: Error): void => {
    if (ended || broken !== null) return;
    broken = error;
    if (listener !== null) void tellBroken(listener, error);
  };
  const tellBroken = async ({ onBroken }: ProcessListener, error: Error): Promise<void> => {
    const left = await handOver();
    if (!ended) onBroken(error, left);
  };
  const tell = (message: ToRelay): void => {
    if (child.connected) child.send(message, () => {});
  };
  const handOver = async (): Promise<LeftBehind> => {
    // of a process that is gone there is what it sent until then
    if (child.connected) {
      await new Promise<void>((done) => {
        const limit = setTimeout(done, HAND_OVER_MS);
        waiting.push(() => {
          clearTimeout(limit);
          done();
        });
        tell({ to: "relay", order: "hand_over" });
      });
    }
    return gathered.take();
  };

  const answer = async (service: string, question: unknown): Promise<void> => {
    try {
      const reply = await services.get(service)?.(question);
      tell({ to: "relay", order: "answer", answer: reply });
    } catch (error) {
      breakDown(error instanceof Error ? error : new Error(String(error)));
    }
  };

  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const words = lastWords + text;
    // said first, before a long stack
    ranOut ||= saysOutOfMemory(words);
    lastWords = words.slice(-LONGEST_LAST_WORDS);
  });
  child.stderr?.on("error", () => {});
  child.on("message", (message: FromRelay) => {
    if (ended) return;
    if (message.from === "thread") listener?.onMessage(message.message);
    else if (message.type === "question") void answer(message.service, message.question);
    else if (message.type === "portion" || message.type === "left") {
      gathered.add(message.left);
      if (message.type === "left") waiting.shift()?.();
    } else breakDown(threadError(message.code, message.message));
  });
  child.on("error", (error) => breakDown(new HostFault(`vramscope: this machine refuses: ${error.message}`)));
  child.on("disconnect", () => {
    for (const done of waiting.splice(0)) done();
  });
  child.on("close", (code, signal) => {
    // Node says why it gives up, but where it cannot allocate what it needs for itself
    const gaveUpSilently = signal === "SIGABRT" && lastWords === "";
    breakDown(ranOut || gaveUpSilently ? outOfMemory() : processError(code, signal, lastWords));
  });

  return {
    send: (task) => tell({ to: "thread", task }),
    listen: (next) => {
      listener = next;
      if (broken !== null) void tellBroken(next, broken);
    },
    offer: (name, service) => void services.set(name, service),
    interrupt: (signal) => tell({ to: "relay", order: "interrupt", signal }),
    handOver,
    end: () => {
      if (ended) return;
      ended = true;
      killGroup(child);
      if (child.connected) child.disconnect();
      child.stderr?.destroy();
    },
    isAlive: () => !ended && broken === null,
    hold: (holds) => {
      const change = holds ? "ref" : "unref";
      child[change]();
      child.channel?.[change]();
      (child.stderr as unknown as { ref(): void; unref(): void } | undefined)?.[change]();
    },
  };
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform !== "win32" && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // it has ended already
  }
}

/** What broke a thread, as a diagnostic where it was the size of what it was asked for. */
function threadError(code: string, message: string): Error {
  return code === "ERR_WORKER_OUT_OF_MEMORY" || saysOutOfMemory(message) ? outOfMemory() : new Error(message);
}

/** Nobody here sends these but to end a process for good: the system does when memory runs out, or a person. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGXCPU"]);

/** Whether V8, WebAssembly or the system said that it had no more memory. */
export const saysOutOfMemory = (words: string): boolean =>
  /out of memory|\bOOM\b|bad_alloc|(could not|cannot) allocate|allocation failed/i.test(words);

function processError(code: number | null, signal: NodeJS.Signals | null, lastWords: string): Error {
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  const kind = signal !== null && FROM_OUTSIDE.has(signal) ? HostFault : Error;
  return new kind(`the process that runs programs ended ${how}${lastWords === "" ? "" : `: ${lastWords}`}`);
}

/** The system did not let the process live: it could not be started, or was killed from outside. */
export class HostFault extends Error {}

/** What the process was asked for took more memory than it may have. */
export class OutOfHostMemory extends DiagnosticError {}

const outOfMemory = (): Error =>
  new OutOfHostMemory(diagnostic("thread_out_of_memory", { heapBytes: heapMib() * MIB }));

/** One process is started before anybody asks for it, by those who know that somebody will. */
let spare: Kept | null = null;
let taken = 0;
/** Who asked so often will ask again. */
const MANY = 3;
/** A spare one that nobody takes for so long ends. */
const SPARE_MS = 10_000;
let spareEnds: NodeJS.Timeout | undefined;

/** Starts the process that the next run takes, unless there is one. It keeps nobody from ending. */
export function prepareProcess(): void {
  if (spare?.isAlive()) return;
  spare = startProcess("warm");
  spare.hold(false);
  clearTimeout(spareEnds);
  spareEnds = setTimeout(endSpare, SPARE_MS).unref();
}

/** What was prepared has no packages: whoever wants them needs its memory more. */
function endSpare(): void {
  spare?.end();
  spare = null;
}

/** A process whose interpreter is frozen when it has imported packages; it begins with those of the snapshot at this path. */
export function takeFreezer(from: string | null = null): ProgramProcess {
  endSpare();
  return startProcess("freeze", from);
}

/** A process whose interpreter has imported packages: it restores the snapshot at this path. */
export function takeProcessFrom(snapshot: string): ProgramProcess {
  endSpare();
  return startProcess("warm", snapshot);
}

/** A process for one task. Who has asked for some already gets the next one prepared when this one ends. */
export function takeProcess(cold = false): ProgramProcess {
  if (cold) return startProcess("cold");
  taken += 1;
  const own = spare?.isAlive() ? spare : startProcess("warm");
  if (own === spare) {
    spare = null;
    clearTimeout(spareEnds);
    own.hold(true);
  }
  if (taken < MANY) return own;
  const { end } = own;
  return {
    ...own,
    end: () => {
      end();
      prepareProcess();
    },
  };
}
