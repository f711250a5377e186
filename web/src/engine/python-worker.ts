/** The worker in which a program runs: an interpreter is made ready beforehand, runs what it gets, and is then of no use. */

import { failureText } from "../../../src/python/failure-text.ts";
import type { HostFiles } from "../../../src/python/host-files.ts";
import { startInterpreter, startToFreeze } from "../../../src/python/interpreter.ts";
import { taskTaker, type Task } from "../../../src/python/tasks.ts";
import { browserParts, unpackedImage } from "./browser-parts.ts";
import { closeBrowser } from "./browser-sandbox.ts";
import { packedFiles } from "./packed-files.ts";
import type { FromPython, ToPython } from "./protocol.ts";

interface WorkerScope {
  postMessage(message: FromPython, handOver?: ArrayBuffer[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToPython>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
const post = scope.postMessage.bind(scope);

let take: ((task: Task) => void) | null = null;
let installed = packedFiles([]);
const hostFiles: HostFiles = {
  list: (path) => installed.list(path),
  stat: (path) => installed.stat(path),
  read: (path, from, length) => installed.read(path, from, length),
};

function load({ base, cold, snapshot, freeze }: Extract<ToPython, { type: "load" }>): void {
  const began = performance.now();
  const common = browserParts(base, (bytes, totalBytes) => post({ type: "fetched", bytes, totalBytes }));
  const parts = snapshot === null ? common : { ...common, snapshot: () => unpackedImage(snapshot.stream()) };
  const interpreter = freeze ? startToFreeze(parts) : startInterpreter(parts, cold);
  take = taskTaker({ interpreter, post, closeHost: closeBrowser, hostFiles });
  interpreter.then(
    ({ warm }) => post({ type: "loaded", warm, seconds: (performance.now() - began) / 1000 }),
    (error: unknown) => post({ type: "failed", message: failureText(error) }),
  );
}

scope.addEventListener("message", ({ data }) => {
  if (data.type === "load") load(data);
  else if (data.type === "packages") installed = packedFiles(data.packages);
  else if (take !== null) take(data);
  else post({ type: "failed", message: "no interpreter was asked for" });
});
