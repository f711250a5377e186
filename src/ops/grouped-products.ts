/** Products of groups of rows, each with its own matrix, as experts need them (aten/src/ATen/native/GroupedMMUtils.h). */

import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, type Kernel, type Ops, type TensorMeta } from "./row.ts";

/** Rows of results begin at multiples of 16 bytes. */
const ROW_ALIGNMENT_BYTES = 16;

/** [groups, rows, columns] where both operands have as many dimensions, else [rows, columns]. */
function productSizes(self: Tensor, mat2: Tensor, offs: Tensor | null): number[] {
  for (const t of [self, mat2])
    if (t.rank !== 2 && t.rank !== 3)
      throw new TorchError(
        `Multiplicands must be 2D or 3D but got mat_a.dim()=${self.rank} and mat_b.dim()=${mat2.rank}`,
      );
  const flat = self.rank === 2 && mat2.rank === 2;
  if (!flat && self.size(-1) !== mat2.size(-2))
    throw new TorchError("contraction dimension of mat_a and mat_b must match");
  const needsOffsets = self.rank === 2 || mat2.rank === 2;
  if (needsOffsets !== (offs !== null))
    throw new TorchError(
      `Have to ${needsOffsets ? "" : "not "}provide offsets ${needsOffsets ? "if there is a 2d matrix" : "if all matrices are 3d"}`,
    );
  if (flat) return [offs?.size(0) ?? 0, self.size(0), mat2.size(1)];
  const groups = self.rank === 3 ? self.size(0) : mat2.size(0);
  if ((offs?.size(0) ?? mat2.size(0)) !== groups) throw new TorchError("matrix batch sizes have to match");
  if (self.rank === 2) return [self.size(0), mat2.size(-1)];
  return mat2.rank === 2 ? [self.size(1), mat2.size(1)] : [groups, self.size(1), mat2.size(-1)];
}

const columnMajor = ({ sizes, strides }: TensorMeta): boolean => {
  const n = sizes.length;
  return strides[n - 2] === 1 && strides[n - 1] === sizes[n - 2];
};
const flip = (o: Ops, t: Tensor): Tensor => o.transpose(t, -2, -1);

/** Of each group: pointers and strides of three matrices, and three sizes (cuda/GroupMM.cu). */
const ARGUMENT_BYTES_PER_GROUP = 60;
/** Four descriptors of 128 bytes for each multiprocessor: CUTLASS' workspace for grouped products of sm_90. */
const DESCRIPTOR_BYTES_PER_SM = 512;

/** One kernel for all groups on Hopper and later; before, products one by one. */
function fastProducts(k: Kernel, groups: number): void {
  if (!k.temporaries || k.gpu.sm < 90) return k.cublasWorkspace();
  k.scratch(groups * ARGUMENT_BYTES_PER_GROUP, "grouped_arguments");
  k.scratch(k.gpu.smCount * DESCRIPTOR_BYTES_PER_SM, "grouped_workspace");
}

export const groupedProductOps = defineOps([
  {
    schema:
      "_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, dtype? out_dtype=None) -> Tensor",
    python: "function",
    since: "2.8",
    readsUnresolved: true,
    forward: ({ self, mat2, offs, bias }, k) => {
      if (bias) throw new TorchError("Bias not supported yet");
      const sizes = productSizes(self, mat2, offs);
      if (self.dtype !== mat2.dtype)
        throw new TorchError(
          `Expected mat_b dtype to match mat_a dtype, got mat_a.dtype=${self.dtype.name} and mat_b.dtype=${mat2.dtype.name}.`,
        );
      const step = Math.max(1, ROW_ALIGNMENT_BYTES / self.dtype.itemBytes);
      const row = Math.ceil(sizes[sizes.length - 1] / step) * step;
      const strides = sizes.length === 3 ? [sizes[1] * row, row, 1] : [row, 1];
      const out = k.output(sizes, self.dtype, strides);
      if (out.numel > 0) fastProducts(k, offs?.numel ?? sizes[0]);
      return out;
    },
    // a gradient has the layout of what it is the gradient of
    derivatives: [
      d("self", "mat2 offs", ({ grad, saved: { mat2, offs }, meta, ops: o }) =>
        columnMajor(meta.self)
          ? flip(o, o._grouped_mm(mat2, flip(o, grad), offs))
          : o._grouped_mm(grad, flip(o, mat2), offs),
      ),
      d("mat2", "self offs", ({ grad, saved: { self, offs }, meta, ops: o }) =>
        columnMajor(meta.mat2)
          ? flip(o, o._grouped_mm(flip(o, grad), self, offs))
          : o._grouped_mm(flip(o, self), grad, offs),
      ),
    ],
    evidence:
      "_meta_registrations.py: _create_grouped_mm_output_tensor; derivatives.yaml: _grouped_mm; recorded: training of mixtures of experts",
  },
]);
