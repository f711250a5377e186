/** What Node offers to a thread, taken away: its modules lose their functions, and no other can be loaded. */

import { createRequire, Module, syncBuiltinESMExports } from "node:module";
import { closed, replace } from "./sandbox.ts";

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

/** Irreversible. */
export function closeNode(): void {
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
  for (const name of AMBIENT) replace(globalThis, name, undefined);
}

/** Functions of a module, and of a table of promises in it, which has no name of its own among the loaded modules. */
function closeFunctions(table: Table): void {
  for (const key of Object.keys(table)) {
    const value = table[key];
    if (typeof value === "function") replace(table, key, closed);
    else if (key === "promises" && value !== null && typeof value === "object") closeFunctions(value as Table);
  }
}
