/** What Node offers to a thread, taken away: of its modules and of `process` only what is listed here stays. */

import { builtinModules, createRequire, Module, syncBuiltinESMExports } from "node:module";
import { closed, replace } from "./sandbox.ts";

type Table = Record<PropertyKey, unknown>;

/** Modules of Node that reach nothing outside the thread, and whose functions Node's own code needs to go on. */
const KEPT_MODULES: ReadonlySet<string> = new Set([
  // values, text and bytes
  "assert",
  "buffer",
  "path",
  "punycode",
  "querystring",
  "string_decoder",
  "url",
  "util",
  // events, and what carries messages to the relay
  "events",
  "async_hooks",
  "diagnostics_channel",
  "stream",
  "timers",
]);

/** What of `process` Node's own code needs to deliver a message and to end the thread. */
const KEPT_OF_PROCESS: ReadonlySet<PropertyKey> = new Set([
  "version",
  "versions",
  "arch",
  "platform",
  "release",
  "features",
  // listeners and the queue of what is to be done next
  "_events",
  "_eventsCount",
  "_maxListeners",
  "domain",
  "nextTick",
  "_tickCallback",
  // the end of the thread
  "_exiting",
  "exitCode",
  "_fatalException",
]);

/** Irreversible. */
export function closeNode(): void {
  const load = createRequire(import.meta.url);
  const host = globalThis.process as unknown as Table;
  for (const name of loadedModules(host)) {
    if (!KEPT_MODULES.has(name.split("/")[0]!)) closeFunctions(load(`node:${name}`) as Table);
  }
  for (const key of Reflect.ownKeys(Module)) {
    if (typeof (Module as unknown as Table)[key] === "function" && key !== "prototype") replace(Module, key, closed);
  }
  syncBuiltinESMExports();
  closeProcess(host);
}

/** Names of the modules that are loaded: what is not loaded holds no function that anybody has. */
function loadedModules(host: Table): string[] {
  const list = host["moduleLoadList"];
  const loaded = Array.isArray(list) ? new Set(list as string[]) : null;
  const isLoaded = (name: string): boolean => loaded === null || loaded.has(`NativeModule ${name}`);
  return builtinModules.filter(
    (name) => !name.startsWith("_") && name !== "module" && name !== "process" && isLoaded(name),
  );
}

/** Functions of a module, and of tables in it. */
function closeFunctions(table: Table, depth = 2): void {
  for (const key of Reflect.ownKeys(table)) {
    const value = table[key];
    if (typeof value === "function") replace(table, key, closed);
    else if (depth > 0 && value !== null && typeof value === "object" && !ArrayBuffer.isView(value))
      closeFunctions(value as Table, depth - 1);
  }
}

function closeProcess(host: Table): void {
  for (const key of Reflect.ownKeys(host)) {
    if (KEPT_OF_PROCESS.has(key)) continue;
    const own = Object.getOwnPropertyDescriptor(host, key)!;
    const value = typeof own.value === "function" ? closed : undefined;
    if (own.configurable === true) Object.defineProperty(host, key, { value, writable: false, configurable: false });
    else if (own.writable === true) host[key] = value;
  }
}
