/** Draws by weight: multinomial (Distributions.cpp, cuda/MultinomialKernel.cu). */

import { INT64 } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type Kernel } from "./row.ts";
import { byWeight } from "./values-random.ts";

/** One draw each, or draws without replacement into `result`: the weights over exponential noise, of which the largest are taken. */
function fastest(self: Tensor, result: Tensor, draws: number, k: Kernel): void {
  const o = k.ops;
  k.statement(() => {
    const finite = o.lt(o.max(self), Infinity);
    return void o.bitwise_and(finite, o.ge(o.min(self), 0));
  });
  k.statement(
    () => void (self.rank === 1 ? o.eq(o.sum(self), 0) : o.sum(o.eq(o.sum_dim_IntList(self, [1], false), 0))),
  );
  // where the device asserts, what it looks at lives to the end
  for (let kept = 0; kept < k.rules.multinomialKeptChecks; kept++) k.scratch(1, "multinomial_check");
  const noise = o.div_(o.empty_like(self), self);
  if (draws === 1) k.into([result], () => o.argmax(noise, -1, true));
  else k.into([o.empty([...result.sizes], self.dtype, self.device), result], () => o.topk(noise, draws));
}

/** With replacement: the weights, their shares, and running sums of these. */
function shared(self: Tensor, k: Kernel): void {
  const o = k.ops;
  const rows = self.rank === 1 ? o.view(self, [1, -1]) : self;
  o.clone(rows);
  const shares = o.clone(rows);
  o.cumsum(shares, 1);
}

export const multinomialOps = defineOps([
  {
    schema: "multinomial(Tensor self, int num_samples, bool replacement=False) -> Tensor",
    evidence: "native_functions.yaml: multinomial; case sorting/topk-in-16-bits",
    draws: true,
    values: byWeight,
    forward: ({ self, num_samples, replacement }, k) => {
      const made = k.temporaries && self.numel > 0;
      const result = k.output([...self.sizes.slice(0, -1), num_samples], INT64);
      if (made && (!replacement || num_samples === 1)) fastest(self, result, num_samples, k);
      else if (made) shared(self, k);
      return result;
    },
  },
]);
