/** Padding by reflection, replication and around the edges; padding with a constant is a copy. */

import { table } from "../base/table.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { d, defineOps, named, type Args, type OpRow, type Ops } from "./row.ts";

/** Sizes after padding; `pad` starts with the last dimension. */
const grown = (sizes: readonly number[], pad: readonly number[]): number[] =>
  sizes.map((s, i) => {
    const at = 2 * (sizes.length - 1 - i);
    return at < pad.length ? s + pad[at] + pad[at + 1] : s;
  });

const mirrored = (name: string, n: number, reflects: boolean): OpRow[] => [
  {
    schema: `${name}(Tensor self, int[] padding) -> Tensor`,
    evidence: `derivatives.yaml: ${name}`,
    python: "none",
    forward: ({ self, padding }, k) => {
      if (reflects)
        for (let i = 0; i < n; i++) {
          const dim = self.rank - 1 - i;
          if (Math.max(padding[2 * i], padding[2 * i + 1]) >= self.sizes[dim])
            throw new TorchError(
              `Argument #${4 + 2 * i}: Padding size should be less than the corresponding input dimension, but got: padding (${padding[2 * i]}, ${padding[2 * i + 1]}) at dimension ${dim} of input [${self.sizes.join(", ")}]`,
            );
        }
      return k.output(grown(self.sizes, padding), self.dtype);
    },
    derivatives: [
      d("self", "self", ({ grad, saved, args, ops: o }) =>
        named(o, `${name}_backward`)(grad, saved.self, args.padding),
      ),
    ],
  },
  {
    schema: `${name}_backward(Tensor grad_output, Tensor self, int[] padding) -> Tensor`,
    evidence: `native_functions.yaml: ${name}_backward`,
    python: "none",
    forward: ({ grad_output, self }, k) => k.output(self.sizes, grad_output.dtype),
    derivatives: [d("grad_output", "", ({ grad, args, ops: o }) => named(o, name)(grad, args.padding))],
  },
];

/** The middle first, then per dimension the far end's values before it and the near end's behind it (_pad_circular). */
function circular({ self, padding }: Args, o: Ops): Tensor {
  const shape = grown(self.sizes, padding);
  const n = padding.length / 2;
  const out = o.new_empty(self, shape);
  const axes = Array.from({ length: n }, (_, i) => ({
    dim: self.rank - 1 - i,
    left: padding[2 * i] as number,
    right: padding[2 * i + 1] as number,
  }));
  let to: Tensor = out;
  let from: Tensor = self;
  for (const { dim, left, right } of axes) {
    to = o.slice(to, dim, Math.max(left, 0), shape[dim] - Math.max(right, 0), 1);
    from = o.slice(from, dim, Math.max(-left, 0), self.sizes[dim] - Math.max(-right, 0), 1);
  }
  o.copy_(to, from);
  for (const { dim, left, right } of axes) {
    const end = shape[dim] - Math.max(right, 0);
    if (left > 0) {
      const part = o.slice(out, dim, 0, left, 1);
      o.copy_(part, o.slice(out, dim, end - left, end, 1));
    }
    if (right > 0) {
      const begin = Math.max(left, 0);
      const part = o.slice(out, dim, shape[dim] - right, shape[dim], 1);
      o.copy_(part, o.slice(out, dim, begin, begin + right, 1));
    }
  }
  return out;
}

const kernels = table<string>({ reflect: "reflection_pad", replicate: "replication_pad" });

export const paddingOps = defineOps([
  ...[1, 2, 3].flatMap((n) => [
    ...mirrored(`reflection_pad${n}d`, n, true),
    ...mirrored(`replication_pad${n}d`, n, false),
  ]),
  {
    schema: "_pad_circular(Tensor self, int[] padding) -> Tensor",
    evidence: "native_functions.yaml: _pad_circular; case pooling/padding-modes-and-gradients",
    python: "none",
    composite: circular,
  },
  {
    schema: "pad(Tensor self, int[] pad, str mode='constant', float? value=None) -> Tensor",
    evidence: "native_functions.yaml: pad; case convolutions/one-three-dimensions-and-transposed",
    python: "none",
    composite: ({ self, pad, mode, value }, o) => {
      if (pad.length % 2 !== 0) throw new TorchError("Padding length must be divisible by 2");
      if (pad.length / 2 > self.rank)
        throw new TorchError(
          `Padding length should be less than or equal to two times the input dimension but got padding length ${pad.length} and input of dimension ${self.rank}`,
        );
      if (mode === "constant") return o.constant_pad_nd(self, pad, value ?? 0);
      if (value !== null && value !== 0) throw new TorchError(`Padding mode "${mode}" doesn't take in value argument`);
      const n = pad.length / 2;
      if (n > 3 || (self.rank !== n + 1 && self.rank !== n + 2))
        throw new TorchError(
          "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now",
          "NotImplementedError",
        );
      if (mode === "circular") return o._pad_circular(self, pad);
      const kernel = kernels[mode];
      if (!kernel) throw new TorchError(`Unrecognised padding mode ${mode}`, "NotImplementedError");
      return named(o, `${kernel}${n}d`)(self, pad);
    },
  },
]);
