/**
 * Closes the ways out of WebAssembly before a program runs: no code from strings, no process, no network, no host
 * files. What a program may reach is the interpreter's own memory and what was copied into it.
 *
 * Two walls. The outer one takes the powers away: Node's modules lose their functions, and no other can be loaded. The
 * inner one takes the references away, so that a program sees no JavaScript object but the engine's functions; the rest
 * of it is in python/vramscope_boot.py.
 */

import { createRequire, Module, syncBuiltinESMExports } from "node:module";
import type { PyodideInterface } from "pyodide";

const AMBIENT = [
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

/** Modules of Node that reach files, processes, other threads, the network, or make code from strings. */
const HOST_MODULES = [
  "child_process",
  "cluster",
  "dgram",
  "dns",
  "dns/promises",
  "fs",
  "fs/promises",
  "http",
  "http2",
  "https",
  "inspector",
  "net",
  "repl",
  "tls",
  "v8",
  "vm",
  "wasi",
  "worker_threads",
] as const;

const PROCESS_POWERS = ["binding", "_linkedBinding", "dlopen", "kill", "chdir", "getBuiltinModule"] as const;

type Table = Record<string, unknown>;

function closed(): never {
  throw new Error("closed");
}

function replace(table: object, name: string, value: unknown): void {
  try {
    Object.defineProperty(table, name, { value, writable: false, configurable: true });
  } catch {
    // not configurable: then it may still be writable
    (table as Table)[name] = value;
  }
}

/** Irreversible: the thread that calls this can do nothing but run programs. */
export function closeSandbox(pyodide: PyodideInterface): void {
  closeHost();
  closeCodeFromStrings();
  closeFileSystems(pyodide);
  for (const name of AMBIENT) replace(globalThis, name, undefined);
  // what os.getuid and os.umask ask for
  replace(globalThis, "process", { getuid: () => 1000, umask: () => 0o022, platform: "linux", argv: [], env: {}, versions: {} });
  // Pyodide's last words go here; Node's own console leads to the process's streams
  const silent = (): void => {};
  replace(globalThis, "console", { log: silent, info: silent, warn: silent, error: silent, debug: silent, trace: silent });
}

function closeHost(): void {
  const load = createRequire(import.meta.url);
  const host = globalThis.process;
  const processes = load("node:child_process") as Table;
  const loaded = new Set((host as unknown as { moduleLoadList?: string[] }).moduleLoadList ?? []);
  for (const name of HOST_MODULES) {
    // what nobody has loaded yet cannot be loaded any more: see below
    if (loaded.size > 0 && !loaded.has(`NativeModule ${name}`)) continue;
    closeFunctions(load(`node:${name}`) as Table);
  }
  // os.system goes through this one; as in a shell without the command
  replace(processes, "spawnSync", () => ({ status: 127, signal: null }));
  syncBuiltinESMExports();
  const loadModule = (Module as unknown as { _load(name: string): Table })._load;
  for (const key of Object.keys(Module)) {
    if (typeof (Module as unknown as Table)[key] === "function") replace(Module, key, closed);
  }
  // Pyodide asks for these two when a program calls os.system or os.urandom
  replace(Module, "_load", (name: string) => {
    if (name === "node:child_process") return processes;
    return name === "node:crypto" ? { randomFillSync: loadModule(name)["randomFillSync"] } : closed();
  });
  for (const name of PROCESS_POWERS) replace(host, name, closed);
}

/** Functions of a module, and of a table of promises in it, which has no name of its own among the loaded modules. */
function closeFunctions(table: Table): void {
  for (const key of Object.keys(table)) {
    const value = table[key];
    if (typeof value === "function") replace(table, key, closed);
    else if (key === "promises" && value !== null && typeof value === "object") closeFunctions(value as Table);
  }
}

function closeCodeFromStrings(): void {
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
  // Pyodide needs the prototype (`instanceof`, `apply`); what makes code from strings is gone
  const inert = function closedFunction(): never {
    throw new Error("closed");
  };
  inert.prototype = Function.prototype as object;
  (globalThis as unknown as Table)["Function"] = inert;
  // a hook of V8 that would be handed the frames of our own calls
  Object.defineProperty(Error, "prepareStackTrace", { value: undefined, writable: false, configurable: false });
}

/** File systems that reach the host, and what mounts them. */
function closeFileSystems(pyodide: PyodideInterface): void {
  const api = pyodide as unknown as Table;
  const { FS } = pyodide as unknown as { FS: { filesystems?: Table } };
  for (const name of ["NODEFS", "WORKERFS", "PROXYFS", "IDBFS", "NATIVEFS_ASYNC"]) delete FS.filesystems?.[name];
  for (const name of ["mountNodeFS", "mountNativeFS", "useNodeSockFS", "loadPackage", "loadPackagesFromImports"]) {
    api[name] = undefined;
  }
}

/** The engine's functions as a program may see them: without a prototype there is no way from them to anything else. */
export function withoutPrototypes<T extends Record<string, (...args: never[]) => unknown>>(functions: T): T {
  for (const f of Object.values(functions)) Object.freeze(Object.setPrototypeOf(f, null));
  return Object.freeze(Object.assign(Object.create(null) as T, functions));
}
