/** Memory that the operator at the peak took and gave back: why the peak is above everything that a program can print. */

import type { Trace } from "../trace/model.ts";
import { peakEvent } from "../trace/queries.ts";
import { opName, partsOf, placeOf, type Finding } from "./finding.ts";
import { opRunAround } from "./op-run.ts";

export function peakScratch(trace: Trace): Finding[] {
  const peak = peakEvent(trace);
  if (peak === -1) return [];
  // A recording without lines and operators does not say which events are of one call.
  if (trace.events.op[peak] === -1 && trace.events.frame[peak] === -1) return [];
  const run = opRunAround(trace, peak);
  const scratch = trace.blocks.filter(
    (block) =>
      block.allocEvent >= run.first &&
      block.allocEvent <= peak &&
      block.freeEvent > peak &&
      block.freeEvent <= run.last,
  );
  if (scratch.length === 0) return [];
  const scratchBytes = scratch.reduce((sum, block) => sum + block.bytes, 0);
  const peakBytes = trace.events.allocatedBytes[peak]!;
  const afterBytes = trace.events.allocatedBytes[run.last]!;
  const frame = trace.events.frame[peak]!;
  return [
    {
      code: afterBytes + scratchBytes === peakBytes ? "peak_scratch" : "peak_scratch_share",
      args: { where: placeOf(trace, frame), op: opName(trace, trace.events.op[peak]!), peakBytes, afterBytes },
      parts: partsOf([{ blocks: scratch, sign: 1 }]),
      frame,
      event: peak,
    },
  ];
}
