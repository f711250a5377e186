/** Matrix products: the cuBLAS leaves, and how linear and matmul reach them (aten/src/ATen/native/LinearAlgebra.cpp, Linear.cpp). */

import { cxxName } from "../tensor/cxx-names.ts";
import { isFloating } from "../tensor/dtype.ts";
import { broadcast, numel, TorchError } from "../tensor/shape.ts";
import type { Scalar } from "../tensor/iterator.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type BackwardContext, d, defineOps, type Kernel, type Ops, type TensorMeta } from "./row.ts";
import { productOfMatrices } from "./values-products.ts";

/** cuBLAS takes a matrix whose one stride is 1 and whose other is large enough; anything else is copied first. */
function needsCopy(t: Tensor): boolean {
  const n = t.sizes.length;
  const rows = t.sizes[n - 2];
  const columns = t.sizes[n - 1];
  const s0 = t.strides[n - 2];
  const s1 = t.strides[n - 1];
  const rowMajor = s1 === 1 && s0 >= Math.max(1, columns);
  const columnMajor = s0 === 1 && s1 >= Math.max(1, rows);
  return !rowMajor && !columnMajor;
}

export function copyOperands(k: Kernel, ...operands: Tensor[]): void {
  for (const t of operands) if (needsCopy(t) && t.numel > 0) k.scratch(t.nbytes, "gemm_operand_copy");
}

export function checkTypes(a: Tensor, b: Tensor, name: string): void {
  if (a.dtype !== b.dtype)
    throw new TorchError(
      name === "bmm"
        ? `expected scalar type ${cxxName(a.dtype)} but found ${cxxName(b.dtype)}`
        : `mat1 and mat2 must have the same dtype, but got ${cxxName(a.dtype)} and ${cxxName(b.dtype)}`,
    );
}

/** The addend must expand to the product's sizes. */
export function checkAddend(self: Tensor, sizes: readonly number[]): void {
  const pad = sizes.length - self.rank;
  const wrong = self.sizes.findLastIndex((s, i) => s !== 1 && s !== sizes[i + pad]);
  if (pad >= 0 && wrong < 0) return;
  throw new TorchError(
    `The expanded size of the tensor (${sizes[wrong + pad]}) must match the existing size (${self.sizes[wrong]}) at non-singleton dimension ${wrong + pad}.  Target sizes: [${sizes.join(", ")}].  Tensor sizes: [${self.sizes.join(", ")}]`,
  );
}

export function checkBatches(a: Tensor, b: Tensor): void {
  if (a.rank !== 3) throw new TorchError("batch1 must be a 3D tensor");
  if (b.rank !== 3) throw new TorchError("batch2 must be a 3D tensor");
  if (a.sizes[2] !== b.sizes[1] || a.sizes[0] !== b.sizes[0])
    throw new TorchError(
      `Expected size for first two dimensions of batch2 tensor to be: [${a.sizes[0]}, ${a.sizes[2]}] but got: [${b.sizes[0]}, ${b.sizes[1]}].`,
    );
}
export function checkMatrices(a: Tensor, b: Tensor): void {
  if (a.size(-1) !== b.size(-2))
    throw new TorchError(
      `mat1 and mat2 shapes cannot be multiplied (${a.size(-2)}x${a.size(-1)} and ${b.size(-2)}x${b.size(-1)})`,
    );
}

/** Whether addmm goes to cuBLASLt with the bias fused (Blas.cpp, reference 2.4). */
export function takesLt(self: Tensor, mat1: Tensor, mat2: Tensor, beta: number, k: Kernel): boolean {
  const [rows, columns] = mat2.sizes;
  if (self.rank !== 1 || !self.isContiguous || self.sizes[0] !== columns || beta !== 1) return false;
  if (!isFloating(self.dtype) || rows <= 1 || columns <= 1) return false;
  return !k.rules.ltNeedsMatrix || (mat1.sizes[0] > 1 && mat1.sizes[1] > 1);
}

const columnMajor = (m: TensorMeta): boolean => m.strides[0] === 1 && m.strides[1] === m.sizes[0];
export const scaled = (c: BackwardContext, t: Tensor, alpha: Scalar | undefined): Tensor =>
  !alpha || alpha.value === 1 ? t : c.ops.mul(t, alpha);

/** Gradients keep the layout of what they are the gradient of (mm_mat1_backward, mm_mat2_backward). */
const gradLeft = (c: BackwardContext, left: string, right: Tensor, alpha?: Scalar): Tensor => {
  const o = c.ops;
  return columnMajor(c.meta[left])
    ? scaled(c, o.t(o.mm(right, o.t(c.grad))), alpha)
    : scaled(c, o.mm(c.grad, o.t(right)), alpha);
};
const gradRight = (c: BackwardContext, right: string, left: Tensor, alpha?: Scalar): Tensor => {
  const o = c.ops;
  return columnMajor(c.meta[right])
    ? scaled(c, o.t(o.mm(o.t(c.grad), left)), alpha)
    : scaled(c, o.mm(o.t(left), c.grad), alpha);
};

