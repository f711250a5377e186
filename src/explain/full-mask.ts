/** Masks as large as what they mask, where a smaller one would be broadcast. */

import type { Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { scoreShapes } from "./attention-scores.ts";
import { blocksWhere, elements, findingOf, isNotable, mostTogether, shapeText } from "./together.ts";

/** What drops values makes masks of its own; nothing smaller would do. */
const DROPS = /dropout|bernoulli/;

export function fullMasks(trace: Trace): Finding[] {
  const sizes = [...scoreShapes(trace).values()];
  if (sizes.length === 0) return [];
  const masks = blocksWhere(trace, ({ dtype, shape, op, phase }) => {
    const name = trace.ops[op] ?? "";
    if (shape === null || phase === "backward" || DROPS.test(name)) return false;
    if (dtype !== "bool" && name !== "aten::repeat") return false;
    return sizes.some(
      (scores) =>
        elements(scores) === elements(shape) && scores.at(-1) === shape.at(-1) && scores.at(-2) === shape.at(-2),
    );
  });
  const together = mostTogether(trace, masks);
  if (together === null || !isNotable(trace, together.bytes)) return [];
  const shape = trace.blocks[together.blocks[0]!]!.shape!;
  return [findingOf(trace, "full_mask", together, { shape: shapeText(shape) })];
}
