/** The trace of a run as its host sees it: with the names by which people know files, totals, and where the program stopped. */

import { readRecorded } from "../trace/assemble.ts";
import { TraceBuilder } from "../trace/builder.ts";
import type { Trace } from "../trace/model.ts";
import { placesOf, type Places } from "../trace/recorder-memory.ts";
import type { TraceMeta } from "../trace/recording.ts";
import { shownTrace } from "../trace/shown-names.ts";
import type { ProgramEnd, ProgramResult, WorkerRequest } from "./messages.ts";
import { tracesOfGpus } from "../trace/devices.ts";
import type { LeftBehind } from "./relay-messages.ts";
import type { GpuRun, RunStats, RunStatus, StopPlace } from "./run-types.ts";

export function traceMeta(request: WorkerRequest): TraceMeta {
  const { gpu, torch } = request.machine;
  return { source: "simulated", program: request.script, gpu: gpu.id, capacityBytes: gpu.totalBytes, torch };
}

export const emptyTrace = (request: WorkerRequest): Trace => new TraceBuilder().finish(traceMeta(request));

/** The name by which people know a file. */
export function shownPath(file: string, request: WorkerRequest): string {
  const known = request.shownPaths.find(([inside]) => file.startsWith(inside));
  return known === undefined ? file : known[1] + file.slice(known[0].length);
}

/** With these nothing else says at which line the program was. */
const STOPPED: ReadonlySet<RunStatus> = new Set<RunStatus>([
  "timeout",
  "interrupted",
  "host_out_of_memory",
  "host_fault",
  "internal_error",
]);

/**
 * The result of a run whose thread said how it ended.
 *
 * @param from the trace, or what the thread left in shared memory: that goes up to now, whatever became of the thread
 */
export function runResult(request: WorkerRequest, end: ProgramEnd, from: Trace | LeftBehind | null): ProgramResult {
  const left = from === null || "events" in from ? null : (from as LeftBehind);
  const recorded = left === null ? (from as Trace | null) : readRecorded(left, traceMeta(request));
  // a program chose the names; those that came packed are shown already
  const found = left === null || recorded === null ? (recorded ?? emptyTrace(request)) : shownTrace(recorded);
  const whole = { ...found, frames: found.frames.map((frame) => ({ ...frame, file: shownPath(frame.file, request) })) };
  const gpus = tracesOfGpus(whole, end.firstGpu ?? 0).map((each) => ({ ...each, stats: statsOf(each.trace) }));
  const { trace, stats } = gpus.reduce((fullest, each) => (isFuller(each, fullest) ? each : fullest));
  return {
    ...end,
    trace,
    stats,
    gpus: gpus.length > 1 ? gpus : [],
    stoppedAt: STOPPED.has(end.status) ? stopPlace(whole, left && placesOf(left)) : null,
    traceLost: recorded === null,
  };
}

/** The result of a run that could not be brought to an end. */
export function unfinishedRun(
  request: WorkerRequest,
  status: RunStatus,
  errorText: string | null,
  left: LeftBehind | null,
): ProgramResult {
  return runResult(request, { status, exitStatus: 1, errorText }, left);
}

/** A request that failed decides, then what was reserved. */
function isFuller(a: GpuRun, b: GpuRun): boolean {
  const differences = [
    a.trace.failures.length - b.trace.failures.length,
    a.stats.peakReservedBytes - b.stats.peakReservedBytes,
    a.stats.peakAllocatedBytes - b.stats.peakAllocatedBytes,
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

function statsOf({ events: { allocatedBytes, reservedBytes } }: Trace): RunStats {
  let peakEvent = -1;
  let peakAllocatedBytes = 0;
  let peakReservedBytes = 0;
  for (let i = 0; i < allocatedBytes.length; i++) {
    if (allocatedBytes[i]! > peakAllocatedBytes) {
      peakAllocatedBytes = allocatedBytes[i]!;
      peakEvent = i;
    }
    if (reservedBytes[i]! > peakReservedBytes) peakReservedBytes = reservedBytes[i]!;
  }
  return {
    peakAllocatedBytes,
    peakReservedBytes,
    allocatedBytes: allocatedBytes.at(-1) ?? 0,
    reservedBytes: reservedBytes.at(-1) ?? 0,
    peakEvent,
  };
}

/** Where the program was found when it was asked to stop, or else the last line of which it is known that the program came to it. */
function stopPlace(trace: Trace, places: Places | null): StopPlace | null {
  const count = trace.events.frame.length;
  const lastFrame = (): number => {
    for (let event = count - 1; event >= 0; event--)
      if (trace.events.frame[event]! >= 0) return trace.events.frame[event]!;
    return -1;
  };
  const isExact = places !== null && places.stopFrame > 0;
  const isNewer = places !== null && places.lineFrame > 0 && places.lineEvents >= count;
  const index = isExact ? places.stopFrame - 1 : isNewer ? places.lineFrame - 1 : lastFrame();
  const frame = trace.frames[index];
  return frame === undefined ? null : { file: frame.file, line: frame.line, isExact };
}
