/** Recurrent layers over whole sequences: cuDNN's one kernel, and the loop over fused cells without it. */

import { BFLOAT16, FLOAT16, FLOAT32, FLOAT64 } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { cellOps } from "./recurrent-cells.ts";
import { cudnnRnnOps, kinds, type RnnKind } from "./recurrent-cudnn.ts";
import { packingOps } from "./recurrent-packing.ts";
import { type Args, type CompositeContext, defineOps, type OpRow, type Ops } from "./row.ts";

/** Weights of one layer and direction. */
interface CellWeights {
  readonly ih: Tensor;
  readonly hh: Tensor;
  readonly biasIh: Tensor | null;
  readonly biasHh: Tensor | null;
  readonly hr: Tensor | null;
}

/** `h`, or `h` and `c`. */
type State = readonly Tensor[];

const cudnnTypes = new Set([FLOAT32, FLOAT64, FLOAT16, BFLOAT16]);
const takesCudnn = (input: Tensor, wanted: boolean): boolean =>
  wanted && input.isCuda && input.numel > 0 && cudnnTypes.has(input.dtype);

/** The flat list of parameters, cell by cell. */
function cellWeights(params: readonly Tensor[], hasBiases: boolean, projected: boolean): CellWeights[] {
  const each = (hasBiases ? 4 : 2) + (projected ? 1 : 0);
  const cells: CellWeights[] = [];
  for (let i = 0; i + each <= params.length; i += each)
    cells.push({
      ih: params[i],
      hh: params[i + 1],
      biasIh: hasBiases ? params[i + 2] : null,
      biasHh: hasBiases ? params[i + 3] : null,
      hr: projected ? params[i + each - 1] : null,
    });
  return cells;
}

/** One step, by the kind of the layer. */
function step(kind: RnnKind, input: Tensor, state: State, w: CellWeights, o: Ops): Tensor[] {
  if (kind === "lstm") {
    const inputGates = o.matmul(input, o.t(w.ih));
    const hiddenGates = o.matmul(state[0], o.t(w.hh));
    const [h, c] = o._thnn_fused_lstm_cell(inputGates, hiddenGates, state[1], w.biasIh, w.biasHh) as Tensor[];
    return [w.hr ? o.matmul(h, o.t(w.hr)) : h, c];
  }
  return [o[`${kind}_cell`](input, state[0], w.ih, w.hh, w.biasIh, w.biasHh)];
}

/** All steps of one direction: the stacked outputs, then the last state (FullLayer in RNN.cpp). */
function direction(
  kind: RnnKind,
  inputs: readonly Tensor[],
  first: State,
  w: CellWeights,
  backwards: boolean,
  o: Ops,
  c: CompositeContext,
): Tensor[] {
  let state = first;
  const outputs: Tensor[] = [];
  for (const input of backwards ? [...inputs].reverse() : inputs) {
    const before = state;
    state = c.statement(() => step(kind, input, before, w, o));
    outputs.push(state[0]);
    // outputs stay for the stack; a cell state lives until the next one is there
    if (before !== first) for (const t of before.slice(1)) c.drop(t);
  }
  if (backwards) outputs.reverse();
  return [o.stack(outputs, 0), ...state];
}

