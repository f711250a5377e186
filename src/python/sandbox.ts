/**
 * Closes the ways out of WebAssembly before a program runs: no code from strings, no process, no network, no host
 * files. What a program may reach is the interpreter's own memory and what was copied into it.
 */

import type { PyodideInterface } from "pyodide";

const AMBIENT = [
  "process",
  "eval",
  "fetch",
  "WebSocket",
  "EventSource",
  "Request",
  "Response",
  "Headers",
  "BroadcastChannel",
  "MessageChannel",
  "MessagePort",
  "Worker",
  "require",
  "module",
  "Buffer",
  "queueMicrotask",
  "structuredClone",
  "navigator",
  "crypto",
] as const;

/** Irreversible: the thread that calls this can do nothing but run programs. */
export function closeSandbox(pyodide: PyodideInterface): void {
  const functionKinds = [
    function plain() {},
    async function asynchronous() {},
    function* generator() {
      yield undefined;
    },
    async function* asynchronousGenerator() {
      yield undefined;
    },
  ];
  // `f.constructor("code")()` makes code from strings; every function's constructor comes from one of these
  for (const f of functionKinds) {
    const prototype = Object.getPrototypeOf(f) as object;
    Object.defineProperty(prototype, "constructor", { value: undefined, writable: false, configurable: false });
  }
  const api = pyodide as unknown as Record<string, unknown>;
  const { FS } = pyodide as unknown as { FS: { filesystems?: Record<string, unknown> } };
  // file systems that reach the host
  for (const name of ["NODEFS", "WORKERFS", "PROXYFS", "IDBFS", "NATIVEFS_ASYNC"]) delete FS.filesystems?.[name];
  for (const name of ["mountNodeFS", "mountNativeFS", "useNodeSockFS", "loadPackage", "loadPackagesFromImports"])
    api[name] = undefined;
  const scope = globalThis as unknown as Record<string, unknown>;
  // Pyodide needs the prototype (`instanceof`, `apply`); what makes code from strings is gone
  const inert = function closed(): never {
    throw new Error("closed");
  };
  inert.prototype = Function.prototype as object;
  scope["Function"] = inert;
  for (const name of AMBIENT) {
    try {
      Object.defineProperty(scope, name, { value: undefined, writable: false, configurable: true });
    } catch {
      scope[name] = undefined;
    }
  }
}
