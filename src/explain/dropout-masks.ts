/** Masks of dropout: one byte for each element, kept for backward. */

import type { Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { blocksWhere, findingOf, isNotable, mostTogether } from "./together.ts";

export function dropoutMasks(trace: Trace): Finding[] {
  const op = trace.ops.indexOf("aten::native_dropout");
  const together = mostTogether(
    trace,
    blocksWhere(trace, (block) => block.op === op && block.dtype === "bool"),
  );
  return together === null || !isNotable(trace, together.bytes) ? [] : [findingOf(trace, "dropout_masks", together)];
}
