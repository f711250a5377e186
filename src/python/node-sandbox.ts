/** What Node offers to a thread, taken away: of its modules and of `process` only what ambient.ts lists stays, and nothing is loaded any more. */

import { createRequire, Module, syncBuiltinESMExports } from "node:module";
import { CHANNEL_NAMES, NODE_FUNCTIONS, NODE_PROCESS_NAMES } from "./ambient.ts";
import { closed, replace } from "./sandbox.ts";

type Table = Record<PropertyKey, unknown>;

/** Irreversible. `kept`: names of `process` that stay; `functions`: those of modules, with the module's name before the dot. */
export function closeNode(
  kept: ReadonlySet<PropertyKey> = NODE_PROCESS_NAMES,
  functions: ReadonlySet<PropertyKey> = NODE_FUNCTIONS,
): void {
  const host = globalThis.process as unknown as Table;
  // some modules say that they are old when they are asked for
  replace(host, "emitWarning", () => {});
  const load = createRequire(import.meta.url);
  const modules = loadedModules(host).map((name) => [contentsOf(load, name), `${name}.`] as const);
  closeLoader();
  for (const [table, prefix] of modules) if (table !== null) closeModule(table, prefix, functions);
  syncBuiltinESMExports();
  closeProcess(host, kept);
}

/** Names of the modules that are loaded. What is not loaded holds no function that anybody has. */
function loadedModules(host: Table): string[] {
  const beginning = "NativeModule ";
  return (host["moduleLoadList"] as string[])
    .filter((entry) => entry.startsWith(beginning) && !entry.startsWith(`${beginning}internal/`))
    .map((entry) => entry.slice(beginning.length))
    .filter((name) => name !== "process");
}

/** A module that failed when it was loaded, because this Node was built without it, is in the list, too. */
function contentsOf(load: (name: string) => unknown, name: string): object | null {
  try {
    return load(`node:${name}`) as object;
  } catch {
    return null;
  }
}

/** Functions and tables that a module gives to others. Node's own code has its own references to what it needs. */
function closeModule(table: object, prefix: string, functions: ReadonlySet<PropertyKey>): void {
  for (const key of Reflect.ownKeys(table)) {
    if (key === "prototype" || key === "length" || key === "name" || functions.has(prefix + String(key))) continue;
    const { value } = Object.getOwnPropertyDescriptor(table, key)!;
    if (typeof value === "function") replace(table, key, closed);
    // what is computed when somebody asks is an object or a function, too
    else if (value === undefined || (typeof value === "object" && value !== null)) replace(table, key, undefined);
  }
}

/** Nobody imports or requires any more, neither Node's modules nor files nor addresses with code in them. */
function closeLoader(): void {
  // what reads files by their endings is in a table that every `require` has, too
  const { _extensions: readers } = Module as unknown as { _extensions: object };
  for (const table of [readers, Module.prototype as object])
    for (const key of Reflect.ownKeys(table)) replace(table, key, closed);
  // `import()` needs no function that could be taken away, but it looks at these two of every address
  for (const name of ["href", "protocol"])
    Object.defineProperty(URL.prototype, name, { get: closed, set: closed, configurable: false });
}

function closeProcess(host: Table, kept: ReadonlySet<PropertyKey>): void {
  for (const key of Reflect.ownKeys(host)) {
    // symbols of Node's own go by what it calls them
    if (kept.has(typeof key === "symbol" ? (key.description ?? "") : key)) continue;
    replace(host, key, typeof Object.getOwnPropertyDescriptor(host, key)!.value === "function" ? closed : undefined);
  }
}

/** Irreversible: what is between this process and the one that started it passes messages and opens nothing else. */
export function closeChannel(): void {
  const host = globalThis.process as unknown as Table;
  for (const key of Reflect.ownKeys(host)) {
    const { value } = Object.getOwnPropertyDescriptor(host, key)!;
    if (typeof value !== "object" || value === null) continue;
    // below it are lists of listeners
    if (key === "channel") closeClass(Object.getPrototypeOf(value) as Table);
    else if (typeof key === "symbol" && key.description === "kChannelHandle") closeClasses(value);
  }
}

function closeClasses(value: object): void {
  for (let table = Object.getPrototypeOf(value) as Table; table !== Object.prototype;) {
    closeClass(table);
    table = Object.getPrototypeOf(table) as Table;
  }
}

function closeClass(prototype: Table): void {
  for (const key of Reflect.ownKeys(prototype))
    if (typeof key === "string" && !CHANNEL_NAMES.has(key)) replace(prototype, key, closed);
}
