/**
 * What cuDNN takes beside the results of a convolution: copies in the layout that tensor cores read, and partial sums of the weight's gradient.
 * Its heuristics are not published. The rows are what one card did (test/record: H100, PyTorch 2.11, cuDNN 9.19, ops-convolution): copies
 * are exact there in four of five cases, partial sums are near.
 */

import type { GpuRow } from "../gpus/catalogue.ts";
import { numel, type Shape } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { Args, Kernel } from "./row.ts";

/** Forward, gradient of the input, gradient of the weight. A transposed convolution is the second of these, and the other way round. */
export type Direction = "forward" | "input" | "weight";

export interface ConvolutionSizes {
  /** What the convolution reads: batch, channels, places. */
  readonly image: Shape;
  /** What it writes. */
  readonly features: Shape;
  readonly weight: Shape;
  readonly groups: number;
  readonly strided: boolean;
  readonly itemBytes: number;
  readonly channelsLast: boolean;
}

/** Facts that the rows look at. */
interface Facts {
  readonly last: boolean;
  readonly half: boolean;
  readonly direction: Direction;
  readonly depthwise: boolean;
  readonly grouped: boolean;
  readonly strided: boolean;
  /** Kernels of one place. */
  readonly pointwise: boolean;
  /** The kernel moves by its own size. */
  readonly patches: boolean;
  readonly channels: number;
  readonly filters: number;
  readonly taps: number;
  readonly longestSide: number;
  readonly volume: boolean;
  /** Places of one picture are many enough to read its planes as a matrix, as they lie. */
  readonly planes: boolean;
  /** Not so for the gradient of some weights in 16 bits. */
  readonly planesCopied: boolean;
  /** Places of the result, over the batch. */
  readonly rows: number;
  /** The same over elements of the weight. */
  readonly rowsPerWeight: number;
}

/** `x` the image, `w` the weight, `y` the features, each with its channels up to a multiple; `partial`: sums of the weight's gradient. */
interface Row {
  readonly when: (f: Facts) => boolean;
  readonly copies: string;
  readonly multiple?: number;
  /** The multiple holds for 16 bits alone. */
  readonly halfOnly?: true;
  readonly partial?: "tiles" | "images" | "rows" | "channels" | "many";
}

const narrow = (f: Facts): boolean => f.channels < 8;
const fewSums = (f: Facts): boolean => f.grouped || f.rowsPerWeight < 0.3;
/** Below so many rows, few filters have kernels of their own. */
const FEW_ROWS = 10_000;

