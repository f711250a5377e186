/** Matrix products whose result is asked for in another type than the operands': sums of half precision kept in single precision. */

import { type DType, FLOAT32, isReducedFloat } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { checkAddend, checkBatches, checkMatrices, checkTypes, copyOperands, takesLt } from "./matmul.ts";
import { missing } from "./pointwise.ts";
import { defineOps, type Kernel } from "./row.ts";

const SHARED = { since: "2.8", python: "function", readsUnresolved: true } as const;
const CASE = "case products/results-in-another-type";

function product(k: Kernel, sizes: number[], asked: DType | null | undefined, left: Tensor, right: Tensor): Tensor {
  const out = asked ?? left.dtype;
  const result = k.output(sizes, out); // made before it is asked whether the type will do
  const widens = isReducedFloat(left.dtype) && out === FLOAT32;
  if (out !== left.dtype && !widens)
    throw new TorchError("out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs");
  copyOperands(k, left, right);
  if (result.numel > 0) k.cublasWorkspace();
  return result;
}

export const widenedMatmulOps = defineOps([
  {
    ...SHARED,
    schema: "mm.dtype(Tensor self, Tensor mat2, dtype? out_dtype) -> Tensor",
    evidence: `Blas.cpp: _mm_dtype_cuda; ${CASE}`,
    forward: ({ self, mat2, out_dtype }, k) => {
      checkMatrices(self, mat2);
      checkTypes(self, mat2, "mm");
      return product(k, [self.sizes[0], mat2.sizes[1]], out_dtype, self, mat2);
    },
    derivatives: [missing("mm", "self mat2")],
  },
  {
    ...SHARED,
    schema:
      "addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, dtype? out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    evidence: `Blas.cpp: _addmm_dtype_cuda; ${CASE}`,
    forward: ({ self, mat1, mat2, out_dtype, beta }, k) => {
      checkMatrices(mat1, mat2);
      checkTypes(mat1, mat2, "addmm");
      checkAddend(self, [mat1.sizes[0], mat2.sizes[1]]);
      if (takesLt(self, mat1, mat2, beta.value, k)) k.cublasLtWorkspace();
      return product(k, [mat1.sizes[0], mat2.sizes[1]], out_dtype, mat1, mat2);
    },
    derivatives: [missing("addmm", "self mat1 mat2")],
  },
  {
    ...SHARED,
    schema: "bmm.dtype(Tensor self, Tensor mat2, dtype? out_dtype) -> Tensor",
    evidence: `Blas.cpp: _bmm_dtype_cuda; ${CASE}`,
    forward: ({ self, mat2, out_dtype }, k) => {
      checkBatches(self, mat2);
      checkTypes(self, mat2, "bmm");
      return product(k, [self.sizes[0], self.sizes[1], mat2.sizes[2]], out_dtype, self, mat2);
    },
    derivatives: [missing("bmm", "self mat2")],
  },
  {
    ...SHARED,
    schema:
      "baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, dtype? out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    evidence: `Blas.cpp: _baddbmm_dtype_cuda; ${CASE}`,
    forward: ({ self, batch1, batch2, out_dtype }, k) => {
      checkBatches(batch1, batch2);
      checkTypes(batch1, batch2, "bmm");
      const sizes = [batch1.sizes[0], batch1.sizes[1], batch2.sizes[2]];
      checkAddend(self, sizes);
      return product(k, sizes, out_dtype, batch1, batch2);
    },
    derivatives: [missing("baddbmm", "self batch1 batch2")],
  },
]);