/** Layer after layer (apply_layer_stack); returns the output and the stacked last states. */
function loop(kind: RnnKind, a: Args, states: readonly Tensor[], o: Ops, c: CompositeContext): Tensor[] {
  const directions = a.bidirectional ? [0, 1] : [0];
  const first = states.map((t) => o.unbind(t, 0) as Tensor[]);
  const projected = kind === "lstm" && states[0].size(2) !== states[1].size(2);
  const cells = cellWeights(a.params, a.has_biases, projected);
  const last: State[] = [];
  let input: Tensor = a.batch_first ? o.transpose(a.input, 0, 1) : a.input;
  for (let layer = 0; layer < a.num_layers; layer++) {
    const [output, ...ends] = c.statement((): Tensor[] => {
      const steps = o.unbind(input, 0) as Tensor[];
      const done = directions.map((dir) => {
        const at = layer * directions.length + dir;
        return direction(
          kind,
          steps,
          first.map((list) => list[at]),
          cells[at],
          dir === 1,
          o,
          c,
        );
      });
      const outputs = done.map((list) => list[0]);
      const joined: Tensor = outputs.length > 1 ? o.cat(outputs, -1) : outputs[0];
      return [joined, ...done.flatMap((list) => list.slice(1))];
    });
    for (let i = 0; i < ends.length; i += states.length) last.push(ends.slice(i, i + states.length));
    if (layer > 0) c.drop(input);
    input = output;
    if (a.dropout !== 0 && a.train && layer < a.num_layers - 1) {
      input = o.dropout(input, a.dropout, true);
      c.drop(output);
    }
  }
  // the arguments of one C++ call: the cell states are stacked before the outputs
  const stacked = states
    .map((_, i) => states.length - 1 - i)
    .map(
      (i) =>
        o.stack(
          last.map((s) => s[i]),
          0,
        ) as Tensor,
    );
  stacked.reverse();
  return [a.batch_first ? o.transpose(input, 0, 1) : input, ...stacked];
}

/** cuDNN's kernel; the parameters are one buffer if they were flattened, else they are gathered into one. */
function fused(kind: RnnKind, a: Args, states: readonly Tensor[], batchSizes: readonly number[], o: Ops): Tensor[] {
  const [hx, cx = null] = states;
  const hidden = (cx ?? hx).sizes[2];
  const projection = cx && cx.sizes[2] !== hx.sizes[2] ? hx.sizes[2] : 0;
  const [output, h, c] = o._cudnn_rnn(
    a.input,
    a.params,
    (a.has_biases ? 4 : 2) + (projection ? 1 : 0),
    null,
    hx,
    cx,
    kinds[kind].mode,
    hidden,
    projection,
    a.num_layers,
    a.batch_first ?? false,
    a.dropout,
    a.train,
    a.bidirectional,
    batchSizes,
  );
  return cx ? [output, h, c] : [output, h];
}

const settings = "bool has_biases, int num_layers, float dropout, bool train, bool bidirectional";

const layer = (kind: RnnKind): OpRow[] => {
  const state = kind === "lstm" ? "Tensor[] hx" : "Tensor hx";
  const results = kind === "lstm" ? "(Tensor output, Tensor hy, Tensor cy)" : "(Tensor output, Tensor hy)";
  const states = (a: Args): readonly Tensor[] => (kind === "lstm" ? a.hx : [a.hx]);
  return [
    {
      schema: `${kind}(Tensor input, ${state}, Tensor[] params, ${settings}, bool batch_first, bool cudnn=True) -> ${results}`,
      evidence: `native_functions.yaml: ${kind}.input`,
      python: "none",
      composite: (a: Args, o: Ops, c: CompositeContext) =>
        takesCudnn(a.input, a.cudnn) ? fused(kind, a, states(a), [], o) : loop(kind, a, states(a), o, c),
    },
    {
      schema: `${kind}.data(Tensor data, Tensor batch_sizes, ${state}, Tensor[] params, ${settings}) -> ${results}`,
      evidence: `native_functions.yaml: ${kind}.data`,
      python: "none",
      composite: (a: Args, o: Ops, c: CompositeContext) => {
        const sizes: readonly number[] = a.batch_sizes.values ?? [];
        if (!sizes.length) c.assume("data_dependent_size", { rule: "one step of packed rows" });
        return fused(kind, { ...a, input: a.data }, states(a), sizes.length ? sizes : [a.data.sizes[0]], o);
      },
    },
  ];
};

export const recurrentOps = defineOps([
  ...(Object.keys(kinds) as RnnKind[]).flatMap(layer),
  ...cellOps,
  ...cudnnRnnOps,
  ...packingOps,
]);
