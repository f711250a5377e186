/** Images on another grid: resizing in all modes, grid sampling, affine grids, and the shuffles between space and channels. */

import { suggestedStrides } from "../tensor/memory-format.ts";
import { TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { readDensely } from "./dense-gradient.ts";
import { paddingOps } from "./padding.ts";
import { d, defineOps, named, type Args, type OpRow, type Ops } from "./row.ts";

const modes: readonly { readonly name: string; readonly dims: number; readonly corners: boolean }[] = [
  ...[1, 2, 3].flatMap((dims) => [
    { name: `upsample_nearest${dims}d`, dims, corners: false },
    { name: `_upsample_nearest_exact${dims}d`, dims, corners: false },
  ]),
  { name: "upsample_linear1d", dims: 1, corners: true },
  { name: "upsample_bilinear2d", dims: 2, corners: true },
  { name: "upsample_bicubic2d", dims: 2, corners: true },
  { name: "upsample_trilinear3d", dims: 3, corners: true },
  { name: "_upsample_bilinear2d_aa", dims: 2, corners: true },
  { name: "_upsample_bicubic2d_aa", dims: 2, corners: true },
  { name: "_upsample_lanczos2d_aa", dims: 2, corners: true },
];

function resized({ input, output_size, scale_factors }: Args, n: number): number[] {
  const spatial = input.sizes.slice(-n);
  const sizes = output_size ?? spatial.map((s: number, i: number) => Math.floor(s * scale_factors[i]));
  if (spatial.some((s: number) => s < 1) || sizes.some((s: number) => s < 1))
    throw new TorchError(
      `Input and output sizes should be greater than 0, but got input (${spatial.map((s: number, i: number) => `${"DHW".slice(-n)[i]}: ${s}`).join(", ")}) output (${sizes.map((s: number, i: number) => `${"DHW".slice(-n)[i]}: ${s}`).join(", ")})`,
    );
  return [...input.sizes.slice(0, -n), ...sizes];
}

/** One row per mode and dimension; nothing is saved but sizes. */
const upsample = ({ name, dims, corners }: (typeof modes)[number]): OpRow[] => [
  {
    schema: `${name}(Tensor input, int[]? output_size, ${corners ? "bool align_corners, " : ""}float[]? scale_factors=None) -> Tensor`,
    python: "none",
    autocast: "float32",
    forward: (a, k) => {
      const sizes = resized(a, dims);
      return k.output(sizes, a.input.dtype, suggestedStrides(sizes, a.input));
    },
    derivatives: [
      d("input", "", ({ grad, meta, args: a, ops: o }) =>
        named(o, `${name}_backward`)(
          grad,
          grad.sizes.slice(-dims),
          meta.input.sizes,
          a.align_corners ?? false,
          a.scale_factors,
        ),
      ),
    ],
    evidence: "UpSample.h",
  },
  {
    schema: `${name}_backward(Tensor grad_output, int[] output_size, int[] input_size, bool align_corners, float[]? scale_factors) -> Tensor`,
    evidence: `native_functions.yaml: ${name}_backward`,
    python: "none",
    forward: ({ grad_output, input_size }, k) => {
      const result = k.output(input_size, grad_output.dtype, suggestedStrides(input_size, grad_output));
      readDensely(k, grad_output, "upsample_grad_contiguous");
      return result;
    },
    derivatives: [
      d("grad_output", "", ({ grad, args: a, ops: o }) =>
        corners
          ? named(o, name)(grad, a.output_size, a.align_corners, a.scale_factors)
          : named(o, name)(grad, a.output_size, a.scale_factors),
      ),
    ],
  },
];

/** Sampling at a grid of points; the gradients of image and grid come from one kernel. */
const gridSampler = (n: number): OpRow[] => [
  {
    schema: `grid_sampler_${n}d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor`,
    evidence: `native_functions.yaml: grid_sampler_${n}d`,
    python: "function",
    node: `GridSampler${n}DBackward0`,
    forward: ({ input, grid }, k) =>
      k.output([input.sizes[0], input.sizes[1], ...grid.sizes.slice(1, -1)], input.dtype),
    derivatives: [
      d("input grid", "input grid", ({ grad, saved, args: a, needs, ops: o }) =>
        named(o, `grid_sampler_${n}d_backward`)(
          grad,
          saved.input,
          saved.grid,
          a.interpolation_mode,
          a.padding_mode,
          a.align_corners,
          needs.input,
        ),
      ),
    ],
  },
  {
    schema: `grid_sampler_${n}d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool input_grad) -> (Tensor? grad_input, Tensor grad_grid)`,
    evidence: `native_functions.yaml: grid_sampler_${n}d_backward`,
    python: "none",
    forward: ({ input, grid, input_grad }, k) => {
      const gradInput = input_grad ? k.output(input.sizes, input.dtype) : null;
      return [gradInput, k.output(grid.sizes, grid.dtype)];
    },
  },
];

/** Coordinates from -1 to 1 along one side, pixel centres unless corners are aligned. */
function fromNegativeOne(like: Tensor, steps: number, alignCorners: boolean, k: Scoped): Tensor {
  const { ops: o } = k;
  if (steps <= 1) return o.zeros([], like.dtype, like.device);
  const range = o.linspace(-1, 1, steps, like.dtype, like.device);
  if (alignCorners) return range;
  const scaled = o.mul(range, steps - 1);
  const result = o.div(scaled, steps);
  k.drop(scaled);
  k.drop(range);
  return result;
}

interface Scoped {
  readonly ops: Ops;
  drop(tensor: Tensor): void;
}

/** Homogeneous coordinates of every point of the result (make_base_grid in AffineGridGenerator.cpp). */
function baseGrid(theta: Tensor, size: readonly number[], alignCorners: boolean, k: Scoped): Tensor {
  const { ops: o } = k;
  const spatial = size.slice(2);
  const n = spatial.length;
  const grid = o.empty([size[0], ...spatial, n + 1], theta.dtype, theta.device);
  for (let i = 0; i < n; i++) {
    const range = fromNegativeOne(theta, spatial[n - 1 - i], alignCorners, k);
    let shaped = range;
    for (let j = 0; j < i; j++) shaped = o.unsqueeze(shaped, -1);
    o.copy_(o.select(grid, -1, i), shaped);
    if (shaped !== range) k.drop(shaped);
    k.drop(range);
  }
  o.fill_(o.select(grid, -1, n), 1);
  return grid;
}

const points = (size: readonly number[]): number => size.slice(2).reduce((x, y) => x * y, 1);

export const samplingOps = defineOps([
  ...modes.flatMap(upsample),
  ...gridSampler(2),
  ...gridSampler(3),
  {
    schema:
      "grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor",
    evidence: "native_functions.yaml: grid_sampler; case pooling/optical-flow",
    python: "function",
    autocast: "promote",
    composite: ({ input, grid, interpolation_mode, padding_mode, align_corners }, o) => {
      const both = `input with sizes [${input.sizes.join(", ")}] and grid with sizes [${grid.sizes.join(", ")}]`;
      if ((input.rank !== 4 && input.rank !== 5) || input.rank !== grid.rank)
        throw new TorchError(
          `grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got ${both}`,
        );
      if (input.sizes[0] !== grid.sizes[0])
        throw new TorchError(`grid_sampler(): expected grid and input to have same batch size, but got ${both}`);
      if (grid.size(-1) !== input.rank - 2)
        throw new TorchError(
          `grid_sampler(): expected grid to have size ${input.rank - 2} in last dimension, but got grid with sizes [${grid.sizes.join(", ")}]`,
        );
      const name = input.rank === 4 ? "grid_sampler_2d" : "grid_sampler_3d";
      return o[name](input, grid, interpolation_mode, padding_mode, align_corners);
    },
  },
  {
    schema: "affine_grid_generator(Tensor theta, int[] size, bool align_corners) -> Tensor",
    evidence: "derivatives.yaml: affine_grid_generator; case pooling/interpolate-grid-sample-and-pad",
    python: "function",
    forward: ({ theta, size, align_corners }, k) => {
      const o = k.ops;
      const n = size.length - 2;
      const base = o.view(baseGrid(theta, size, align_corners, k), [size[0], points(size), n + 1]);
      return o._unsafe_view(o.bmm(base, o.transpose(theta, 1, 2)), [size[0], ...size.slice(2), n]);
    },
    derivatives: [
      d("theta", "", ({ grad, args, ops: o }) => o.affine_grid_generator_backward(grad, args.size, args.align_corners)),
    ],
  },
  {
    schema: "affine_grid_generator_backward(Tensor grad, int[] size, bool align_corners) -> Tensor",
    evidence: "native_functions.yaml: affine_grid_generator_backward; case pooling/spatial-transformer",
    python: "none",
    composite: ({ grad, size, align_corners }, o, c) => {
      const n = size.length - 2;
      const drop = (t: Tensor): void => c.drop(t);
      const base = o.view(baseGrid(grad, size, align_corners, { ops: o, drop }), [size[0], points(size), n + 1]);
      return o.transpose(o.bmm(o.transpose(base, 1, 2), o.reshape(grad, [size[0], points(size), n])), 1, 2);
    },
  },
  {
    schema: "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
    evidence: "derivatives.yaml: pixel_shuffle; case pooling/pixel-shuffle",
    inside: "clone",
    python: "function",
    forward: ({ self, upscale_factor: r }, k) => {
      const [c, h, w] = self.sizes.slice(-3);
      if (self.rank < 3 || c % (r * r) !== 0)
        throw new TorchError(
          `pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=${c} is not divisible by ${r * r}`,
        );
      return k.output([...self.sizes.slice(0, -3), c / (r * r), h * r, w * r], self.dtype);
    },
    derivatives: [d("self", "", ({ grad, args, ops: o }) => o.pixel_unshuffle(grad, args.upscale_factor))],
  },
  {
    schema: "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
    evidence: "derivatives.yaml: pixel_unshuffle; case pooling/pixel-shuffle",
    inside: "clone",
    python: "function",
    forward: ({ self, downscale_factor: r }, k) => {
      const [c, h, w] = self.sizes.slice(-3);
      return k.output([...self.sizes.slice(0, -3), c * r * r, h / r, w / r], self.dtype);
    },
    derivatives: [d("self", "", ({ grad, args, ops: o }) => o.pixel_shuffle(grad, args.downscale_factor))],
  },
  {
    schema: "channel_shuffle(Tensor self, int groups) -> Tensor",
    evidence: "derivatives.yaml: channel_shuffle; case convolutions/grouped-and-shuffled",
    python: "function",
    forward: ({ self, groups }, k) => {
      if (self.sizes[wrapDim(1, self.rank)] % groups !== 0)
        throw new TorchError(
          `Number of channels must be divisible by groups. Got ${self.sizes[1]} channels and ${groups} groups.`,
        );
      return k.output(self.sizes, self.dtype);
    },
    derivatives: [d("self", "", ({ grad, args, ops: o }) => o.channel_shuffle(grad, grad.sizes[1] / args.groups))],
  },
  ...paddingOps,
]);
