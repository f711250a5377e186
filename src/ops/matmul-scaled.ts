/** Products of 8-bit matrices with scales (aten/src/ATen/native/cuda/ScaledBlas.cpp). */

import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, type Kernel } from "./row.ts";

/** Ada has 8-bit tensor cores, and Hopper and what came after it. */
const LEAST_SM = 89;
const MULTIPLE = 16;

/** cuBLASLt takes rows times columns, with sizes that are multiples of 16. */
function check(a: Tensor, b: Tensor, k: Kernel): void {
  if (k.gpu.sm < LEAST_SM)
    throw new TorchError(
      "torch._scaled_mm is only supported on CUDA devices with compute capability >= 9.0 or 8.9, or ROCm MI300+",
    );
  if (a.rank !== 2 || b.rank !== 2)
    throw new TorchError(a.rank === 2 ? "mat2 must be a matrix" : "mat1 must be a matrix");
  const shapes = [a, b].map((m) => m.sizes.join("x"));
  if (a.sizes[1] !== b.sizes[0])
    throw new TorchError(`mat1 and mat2 shapes cannot be multiplied (${shapes[0]} and ${shapes[1]})`);
  if (a.strides[1] !== 1 || b.strides[0] !== 1)
    throw new TorchError("Only multiplication of row-major and column-major matrices is supported by cuBLASLt");
  if ([a.sizes[1], ...b.sizes].some((size) => size % MULTIPLE !== 0))
    throw new TorchError(
      `mat1, and both sizes of mat2, must be divisible by ${MULTIPLE}; mat1 is ${shapes[0]} and mat2 ${shapes[1]}`,
    );
}

export const scaledMatmulOps = defineOps([
  {
    schema:
      "_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? scale_result=None, dtype? out_dtype=None, bool use_fast_accum=False) -> Tensor",
    since: "2.1",
    forward: ({ self, mat2, out_dtype }, k) => {
      check(self, mat2, k);
      const out = k.output([self.sizes[0], mat2.sizes[1]], out_dtype ?? self.dtype);
      if (out.numel > 0) k.cublasLtWorkspace();
      return out;
    },
    evidence:
      "ScaledBlas.cpp: _scaled_mm_out_cuda asks for cuBLASLt's workspace; recorded on an H100, with the handle's",
  },
]);
