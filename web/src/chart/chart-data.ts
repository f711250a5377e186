/** All that drawing a trace needs, prepared once: typed arrays that can be made in a worker and handed over. */

import { KIND } from "../../../src/trace/codes.ts";
import { PHASES, type Phase, type Trace } from "../../../src/trace/model.ts";
import type { Grouping } from "../../../src/trace/queries.ts";
import { groupsOf, type Groups } from "./groups.ts";
import { livesOf, type Lives } from "./lives.ts";
import { extremeIn, pyramidOf, type Pyramid } from "./pyramid.ts";

const SEGMENT_FIRST = KIND.segment_alloc;
const SEGMENT_LAST = KIND.segment_unmap;
const OOM = KIND.oom;
const FREE_COMPLETED = KIND.free_completed;

/** What does not depend on how blocks are grouped. */
export interface ChartBase {
  readonly events: number;
  readonly lives: Lives;
  readonly allocated: Pyramid;
  readonly lowest: Pyramid;
  readonly reserved: Pyramid;
  /** The first event after which most is allocated, or -1. */
  readonly peak: number;
  readonly peakAllocatedBytes: number;
  readonly peakReservedBytes: number;
  /** First events of runs of one phase, and which; the last run ends with the trace. */
  readonly phaseStart: Int32Array;
  readonly phaseOf: Uint8Array;
  /** Events at which a request failed. */
  readonly ooms: readonly number[];
  /** Named points, by event. */
  readonly marks: readonly { readonly event: number; readonly name: string }[];
  /** Events that change segments, in order. */
  readonly segmentEvents: Int32Array;
  /** By block: the event at which it went back to its pool; 0 where the trace does not tell it apart from the request. */
  readonly completed: Int32Array;
  /** Blocks that went back some events after the request, because other streams used them. */
  readonly late: Int32Array;
}

export interface ChartData extends ChartBase {
  readonly trace: Trace;
  readonly groups: Groups;
}

export function chartBase(trace: Trace): ChartBase {
  const { kind, block, phase, allocatedBytes, reservedBytes } = trace.events;
  const events = kind.length;
  const allocated = pyramidOf(allocatedBytes, 1);
  const reserved = pyramidOf(reservedBytes, 1);
  const peak = extremeIn(allocated, allocatedBytes, 0, events);
  const phaseStart: number[] = [];
  const phaseOf: number[] = [];
  const ooms: number[] = [];
  const segmentEvents: number[] = [];
  const late: number[] = [];
  const completed = new Int32Array(trace.blocks.length);
  for (let event = 0; event < events; event++) {
    if (event === 0 || phase[event] !== phase[event - 1]) {
      phaseStart.push(event);
      phaseOf.push(phase[event]!);
    }
    const what = kind[event]!;
    if (what >= SEGMENT_FIRST && what <= SEGMENT_LAST) segmentEvents.push(event);
    else if (what === OOM) ooms.push(event);
    else if (what === FREE_COMPLETED && block[event]! >= 0) {
      completed[block[event]!] = event;
      // a request that is completed at once has it as its next event
      if (event > 0 && block[event - 1] !== block[event]) late.push(block[event]!);
    }
  }
  return {
    events,
    lives: livesOf(trace),
    allocated,
    lowest: pyramidOf(allocatedBytes, -1),
    reserved,
    peak,
    peakAllocatedBytes: peak === -1 ? 0 : allocatedBytes[peak]!,
    peakReservedBytes: events === 0 ? 0 : reservedBytes[extremeIn(reserved, reservedBytes, 0, events)]!,
    phaseStart: Int32Array.from(phaseStart),
    phaseOf: Uint8Array.from(phaseOf),
    ooms,
    marks: Object.entries(trace.marks)
      .map(([event, name]) => ({ event: Number(event), name }))
      .sort((a, b) => a.event - b.event),
    segmentEvents: Int32Array.from(segmentEvents),
    completed,
    late: Int32Array.from(late),
  };
}

export function chartData(trace: Trace, by: Grouping, base: ChartBase = chartBase(trace)): ChartData {
  return { ...base, trace, groups: groupsOf(trace, base.lives, by) };
}

export interface PhaseRun {
  readonly phase: Phase;
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

/** Runs of one phase that touch events `from` to `to - 1`; none where the whole trace has no phase, as most recordings. */
export function phaseRuns({ phaseStart, phaseOf, events }: ChartBase, from: number, to: number): PhaseRun[] {
  if (phaseOf.length === 1 && PHASES[phaseOf[0]!] === "other") return [];
  let low = 0;
  let high = phaseStart.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (phaseStart[middle]! <= from) low = middle + 1;
    else high = middle;
  }
  const runs: PhaseRun[] = [];
  for (let run = Math.max(0, low - 1); run < phaseStart.length && phaseStart[run]! < to; run++) {
    runs.push({ phase: PHASES[phaseOf[run]!]!, from: phaseStart[run]!, to: phaseStart[run + 1] ?? events });
  }
  return runs;
}
