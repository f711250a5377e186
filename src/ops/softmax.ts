/** Softmax and log-softmax, their gradients, and the softmax that keeps fully masked rows at zero. */

import { type DType, FLOAT16, FLOAT32 } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, named, type Args, type BackwardContext, type Kernel, type OpRow, type Ops } from "./row.ts";
import type { ValueRule } from "./values.ts";
import { logSoftmax, logSoftmaxSlope, softmax, softmaxSlope } from "./values-normalized.ts";

/** CUDA reads float16 directly when float32 is asked for; every other change of dtype is a copy first. */
function withDtype(kernel: string): NonNullable<OpRow["composite"]> {
  return (a: Args, o: Ops) => {
    const { self } = a;
    const fused = self.isCuda && self.dtype === FLOAT16 && a.dtype === FLOAT32;
    if (fused) return named(o, kernel)(self, a.dim, true);
    return named(o, kernel)(a.dtype ? o.to(self, a.dtype) : self, a.dim, false);
  };
}

/** Contiguous result; the kernel reads a contiguous copy of anything else. */
function normalized({ self, half_to_float }: Args, k: Kernel): Tensor {
  const out = k.output(self.sizes, half_to_float ? FLOAT32 : self.dtype);
  if (!self.isContiguous) k.scratch(self.nbytes, "contiguous_input");
  return out;
}

const inputDtype = (c: BackwardContext): DType => c.meta.self.dtype;

const entry = (name: string): OpRow => ({
  special: [name],
  schema: `${name}.int(Tensor self, int dim, dtype? dtype=None) -> Tensor`,
  autocast: "float32-dtype",
  composite: withDtype(`_${name}`),
  evidence: "aten/src/ATen/native/SoftMax.cpp softmax, log_softmax; reference 4.3",
});

const kernel = (name: string, node: string, values: ValueRule): OpRow => ({
  values,
  schema: `${name}(Tensor self, int dim, bool half_to_float) -> Tensor`,
  evidence: `derivatives.yaml: ${name}`,
  forward: normalized,
  python: "none",
  node,
  derivatives: [
    d("self", "result", (c) =>
      named(c.ops, `${name}_backward_data`)(c.grad, c.saved.result, c.args.dim, inputDtype(c)),
    ),
  ],
});

/** What the backward kernels copy to be contiguous. */
function contiguousOperands(k: Kernel, grad: Tensor, output: Tensor): void {
  if (!grad.isContiguous) k.scratch(grad.nbytes, "contiguous_grad");
  if (!output.isContiguous) k.scratch(output.nbytes, "contiguous_output");
}

export const softmaxOps = defineOps([
  entry("softmax"),
  entry("log_softmax"),
  kernel("_softmax", "SoftmaxBackward0", softmax),
  kernel("_log_softmax", "LogSoftmaxBackward0", logSoftmax),
  {
    schema: "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, dtype? input_dtype) -> Tensor",
    values: softmaxSlope,
    forward: ({ grad_output, output, input_dtype }, k) => {
      const result = k.output(grad_output.sizes, input_dtype);
      // the kernel reads the product of gradient and result, a dense tensor of its own
      k.scratch(grad_output.numel * grad_output.dtype.itemBytes, "softmax_grad_times_output");
      if (!output.isContiguous) k.scratch(output.nbytes, "contiguous_operand");
      return result;
    },
    python: "none",
    node: "SoftmaxBackwardDataBackward0",
    derivatives: [
      d("grad_output", "output", ({ grad, saved: { output }, args, ops: o }) =>
        o._softmax_backward_data(o.to(grad, output.dtype), output, args.dim, args.input_dtype),
      ),
      d("output", "grad_output output", ({ grad, saved: { grad_output, output }, args, ops: o }) => {
        const dims = [args.dim];
        const last = o.mul(grad_output, o.sum_dim_IntList(o.mul(output, grad), dims, true));
        const middle = o.mul(o.sum_dim_IntList(o.mul(output, grad_output), dims, true), grad);
        return o.to(o.sub(o.sub(o.mul(grad_output, grad), middle), last), output.dtype);
      }),
    ],
    evidence: "aten/src/ATen/native/cuda/SoftMax.cu softmax_backward_cuda_out; reference 5.3",
  },
  {
    schema: "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, dtype? input_dtype) -> Tensor",
    values: logSoftmaxSlope,
    evidence: "derivatives.yaml: _log_softmax_backward_data; case indexing/chosen-log-probabilities",
    forward: ({ grad_output, output, input_dtype }, k) => {
      const result = k.output(grad_output.sizes, input_dtype);
      contiguousOperands(k, grad_output, output);
      return result;
    },
    python: "none",
    node: "LogSoftmaxBackwardDataBackward0",
    derivatives: [
      d("grad_output", "output", ({ grad, saved: { output }, args, ops: o }) => {
        const weighted = o.mul(o.to(grad, output.dtype), o.exp(output));
        return o.sub(o.to(grad, output.dtype), o.sum_dim_IntList(weighted, [args.dim], true));
      }),
      d("output", "grad_output output", ({ grad, saved: { grad_output, output }, args, ops: o }) => {
        const probabilities = o.exp(output);
        const total = o.neg(o.sum_dim_IntList(grad_output, [args.dim], true));
        return o.mul(o.mul(total, probabilities), o.to(grad, output.dtype));
      }),
    ],
  },
  {
    schema: "_safe_softmax(Tensor self, int dim, dtype? dtype=None) -> Tensor",
    forward: ({ self, dim, dtype: type }, k) => {
      const o = k.ops;
      const out = o.softmax_int(self, dim, type);
      const copies = k.rules.safeSoftmaxCopies;
      const lowest = copies ? o.scalar_tensor(-Infinity, self.dtype, self.device) : null;
      const emptyRows = o.all(lowest ? o.eq(self, lowest) : o.isneginf(self), [dim], true);
      const zero = o.scalar_tensor(0, out.dtype, out.device);
      return copies ? o.where_self(emptyRows, zero, out) : out;
    },
    python: "none",
    node: "SafeSoftmaxBackward0",
    derivatives: [
      d("self", "result", (c) => c.ops._softmax_backward_data(c.grad, c.saved.result, c.args.dim, inputDtype(c))),
    ],
    evidence: "aten/src/ATen/native/SoftMax.cpp _safe_softmax; reference 4.4",
  },
]);