/** The first that applies is meant. One line each, so that the table can be read. */
// prettier-ignore
const ROWS: readonly Row[] = [
  // a kernel of PyTorch's own, or cuDNN's direct one
  { when: (f) => f.depthwise && (!f.last || f.direction !== "weight"), copies: "" },
  { when: (f) => f.depthwise && f.half, copies: "", partial: "many" },
  { when: (f) => f.depthwise && f.taps > 9, copies: "", partial: "channels" },
  { when: (f) => f.depthwise, copies: "", partial: "tiles" },

  // kernels of one place are products of matrices
  { when: (f) => f.last && f.pointwise && f.direction === "weight" && f.rowsPerWeight < (f.half ? 0.5 : 0.05), copies: "" },
  { when: (f) => f.last && f.pointwise && f.direction === "weight", copies: "", partial: "tiles" },
  { when: (f) => f.last && f.pointwise, copies: "" },
  { when: (f) => f.pointwise && !f.strided && f.planes && f.direction !== "weight", copies: "" },
  { when: (f) => f.pointwise && !f.strided && (f.half ? !f.planesCopied : f.planes) && f.direction === "weight", copies: "", partial: "images" },
  { when: (f) => f.pointwise && !f.half && f.strided && f.direction === "forward" && f.channels <= 256, copies: "xw" },
  { when: (f) => f.pointwise && !f.half && !f.strided && f.direction === "forward" && f.filters <= 128, copies: "x" },
  { when: (f) => f.pointwise && f.direction === "weight", copies: "xy", partial: "tiles" },
  { when: (f) => f.pointwise, copies: "xy" },

  // few channels in, channels last
  { when: (f) => f.last && narrow(f) && f.direction === "forward" && f.taps <= 16 && (f.channels === 1 || (f.half && f.patches)), copies: "" },
  { when: (f) => f.last && narrow(f) && f.direction === "forward", copies: "xw", multiple: 8, halfOnly: true },
  { when: (f) => f.last && narrow(f) && f.direction === "input" && (f.patches || (!f.half && f.taps > 16)), copies: "xwy" },
  { when: (f) => f.last && narrow(f) && f.direction === "input", copies: "xw", multiple: 8 },
  { when: (f) => f.last && narrow(f) && !f.half && f.taps <= 9, copies: "" },
  { when: (f) => f.last && narrow(f) && !f.half, copies: "xwy", multiple: 8 },
  { when: (f) => f.last && narrow(f), copies: "xw", multiple: 8, partial: "tiles" },
  // few channels out, channels last
  { when: (f) => f.last && f.filters % 8 !== 0 && (f.half || f.direction === "input"), copies: "yw", multiple: 8 },
  { when: (f) => f.last && f.direction === "weight" && f.half && fewSums(f), copies: "" },
  { when: (f) => f.last && f.direction === "weight", copies: "", partial: "tiles" },
  { when: (f) => f.last, copies: "" },

  // few channels in, planes one after the other
  { when: (f) => narrow(f) && f.half && f.direction === "forward" && (f.longestSide <= 4 || f.volume), copies: "" },
  { when: (f) => narrow(f) && f.half && f.direction === "input" && f.patches && f.longestSide > 4 && !f.volume, copies: "" },
  { when: (f) => narrow(f) && f.half && f.direction === "input" && f.patches, copies: "xwy" },
  { when: (f) => narrow(f) && f.half && f.direction === "weight", copies: "xwy", multiple: 8, partial: "tiles" },
  { when: (f) => narrow(f) && f.half, copies: "xwy", multiple: 8 },
  { when: (f) => narrow(f) && f.direction === "input", copies: "" },
  { when: (f) => narrow(f) && f.direction === "weight" && (f.taps <= 16 || f.channels === 1), copies: "" },
  { when: (f) => narrow(f) && f.direction === "weight", copies: "xwy", multiple: 4, partial: "tiles" },
  { when: (f) => narrow(f) && (f.patches ? f.volume : f.channels > 1 && f.taps === 9 && f.filters > 64), copies: "xw", multiple: 4 },
  { when: (f) => narrow(f) && (f.patches || f.taps <= 16), copies: "" },
  { when: (f) => narrow(f) && f.taps > 49 && !f.volume, copies: "xwy", multiple: 4 },
  { when: narrow, copies: "xwy" },

  // single precision: results may stay in planes
  { when: (f) => !f.half && f.direction === "input" && (f.filters < 8 || f.grouped || (f.filters <= 32 && f.rows < FEW_ROWS)), copies: "" },
  { when: (f) => !f.half && f.direction === "weight" && f.filters < 8, copies: "xw", partial: "tiles" },
  { when: (f) => !f.half && f.direction === "weight" && f.filters <= 32 && !f.volume && f.rows < FEW_ROWS, copies: "", partial: "rows" },
  { when: (f) => !f.half && f.direction === "forward" && !f.volume && !f.grouped && (f.filters <= 32 || (f.channels * f.taps <= 576 && f.rows < 100_000)), copies: "xw" },

  // 16 bits: partial sums where the weight is small beside what it goes over
  { when: (f) => f.half && f.direction === "weight" && f.grouped && f.rowsPerWeight > 1, copies: "" },
  { when: (f) => f.half && f.direction === "weight" && fewSums(f), copies: "xwy", multiple: 8 },
  { when: (f) => f.direction === "weight", copies: "xwy", multiple: 8, partial: "tiles" },
  { when: (f) => f.half, copies: "xwy", multiple: 8 },
  { when: () => true, copies: "xwy" },
];

/** Descriptors and alignment of a call. */
const PLAIN_BYTES = 16;
const STRIDED_BYTES = 131;

function factsOf(direction: Direction, s: ConvolutionSizes): Facts {
  const sides = s.weight.slice(2);
  const taps = numel(sides);
  const channels = s.weight[1] * s.groups;
  const places = s.features.slice(2);
  return {
    last: s.channelsLast,
    half: s.itemBytes === 2,
    direction,
    depthwise: s.groups > 1 && s.weight[1] === 1,
    grouped: s.groups > 1,
    strided: s.strided,
    pointwise: taps === 1,
    patches: taps > 1 && sides.every((side, i) => s.image[i + 2] === side * places[i]),
    channels,
    filters: s.weight[0],
    taps,
    longestSide: Math.max(...sides),
    volume: sides.length === 3,
    planesCopied:
      numel(places) < 128
        ? numel(s.weight) >= 500_000 || s.weight[0] <= 192
        : numel(places) < 300 && numel(s.weight) >= 250_000,
    planes: numel(places) >= 128 || (s.itemBytes === 2 && numel(s.weight) < 250_000),
    rows: s.features[0] * numel(places),
    rowsPerWeight: (s.features[0] * numel(places)) / numel(s.weight),
  };
}

const upTo = (size: number, multiple: number): number => Math.ceil(size / multiple) * multiple;

/** Elements of a tensor whose dimensions from the first to the second hold channels. */
const padded = (sizes: Shape, dims: readonly number[], multiple: number): number =>
  sizes.reduce((product, size, i) => product * (dims.includes(i) ? upTo(size, multiple) : size), 1);

const TILE = 128;
/** Counters and bounds of the partial sums. */
const SUMS_BYTES = 663;

