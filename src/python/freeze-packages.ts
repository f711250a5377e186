/** An interpreter imports a program's packages, with an engine to ask, and is frozen without it. */

import type { PyodideInterface } from "pyodide";
import { createProcess } from "../session/create.ts";
import { createBridge } from "./bridge.ts";
import { freeze } from "./interpreter.ts";
import type { WorkerRequest } from "./messages.ts";
import { giveFunctions } from "./native-functions.ts";
import { numberedOps } from "./op-table.ts";
import { recordCalls, repeatCalls } from "./recorded-calls.ts";
import { requestText } from "./request.ts";

/** A function of Python that takes the engine and a text, and gives one. */
interface PythonLoader {
  (): string;
  destroy(): void;
}

export interface FrozenPackages {
  readonly snapshot: Uint8Array;
  /** Files of the modules that were imported, by their paths inside; none where nothing may be kept. */
  readonly files: readonly string[];
  /** It is good for this GPU only. */
  readonly asksMachine: boolean;
}

/** @param close closes what leads out; packages run behind it */
export function freezePackages(
  pyodide: PyodideInterface,
  request: WorkerRequest,
  imports: readonly string[],
  close: () => void,
): FrozenPackages {
  const { session } = createProcess(request.machine);
  const recorded = recordCalls(createBridge(session, numberedOps, "all"));
  pyodide.runPython("import types\n_engine = types.SimpleNamespace()");
  giveFunctions(pyodide, "_engine", Object.keys(recorded.functions), () => recorded.functions);
  // what it has imported already stays, with what was asked of the engine for it
  repeatCalls(recorded.functions, callsOf(pyodide));
  pyodide.globals.set("_request", requestText(request, { imports }));
  const load = pyodide.runPython(
    "import vramscope_freeze\nlambda: vramscope_freeze.load(globals().pop('_request'), globals().pop('_engine'))",
  ) as PythonLoader;
  // what gives random bytes is looked up at the first call
  pyodide.runPython("import os\nos.urandom(1)");
  // what packages say meanwhile, such as a warning about their syntax, has nowhere to go
  for (const stream of ["setStdout", "setStderr"] as const) pyodide[stream]({ write: (bytes) => bytes.length });
  // what is frozen needs its ways to JavaScript again; vramscope_freeze keeps packages from them
  close();
  const files = JSON.parse(load()) as string[];
  load.destroy();
  const calls = recorded.text();
  pyodide.globals.set("_calls", calls ?? "[]");
  pyodide.runPython("vramscope_freeze.calls = globals().pop('_calls')");
  return {
    snapshot: freeze(pyodide),
    files: calls === null ? [] : files,
    asksMachine: recorded.askedMachine() || session.memory.initialized,
  };
}

/** What {@link freezePackages} wrote down in this interpreter. */
export const callsOf = (pyodide: PyodideInterface): string =>
  pyodide.runPython("import vramscope_freeze; vramscope_freeze.calls") as string;
