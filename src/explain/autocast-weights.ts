/** Copies of weights in the dtype of autocast, which its cache keeps until the block ends. */

import type { Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { blocksWhere, findingOf, isNotable, mostTogether } from "./together.ts";

export function autocastWeights(trace: Trace): Finding[] {
  const together = mostTogether(
    trace,
    blocksWhere(trace, ({ note }) => note === "autocast_weight"),
  );
  return together === null || !isNotable(trace, together.bytes) ? [] : [findingOf(trace, "autocast_weights", together)];
}
