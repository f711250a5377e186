/** Whole optimizer steps as one operator, and the gradient scaler's kernels (aten/src/ATen/native/cuda/Fused*Kernel.cu, AmpKernels.cu). */

import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import { knownOf } from "./values.ts";

/** Writes into lists of tensors and makes nothing: saved tensors notice by the version counter. */
const writes = (schema: string, lists: readonly string[]): OpRow => ({
  schema: `${schema} -> value`,
  evidence: `native_functions.yaml: ${operatorName(schema)}`,
  python: "function",
  mixedDevices: true,
  forward: (a) => {
    for (const list of lists)
      for (const t of a[list] as Tensor[]) {
        t.version.value++;
        t.learn(null);
      }
    return null;
  },
});

const adam = (name: string): OpRow =>
  writes(
    `${name}(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, Operand lr, float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None)`,
    ["self", "grads", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs"],
  );

export const optimizerOps = defineOps([
  adam("_fused_adam_"),
  adam("_fused_adamw_"),
  writes(
    "_fused_sgd_(Tensor[] self, Tensor[] grads, Tensor[] momentum_buffer_list, *, float weight_decay, float momentum, Operand lr, float dampening, bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None)",
    ["self", "grads", "momentum_buffer_list"],
  ),
  writes(
    "_fused_adagrad_(Tensor[] self, Tensor[] grads, Tensor[] state_sums, Tensor[] state_steps, *, Operand lr, float lr_decay, float weight_decay, float eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None)",
    ["self", "grads", "state_sums"],
  ),
  writes("_amp_foreach_non_finite_check_and_unscale_(Tensor[] self, Tensor found_inf, Tensor inv_scale)", ["self"]),
  {
    schema:
      "_amp_update_scale_(Tensor self, Tensor growth_tracker, Tensor found_inf, float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor",
    evidence: "native_functions.yaml: _amp_update_scale_; case autocast/scaler-with-a-fused-optimizer",
    // gradients are taken to be finite, and growth to be far away
    values: ({ self }) => [knownOf(self)],
    python: "function",
    mutates: ["self"],
    forward: ({ self }) => self,
  },
]);
