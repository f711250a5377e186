/** cuDNN's recurrent kernel: flat weights, reserve space for backward, and one buffer of weight gradients. */

import { INT64, UINT8 } from "../tensor/dtype.ts";
import { contiguousStrides, isContiguous, numel } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { dropoutState, type RecurrentShape, recurrentReserve, takeRecurrentWorkspace } from "./recurrent-workspace.ts";
import { type Args, d, defineOps, type Kernel } from "./row.ts";

export type RnnKind = "lstm" | "gru" | "rnn_tanh" | "rnn_relu";

/** cuDNN's number of each kind. */
export const kinds: Record<RnnKind, { readonly mode: number }> = {
  rnn_relu: { mode: 0 },
  rnn_tanh: { mode: 1 },
  lstm: { mode: 2 },
  gru: { mode: 3 },
};
const totalOf = (weights: readonly Tensor[]): number => weights.reduce((n, w) => n + w.numel, 0);

/** True when the weights are slices of one buffer, as flatten_parameters() leaves them. */
const flattened = (weights: readonly Tensor[]): boolean => weights.every((w) => w.storage === weights[0].storage);

const packed = (a: Args): boolean => a.batch_sizes.length > 0;

/** Width of what an LSTM's layers pass on, where it is not that of their cells. */
const projected = (a: Args): number => (a.cx && a.hx.sizes[2] !== a.cx.sizes[2] ? a.hx.sizes[2] : 0);

/** Rows of all steps together. */
const rowsOf = (a: Args): number => (packed(a) ? a.input.sizes[0] : a.input.sizes[0] * a.input.sizes[1]);

const shapeOf = (a: Args, dropout: number): RecurrentShape => ({
  mode: a.mode,
  rows: rowsOf(a),
  batch: packed(a) ? a.batch_sizes[0] : a.input.sizes[a.batch_first ? 0 : 1],
  input_size: a.input.sizes.at(-1),
  hidden_size: a.hidden_size,
  proj_size: projected(a),
  num_layers: a.num_layers,
  bidirectional: a.bidirectional,
  packed: packed(a),
  dropout,
  matrices: totalOf(a.weight.filter((w: Tensor) => w.sizes.length > 1)),
  dtype: a.input.dtype.name,
  itemBytes: a.input.dtype.itemBytes,
});

function outputSizes(a: Args): number[] {
  const width = (a.proj_size || a.hidden_size) * (a.bidirectional ? 2 : 1);
  return [...a.input.sizes.slice(0, -1), width];
}

/** Time first, as the kernel writes it; seen with the batch first when asked. */
function sequence(k: Kernel, a: Args, sizes: readonly number[]): Tensor {
  if (!a.batch_first || packed(a)) return k.output(sizes, a.input.dtype);
  const [batch, , width] = sizes;
  return k.output(sizes, a.input.dtype, [width, batch * width, 1]);
}

/** The kernel's copy of what has the batch first, unless it lies time by time; the function gives it back. */
function timeFirst(k: Kernel, a: Args, t: Tensor | null): () => void {
  if (!t || !a.batch_first || packed(a)) return () => {};
  const [sizes, strides] = [t.sizes, t.strides].map(([batch, time, width]) => [time!, batch!, width!]);
  return isContiguous(sizes!, strides!) ? () => {} : k.scratch(t.nbytes, "rnn_time_first");
}

function views(k: Kernel, buffer: Tensor, weights: readonly Tensor[]): Tensor[] {
  let offset = 0;
  return weights.map((w) => {
    const view = k.view(buffer, w.sizes, contiguousStrides(w.sizes), offset, true);
    offset += w.numel;
    return view;
  });
}

