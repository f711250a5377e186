/**
 * CPython in WebAssembly with the stand-ins loaded: warm from a memory snapshot, or cold by importing everything.
 * The snapshot functions of Pyodide are private, so every failure of the warm way falls back to the cold one.
 */

import { loadPyodide, type PyodideInterface } from "pyodide";
import { opTable } from "./op-table.ts";
import { readSnapshot, readStandIns } from "./files.ts";

/** The parts of Pyodide that its type declarations leave out. */
interface SnapshotApi {
  makeMemorySnapshot(): Uint8Array;
}

const ROOT = "/lib/vramscope";

export interface Interpreter {
  readonly pyodide: PyodideInterface;
  readonly warm: boolean;
}

/** Starts an interpreter. `cold` skips the snapshot. */
export async function startInterpreter(cold = false): Promise<Interpreter> {
  const snapshot = cold ? null : readSnapshot();
  if (snapshot) {
    try {
      const pyodide = await loadPyodide({
        _loadSnapshot: snapshot,
        createPyodideModule: await roomyModule(snapshot.length),
      } as unknown as Parameters<typeof loadPyodide>[0]);
      return { pyodide, warm: true };
    } catch {
      // the snapshot belongs to another build of Pyodide: start cold
    }
  }
  const pyodide = await loadPyodide();
  loadStandIns(pyodide);
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
async function roomyModule(bytes: number): Promise<(settings: unknown) => Promise<WasmModule>> {
  const url = new URL("pyodide.asm.mjs", import.meta.resolve("pyodide"));
  const { default: create } = (await import(url.href)) as { default: (settings: unknown) => Promise<WasmModule> };
  return async (settings) => {
    const module = await create(settings);
    // what is free already does not count: only a request for all of it is sure to grow the memory enough
    if (module.HEAP8.length < bytes) module._malloc(bytes);
    return module;
  };
}

/** The bytes of an interpreter with the stand-ins loaded. */
export async function buildSnapshot(): Promise<Uint8Array> {
  const pyodide = await loadPyodide({ _makeSnapshot: true } as Parameters<typeof loadPyodide>[0]);
  loadStandIns(pyodide);
  return (pyodide as unknown as SnapshotApi).makeMemorySnapshot();
}

function loadStandIns(pyodide: PyodideInterface): void {
  const { FS } = pyodide;
  const made = new Set<string>();
  const directory = (path: string): void => {
    if (made.has(path)) return;
    made.add(path);
    FS.mkdirTree(path);
  };
  for (const [path, text] of Object.entries(readStandIns())) {
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
