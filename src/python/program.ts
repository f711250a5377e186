/** One program in a started interpreter: wires a session to Python, runs the file, collects the trace. */

import type { PyodideInterface } from "pyodide";
import { allocConfigFromEnvironment, CachingAllocator } from "../alloc/index.ts";
import { findGpu } from "../gpus/catalogue.ts";
import { findTorch, rulesFor } from "../gpus/versions.ts";
import { cublasWorkspaceBytes, ltWorkspace } from "../gpus/workspace.ts";
import { Session } from "../session/session.ts";
import { TraceBuilder } from "../trace/builder.ts";
import { createBridge, type PythonDispatcher } from "./bridge.ts";
import type { ProgramResult, WorkerRequest } from "./messages.ts";
import { numberedOps } from "./op-table.ts";
import type { OutputStream, RunStatus } from "./run-types.ts";

export interface ProgramHooks {
  readonly output: (stream: OutputStream, text: string) => void;
  /** Called when everything is loaded and nothing of the program has run. */
  readonly beforeProgram: () => void;
}

export function runInInterpreter(pyodide: PyodideInterface, request: WorkerRequest, hooks: ProgramHooks): ProgramResult {
  const { session, trace, allocator } = createSession(request);
  const bridge = createBridge(session, numberedOps);
  for (const stream of ["stdout", "stderr"] as const) {
    const decoder = new TextDecoder();
    const options = {
      write: (bytes: Uint8Array): number => {
        hooks.output(stream, decoder.decode(bytes, { stream: true }));
        return bytes.length;
      },
      isatty: false,
    };
    if (stream === "stdout") pyodide.setStdout(options);
    else pyodide.setStderr(options);
  }
  pyodide.setStdin({ error: true });
  placeFiles(pyodide, request);
  // a plain namespace object: Python sees its functions and nothing else of JavaScript
  pyodide.registerJsModule("_vramscope_engine", bridge.functions);
  pyodide.globals.set("_request", JSON.stringify({ ...request, files: undefined }));
  const dispatcher = pyodide.runPython("import torch._C as _c; _c.dispatch") as PythonDispatcher;
  bridge.connectPython(dispatcher);
  const start = pyodide.runPython(
    "import _vramscope_engine, vramscope_boot\nvramscope_boot.prepare(_vramscope_engine, _request)",
  ) as () => string;
  hooks.beforeProgram();
  const outcome = start();
  const [status, exitStatus, errorText] = JSON.parse(outcome) as [RunStatus, number, string | null];
  const finished = trace.finish({
    source: "simulated",
    program: request.script,
    gpu: session.gpu.id,
    capacityBytes: session.gpu.totalBytes,
    torch: request.torch,
  });
  return {
    status,
    exitStatus,
    errorText,
    trace: finished,
    stats: { ...peaks(finished.events.allocatedBytes, finished.events.reservedBytes), allocatedBytes: allocator.memoryAllocated(), reservedBytes: allocator.memoryReserved() },
  };
}

function peaks(allocated: Float64Array, reserved: Float64Array): { peakAllocatedBytes: number; peakReservedBytes: number; peakEvent: number } {
  let peakEvent = -1;
  let peakAllocatedBytes = 0;
  let peakReservedBytes = 0;
  for (let i = 0; i < allocated.length; i++) {
    if (allocated[i] > peakAllocatedBytes) {
      peakAllocatedBytes = allocated[i];
      peakEvent = i;
    }
    if (reserved[i] > peakReservedBytes) peakReservedBytes = reserved[i];
  }
  return { peakAllocatedBytes, peakReservedBytes, peakEvent };
}

/** The simulated machine and process of a request. The names in it were checked before. */
function createSession(request: WorkerRequest): { session: Session; trace: TraceBuilder; allocator: CachingAllocator } {
  const gpu = findGpu(request.gpu);
  const version = findTorch(request.torch);
  if (!gpu.ok || !version.ok) throw new Error("the request names no known GPU or version");
  const rules = rulesFor(version.value);
  const trace = new TraceBuilder();
  const place: { session?: Session } = {};
  const allocator = new CachingAllocator({
    totalBytes: gpu.value.totalBytes,
    contextBytes: gpu.value.context.expectedBytes,
    config: allocConfigFromEnvironment(request.env, version.value),
    torch: version.value,
    onEvent: (event) => {
      if (event.kind === "segment_alloc" || event.kind === "segment_free" || event.kind === "segment_map" || event.kind === "segment_unmap")
        trace.segment(
          event.kind,
          event.address,
          event.bytes,
          allocator.memoryAllocated(),
          allocator.memoryReserved(),
          place.session?.place.frame ?? -1,
          place.session?.place.op ?? -1,
        );
    },
  });
  const lt = ltWorkspace(rules, request.env);
  const { machine } = request;
  const transient = machine?.transientLtBytes;
  // a transient Lt workspace is scratch memory of a kernel
  const ltMode = lt.mode === "transient" && !request.kernelTemporaries ? "shared" : lt.mode;
  const session = new Session({
    gpu: gpu.value,
    rules,
    allocator,
    trace,
    kernelTemporaries: request.kernelTemporaries,
    attention: request.attention,
    cublasWorkspaceBytes: machine?.cublasWorkspaceBytes ?? cublasWorkspaceBytes(rules, gpu.value, request.env),
    cublasLt: transient === undefined ? { bytes: lt.bytes, mode: ltMode } : { bytes: transient, mode: "transient" },
  });
  place.session = session;
  return { session, trace, allocator };
}

function placeFiles(pyodide: PyodideInterface, request: WorkerRequest): void {
  const { FS } = pyodide;
  FS.mkdirTree(request.workingDirectory);
  for (const [path, bytes] of request.files) {
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")) || "/");
    FS.writeFile(path, bytes);
  }
  FS.chdir(request.workingDirectory);
}
