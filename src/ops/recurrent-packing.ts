/** Sequences of different lengths: packed row by row, padded again, and padded from a list. */

import { INT64 } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps } from "./row.ts";

/** How many sequences still run at each step. */
const running = (lengths: readonly number[]): number[] =>
  Array.from({ length: lengths[0] ?? 0 }, (_, t) => lengths.filter((n) => n > t).length);

/** Runs of steps with the same number of sequences: first step, end, sequences. */
function runs(counts: readonly number[]): { from: number; to: number; rows: number }[] {
  const found: { from: number; to: number; rows: number }[] = [];
  counts.forEach((rows, t) => {
    const last = found[found.length - 1];
    if (last && last.rows === rows) last.to = t + 1;
    else found.push({ from: t, to: t + 1, rows });
  });
  return found;
}

export const packingOps = defineOps([
  {
    // each run of steps is copied out, then all are joined (PackedSequence.cpp)
    schema:
      "_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor data, Tensor batch_sizes)",
    evidence: "derivatives.yaml: _pack_padded_sequence; case recurrent/padding-and-packing",
    python: "function",
    mixedDevices: true,
    forward: ({ input, lengths, batch_first }, k) => {
      const o = k.ops;
      const steps: Tensor = batch_first ? o.transpose(input, 0, 1) : input;
      const [time, batch, ...rest] = steps.sizes;
      if (lengths.numel !== batch)
        throw new TorchError(
          `Expected \`len(lengths)\` to be equal to batch_size, but got ${lengths.numel} (batch_size=${batch})`,
        );
      if (!lengths.values) k.assume("data_dependent_size", { rule: "all sequences are as long as the longest" });
      const known: readonly number[] = lengths.values ?? new Array<number>(batch).fill(time);
      if (known.some((n, i) => i > 0 && n > known[i - 1]))
        throw new TorchError(
          "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability.",
        );
      const counts = running(known);
      const parts = runs(counts).map(({ from, to, rows }) =>
        o.view(o.contiguous(o.slice(o.slice(steps, 0, from, to, 1), 1, 0, rows, 1)), [(to - from) * rows, ...rest]),
      );
      const data = o.cat(parts);
      const sizes = k.output([counts.length], INT64, undefined, "cpu");
      sizes.learn(counts);
      return [data, sizes];
    },
    derivatives: [
      d("input", "", ({ grad, meta, args, ops: o }) => {
        const [a, b, ...rest] = meta.input.sizes;
        const full = o.zeros(args.batch_first ? [b, a, ...rest] : [a, b, ...rest], grad.dtype, grad.device);
        return args.batch_first ? o.transpose(full, 0, 1) : full;
      }),
    ],
  },
  {
    schema:
      "_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length) -> (Tensor output, Tensor lengths)",
    evidence: "native_functions.yaml: _pad_packed_sequence; case recurrent/padding-and-packing",
    python: "function",
    composite: ({ data, batch_sizes, batch_first, padding_value, total_length }, o, c) => {
      const time = batch_sizes.numel;
      if (!batch_sizes.values) c.assume("data_dependent_size", { rule: "all sequences run to the last step" });
      const counts: readonly number[] =
        batch_sizes.values ?? new Array<number>(time).fill(Math.ceil(data.sizes[0] / time));
      const rest = data.sizes.slice(1);
      const batch = counts[0] ?? 0;
      const output = o.full([Math.max(total_length, time), batch, ...rest], padding_value, data.dtype, data.device);
      let row = 0;
      for (const { from, to, rows } of runs(counts)) {
        const count = (to - from) * rows;
        const part = o.slice(data, 0, row, row + count, 1);
        o.copy_(o.slice(o.slice(output, 0, from, to, 1), 1, 0, rows, 1), o.view(part, [to - from, rows, ...rest]));
        row += count;
      }
      const lengths = o.empty([batch], INT64, "cpu");
      lengths.learn(Array.from({ length: batch }, (_, i) => counts.filter((n) => n > i).length));
      return [batch_first ? o.transpose(output, 0, 1) : output, lengths];
    },
  },
  {
    schema:
      "pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0.0, str padding_side='right') -> Tensor",
    evidence: "native_functions.yaml: pad_sequence; case recurrent/padding-and-packing",
    python: "none",
    composite: ({ sequences, batch_first, padding_value, padding_side }, o) => {
      const list: readonly Tensor[] = sequences;
      if (list.length === 0) throw new TorchError("received an empty list of sequences");
      const longest = Math.max(...list.map((t) => t.sizes[0]));
      const rest = list[0].sizes.slice(1);
      const sizes = batch_first ? [list.length, longest, ...rest] : [longest, list.length, ...rest];
      const out = o.full(sizes, padding_value, list[0].dtype, list[0].device);
      list.forEach((t, i) => {
        const start = padding_side === "left" ? longest - t.sizes[0] : 0;
        if (batch_first) o.copy_(o.narrow(o.select(out, 0, i), 0, start, t.sizes[0]), t);
        else o.copy_(o.select(o.narrow(out, 0, start, t.sizes[0]), 1, i), t);
      });
      return out;
    },
  },
]);