/** How many partial sums fill the card: tiles of the gradient on each multiprocessor, some tiles being half as large. */
function partials(f: Facts, gpu: GpuRow, filters: number, width: number): number {
  const tiles = (side: number) => Math.ceil(filters / (filters > TILE / 2 ? TILE : TILE / 2)) * Math.ceil(width / side);
  const enough = (count: number): number => (count < 3 ? 0 : count);
  if (f.channels < 8) {
    if (!f.half) return enough(Math.floor(gpu.smCount / tiles(TILE)));
    if (f.taps >= 16) return enough(Math.round((2 * gpu.smCount) / tiles(TILE)));
    return enough(Math.min(60, Math.floor(f.rows / 4600)));
  }
  const wide = filters > TILE || (filters > TILE / 2 && (f.half || f.rowsPerWeight > 0.3));
  const count = Math.floor(gpu.smCount / tiles(wide ? TILE : TILE / 2)) - (f.half ? 1 : 0);
  if (f.half && f.rowsPerWeight < 0.5)
    return f.rowsPerWeight < 0.02 ? 0 : Math.min(Math.max(count, 2), f.rowsPerWeight < 0.1 ? 2 : f.pointwise ? 3 : 4);
  if (count >= 2) return f.rows < 2000 ? 0 : Math.min(count, f.pointwise ? 36 : 16);
  // a part of a tile for each multiprocessor
  return f.rows < 2000 || f.half ? 0 : (gpu.smCount * TILE * TILE) / (filters * width);
}

/** Large kernels of one channel each, over large pictures: their sums were eight times what the convolution writes (7 x 7; 14 x 14 places took nothing). */
function channelSums(s: ConvolutionSizes): number {
  if (numel(s.features.slice(2)) < 300) return 0;
  return 8 * numel(s.features) * s.itemBytes + 64 * numel(s.weight) + 9_636_319;
}

/** Bytes that the library takes for a call and gives back at its end. */
export function convolutionWorkspace(direction: Direction, s: ConvolutionSizes, gpu: GpuRow): number {
  const f = factsOf(direction, s);
  // layouts of tensor cores: 16 bits since Volta, single precision as TF32 since Ampere
  if (gpu.otherAllocator !== null || s.itemBytes > 4 || gpu.sm < (f.half ? 70 : 80)) return 0;
  const row = ROWS.find(({ when }) => when(f))!;
  const multiple = f.half ? (row.multiple ?? 1) : row.halfOnly ? 1 : Math.min(row.multiple ?? 1, 4);
  const grouped = f.grouped ? 1 : multiple;
  const elements: Record<string, number> = {
    x: padded(s.image, [1], grouped),
    y: padded(s.features, [1], grouped),
    w: padded(s.weight, [0, 1], grouped),
  };
  let bytes = [...row.copies].reduce((sum, name) => sum + elements[name] * s.itemBytes, 0);
  if (row.copies !== "") bytes += PLAIN_BYTES + (direction === "input" && f.strided ? STRIDED_BYTES : 0);
  const weightBytes = elements.w * 4;
  if (row.partial === "images") bytes += s.image[0] * weightBytes;
  else if (row.partial === "rows") bytes += Math.round(f.rows / 70) * weightBytes;
  else if (row.partial === "channels") bytes += channelSums(s);
  else if (row.partial === "many") bytes += 128 * weightBytes;
  else if (row.partial === "tiles") {
    const places = elements.w / upTo(s.weight[0], grouped);
    const count = partials(f, gpu, s.weight[0], places);
    if (count > 0) bytes += Math.round(count * weightBytes) + SUMS_BYTES;
  }
  return bytes;
}

/** The direction as a convolution forward, where the call is of a transposed one. */
const turned: Record<Direction, Direction> = { forward: "input", input: "forward", weight: "weight" };

/**
 * Takes and gives back a call's workspace. What it may take at most, where the heuristics choose otherwise: copies of all in another layout, or the
 * unfolded input for an explicit product. `input` and `output` are those of the layer.
 */
export function takeConvolutionWorkspace(
  k: Kernel,
  a: Args,
  channelsLast: boolean,
  direction: Direction,
  input: Tensor,
  output: Tensor,
): void {
  if (!k.temporaries) return;
  const [image, features] = a.transposed ? [output, input] : [input, output];
  const weight: Tensor = a.weight;
  const sizes = {
    image: image.sizes,
    features: features.sizes,
    weight: weight.sizes,
    groups: a.groups,
    strided: a.stride.some((step: number) => step > 1),
    itemBytes: input.dtype.itemBytes,
    channelsLast,
  };
  const bytes = convolutionWorkspace(a.transposed ? turned[direction] : direction, sizes, k.gpu);
  const taps = numel(weight.sizes.slice(2));
  const unfolded = features.sizes[0] * image.sizes[1] * taps * numel(features.sizes.slice(2)) * input.dtype.itemBytes;
  const highBytes = Math.max(bytes, unfolded, image.nbytes + features.nbytes + weight.nbytes);
  k.assume("convolution_workspace", { library: "cuDNN", lowBytes: 0, workspaceBytes: bytes, highBytes });
  if (bytes > 0) k.scratch(bytes, "convolution_workspace")();
}
