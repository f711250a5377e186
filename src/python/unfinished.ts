/** The result of a run that could not be brought to an end: its status, and an empty trace. */

import { findGpu } from "../gpus/catalogue.ts";
import { TraceBuilder } from "../trace/builder.ts";
import type { ProgramResult, WorkerRequest } from "./messages.ts";
import type { RunStatus } from "./run-types.ts";

export function unfinishedRun(request: WorkerRequest, status: RunStatus, errorText: string | null): ProgramResult {
  const gpu = findGpu(request.gpu);
  const trace = new TraceBuilder().finish({
    source: "simulated",
    program: request.script,
    gpu: request.gpu,
    capacityBytes: gpu.ok ? gpu.value.totalBytes : 0,
    torch: request.torch,
  });
  return {
    status,
    exitStatus: 1,
    errorText,
    trace,
    stats: { peakAllocatedBytes: 0, peakReservedBytes: 0, allocatedBytes: 0, reservedBytes: 0, peakEvent: -1 },
  };
}
