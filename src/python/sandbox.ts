/**
 * Closes the ways out of WebAssembly before a program runs: no code from strings, no process, no network, no host
 * files. What a program may reach is the interpreter's own memory and what was copied into it.
 *
 * Two walls. The outer one takes the powers away: what the host offers, in node-sandbox.ts or browser-sandbox.ts, and code
 * from strings. The inner one takes the references away, so that a program sees no JavaScript object but the engine's
 * functions; the rest of it is in python/vramscope_boot.py.
 */

import type { PyodideInterface } from "pyodide";

type Table = Record<string, unknown>;

export function closed(): never {
  throw new Error("closed");
}

export function replace(table: object, name: string, value: unknown): void {
  try {
    Object.defineProperty(table, name, { value, writable: false, configurable: true });
  } catch {
    // not configurable: then it may still be writable
    (table as Table)[name] = value;
  }
}

/** Irreversible: the thread that calls this can do nothing but run programs. `closeHost` takes what this kind of host offers. */
export function closeSandbox(pyodide: PyodideInterface, closeHost: () => void): void {
  // not by runPython: what runs it goes, too
  (pyodide.runPython("import vramscope_doors\nvramscope_doors.close") as () => void)();
  closeHost();
  closeCodeFromStrings();
  closeFileSystems(pyodide);
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
