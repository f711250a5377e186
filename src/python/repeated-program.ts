/** One interpreter in which programs run again and again, each on a machine of its own, with everything put back in between. */

import type { PyodideInterface } from "pyodide";
import { createProcess, type SimulatedProcess } from "../session/create.ts";
import { type Machine, type MachineOverrides, resolveMachine } from "../session/machine.ts";
import type { Trace } from "../trace/model.ts";
import { createBridge, type BridgeFunction, type PythonDispatcher } from "./bridge.ts";
import { forgetWritten } from "./host-mount.ts";
import type { WorkerRequest } from "./messages.ts";
import { giveFunctions } from "./native-functions.ts";
import { numberedOps } from "./op-table.ts";
import { placeFiles } from "./program.ts";
import { shownPath } from "./run-trace.ts";
import { closeSandbox } from "./sandbox.ts";
import { requestText } from "./request.ts";

/** The machine of the next run, as far as it differs from the request's. */
export interface NextMachine {
  readonly gpu?: string;
  readonly overrides?: MachineOverrides;
}

export interface RepeatedProgram {
  /** Makes a new machine for the next run. */
  renew(machine?: NextMachine): SimulatedProcess;
  /** The machine of such a run. */
  machineFor(next: NextMachine): Machine;
  /** Gives an order of vramscope_probe.py; its answer. */
  order(...words: unknown[]): unknown;
  /** Names of the operators that the machine made last has run. */
  operators(): string[];
  /** The trace of the machine that was made last. */
  finish(): Trace;
}

/** `closeHost` takes away what this kind of host offers; see sandbox.ts. */
export function repeatedProgram(
  pyodide: PyodideInterface,
  request: WorkerRequest,
  closeHost: () => void,
): RepeatedProgram {
  let process: SimulatedProcess;
  let functions: Record<string, BridgeFunction>;
  let dispatcher: PythonDispatcher | null = null;
  const machineFor = ({ gpu, overrides }: NextMachine): Machine => ({
    ...request.machine,
    ...(gpu !== undefined && { gpu: resolveMachine({ gpu }).gpu }),
    overrides: { ...request.machine.overrides, ...overrides },
  });
  /** Every run has a machine of its own; Python keeps the same functions. */
  const renew = (machine: NextMachine = {}): SimulatedProcess => {
    process = createProcess(machineFor(machine));
    const bridge = createBridge(process.session, numberedOps);
    functions = bridge.functions;
    if (dispatcher !== null) bridge.connectPython(dispatcher);
    return process;
  };
  renew();
  for (const stream of ["setStdout", "setStderr"] as const) pyodide[stream]({ write: (bytes) => bytes.length });
  pyodide.setStdin({ stdin: () => null });
  placeFiles(pyodide, request);
  pyodide.runPython("import types\n_engine = types.SimpleNamespace()");
  giveFunctions(pyodide, "_engine", Object.keys(functions!), () => functions);
  pyodide.globals.set("_request", requestText(request));
  dispatcher = pyodide.runPython("import torch._C as _c; _c.dispatch") as PythonDispatcher;
  const python = pyodide.runPython("import vramscope_probe\nvramscope_probe.prepare(_engine, _request)") as (
    order: string,
  ) => string;
  closeSandbox(pyodide, closeHost);
  return {
    renew,
    machineFor,
    order: (...words) => {
      const answer = JSON.parse(python(JSON.stringify(words))) as unknown;
      if (words[0] === "restore") forgetWritten(pyodide, request.mounts);
      return answer;
    },
    operators: () => process.session.calledOperators,
    finish: () => {
      const { trace, session } = process;
      const finished = trace.finish({
        source: "simulated",
        program: request.script,
        gpu: session.gpu.id,
        capacityBytes: session.gpu.totalBytes,
        torch: request.machine.torch,
      });
      return {
        ...finished,
        frames: finished.frames.map((frame) => ({ ...frame, file: shownPath(frame.file, request) })),
      };
    },
  };
}
