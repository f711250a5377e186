/**
 * Closes the ways out of WebAssembly before a program runs. What a program may reach is the interpreter's own memory and
 * what was put into it. docs/security.md says which walls there are; these are the inner ones:
 *
 * - Python holds no object of JavaScript (native-functions.ts, python/vramscope_doors.py),
 * - WebAssembly calls only what is listed (host-calls.ts),
 * - and whoever got hold of JavaScript all the same finds a thread without powers: what is left is listed in ambient.ts.
 */

import type { PyodideInterface } from "pyodide";
import { GLOBAL_NAMES, INHERITED_NAMES, PYODIDE_INNER_NAMES, PYODIDE_OUTER_NAMES } from "./ambient.ts";
import { freezeIntrinsics } from "./intrinsics.ts";

type Table = Record<PropertyKey, unknown>;

export function closed(): never {
  throw new Error("closed");
}

export function replace(table: object, name: PropertyKey, value: unknown): void {
  const own = Object.getOwnPropertyDescriptor(table, name);
  if (own === undefined || own.configurable === true)
    Object.defineProperty(table, name, { value, writable: false, enumerable: false, configurable: false });
  // not configurable: then it may still be writable
  else if (own.writable === true) Object.defineProperty(table, name, { value, writable: false });
}

/** Irreversible: the thread that calls this can do nothing but run programs. `closeHost` takes what this kind of host offers. */
export function closeSandbox(pyodide: PyodideInterface, closeHost: () => void): void {
  // not by runPython: what runs it goes, too
  (pyodide.runPython("import vramscope_doors\nvramscope_doors.close") as () => void)();
  closeFileSystems(pyodide);
  closeApi(pyodide);
  closeHost();
  closeThread();
}

/** What every host has: the global object keeps what is listed, no code is made from strings, intrinsics are frozen. */
export function closeThread(): void {
  const own = ownGlobals();
  closeGlobals();
  for (const [name, value] of Object.entries(own)) replace(globalThis, name, value);
  closeCodeFromStrings();
  freezeIntrinsics();
}

/** In the place of what the host offers under these names. */
function ownGlobals(): Record<string, unknown> {
  const { performance, crypto } = globalThis;
  const silent = (): void => {};
  return {
    process: frozen({
      getuid: () => 1000,
      umask: () => 0o022,
      platform: "linux",
      argv: frozen([]),
      env: frozen({}),
      versions: frozen({}),
    }),
    console: frozen({ log: silent, info: silent, warn: silent, error: silent, debug: silent, trace: silent }),
    performance: frozen({ now: () => performance.now() }),
    crypto: frozen({ getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) }),
    // a program runs in one go: no timer of the thread fires before its end
    setTimeout: () => 0,
    clearTimeout: silent,
  };
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === "function") Object.freeze(part);
  return Object.freeze(value);
}

/** Takes every other name from the global object, and from what a browser puts above it. */
function closeGlobals(): void {
  for (let table: object | null = globalThis; table !== null && table !== Object.prototype;) {
    // what is above is the host's own: what is put in its place lies in the global object itself
    const kept = table === globalThis ? GLOBAL_NAMES : INHERITED_NAMES;
    for (const name of Reflect.ownKeys(table)) {
      if (kept.has(name) || name === Symbol.toStringTag || Reflect.deleteProperty(table, name)) continue;
      replace(table, name, undefined);
    }
    table = Object.getPrototypeOf(table) as object | null;
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
  replace(globalThis, "Function", inert);
  // a hook of V8 that would be handed the frames of our own calls
  Object.defineProperty(Error, "prepareStackTrace", { value: undefined, writable: false, configurable: false });
}

/** File systems that reach the host. */
function closeFileSystems(pyodide: PyodideInterface): void {
  const { FS } = pyodide as unknown as { FS: { filesystems?: Table } };
  for (const name of Reflect.ownKeys(FS.filesystems ?? {})) if (name !== "MEMFS") delete FS.filesystems![name];
}

/** Pyodide's own tables lose what reaches the host: its configuration holds the global object, its functions load packages. */
function closeApi(pyodide: PyodideInterface): void {
  const outer = pyodide as unknown as Table & { readonly _api?: Table };
  if (outer._api !== undefined) {
    keepOnly(outer._api, PYODIDE_INNER_NAMES);
    outer._api["config"] = Object.freeze(Object.create(null));
  }
  keepOnly(outer, PYODIDE_OUTER_NAMES);
}

function keepOnly(table: Table, names: ReadonlySet<PropertyKey>): void {
  for (const key of Reflect.ownKeys(table)) {
    if (!names.has(key) && !Reflect.deleteProperty(table, key)) replace(table, key, undefined);
  }
}
