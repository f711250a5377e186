/** Logits in float32, in several copies: a classifier over a vocabulary makes them as large as its input is small. */

import type { Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { blocksWhere, elements, findingOf, isNotable, mostTogether, shapeText } from "./together.ts";

export function float32Logits(trace: Trace): Finding[] {
  const made = trace.ops.indexOf("aten::_log_softmax");
  if (made === -1) return [];
  const kinds = new Map<string, readonly number[]>();
  const key = (shape: readonly number[]) => `${elements(shape)} ${shape.at(-1)}`;
  for (const { op, dtype, shape } of trace.blocks) {
    if (op === made && dtype === "float32" && shape !== null && shape.length > 1) kinds.set(key(shape), shape);
  }
  return [...kinds].flatMap(([kind, shape]) => {
    const alike = blocksWhere(
      trace,
      (block) => block.dtype === "float32" && block.shape !== null && key(block.shape) === kind,
    );
    const together = mostTogether(trace, alike);
    if (together === null || together.blocks.length < 2 || !isNotable(trace, together.bytes)) return [];
    const oneBytes = trace.blocks[together.blocks[0]!]!.bytes;
    return [findingOf(trace, "float32_logits", together, { shape: shapeText(shape), oneBytes })];
  });
}