/** TensorImpl::requires_grad: a view answers for its base, also where no graph is recorded (w.t() under no_grad). */
const asksForGrad = (t: Tensor): boolean => t.requiresGrad || (t.viewBase?.requiresGrad ?? false);

export function vectorProduct(k: Kernel, a: Tensor, b: Tensor): Tensor {
  if (a.rank !== 1 || b.rank !== 1)
    throw new TorchError(`1D tensors expected, but got ${a.rank}D and ${b.rank}D tensors`);
  if (a.numel !== b.numel)
    throw new TorchError(
      `inconsistent tensor size, expected tensor [${a.numel}] and src [${b.numel}] to have the same number of elements, but got ${a.numel} and ${b.numel} elements respectively`,
    );
  const out = k.output([], a.dtype);
  k.cublasWorkspace();
  return out;
}

function shouldFold(a: Tensor, b: Tensor, always: boolean): boolean {
  const aLarger = a.rank >= b.rank;
  const [large, small] = aLarger ? [a, b] : [b, a];
  if (!(large.rank >= 3 && small.rank <= 2)) return false;
  if (always || asksForGrad(small)) return true;
  if (a.rank === 2) return false;
  if (large.numel === 0) return true;
  const strides = [...large.strides];
  const sizes = [...large.sizes];
  if (!aLarger) {
    // the second operand is folded transposed
    const n = sizes.length;
    [strides[n - 1], strides[n - 2]] = [strides[n - 2], strides[n - 1]];
    [sizes[n - 1], sizes[n - 2]] = [sizes[n - 2], sizes[n - 1]];
  }
  for (let i = 0; i < sizes.length - 2; i++) if (strides[i] !== strides[i + 1] * sizes[i + 1]) return false;
  return true;
}

function folded(a: Tensor, b: Tensor, o: Ops): Tensor {
  const swap = b.rank > a.rank;
  const large: Tensor = swap ? o.transpose(b, -2, -1) : a;
  const small: Tensor = swap ? (a.rank === 2 ? o.t(a) : a) : b;
  const shape = large.sizes.slice(0, -1);
  const rows = numel(shape);
  const flat = o.reshape(large, [rows, large.size(-1)]);
  if (small.rank === 1) return o._unsafe_view(o.mv(flat, small), shape);
  const out = o._unsafe_view(o.mm(flat, small), [...shape, small.sizes[1]]);
  return swap ? o.contiguous(o.transpose(out, -2, -1)) : out;
}

function batched(a: Tensor, b: Tensor, o: Ops, squeezes: boolean): Tensor {
  const n = a.rank > 1 ? a.size(-2) : 1;
  const inner = a.size(-1);
  const vector = b.rank === 1;
  const inner2 = vector ? b.sizes[0] : b.size(-2);
  const p = vector ? 1 : b.size(-1);
  const batchA = a.sizes.slice(0, Math.max(a.rank - 2, 0));
  const batchB = b.sizes.slice(0, Math.max(b.rank - 2, 0));
  if (squeezes && a.rank === 3 && b.rank === 3 && batchA[0] !== batchB[0]) {
    if (batchA[0] === 1 && asksForGrad(a)) return o.matmul(o.squeeze_dim(a, 0), b);
    if (batchB[0] === 1 && asksForGrad(b)) return o.matmul(a, o.squeeze_dim(b, 0));
  }
  const batch = broadcast(batchA, batchB);
  const count = numel(batch);
  const left = o.reshape(o.expand(a, [...batch, n, inner]), [count, n, inner]);
  const right = vector
    ? o.unsqueeze(o.reshape(o.expand(b, [...batch, inner2]), [count, inner2]), 2)
    : o.reshape(o.expand(b, [...batch, inner2, p]), [count, inner2, p]);
  const shape = [...batch];
  if (a.rank > 1) shape.push(n);
  if (!vector) shape.push(p);
  const product = o.bmm(left, right);
  return o._unsafe_view(vector ? o.squeeze_dim(product, -1) : product, shape);
}

