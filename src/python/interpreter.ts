/**
 * CPython in WebAssembly with the stand-ins loaded: warm from a memory snapshot, or cold by importing everything.
 * The snapshot functions of Pyodide are private, so every failure of the warm way falls back to the cold one.
 */

import { loadPyodide, type PyodideInterface } from "pyodide";
import { opTable } from "./op-table.ts";

/** The parts of Pyodide that its type declarations leave out. */
interface SnapshotApi {
  makeMemorySnapshot(): Uint8Array;
}

const ROOT = "/lib/vramscope";

export interface Interpreter {
  readonly pyodide: PyodideInterface;
  readonly warm: boolean;
}

/** Where an interpreter's parts come from: beside the modules in Node, from the page's own origin in a browser. */
export interface InterpreterParts {
  /** Paths relative to /lib/vramscope, and texts. */
  standIns(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** The frozen interpreter, or null where there is none. */
  snapshot(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Address of Pyodide's own module, `pyodide.asm.mjs`. */
  readonly moduleUrl: string;
  /** Where Pyodide finds its other files, with a slash at the end; by default beside itself. */
  readonly indexUrl?: string;
}

/** Starts an interpreter. `cold` skips the snapshot. */
export async function startInterpreter(parts: InterpreterParts, cold = false): Promise<Interpreter> {
  const settings = parts.indexUrl === undefined ? {} : { indexURL: parts.indexUrl };
  const snapshot = cold ? null : await parts.snapshot();
  if (snapshot) {
    try {
      const pyodide = await loadPyodide({
        ...settings,
        _loadSnapshot: snapshot,
        createPyodideModule: await roomyModule(parts.moduleUrl, snapshot.length),
      } as unknown as Parameters<typeof loadPyodide>[0]);
      return { pyodide, warm: true };
    } catch {
      // the snapshot belongs to another build of Pyodide: start cold
    }
  }
  const pyodide = await loadPyodide(settings);
  loadStandIns(pyodide, await parts.standIns());
  return { pyodide, warm: false };
}

interface WasmModule {
  _malloc(bytes: number): number;
  readonly HEAP8: Int8Array;
}

/**
 * Pyodide's module with memory for a snapshot of that many bytes: the restore writes over all of it and does not grow
 * it. What the request itself leaves behind is overwritten too.
 */
async function roomyModule(url: string, bytes: number): Promise<(settings: unknown) => Promise<WasmModule>> {
  const { default: create } = (await import(/* @vite-ignore */ url)) as {
    default: (settings: unknown) => Promise<WasmModule>;
  };
  return async (settings) => {
    const module = await create(settings);
    // what is free already does not count: only a request for all of it is sure to grow the memory enough
    if (module.HEAP8.length < bytes) module._malloc(bytes);
    return module;
  };
}

/** The bytes of an interpreter with the stand-ins loaded. */
export async function buildSnapshot(parts: InterpreterParts): Promise<Uint8Array> {
  const pyodide = await loadPyodide({ _makeSnapshot: true } as Parameters<typeof loadPyodide>[0]);
  loadStandIns(pyodide, await parts.standIns());
  return (pyodide as unknown as SnapshotApi).makeMemorySnapshot();
}

function loadStandIns(pyodide: PyodideInterface, files: Readonly<Record<string, string>>): void {
  const { FS } = pyodide;
  const made = new Set<string>();
  const directory = (path: string): void => {
    if (made.has(path)) return;
    made.add(path);
    FS.mkdirTree(path);
  };
  for (const [path, text] of Object.entries(files)) {
    const full = `${ROOT}/${path}`;
    directory(full.slice(0, full.lastIndexOf("/")));
    FS.writeFile(full, text);
  }
  FS.writeFile(`${ROOT}/op-table.json`, JSON.stringify(opTable()));
  pyodide.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "${ROOT}")
import vramscope_boot
vramscope_boot.load()
`);
}
