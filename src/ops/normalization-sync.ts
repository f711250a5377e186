/** The kernels of batch normalisation over several ranks: statistics, normalisation and its backward in separate calls. */

import { accumulateType, INT32 } from "../tensor/dtype.ts";
import { looksChannelsLast } from "../tensor/memory-format.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type Kernel } from "./row.ts";

const lastPowerOf2 = (n: number): number => 2 ** Math.floor(Math.log2(Math.max(1, n)));

/** Threads of a block, elements of a thread, and blocks along the reduction (Normalization.cuh). */
const MOST_THREADS = 512;
const ELEMENTS_PER_THREAD = 16;
const TILE_WIDTH = 32;
const MOST_ROWS_OF_BLOCKS = 128;
const FEWEST_ROWS_OF_BLOCKS = 8;

/** Partial sums of blocks that share a channel, where channels lie last. */
function stagingScratch(k: Kernel, input: Tensor): void {
  if (!looksChannelsLast(input) || input.isContiguous) return;
  const channels = input.sizes[1]!;
  const reduced = input.numel / channels;
  const [wide, high] = [lastPowerOf2(channels), lastPowerOf2(Math.ceil(reduced / ELEMENTS_PER_THREAD))];
  let width = Math.min(wide, TILE_WIDTH);
  const height = Math.min(high, MOST_THREADS / width);
  if (width * height !== MOST_THREADS) width = Math.min(wide, MOST_THREADS / height);
  const rows = Math.min(Math.ceil(reduced / (height * ELEMENTS_PER_THREAD)), MOST_ROWS_OF_BLOCKS);
  if (rows < FEWEST_ROWS_OF_BLOCKS) return;
  k.scratch(4 * channels * rows * accumulateType(input.dtype).itemBytes, "batch_norm_staging");
  k.scratch(Math.ceil(channels / width) * INT32.itemBytes, "batch_norm_semaphores");
}

const EVIDENCE = "ddp-11 of the distributed corpus; aten/src/ATen/native/cuda/Normalization.cu (staging: recalled)";

export const syncBatchNormOps = defineOps([
  {
    schema: "batch_norm_stats(Tensor input, float eps) -> (Tensor mean, Tensor invstd)",
    python: "function",
    forward: ({ input }, k) => {
      if (!input.isCuda) throw new TorchError("batch_norm_stats is a kernel of the GPU");
      const type = accumulateType(input.dtype);
      const results = [k.output([input.sizes[1]], type), k.output([input.sizes[1]], type)];
      stagingScratch(k, input);
      return results;
    },
    evidence: EVIDENCE,
  },
  {
    schema:
      "batch_norm_gather_stats_with_counts(Tensor input, Tensor mean, Tensor invstd, Tensor? running_mean, Tensor? running_var, float momentum, float eps, Tensor counts) -> (Tensor mean, Tensor invstd)",
    python: "function",
    forward: ({ input }, k) => {
      const type = accumulateType(input.dtype);
      return [k.output([input.sizes[1]], type), k.output([input.sizes[1]], type)];
    },
    evidence: EVIDENCE,
  },
  {
    schema:
      "batch_norm_elemt(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor invstd, float eps) -> Tensor",
    python: "function",
    forward: ({ input }, k) => k.like(input),
    evidence: EVIDENCE,
  },
  {
    schema:
      "batch_norm_backward_reduce(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, bool input_g, bool weight_g, bool bias_g) -> (Tensor? sum_dy, Tensor? sum_dy_xmu, Tensor? grad_weight, Tensor? grad_bias)",
    python: "function",
    forward: (a, k) => {
      const channels = [a.input.sizes[1]];
      const sum = (): Tensor => k.output(channels, a.mean.dtype);
      const grad = (): Tensor => k.output(channels, a.weight.dtype);
      const results = [
        a.input_g ? sum() : null,
        a.input_g ? sum() : null,
        a.weight && a.weight_g ? grad() : null,
        a.weight && a.bias_g ? grad() : null,
      ];
      stagingScratch(k, a.input);
      return results;
    },
    evidence: EVIDENCE,
  },
  {
    schema:
      "batch_norm_backward_elemt(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, Tensor? weight, Tensor sum_dy, Tensor sum_dy_xmu, Tensor count) -> Tensor",
    python: "function",
    forward: ({ input }, k) => k.like(input),
    evidence: EVIDENCE,
  },
]);
