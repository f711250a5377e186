/** What one step of a recurrent layer and its backward kernel give on the CPU. */

import type { Tensor } from "../tensor/tensor.ts";
import type { Args } from "./row.ts";
import { listed, onHost, type ValueRule } from "./values.ts";
import { logistic } from "./values-curves.ts";

/** The biased gates of one side: part `p` of hidden unit `j` in row `i`, of `parts` parts. */
function gatesOf(
  gates: Tensor,
  bias: Tensor | null,
  parts: number,
): ((i: number, p: number, j: number) => number) | null {
  const known = listed(gates);
  const added = bias ? listed(bias) : undefined;
  if (known === null || added === null) return null;
  const wide = gates.sizes[1]!;
  const width = wide / parts;
  return (i, p, j) => known[i * wide + p * width + j]! + (added?.[p * width + j] ?? 0);
}

/** Writes `parts` numbers per unit of every row. */
function writer(rows: number, width: number, parts: number) {
  const values: number[] = Array.from({ length: rows * width * parts }, () => 0);
  return {
    values,
    write: (i: number, j: number, numbers: readonly number[]) =>
      numbers.forEach((v, p) => (values[(i * parts + p) * width + j] = v)),
  };
}

function sumsOfRows(values: readonly number[], wide: number): number[] {
  const sums = Array.from({ length: wide }, () => 0);
  values.forEach((v, i) => (sums[i % wide]! += v));
  return sums;
}

/** What a cell reads: the state before, and the biased gates of both sides. */
function readCell(a: Args, state: Tensor, parts: number) {
  const [before, input, hidden] = [
    listed(state),
    gatesOf(a.input_gates, a.input_bias, parts),
    gatesOf(a.hidden_gates, a.hidden_bias, parts),
  ];
  return before && input && hidden ? { before, input, hidden } : null;
}

const sizesOf = (state: Tensor): readonly [rows: number, width: number] => [state.sizes[0]!, state.sizes[1]!];

/** Gates in the order input, forget, cell, output; they are kept, activated. */
export const lstmCell: ValueRule = onHost((a: Args) => {
  const [rows, width] = sizesOf(a.cx);
  const cell = readCell(a, a.cx, 4);
  if (cell === null) return null;
  const { before, input, hidden } = cell;
  const [h, c, kept] = [writer(rows, width, 1), writer(rows, width, 1), writer(rows, width, 4)];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < width; j++) {
      const gate = (p: number): number => input(i, p, j) + hidden(i, p, j);
      const [enter, forget, fresh, out] = [logistic(gate(0)), logistic(gate(1)), Math.tanh(gate(2)), logistic(gate(3))];
      const next = forget * before[i * width + j]! + enter * fresh;
      h.write(i, j, [out * Math.tanh(next)]);
      c.write(i, j, [next]);
      kept.write(i, j, [enter, forget, fresh, out]);
    }
  return [h.values, c.values, kept.values];
});

export const lstmCellSlope: ValueRule = onHost((a: Args) => {
  const [rows, width] = sizesOf(a.cx);
  const [before, after, kept] = [a.cx, a.cy, a.workspace].map(listed);
  const [ofH, ofC] = [a.grad_hy, a.grad_cy].map((t) => (t ? listed(t) : undefined));
  if (!before || !after || !kept || ofH === null || ofC === null) return null;
  const [gates, state] = [writer(rows, width, 4), writer(rows, width, 1)];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < width; j++) {
      const at = i * width + j;
      const [enter, forget, cell, out] = [0, 1, 2, 3].map((p) => kept[(i * 4 + p) * width + j]!) as number[];
      const seen = Math.tanh(after[at]!);
      const g = ofH?.[at] ?? 0;
      const c = g * out! * (1 - seen * seen) + (ofC?.[at] ?? 0);
      gates.write(i, j, [
        c * cell! * enter! * (1 - enter!),
        c * before[at]! * forget! * (1 - forget!),
        c * enter! * (1 - cell! * cell!),
        g * seen * out! * (1 - out!),
      ]);
      state.write(i, j, [c * forget!]);
    }
  return [gates.values, state.values, sumsOfRows(gates.values, 4 * width)];
});

/** Gates in the order reset, update, new; kept are they and what the reset gate lets through, and the state. */
export const gruCell: ValueRule = onHost((a: Args) => {
  const [rows, width] = sizesOf(a.hx);
  const cell = readCell(a, a.hx, 3);
  if (cell === null) return null;
  const { before, input, hidden } = cell;
  const [h, kept] = [writer(rows, width, 1), writer(rows, width, 5)];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < width; j++) {
      const reset = logistic(input(i, 0, j) + hidden(i, 0, j));
      const update = logistic(input(i, 1, j) + hidden(i, 1, j));
      const through = hidden(i, 2, j);
      const fresh = Math.tanh(input(i, 2, j) + reset * through);
      const old = before[i * width + j]!;
      h.write(i, j, [fresh + update * (old - fresh)]);
      kept.write(i, j, [reset, update, fresh, old, through]);
    }
  return [h.values, kept.values];
});

export const gruCellSlope: ValueRule = onHost((a: Args) => {
  const [rows, width] = sizesOf(a.grad_hy);
  const [grad, kept] = [a.grad_hy, a.workspace].map(listed);
  if (!grad || !kept) return null;
  const [input, hidden, state] = [writer(rows, width, 3), writer(rows, width, 3), writer(rows, width, 1)];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < width; j++) {
      const g = grad[i * width + j]!;
      const [reset, update, fresh, old, through] = [0, 1, 2, 3, 4].map(
        (p) => kept[(i * 5 + p) * width + j]!,
      ) as number[];
      const ofFresh = g * (1 - update!) * (1 - fresh! * fresh!);
      const ofUpdate = g * (old! - fresh!) * update! * (1 - update!);
      const ofReset = ofFresh * through! * reset! * (1 - reset!);
      input.write(i, j, [ofReset, ofUpdate, ofFresh]);
      hidden.write(i, j, [ofReset, ofUpdate, ofFresh * reset!]);
      state.write(i, j, [g * update!]);
    }
  const all = [input.values, hidden.values, state.values];
  return a.has_bias ? [...all, sumsOfRows(input.values, 3 * width), sumsOfRows(hidden.values, 3 * width)] : all;
});
