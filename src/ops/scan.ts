/** Recurrences that models write as a loop over tokens: one call per token, in the operators and the order of the loop. */

import { defineOps } from "./row.ts";

export const scanOps = defineOps([
  {
    // reads token `index - 1` from the state, then brings the state to `index`, so that the old state dies when it is bound anew
    schema:
      "_selective_scan_step(Tensor state, Tensor outputs, Tensor kept, Tensor added, int index, dtype? dtype) -> (Tensor result, Tensor state)",
    python: "none",
    evidence: "training and inference of mamba and falcon_mamba, recorded with PyTorch 2.14",
    composite: ({ state, outputs, kept, added, index, dtype }, o, c) => {
      const read = c.statement(() => o.matmul(o.to(state, dtype), o.unsqueeze(o.select(outputs, 1, index - 1), -1)));
      const result = o.select(read, 2, 0);
      const next = c.statement(() => o.add(o.mul(o.select(kept, 2, index), state), o.select(added, 2, index)));
      return [result, next];
    },
  },
]);
