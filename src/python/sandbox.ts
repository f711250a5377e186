/**
 * Closes the ways out of WebAssembly before a program runs. What a program may reach is the interpreter's own memory and
 * what was put into it. docs/security.md says which walls there are; these are the inner ones:
 *
 * - Python holds no object of JavaScript (native-functions.ts, python/vramscope_doors.py),
 * - WebAssembly calls only what is listed (host-calls.ts),
 * - and whoever got hold of JavaScript all the same would find a thread without powers (ambient.ts, node-sandbox.ts).
 */

import type { PyodideInterface } from "pyodide";
import { closeGlobals, freezeIntrinsics } from "./ambient.ts";

type Table = Record<PropertyKey, unknown>;

export function closed(): never {
  throw new Error("closed");
}

export function replace(table: object, name: PropertyKey, value: unknown): void {
  try {
    Object.defineProperty(table, name, { value, writable: false, configurable: true });
  } catch {
    // not configurable: then it may still be writable
    Reflect.set(table, name, value);
  }
}

/** Irreversible: the thread that calls this can do nothing but run programs. `closeHost` takes what this kind of host offers. */
export function closeSandbox(pyodide: PyodideInterface, closeHost: () => void): void {
  // not by runPython: what runs it goes, too
  (pyodide.runPython("import vramscope_doors\nvramscope_doors.close") as () => void)();
  closeFileSystems(pyodide);
  closeApi(pyodide);
  closeHost();
  // what os.getuid and os.umask ask for
  replace(globalThis, "process", {
    getuid: () => 1000,
    umask: () => 0o022,
    platform: "linux",
    argv: [],
    env: {},
    versions: {},
  });
  // Pyodide's last words go here; the host's own console leads to its streams
  const silent = (): void => {};
  replace(globalThis, "console", {
    log: silent,
    info: silent,
    warn: silent,
    error: silent,
    debug: silent,
    trace: silent,
  });
  closeGlobals();
  closeCodeFromStrings();
  freezeIntrinsics();
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

/** What of Pyodide's inner interface its own code needs to pass on calls and errors; the rest loads, mounts and installs. */
const KEPT_OF_API: ReadonlySet<PropertyKey> = new Set([
  "version",
  "runtimeEnv",
  "getTypeTag",
  "typedArrayAsUint8Array",
  "pyproxyIsAlive",
  "isPyProxy",
  "isPromise",
  "fatal_error",
  "maybe_fatal_error",
  "capture_stderr",
  "restore_stderr",
  "PythonError",
  "NoGilError",
  "errorConstructors",
  "fatal_loading_error",
]);

/** What of Pyodide's outer interface is still used by us: files after the program has run, and streams between programs. */
const KEPT_OF_PYODIDE: ReadonlySet<PropertyKey> = new Set([
  "FS",
  "setStdin",
  "setStdout",
  "setStderr",
  "_api",
  "_module",
]);

/** Pyodide's own tables lose what reaches the host: its configuration holds the global object, its functions load packages. */
function closeApi(pyodide: PyodideInterface): void {
  const outer = pyodide as unknown as Table & { readonly _api?: Table };
  if (outer._api !== undefined) {
    keepOnly(outer._api, KEPT_OF_API);
    outer._api["config"] = Object.freeze(Object.create(null));
  }
  keepOnly(outer, KEPT_OF_PYODIDE);
}

function keepOnly(table: Table, names: ReadonlySet<PropertyKey>): void {
  for (const key of Reflect.ownKeys(table)) {
    if (!names.has(key) && !Reflect.deleteProperty(table, key)) replace(table, key, undefined);
  }
}
