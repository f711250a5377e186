/** Which kernel scaled_dot_product_attention takes (aten/src/ATen/native/transformers/cuda/sdp_utils.cpp, select_sdp_backend). */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { AttentionKernel } from "../torch/engine-rules.ts";
import type { TorchRules } from "../torch/changes.ts";
import { BFLOAT16, isReducedFloat } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";

export interface AttentionCall {
  readonly query: Tensor;
  readonly key: Tensor;
  readonly value: Tensor;
  readonly mask: Tensor | null;
  readonly dropout: number;
  /** Key and value heads may be fewer than the query's. */
  readonly grouped: boolean;
  /** The stand-in that recorded the corpora without temporaries repeats heads for the memory-efficient kernel, and takes it for heads of any size. */
  readonly standIn: boolean;
  /** A graph is recorded for one of query, key and value. */
  readonly trains: boolean;
}

type Test = (call: AttentionCall, rules: TorchRules, gpu: GpuRow) => boolean;

const fourDims: Test = ({ query, key, value }) => query.rank === 4 && key.rank === 4 && value.rank === 4;

const sameBatch: Test = ({ query, key, value }) => key.sizes[0] === query.sizes[0] && value.sizes[0] === query.sizes[0];

const equalHeads: Test = ({ query, key, value }) =>
  key.sizes[1] === query.sizes[1] && value.sizes[1] === query.sizes[1];

/** Several heads of the query share one of key and value: on request, and since 2.14 also where there is one. */
const shares: Test = ({ key, value, grouped }, rules) =>
  grouped || (rules.fusedSharesOneHead && key.sizes[1] === 1 && value.sizes[1] === 1);

const divided: Test = ({ query, key, value }) =>
  query.sizes[1] % key.sizes[1] === 0 && query.sizes[1] % value.sizes[1] === 0;

const sharedHeads: Test = (call, rules, gpu) =>
  equalHeads(call, rules, gpu) ||
  (shares(call, rules, gpu) && divided(call, rules, gpu) && call.key.sizes[1] === call.value.sizes[1]);

/** 128 bits are read at once: four numbers of 32 bits from compute capability 8.0 on, eight of 16. */
const alignedHeads: Test = ({ query, value, standIn }, _, gpu) => {
  if (standIn) return true;
  const wide = isReducedFloat(query.dtype) ? 8 : gpu.sm >= 80 ? 4 : 1;
  return query.size(-1) % wide === 0 && value.size(-1) % wide === 0;
};

const nonEmpty: Test = ({ query, key, value }) => query.numel > 0 && key.numel > 0 && value.numel > 0;

/** bfloat16 needs compute capability 8.0. */
const half: Test = ({ query }, _, gpu) => isReducedFloat(query.dtype) && (query.dtype !== BFLOAT16 || gpu.sm >= 80);

/** On small GPUs the backward kernel has too little shared memory for wide heads. */
const wideHeadsTrainable: Test = ({ query, dropout, trains }, _, gpu) => {
  const small = (gpu.sm >= 86 && gpu.sm <= 89) || gpu.sm === 120 || gpu.sm === 121;
  if (!trains || !small) return true;
  const d = query.size(-1);
  return d <= 192 || (d > 224 && dropout === 0);
};

const flash: readonly Test[] = [
  fourDims,
  ({ mask }) => mask === null,
  half,
  (_, rules, gpu) => gpu.sm >= rules.flashFromSm && gpu.sm <= rules.flashToSm,
  ({ query, key, value }, rules) => {
    const d = query.size(-1);
    return key.size(-1) === d && value.size(-1) === d && d <= rules.flashMaxHeadDim;
  },
  wideHeadsTrainable,
  sameBatch,
  sharedHeads,
  nonEmpty,
];

const efficient: readonly Test[] = [
  fourDims,
  ({ mask }, rules) => mask === null || rules.efficientTakesMask,
  ({ dropout }, rules) => dropout === 0 || rules.efficientTakesDropout,
  (_, __, gpu) => gpu.sm >= 50,
  ({ query }, _, gpu) => query.dtype !== BFLOAT16 || gpu.sm >= 80,
  ({ query, key }) => query.size(-1) === key.size(-1),
  alignedHeads,
  sameBatch,
  (call, rules, gpu) =>
    equalHeads(call, rules, gpu) ||
    ((call.standIn || rules.efficientTakesGroupedHeads) && sharedHeads(call, rules, gpu)),
  nonEmpty,
];

const cudnn: readonly Test[] = [
  fourDims,
  half,
  (_, __, gpu) => gpu.sm >= 80 && gpu.sm <= 121,
  // heads of up to 256 on Hopper, with dropout of any probability: recorded on an H100 with PyTorch 2.11
  ({ query, value }, _, gpu) =>
    [query, value].every((t) => t.size(-1) <= (gpu.sm === 90 ? 256 : 128) && t.size(-1) % 8 === 0),
  ({ key }) => key.size(-2) !== 1,
  ({ query, dropout }) => dropout === 0 || query.size(-2) !== 1,
  sameBatch,
  (call, rules, gpu) => equalHeads(call, rules, gpu) || (shares(call, rules, gpu) && divided(call, rules, gpu)),
  nonEmpty,
];

const tests: Record<AttentionKernel, readonly Test[]> = { flash, efficient, cudnn, math: [] };

/** What the first release expected to go faster with the memory-efficient kernel: it shares a head among blocks of 64 queries. */
function suitsEfficient({ query, key, value }: AttentionCall): boolean {
  if ([query, key, value].some((t) => t.size(-1) === 128)) return true;
  const heads = query.size(0) * query.size(1);
  return heads < 60 && Math.floor((heads * Math.floor(query.size(-2) / 64)) / 2) >= heads;
}

/** The first kernel of the version's order that is allowed and can do it. */
export function chooseAttention(
  call: AttentionCall,
  rules: TorchRules,
  gpu: GpuRow,
  allowed: readonly string[] | null,
): AttentionKernel {
  if (!call.query.isCuda) return "math";
  const order = [...rules.attentionOrder];
  if (rules.efficientFirstBySize && suitsEfficient(call))
    order.sort((a, b) => Number(b === "efficient") - Number(a === "efficient"));
  if (rules.cudnnAttentionFirstOnSm.includes(gpu.sm)) {
    const at = order.indexOf("cudnn");
    if (at >= 0) order.splice(at, 1);
    order.unshift("cudnn");
  }
  for (const kernel of order)
    if ((allowed === null || allowed.includes(kernel)) && tests[kernel].every((can) => can(call, rules, gpu)))
      return kernel;
  throw new TorchError("No available kernel. Aborting execution.");
}