export const cudnnRnnOps = defineOps([
  {
    // the weights become slices of a new buffer; their own memory goes
    schema:
      "_cudnn_rnn_flatten_weight(Tensor[] weight_arr, int weight_stride0, int input_size, int mode, int hidden_size, int proj_size, int num_layers, bool batch_first, bool bidirectional) -> Tensor",
    python: "function",
    evidence: "cudnn/RNN.cpp",
    forward: ({ weight_arr }, k) => {
      const weights: readonly Tensor[] = weight_arr;
      const buffer = k.output([totalOf(weights)], weights[0].dtype);
      let offset = 0;
      for (const w of weights) {
        w.setStorage(buffer.storage);
        w.offset = offset;
        w.strides = contiguousStrides(w.sizes);
        offset += numel(w.sizes);
      }
      return buffer;
    },
  },
  {
    schema:
      "_cudnn_rnn(Tensor input, Tensor[] weight, int weight_stride0, Tensor? weight_buf, Tensor hx, Tensor? cx, int mode, int hidden_size, int proj_size, int num_layers, bool batch_first, float dropout, bool train, bool bidirectional, int[] batch_sizes) -> (Tensor output, Tensor hy, Tensor cy, Tensor reserve, Tensor new_weight_buf)",
    python: "none",
    autocast: "low",
    node: "CudnnRnnBackward0",
    evidence: "cudnn/RNN.cpp; sizes: test/record, ops-convolution and ops-matrix",
    forward: (a, k) => {
      const weights: readonly Tensor[] = a.weight;
      if (a.train && a.dropout > 0) k.keepOnce("cudnn_dropout_state", dropoutState(k.gpu), [INT64.itemBytes]);
      timeFirst(k, a, a.input);
      const output = sequence(k, a, outputSizes(a));
      const hy = k.output(a.hx.sizes, a.hx.dtype);
      const cy = a.cx ? k.output(a.cx.sizes, a.cx.dtype) : k.output([0], a.hx.dtype);
      const buffer = flattened(weights)
        ? k.view(weights[0], [totalOf(weights)], [1], 0, true)
        : k.output([totalOf(weights)], a.input.dtype);
      const shape = shapeOf(a, a.train ? a.dropout : 0);
      const giveBack = takeRecurrentWorkspace(k, shape, "forward");
      const reserve = k.output([a.train ? recurrentReserve(shape) : 0], UINT8);
      giveBack();
      return [output, hy, cy, reserve, buffer];
    },
    derivatives: [
      d(
        "input hx cx weight",
        "input hx cx weight output reserve new_weight_buf",
        ({ grads, saved, args: a, needs, ops: o }) =>
          o._cudnn_rnn_backward(
            saved.input,
            saved.weight,
            saved.new_weight_buf,
            saved.hx,
            saved.cx,
            saved.output,
            grads[0],
            grads[1],
            grads[2],
            a.mode,
            a.hidden_size,
            a.num_layers,
            a.batch_first,
            a.dropout,
            a.bidirectional,
            a.batch_sizes,
            saved.reserve,
            needs.weight,
          ),
      ),
    ],
  },
  {
    // missing gradients are zeros; results: input, hx, cx, then one slice per weight
    schema:
      "_cudnn_rnn_backward(Tensor input, Tensor[] weight, Tensor weight_buf, Tensor hx, Tensor? cx, Tensor output, Tensor? grad_output, Tensor? grad_hy, Tensor? grad_cy, int mode, int hidden_size, int num_layers, bool batch_first, float dropout, bool bidirectional, int[] batch_sizes, Tensor reserve, bool weight_grad) -> Tensor[]",
    python: "none",
    evidence: "cudnn/RNN.cpp",
    forward: (a, k) => {
      const o = k.ops;
      if (!a.grad_output) o.zeros_like(a.output);
      if (!a.grad_hy) o.zeros_like(a.hx);
      if (a.cx && !a.grad_cy) o.zeros_like(a.cx);
      // the gradient of zeros lies as the output does
      const giveBack = [timeFirst(k, a, a.input), timeFirst(k, a, a.grad_output)];
      const input = sequence(k, a, a.input.sizes);
      const hx = k.output(a.hx.sizes, a.hx.dtype);
      const cx = a.cx ? k.output(a.cx.sizes, a.cx.dtype) : null;
      const shape = shapeOf(a, a.dropout);
      takeRecurrentWorkspace(k, shape, "backward")();
      for (const give of giveBack.toReversed()) give();
      if (!a.weight_grad) return [input, hx, cx];
      // the weights' part is a function of its own, which puts the input into order once more
      const giveInputBack = timeFirst(k, a, a.input);
      const gradient = k.output(a.weight_buf.sizes, a.input.dtype);
      takeRecurrentWorkspace(k, shape, "backward")();
      giveInputBack();
      return [input, hx, cx, ...views(k, gradient, a.weight)];
    },
  },
]);
