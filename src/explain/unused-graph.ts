/** Tensors saved for a backward that never came: an evaluation without no_grad, or a sum of losses that keeps their graphs. */

import { savedByBlock } from "../trace/lifetime.ts";
import { KIND } from "../trace/codes.ts";
import { SAVED_ENDS, type Trace } from "../trace/model.ts";
import { placeOf, type Finding } from "./finding.ts";
import { blocksWhere, findingOf, isNotable, livesAt, mostTogether, type Together } from "./together.ts";

const BACKWARD = SAVED_ENDS.indexOf("backward");
const OOM = KIND.oom;
const LEAST_SHARE = 0.1;

/** @param finished whether the program came to its end: before it, a backward may still come */
export function unusedGraphs(trace: Trace, finished: boolean): Finding[] {
  if (!finished || trace.events.kind.includes(OOM)) return [];
  const { saved } = trace;
  const rowsOf = savedByBlock(trace);
  const unused = blocksWhere(trace, ({ category }, index) => {
    const rows = rowsOf.get(index);
    return category === "activation" && rows !== undefined && rows.every((row) => saved.end[row] !== BACKWARD);
  });
  const together = mostTogether(trace, unused);
  if (together === null || !isNotable(trace, together.bytes, LEAST_SHARE)) return [];
  const graphs = mostAlike(trace, together, rowsOf);
  const sum = graphs > 1 ? sumAlive(trace, together) : -1;
  if (sum === -1) return [findingOf(trace, "evaluation_without_no_grad", together)];
  const { frame } = trace.blocks[sum]!;
  return [{ ...findingOf(trace, "graph_kept_by_loss", together, { where: placeOf(trace, frame), graphs }), frame }];
}

/** How often the most frequent slot of a line and module is filled by these blocks: so many graphs live at once. */
function mostAlike(trace: Trace, { blocks }: Together, rowsOf: ReadonlyMap<number, readonly number[]>): number {
  const { saved } = trace;
  const counts = new Map<string, number>();
  for (const index of blocks) {
    for (const row of rowsOf.get(index)!) {
      const key = `${saved.frame[row]} ${saved.module[row]} ${saved.node[row]} ${saved.slot[row]} ${saved.form[row]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return Math.max(0, ...counts.values());
}

/** The newest scalar sum that lives then, and was made when the first of the graphs was there; -1 for none. */
function sumAlive(trace: Trace, { event, blocks }: Together): number {
  const first = trace.blocks[blocks[0]!]!.allocEvent;
  return scalarSums(trace, event).findLast((index) => trace.blocks[index]!.allocEvent > first) ?? -1;
}

/** Scalars that were made by an addition outside of modules, and live after an event. */
export function scalarSums(trace: Trace, event: number): number[] {
  const add = trace.ops.indexOf("aten::add");
  return blocksWhere(
    trace,
    (block, index) =>
      block.op === add &&
      block.shape?.length === 0 &&
      block.module === -1 &&
      block.phase !== "backward" &&
      livesAt(trace, index, event),
  );
}
