/** Workers with an interpreter each: one is always kept ready, so that a run never waits for Python and Stop costs nothing. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { keepPython } from "../offline/install.ts";
import type { FromPython, OwnInterpreter, ToPython } from "./protocol.ts";

/** How far the first interpreter is. */
export type Loading =
  | { readonly state: "waiting" }
  | { readonly state: "fetching"; readonly bytes: number; readonly totalBytes: number }
  | { readonly state: "ready"; readonly warm: boolean; readonly seconds: number }
  | { readonly state: "failed"; readonly reason: string };

/** One interpreter, for one task. */
export interface PythonThread {
  send(message: ToPython): void;
  /** Whoever has the thread hears everything that it says. */
  listen(listener: (message: FromPython) => void): void;
  end(): void;
}

interface Standby extends PythonThread {
  readonly isLoaded: () => boolean;
}

const loading = signal<Loading>({ state: "waiting" });
/** How far Python is: for progress bars and for whoever must wait. */
export const pythonLoading: ReadonlySignal<Loading> = loading;

const base = new URL(__PYTHON_PARTS__, document.baseURI).href;
/** Where Python's parts lie: another build has another place. */
export const threadParts: string = __PYTHON_PARTS__;
/** `?cold` makes every interpreter import everything anew, as where the snapshot does not fit. */
const cold = new URLSearchParams(document.location.search).has("cold");

let standby: Standby | null = null;

const newWorker = (): Worker =>
  new Worker(new URL("./python-worker.ts", import.meta.url), { type: "module", name: "python" });

function start(): Standby {
  const worker = newWorker();
  let listener: ((message: FromPython) => void) | null = null;
  let isLoaded = false;
  const fail = (reason: string): void => {
    if (!isLoaded) loading.value = { state: "failed", reason };
    if (standby === thread) standby = null;
    listener?.({ type: "failed", message: reason });
  };
  worker.addEventListener("message", ({ data }: MessageEvent<FromPython>) => {
    if (data.type === "fetched" && loading.value.state !== "ready") {
      loading.value = { state: "fetching", bytes: data.bytes, totalBytes: data.totalBytes };
    } else if (data.type === "loaded") {
      isLoaded = true;
      loading.value = { state: "ready", warm: data.warm, seconds: data.seconds };
      keepPython();
    } else if (data.type === "failed" && !isLoaded) {
      fail(data.message);
      return;
    }
    listener?.(data);
  });
  worker.addEventListener("error", (event) => fail(event.message || "the worker did not start"));
  const thread: Standby = {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of workers
    send: (message) => worker.postMessage(message),
    listen: (next) => (listener = next),
    end: () => worker.terminate(),
    isLoaded: () => isLoaded,
  };
  thread.send({ type: "load", base, cold, snapshot: null, freeze: false });
  return thread;
}

/** An interpreter of its own beside the one that is kept ready. */
export function startOwn(own: OwnInterpreter): PythonThread {
  const worker = newWorker();
  let listener: ((message: FromPython) => void) | null = null;
  worker.addEventListener("message", ({ data }: MessageEvent<FromPython>) => listener?.(data));
  worker.addEventListener("error", (event) =>
    listener?.({ type: "failed", message: event.message || "the worker did not start" }),
  );
  const thread: PythonThread = {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of workers
    send: (message) => worker.postMessage(message),
    listen: (next) => (listener = next),
    end: () => worker.terminate(),
  };
  thread.send({ type: "load", base, cold, ...own });
  return thread;
}

/** Starts the interpreter that the next task takes, unless there is one. */
export function prepare(): void {
  standby ??= start();
}

/** Tries again after a failure to load. */
export function retry(): void {
  loading.value = { state: "waiting" };
  prepare();
}

/**
 * An interpreter for one task. What is sent to it waits until it is ready. The next one is prepared when this one is
 * loaded, so that the two do not share the processor while somebody waits.
 */
export function takeThread(): PythonThread {
  prepare();
  const taken = standby!;
  standby = null;
  if (taken.isLoaded()) prepare();
  let listener: ((message: FromPython) => void) | null = null;
  taken.listen((message) => {
    if (message.type === "loaded") prepare();
    listener?.(message);
  });
  const end = (): void => {
    taken.end();
    // one that was stopped while it loaded has made nobody prepare the next
    prepare();
  };
  return { send: taken.send, end, listen: (next) => (listener = next) };
}
