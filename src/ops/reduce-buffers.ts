/**
 * The block-partial buffer and semaphores of CUDA reductions (aten/src/ATen/native/cuda/Reduce.cuh, setReduceConfig).
 * Everything that sums a column of more than about a thousand rows takes one, every bias gradient included. Seen in a real
 * trace (PyTorch 2.11): 16,777,216 and 32 bytes for 2,048 rows of 1,024 columns, nothing for 512 rows.
 */

import type { GpuRow } from "../gpus/catalogue.ts";
import type { TorchRules } from "../torch/changes.ts";
import { type DType, isFloating } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Kernel } from "./row.ts";

const floorPowerOfTwo = (n: number): number => (n < 1 ? 1 : 2 ** Math.floor(Math.log2(n)));
const ceilDiv = (a: number, b: number): number => Math.ceil(a / b);

/** Merges neighbouring dimensions that one stride walks through, as TensorIterator does before it runs a kernel. */
function coalesce(dims: { size: number; stride: number; reduced: boolean }[]): typeof dims {
  const merged: typeof dims = [];
  for (const dim of dims) {
    const last = merged[merged.length - 1];
    if (last && last.reduced === dim.reduced && dim.stride === last.stride * last.size) last.size *= dim.size;
    else merged.push({ ...dim });
  }
  return merged;
}

/** What a reduction reads. */
export type Reduced = Pick<Tensor, "sizes" | "strides" | "numel" | "dtype">;

/** What the kernel's template arguments say. */
export interface ReductionKernel {
  readonly accumulatorBytes: number;
  /** Inputs that a thread reads before it reduces them (vt0). */
  readonly unrolled?: 2 | 4;
  /** Sum and mean read more 16-bit inputs at once than others. */
  readonly sums?: boolean;
}

/** Bytes in which values of a type are added up. */
export const accumulator = (t: DType): number => (t.itemBytes === 8 ? 8 : 4);
/** Sums and means of floating inputs read these as they are, others are cast first (ReduceSumProdKernel.cu, ReduceMomentKernel.cu). */
export const summing = (self: Pick<Tensor, "dtype">, of: DType): ReductionKernel => ({
  accumulatorBytes: accumulator(of),
  sums: isFloating(self.dtype),
});
/** Variances are combined in threes of numbers, and read two at once (std_var_kernel_impl). */
export const WELFORD: ReductionKernel = { accumulatorBytes: 16, unrolled: 2 };

/** input_vec_size along the fastest dimension; kernels that unroll less than four did not read vectors at first. */
function valuesReadAtOnce(self: Reduced, { unrolled = 4, sums = false }: ReductionKernel, rules: TorchRules): number {
  if (!rules.reduceDividesFastDim) return 1;
  if (sums && self.dtype.itemBytes === 2) return rules.reduceVector16Bit;
  return unrolled === 4 || rules.reduceVectorsOfAnyWidth ? unrolled : 1;
}

/** Bytes and names of what the reduction takes for a moment, in order. */
export function reductionBuffers(
  self: Reduced,
  dims: readonly number[],
  kernel: ReductionKernel,
  gpu: GpuRow,
  rules: TorchRules,
): [number, string][] {
  const { accumulatorBytes } = kernel;
  if (self.numel === 0) return [];
  const reduced = new Set(dims);
  const axes = self.sizes
    .map((size, i) => ({ size, stride: self.strides[i], reduced: reduced.has(i) }))
    .filter((a) => a.size !== 1)
    .sort((a, b) => a.stride - b.stride);
  const merged = coalesce(axes);
  if (merged.length === 0) return [];
  const inputs = merged.filter((a) => a.reduced).reduce((n, a) => n * a.size, 1);
  const outputs = merged.filter((a) => !a.reduced).reduce((n, a) => n * a.size, 1);
  if (inputs === 1) return [];
  const fast = merged[0].reduced;
  const unit = merged[0].stride === 1;
  let d0 = fast ? inputs : outputs;
  const d1 = fast ? outputs : inputs;
  let vector = 1;
  if (fast) {
    const one = merged.filter((a) => a.reduced).length === 1;
    const enough = rules.reduceVectorFrom <= d0;
    if (unit && one && enough) d0 = Math.floor(d0 / valuesReadAtOnce(self, kernel, rules));
  } else if (unit) {
    vector = 4;
    while (vector > 1 && (outputs % vector !== 0 || merged.slice(1).some((a) => a.stride % vector !== 0))) vector /= 2;
    d0 = Math.floor(d0 / vector);
  }
  const maxThreads = 512 / vector;
  const p0 = Math.min(floorPowerOfTwo(d0), maxThreads);
  const p1 = Math.min(floorPowerOfTwo(d1), maxThreads);
  let width = Math.min(p0, 32);
  const height = Math.min(p1, maxThreads / width);
  width = Math.min(p0, maxThreads / height);
  const threads = width * height;
  let stepIn = fast ? width : 1;
  let stepOut = fast ? 1 : width;
  let split = false;
  if (ceilDiv(inputs, stepIn) >= Math.min(16 * height, 256)) {
    stepIn *= height;
    split = true;
  } else stepOut *= height;
  const grid = ceilDiv(outputs / vector, stepOut);
  const target = gpu.smCount * Math.floor(gpu.threadsPerSm / threads);
  const perThread = ceilDiv(inputs, stepIn);
  if (!split || perThread < 256 || grid > target) return [];
  const ctas = Math.max(Math.min(ceilDiv(target, grid), ceilDiv(perThread, 16)), ceilDiv(perThread, 256));
  if (ctas <= 1) return [];
  const buffer = accumulatorBytes * outputs * ctas * (fast ? 1 : width * vector);
  return [
    [buffer, "reduction_partials"],
    [4 * grid, "reduction_semaphores"],
  ];
}

/** Takes them while the kernel runs; the function that comes back gives them back earlier. */
export function reductionScratch(
  k: Kernel,
  self: Reduced,
  dims: readonly number[],
  kernel: ReductionKernel,
): () => void {
  if (!k.temporaries) return () => {};
  const taken = reductionBuffers(self, dims, kernel, k.gpu, k.rules).map(([bytes, what]) => k.scratch(bytes, what));
  return () => taken.reverse().forEach((giveBack) => giveBack());
}
