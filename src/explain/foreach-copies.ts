/** Temporaries of an optimizer that works on all parameters at once, where they are part of the peak. */

import type { Trace } from "../trace/model.ts";
import { peakEvent } from "../trace/queries.ts";
import type { Finding } from "./finding.ts";
import { opRunAround } from "./op-run.ts";
import { blocksWhere, findingOf, isNotable, livesAt } from "./together.ts";

/** One operation over a list of parameters makes its results one after another, and all are there at its end. */
export function foreachCopies(trace: Trace): Finding[] {
  const event = peakEvent(trace);
  if (event === -1) return [];
  const runs = new Map<number, number[]>();
  for (const index of blocksWhere(
    trace,
    ({ phase, category }, at) => phase === "optimizer" && category === "temporary" && livesAt(trace, at, event),
  )) {
    const { first } = opRunAround(trace, trace.blocks[index]!.allocEvent);
    const run = runs.get(first);
    if (run === undefined) runs.set(first, [index]);
    else run.push(index);
  }
  const blocks = [...runs.values()].filter((run) => run.length > 1).flat();
  const bytes = blocks.reduce((sum, index) => sum + trace.blocks[index]!.bytes, 0);
  return isNotable(trace, bytes) ? [findingOf(trace, "foreach_copies", { bytes, event, blocks })] : [];
}