export const matmulOps = defineOps([
  {
    schema: "mm(Tensor self, Tensor mat2) -> Tensor",
    values: productOfMatrices("self", "mat2"),
    evidence: "derivatives.yaml: mm; case products/workspaces-of-threads",
    readsUnresolved: true,
    autocast: "low",
    forward: ({ self, mat2 }, k) => {
      if (self.rank !== 2) throw new TorchError("self must be a matrix");
      if (mat2.rank !== 2) throw new TorchError("mat2 must be a matrix");
      checkMatrices(self, mat2);
      checkTypes(self, mat2, "mm");
      const out = k.output([self.sizes[0], mat2.sizes[1]], self.dtype);
      copyOperands(k, self, mat2);
      if (out.numel > 0) k.cublasWorkspace();
      return out;
    },
    derivatives: [
      d("self", "mat2", (c) => gradLeft(c, "self", c.saved.mat2)),
      d("mat2", "self", (c) => gradRight(c, "mat2", c.saved.self)),
    ],
  },
  {
    schema: "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    values: productOfMatrices("mat1", "mat2", "self"),
    evidence: "derivatives.yaml: addmm; case autograd/inference-mode",
    readsUnresolved: true,
    autocast: "low",
    inplace: true,
    forward: ({ self, mat1, mat2, beta }, k) => {
      checkMatrices(mat1, mat2);
      checkTypes(mat1, mat2, "addmm");
      const sizes = [mat1.sizes[0], mat2.sizes[1]];
      checkAddend(self, sizes);
      const out = k.output(sizes, mat1.dtype);
      copyOperands(k, mat1, mat2);
      if (out.numel === 0) return out;
      if (takesLt(self, mat1, mat2, beta.value, k)) k.cublasLtWorkspace();
      k.cublasWorkspace();
      return out;
    },
    derivatives: [
      d("mat1", "mat2", (c) => gradLeft(c, "mat1", c.saved.mat2, c.args.alpha)),
      d("mat2", "mat1", (c) => gradRight(c, "mat2", c.saved.mat1, c.args.alpha)),
      d("self", "", (c) => scaled(c, c.grad, c.args.beta)),
    ],
  },
  {
    schema: "bmm(Tensor self, Tensor mat2) -> Tensor",
    values: productOfMatrices("self", "mat2"),
    evidence: "derivatives.yaml: bmm; case indexing/cache-written-by-slices",
    readsUnresolved: true,
    autocast: "low",
    forward: ({ self, mat2 }, k) => {
      checkBatches(self, mat2);
      checkTypes(self, mat2, "bmm");
      const out = k.output([self.sizes[0], self.sizes[1], mat2.sizes[2]], self.dtype);
      copyOperands(k, self, mat2);
      if (out.numel > 0) k.cublasWorkspace();
      return out;
    },
    derivatives: [
      d("self", "mat2", ({ grad, saved, ops: o }) => o.bmm(grad, o.transpose(saved.mat2, 1, 2))),
      d("mat2", "self", ({ grad, saved, ops: o }) => o.bmm(o.transpose(saved.self, 1, 2), grad)),
    ],
  },
  {
    schema: "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    values: productOfMatrices("batch1", "batch2", "self"),
    evidence: "derivatives.yaml: baddbmm; case products/out-of-products",
    readsUnresolved: true,
    autocast: "low",
    inplace: true,
    forward: ({ self, batch1, batch2 }, k) => {
      checkBatches(batch1, batch2);
      checkTypes(batch1, batch2, "bmm");
      const sizes = [batch1.sizes[0], batch1.sizes[1], batch2.sizes[2]];
      checkAddend(self, sizes);
      const out = k.output(sizes, batch1.dtype);
      copyOperands(k, batch1, batch2);
      if (out.numel > 0) k.cublasWorkspace();
      return out;
    },
    derivatives: [
      d("batch1", "batch2", (c) => scaled(c, c.ops.bmm(c.grad, c.ops.transpose(c.saved.batch2, 1, 2)), c.args.alpha)),
      d("batch2", "batch1", (c) => scaled(c, c.ops.bmm(c.ops.transpose(c.saved.batch1, 1, 2), c.grad), c.args.alpha)),
      d("self", "", (c) => scaled(c, c.grad, c.args.beta)),
    ],
  },
  {
    schema: "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    evidence: "derivatives.yaml: addbmm; case products/out-of-products",
    autocast: "low",
    inplace: true,
    forward: ({ batch1, batch2 }, k) => {
      const out = k.output([batch1.sizes[1], batch2.sizes[2]], batch1.dtype);
      k.cublasWorkspace();
      return out;
    },
    derivatives: [
      d("batch1", "batch2", (c) =>
        scaled(
          c,
          c.ops.bmm(
            c.ops.expand(c.ops.unsqueeze(c.grad, 0), [c.meta.batch1.sizes[0], ...c.grad.sizes]),
            c.ops.transpose(c.saved.batch2, 1, 2),
          ),
          c.args.alpha,
        ),
      ),
      d("batch2", "batch1", (c) =>
        scaled(
          c,
          c.ops.bmm(
            c.ops.transpose(c.saved.batch1, 1, 2),
            c.ops.expand(c.ops.unsqueeze(c.grad, 0), [c.meta.batch1.sizes[0], ...c.grad.sizes]),
          ),
          c.args.alpha,
        ),
      ),
      d("self", "", (c) => scaled(c, c.grad, c.args.beta)),
    ],
  },
  {
    schema: "mv(Tensor self, Tensor vec) -> Tensor",
    values: productOfMatrices("self", "vec"),
    evidence: "derivatives.yaml: mv; case products/matmul-of-every-rank",
    autocast: "low",
    forward: ({ self, vec }, k) => {
      // made before addmv checks what it writes into (Blas.cpp: mv)
      const out = k.output([self.sizes[0]], self.dtype);
      if (self.size(-1) !== vec.sizes[0])
        throw new TorchError(
          `size mismatch, got input (${self.sizes[0]}), mat (${self.sizes.join("x")}), vec (${vec.sizes[0]})`,
        );
      k.cublasWorkspace();
      return out;
    },
    derivatives: [
      d("self", "vec", ({ grad, saved, ops: o }) => o.outer(grad, saved.vec)),
      d("vec", "self", ({ grad, saved, ops: o }) => o.mv(o.t(saved.self), grad)),
    ],
  },
  {
    schema: "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    values: productOfMatrices("mat", "vec", "self"),
    evidence: "derivatives.yaml: addmv; case products/addends-batches-and-vectors",
    autocast: "low",
    inplace: true,
    forward: ({ mat }, k) => {
      const out = k.output([mat.sizes[0]], mat.dtype);
      k.cublasWorkspace();
      return out;
    },
    derivatives: [
      d("mat", "vec", (c) => scaled(c, c.ops.outer(c.grad, c.saved.vec), c.args.alpha)),
      d("self", "", (c) => scaled(c, c.grad, c.args.beta)),
      d("vec", "mat", (c) => scaled(c, c.ops.mv(c.ops.t(c.saved.mat), c.grad), c.args.alpha)),
    ],
  },
  {
    schema: "dot(Tensor self, Tensor tensor) -> Tensor",
    values: productOfMatrices("self", "tensor"),
    evidence: "derivatives.yaml: dot; case products/matmul-of-every-rank",
    readsUnresolved: true,
    autocast: "promote",
    forward: ({ self, tensor }, k) => vectorProduct(k, self, tensor),
    derivatives: [
      d("self", "tensor", ({ grad, saved, ops: o }) => o.mul(grad, saved.tensor)),
      d("tensor", "self", ({ grad, saved, ops: o }) => o.mul(grad, saved.self)),
    ],
  },
  {
    schema: "matmul(Tensor self, Tensor other) -> Tensor",
    evidence: "native_functions.yaml: matmul; case products/workspaces-of-threads",
    signs: ["__matmul__"],
    autocast: "low",
    outFrom: ["mm", "bmm", "mv", "dot"],
    composite: ({ self: a, other: b }, o, c) => {
      if (a.rank === 0 || b.rank === 0)
        throw new TorchError(`both arguments to matmul need to be at least 1D, but they are ${a.rank}D and ${b.rank}D`);
      if (a.rank === 1 && b.rank === 1) return o.dot(a, b);
      if (a.rank === 2 && b.rank === 1) return o.mv(a, b);
      // the product loses its row in place, so it is no view of anything
      if (a.rank === 1 && b.rank === 2) return o._squeezed(o.mm(o.unsqueeze(a, 0), b), 0);
      if (a.rank === 2 && b.rank === 2) return o.mm(a, b);
      if (shouldFold(a, b, c.rules.matmulFolding === "always" && !permutedBatch(a, b))) return folded(a, b, o);
      return batched(a, b, o, c.rules.matmulSqueezesBatchOfOne);
    },
  },
  {
    schema: "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
    evidence: "native_functions.yaml: linear; case autocast/custom-functions",
    autocast: "low",
    python: "nn",
    composite: ({ input, weight, bias }, o, c) => {
      if (input.rank === 2 && bias) return o.addmm(bias, input, o.t(weight));
      const flattens = c.rules.linearFlattens === "3d" ? input.rank === 3 : input.rank > 0;
      if (bias && flattens && input.isContiguous && bias.rank === 1) {
        const rows = numel(input.sizes.slice(0, -1));
        const flat = o.view(input, [rows, input.size(-1)]);
        const out = o.addmm(bias, flat, o.t(weight));
        return o.view(out, [...input.sizes.slice(0, -1), out.sizes[1]]);
      }
      const out = o.matmul(input, o.t(weight));
      return bias ? o.add_(out, bias) : out;
    },
  },
]);

/** Before 2.0 a 3-D operand with permuted batch layout was not folded. */
function permutedBatch(a: Tensor, b: Tensor): boolean {
  const large = a.rank >= b.rank ? a : b;
  return large.rank === 3 && !large.isContiguous && large.strides[0] < large.strides[1];
}
