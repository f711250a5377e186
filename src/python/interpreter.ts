/**
 * CPython in WebAssembly with the stand-ins loaded: warm from a memory snapshot, or cold by importing everything.
 * The snapshot functions of Pyodide are private, so every failure of the warm way falls back to the cold one.
 */

import { loadPyodide, type PyodideInterface } from "pyodide";
import { withAlarms } from "./alarms.ts";
import { hostCalls, type HostCalls, type Raise } from "./host-calls.ts";
import { opTable } from "./op-table.ts";
import { DTYPES } from "../tensor/dtype.ts";
import { clearFreeMemory, type HeapModule } from "./free-memory.ts";
import { headBytesOf, type MemoryImage } from "./snapshot-memory.ts";
import { withSleep } from "./virtual-time.ts";

/** The parts of Pyodide that its type declarations leave out. */
interface SnapshotApi {
  makeMemorySnapshot(): Uint8Array;
}

const ROOT = "/lib/vramscope";

export interface Interpreter {
  readonly pyodide: PyodideInterface;
  readonly warm: boolean;
  /** Closes what WebAssembly called of JavaScript up to now and a program does not need; irreversible. */
  readonly closeCalls: () => void;
}

/** Where an interpreter's parts come from: beside the modules in Node, from the page's own origin in a browser. */
export interface InterpreterParts {
  /** Paths relative to /lib/vramscope, and texts. */
  standIns(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** The frozen interpreter, or null where there is none. */
  snapshot(): MemoryImage | null | Promise<MemoryImage | null>;
  /** Address of Pyodide's own module, `pyodide.asm.mjs`. */
  readonly moduleUrl: string;
  /** Where Pyodide finds its other files, with a slash at the end; by default beside itself. */
  readonly indexUrl?: string;
}

/** Starts an interpreter. `cold` skips the snapshot. */
export async function startInterpreter(parts: InterpreterParts, cold = false): Promise<Interpreter> {
  const snapshot = cold ? null : await parts.snapshot();
  if (snapshot) {
    try {
      return { ...(await load(parts, {}, snapshot)), warm: true };
    } catch {
      // the snapshot belongs to another build of Pyodide: start cold
    }
  }
  const started = await load(parts, {}, null);
  loadStandIns(started.pyodide, await parts.standIns());
  return { ...started, warm: false };
}

async function load(
  parts: InterpreterParts,
  settings: object,
  snapshot: MemoryImage | null,
): Promise<Pick<Interpreter, "pyodide" | "closeCalls">> {
  const calls = hostCalls();
  const headBytes = snapshot === null ? 0 : headBytesOf(snapshot);
  const pyodide = await loadPyodide({
    ...(parts.indexUrl === undefined ? {} : { indexURL: parts.indexUrl }),
    ...settings,
    // Pyodide finds the head and no memory behind it: that is written already
    ...(snapshot === null ? {} : { _loadSnapshot: snapshot.first(headBytes) }),
    createPyodideModule: await gatedModule(parts.moduleUrl, calls, snapshot, headBytes),
  } as unknown as Parameters<typeof loadPyodide>[0]);
  const { _module: module } = pyodide as unknown as { _module: ClosableModule };
  return { pyodide, closeCalls: () => calls.close(pythonError(module), module.error) };
}

interface WasmModule extends HeapModule {
  readonly HEAP8: Int8Array;
}

interface ClosableModule {
  readonly error: unknown;
  readonly HEAPU32: Uint32Array;
  readonly _PyExc_RuntimeError: number;
  stringToNewUTF8(text: string): number;
  _PyErr_SetString(type: number, text: number): void;
}

/** Sets a RuntimeError of Python. */
const pythonError =
  (module: ClosableModule): Raise =>
  (text) =>
    module._PyErr_SetString(module.HEAPU32[module._PyExc_RuntimeError >>> 2]!, module.stringToNewUTF8(text));

type Instantiate = (imports: Record<string, Record<string, unknown>>, receive: unknown) => unknown;

/** Pyodide's module with functions that can be closed, and with the memory of a snapshot behind its head. */
async function gatedModule(
  url: string,
  calls: HostCalls,
  snapshot: MemoryImage | null,
  headBytes: number,
): Promise<(settings: { instantiateWasm: Instantiate }) => Promise<WasmModule>> {
  const { default: create } = (await import(/* @vite-ignore */ url)) as {
    default: (settings: { instantiateWasm: Instantiate }) => Promise<WasmModule>;
  };
  return async (settings) => {
    const { instantiateWasm } = settings;
    let module: WasmModule;
    const memory = (): ArrayBufferLike => module.HEAP8.buffer;
    settings.instantiateWasm = (imports, receive) =>
      instantiateWasm(withAlarms(withSleep(calls.gated(imports), memory)), receive);
    module = await orFailureOfWasm(() => create(settings));
    if (snapshot !== null) restore(module, snapshot, headBytes);
    return module;
  };
}

/** Beside what the allocator has given out it writes a few numbers of its own. */
const ALLOCATOR_BYTES = 2 ** 16;

function restore(module: WasmModule, snapshot: MemoryImage, headBytes: number): void {
  const bytes = snapshot.bytes - headBytes;
  const touchedBytes = module._sbrk(0) + ALLOCATOR_BYTES;
  // what is free already does not count: only a request for all of it is sure to grow the memory enough
  if (module.HEAPU8.length < bytes) module._malloc(bytes);
  snapshot.copyTo(module.HEAPU8.subarray(0, bytes), headBytes, touchedBytes);
}

type Instantiator = { instantiate: (...args: unknown[]) => Promise<unknown> };

/** What `create` gives; it fails when WebAssembly does, of which Pyodide only tells the console, and waits for ever. */
async function orFailureOfWasm<T>(create: () => Promise<T>): Promise<T> {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: Instantiator };
  const { instantiate } = wasm;
  const failed = new Promise<never>((_, fail) => {
    wasm.instantiate = (...args) => {
      const made = instantiate(...args);
      made.catch(fail);
      return made;
    };
  });
  try {
    return await Promise.race([create(), failed]);
  } finally {
    wasm.instantiate = instantiate;
  }
}

