/** One step of a recurrent layer: the fused cells of CUDA and their gradients. */

import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { reductionScratch } from "./reduce-buffers.ts";
import { d, defineOps, named, type Args, type Kernel, type OpRow } from "./row.ts";
import { gruCell, gruCellSlope, lstmCell, lstmCellSlope } from "./values-recurrent.ts";

/** Sum over the batch, as bias gradients are. */
function biasGradient(k: Kernel, gates: Tensor): Tensor {
  const out = k.output([gates.sizes[1]], gates.dtype);
  reductionScratch(k, gates, [0], { accumulatorBytes: 4, sums: true });
  return out;
}

/** What a cell refuses (RNN.cpp: check_rnn_cell_forward_input, check_rnn_cell_forward_hidden). */
function checkCell({ input, w_ih, w_hh }: Args, states: readonly Tensor[]): void {
  const wide = w_ih.sizes[1];
  if (input.size(1) !== wide)
    throw new TorchError(`input has inconsistent input_size: got ${input.size(1)} expected ${wide}`);
  const hidden = w_hh.sizes[1];
  for (const [i, state] of states.entries()) {
    if (input.size(0) !== state.size(0))
      throw new TorchError(`Input batch size ${input.size(0)} doesn't match hidden${i} batch size ${state.size(0)}`);
    if (state.size(1) !== hidden)
      throw new TorchError(`hidden${i} has inconsistent hidden_size: got ${state.size(1)}, expected ${hidden}`);
  }
}

const plainCell = (name: string): OpRow => ({
  schema: `rnn_${name}_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor`,
  evidence: `native_functions.yaml: rnn_${name}_cell; case recurrent/plain-layers`,
  python: "function",
  autocast: "low",
  composite: (a: Args, o) => {
    checkCell(a, [a.hx]);
    const hidden = o.linear(a.hx, a.w_hh, a.b_hh);
    return named(o, name)(o.add_(hidden, o.linear(a.input, a.w_ih, a.b_ih)));
  },
});

export const cellOps = defineOps([
  {
    schema:
      "lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> (Tensor hy, Tensor cy)",
    evidence: "native_functions.yaml: lstm_cell; case recurrent/truncated-backward",
    python: "function",
    autocast: "low",
    composite: (a, o) => {
      checkCell(a, a.hx);
      const [h, c] = a.hx;
      const inputGates = o.matmul(a.input, o.t(a.w_ih));
      const hiddenGates = o.matmul(h, o.t(a.w_hh));
      return o._thnn_fused_lstm_cell(inputGates, hiddenGates, c, a.b_ih, a.b_hh).slice(0, 2);
    },
  },
  {
    // the workspace is the activated gates, kept for backward
    values: lstmCell,
    schema:
      "_thnn_fused_lstm_cell(Tensor input_gates, Tensor hidden_gates, Tensor cx, Tensor? input_bias=None, Tensor? hidden_bias=None) -> (Tensor hy, Tensor cy, Tensor workspace)",
    python: "none",
    evidence: "cuda/RNN.cu",
    forward: ({ input_gates, cx }, k) => {
      const state = () => k.output(cx.sizes, cx.dtype);
      return k.inOrder([2, 0, 1], [state, state, () => k.output(input_gates.sizes, input_gates.dtype)]);
    },
    derivatives: [
      d(
        "input_gates hidden_gates cx input_bias hidden_bias",
        "input_gates hidden_gates cx input_bias hidden_bias cy workspace",
        ({ grads, saved, meta, ops: o }) => {
          const bias = meta.input_bias !== null;
          const [gates, cx, sums] = o._thnn_fused_lstm_cell_backward_impl(
            grads[0],
            grads[1],
            saved.cx,
            saved.cy,
            saved.workspace,
            bias,
          );
          return [gates, gates, cx, sums, sums];
        },
      ),
    ],
  },
  {
    values: lstmCellSlope,
    schema:
      "_thnn_fused_lstm_cell_backward_impl(Tensor? grad_hy, Tensor? grad_cy, Tensor cx, Tensor cy, Tensor workspace, bool has_bias) -> (Tensor grad_gates, Tensor grad_cx, Tensor? grad_bias)",
    evidence: "native_functions.yaml: _thnn_fused_lstm_cell_backward_impl; case recurrent/truncated-backward",
    python: "none",
    forward: ({ cx, workspace, has_bias }, k) => {
      const gates = k.output(workspace.sizes, workspace.dtype);
      const gradCx = k.output(cx.sizes, cx.dtype);
      return [gates, gradCx, has_bias ? biasGradient(k, gates) : null];
    },
  },
  {
    schema:
      "gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None) -> Tensor",
    evidence: "native_functions.yaml: gru_cell",
    python: "function",
    autocast: "low",
    composite: (a, o) => {
      checkCell(a, [a.hx]);
      const inputGates = o.matmul(a.input, o.t(a.w_ih));
      const hiddenGates = o.matmul(a.hx, o.t(a.w_hh));
      return o._thnn_fused_gru_cell(inputGates, hiddenGates, a.hx, a.b_ih, a.b_hh)[0];
    },
  },
  {
    // five values per hidden unit are kept for backward
    values: gruCell,
    schema:
      "_thnn_fused_gru_cell(Tensor input_gates, Tensor hidden_gates, Tensor hx, Tensor? input_bias=None, Tensor? hidden_bias=None) -> (Tensor hy, Tensor workspace)",
    python: "none",
    evidence: "cuda/RNN.cu",
    forward: ({ hx }, k) => {
      const workspace = k.output([hx.sizes[0], hx.sizes[1] * 5], hx.dtype);
      return [k.output(hx.sizes, hx.dtype), workspace];
    },
    derivatives: [
      d(
        "input_gates hidden_gates hx input_bias hidden_bias",
        "input_gates hidden_gates hx input_bias hidden_bias workspace",
        ({ grad, saved, meta, ops: o }) =>
          o._thnn_fused_gru_cell_backward(grad, saved.workspace, meta.input_bias !== null),
      ),
    ],
  },
  {
    values: gruCellSlope,
    schema:
      "_thnn_fused_gru_cell_backward(Tensor grad_hy, Tensor workspace, bool has_bias) -> (Tensor grad_input_gates, Tensor grad_hidden_gates, Tensor grad_hx, Tensor? grad_input_bias, Tensor? grad_hidden_bias)",
    evidence: "native_functions.yaml: _thnn_fused_gru_cell_backward",
    python: "none",
    forward: ({ grad_hy, workspace, has_bias }, k) => {
      const sizes = [workspace.sizes[0], (workspace.sizes[1] / 5) * 3];
      const input = k.output(sizes, workspace.dtype);
      const hidden = k.output(sizes, workspace.dtype);
      const hx = k.output(grad_hy.sizes, grad_hy.dtype);
      return [input, hidden, hx, has_bias ? biasGradient(k, input) : null, has_bias ? biasGradient(k, hidden) : null];
    },
  },
  plainCell("tanh"),
  plainCell("relu"),
]);