/** An interpreter that can be frozen, begun from a snapshot where there is one. */
export async function startToFreeze(parts: InterpreterParts, cold = false): Promise<Interpreter> {
  const asked = { _makeSnapshot: true };
  const snapshot = cold ? null : await parts.snapshot();
  // what is frozen here runs no program; its process is confined as any other
  const closeCalls = (): void => {};
  if (snapshot) {
    try {
      const { pyodide } = await load(parts, asked, snapshot);
      return { pyodide, warm: true, closeCalls };
    } catch {
      // the snapshot belongs to another build of Pyodide: start cold
    }
  }
  const pyodide = await loadPyodide(asked as Parameters<typeof loadPyodide>[0]);
  loadStandIns(pyodide, await parts.standIns());
  return { pyodide, warm: false, closeCalls };
}

/** The memory of an interpreter that was started for it. */
export function freeze(pyodide: PyodideInterface): Uint8Array {
  pyodide.runPython("import gc; gc.collect()");
  clearFreeMemory((pyodide as unknown as { _module: HeapModule })._module);
  return (pyodide as unknown as SnapshotApi).makeMemorySnapshot();
}

/** The bytes of an interpreter with the stand-ins loaded. */
export const buildSnapshot = async (parts: InterpreterParts): Promise<Uint8Array> =>
  freeze((await startToFreeze(parts, true)).pyodide);

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
  FS.writeFile(`${ROOT}/dtypes.json`, JSON.stringify(DTYPES));
  pyodide.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "${ROOT}")
import vramscope_boot
vramscope_boot.load()
`);
}
