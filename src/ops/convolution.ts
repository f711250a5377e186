/** Convolutions in one, two and three dimensions, transposed and grouped ones, and their joint gradient. */

import { typeName } from "../tensor/cxx-names.ts";
import { BFLOAT16, FLOAT16, FLOAT64 } from "../tensor/dtype.ts";
import { liesAs, looksChannelsLast } from "../tensor/memory-format.ts";
import { channelsLastStrides, contiguousStrides, type Shape, TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { columnOps } from "./columns.ts";
import { takeConvolutionWorkspace } from "./convolution-workspace.ts";
import { reductionScratch } from "./reduce-buffers.ts";
import { type Args, type BackwardContext, d, defineOps, type Kernel, type OpRow, type Ops } from "./row.ts";

/** One number for every spatial dimension, or one for each. */
const spread = (value: number | readonly number[], n: number): number[] => {
  const list = typeof value === "number" ? [value] : [...value];
  return list.length === 1 ? new Array<number>(n).fill(list[0]) : list;
};

const text = (sizes: Shape): string => `[${sizes.join(", ")}]`;

/** cudnn_conv_suggest_memory_format: channels-last when either side is, except for double precision. */
const usesChannelsLast = (input: Tensor, weight: Tensor): boolean =>
  input.dtype !== FLOAT64 && weight.dtype !== FLOAT64 && (looksChannelsLast(input) || looksChannelsLast(weight));

const stridesOf = (sizes: Shape, channelsLast: boolean): number[] =>
  channelsLast ? channelsLastStrides(sizes) : contiguousStrides(sizes);

function checkShapes({ input, weight, groups, transposed, padding, dilation }: Args): void {
  const n = weight.rank - 2;
  const channels = transposed ? weight.sizes[0] : weight.sizes[1] * groups;
  if (input.rank !== weight.rank)
    throw new TorchError(
      `Expected ${n + 1}D (unbatched) or ${n + 2}D (batched) input to ${transposed ? "conv_transpose" : "conv"}${n}d, but got input of size: ${text(input.sizes)}`,
    );
  if (input.sizes[1] !== channels)
    throw new TorchError(
      `Given ${transposed ? "transposed=1, " : `groups=${groups}, `}weight of size ${text(weight.sizes)}, expected input${text(input.sizes)} to have ${channels} channels, but got ${input.sizes[1]} channels instead`,
    );
  if (input.dtype !== weight.dtype)
    throw new TorchError(`Input type (${shownType(input)}) and weight type (${shownType(weight)}) should be the same`);
  if (transposed) return;
  const padded = input.sizes.slice(2).map((s: number, i: number) => s + 2 * spread(padding, n)[i]);
  const reach = weight.sizes.slice(2).map((s: number, i: number) => spread(dilation, n)[i] * (s - 1) + 1);
  if (padded.some((s: number, i: number) => s < reach[i]))
    throw new TorchError(
      `Calculated padded input size per channel: (${padded.join(" x ")}). Kernel size: (${reach.join(" x ")}). Kernel size can't be greater than actual input size`,
    );
}

/** A tensor's type as cuDNN's checks name it. */
const shownType = (t: Tensor): string =>
  t.dtype === BFLOAT16 ? (t.isCuda ? "CUDABFloat16Type" : "CPUBFloat16Type") : typeName(t);

/** Size of the result (conv_output_size and conv_input_size in ConvUtils.h). */
function resultSizes({ input, weight, stride, padding, dilation, transposed, output_padding, groups }: Args): number[] {
  const n = weight.rank - 2;
  const [s, p, dil, extra] = [stride, padding, dilation, output_padding].map((x) => spread(x, n));
  const spatial = input.sizes.slice(2).map((size: number, i: number) => {
    const reach = dil[i] * (weight.sizes[i + 2] - 1) + 1;
    return transposed
      ? (size - 1) * s[i] - 2 * p[i] + reach + extra[i]
      : Math.floor((size + 2 * p[i] - reach) / s[i]) + 1;
  });
  return [input.sizes[0], transposed ? weight.sizes[1] * groups : weight.sizes[0], ...spatial];
}

/** PyTorch's own kernel for one filter per channel: its gradient of the weight comes first (_conv_depthwise2d_backward). */
const ownDepthwise = ({ input, weight, groups, transposed }: Args, channelsLast: boolean): boolean =>
  groups > 1 && groups === input.sizes[1] && weight.rank < 5 && !transposed && !channelsLast && input.dtype !== FLOAT16;

/** Copies into the kernel's layout. */
function layoutCopies(k: Kernel, tensors: readonly Tensor[], channelsLast: boolean): void {
  for (const t of tensors) if (!liesAs(t, channelsLast)) k.scratch(t.nbytes, "convolution_layout");
}

type Settings = [Shape, Shape, Shape, boolean, Shape, number];
const settings = (a: Args): Settings => [a.stride, a.padding, a.dilation, a.transposed, a.output_padding, a.groups];

/** A batch of one around an input without a batch dimension. */
function batched(input: Tensor, rank: number, o: Ops, run: (input: Tensor) => Tensor): Tensor {
  return input.rank === rank - 1 ? o.squeeze_dim(run(o.unsqueeze(input, 0)), 0) : run(input);
}

/** `padding="same"`: what is left over after padding both sides alike is padded to the input first. */
function samePadding(a: Args, o: Ops): [Tensor, number[]] {
  const n = a.weight.rank - 2;
  const dilation = spread(a.dilation, n);
  if (spread(a.stride, n).some((s) => s !== 1))
    throw new TorchError("padding='same' is not supported for strided convolutions");
  const total = dilation.map((x, i) => x * (a.weight.sizes[i + 2] - 1));
  const padding = total.map((t) => Math.floor(t / 2));
  if (total.every((t) => t % 2 === 0)) return [a.input, padding];
  const extra = new Array<number>(2 * n).fill(0);
  total.forEach((t, i) => (extra[2 * (n - 1 - i) + 1] = t % 2));
  return [o.constant_pad_nd(a.input, extra, 0), padding];
}

const convolutionOf = (n: number): OpRow => ({
  schema: `conv${n}d(Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, int[] padding=0, int[] dilation=1, int groups=1) -> Tensor`,
  takesOut: false,
  evidence: `native_functions.yaml: conv${n}d; case convolutions/every-kind-of-layer`,
  python: "function",
  autocast: "low",
  composite: (a, o) =>
    batched(a.input, n + 2, o, (input) =>
      o.convolution(
        input,
        a.weight,
        a.bias,
        spread(a.stride, n),
        spread(a.padding, n),
        spread(a.dilation, n),
        false,
        spread(0, n),
        a.groups,
      ),
    ),
});

const namedPadding = (n: number): OpRow => ({
  schema: `conv${n}d.padding(Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, str padding='valid', int[] dilation=1, int groups=1) -> Tensor`,
  evidence: `native_functions.yaml: conv${n}d.padding`,
  takesOut: false,
  python: "function",
  autocast: "low",
  composite: (a, o) =>
    batched(a.input, n + 2, o, (input) => {
      if (a.padding !== "same" && a.padding !== "valid") throw new TorchError(`Invalid padding string: '${a.padding}'`);
      const [padded, padding] = a.padding === "same" ? samePadding({ ...a, input }, o) : [input, spread(0, n)];
      return o.convolution(
        padded,
        a.weight,
        a.bias,
        spread(a.stride, n),
        padding,
        spread(a.dilation, n),
        false,
        spread(0, n),
        a.groups,
      );
    }),
});

const transposedOf = (n: number): OpRow => ({
  schema: `conv_transpose${n}d(Tensor input, Tensor weight, Tensor? bias=None, int[] stride=1, int[] padding=0, int[] output_padding=0, int groups=1, int[] dilation=1) -> Tensor`,
  evidence: `native_functions.yaml: conv_transpose${n}d; case convolutions/every-kind-of-layer`,
  python: "function",
  autocast: "low",
  composite: (a, o) =>
    batched(a.input, n + 2, o, (input) =>
      o.convolution(
        input,
        a.weight,
        a.bias,
        spread(a.stride, n),
        spread(a.padding, n),
        spread(a.dilation, n),
        true,
        spread(a.output_padding, n),
        a.groups,
      ),
    ),
});

/** Gradients of the gradients, each a convolution again (_convolution_double_backward in Convolution.cpp). */
function doubleBackward(c: BackwardContext): (Tensor | null)[] {
  const { saved, args, needs, ops: o } = c;
  const { grad_output, input, weight } = saved;
  const [onInput, onWeight, onBias] = c.grads;
  const s = settings(args);
  let output: Tensor | null = null;
  {
    // all of them: C++ does not look whether anybody wants it
    const terms: Tensor[] = [];
    if (onInput) terms.push(o.convolution(onInput, weight, null, ...s));
    if (onWeight) terms.push(o.convolution(input, onWeight, null, ...s));
    if (onBias)
      terms.push(o.expand(o.view(onBias, [1, -1, ...grad_output.sizes.slice(2).map(() => 1)]), grad_output.sizes));
    for (const term of terms) {
      if (!output) output = term;
      else {
        const before: Tensor = output;
        output = o.add(before, term);
        c.drop(before);
        c.drop(term);
      }
    }
  }
  const gradWeight = onInput ? weightFromInput(c, onInput) : null;
  const gradInput = onWeight ? inputFromWeight(c, onWeight) : null;
  return [output, needs.input ? gradInput : null, needs.weight ? gradWeight : null];
}

/** The part of one group along a dimension. */
const part = (o: Ops, t: Tensor, dim: number, groups: number, group: number): Tensor =>
  groups === 1 ? t : o.narrow(t, dim, (t.sizes[dim] / groups) * group, t.sizes[dim] / groups);

/** Batch and channels change places: sums over the batch become sums over channels. */
const turned = (o: Ops, t: Tensor): Tensor => o.transpose(t, 0, 1);

/** One convolution per group, its results side by side; the gradient is brought into plain order before each. */
function perGroup(c: BackwardContext, convolve: (grad: Tensor, group: number) => Tensor): Tensor {
  const { saved, args, ops: o } = c;
  const results: Tensor[] = [];
  for (let group = 0; group < args.groups; group++)
    results.push(
      c.statement(() => {
        const grad = part(o, saved.grad_output, 1, args.groups, group);
        return convolve(o.contiguous(turned(o, grad)), group);
      }),
    );
  return results.length === 1 ? results[0] : o.cat(results, 1);
}

function trimmed(o: Ops, t: Tensor, like: readonly number[]): Tensor {
  let result = t;
  for (let i = 2; i < like.length; i++) if (result.sizes[i] > like[i]) result = o.narrow(result, i, 0, like[i]);
  return result;
}

/** The weight's gradient: the gradient of the input's gradient with the output's gradient as weight. */
function weightFromInput(c: BackwardContext, onInput: Tensor): Tensor {
  const { saved, args: a, ops: o } = c;
  const zeros = a.padding.map(() => 0);
  const found = perGroup(c, (grad, group) => {
    const x = turned(o, part(o, onInput, 1, a.groups, group));
    const [left, right] = a.transposed ? [grad, x] : [x, grad];
    return o.convolution(left, right, null, a.dilation, a.padding, a.stride, false, zeros, 1);
  });
  return trimmed(o, turned(o, found), saved.weight.sizes);
}

/** The input's gradient: the convolution's own, with the gradient of the weight's gradient as weight. */
function inputFromWeight(c: BackwardContext, onWeight: Tensor): Tensor {
  const { saved, args: a, ops: o } = c;
  const { input, weight, grad_output } = saved;
  return c.statement(() => {
    const grad = o.contiguous(grad_output);
    if (a.transposed) {
      const zeros = a.padding.map(() => 0);
      const whole = o.convolution(grad, onWeight, null, a.stride, a.padding, a.dilation, false, zeros, a.groups);
      return trimmed(o, whole, input.sizes);
    }
    const more = a.padding.map((pad: number, i: number) => {
      const reached =
        (weight.sizes[i + 2] - 1) * a.dilation[i] - 2 * pad + a.stride[i] * (grad_output.sizes[i + 2] - 1) + 1;
      return input.sizes[i + 2] - reached;
    });
    return o.convolution(grad, onWeight, null, a.stride, a.padding, a.dilation, true, more, a.groups);
  });
}

export const convolutionOps = defineOps([
  {
    schema:
      "convolution(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups) -> Tensor",
    python: "function",
    autocast: "low",
    evidence: "Convolution.cpp, ConvUtils.h; reference 5.8",
    forward: (a, k) => {
      checkShapes(a);
      const channelsLast = usesChannelsLast(a.input, a.weight);
      const sizes = resultSizes(a);
      const out = k.output(
        sizes,
        a.input.dtype,
        stridesOf(sizes, channelsLast && k.rules.convolutionChannelsLast !== "gradients"),
      );
      layoutCopies(k, [a.input, a.weight], channelsLast);
      takeConvolutionWorkspace(k, a, channelsLast, "forward", a.input, out);
      return out;
    },
    derivatives: [
      d("input weight bias", "input weight", ({ grad, saved: { input, weight }, args, meta, needs, ops: o }) =>
        o.convolution_backward(
          grad,
          input,
          weight,
          meta.bias?.sizes ?? null,
          ...settings(args),
          needs.input,
          needs.weight,
          needs.bias ?? false,
        ),
      ),
    ],
  },
  {
    schema:
      "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, int[]? bias_sizes, int[] stride, int[] padding, int[] dilation, bool transposed, int[] output_padding, int groups, bool input_grad, bool weight_grad, bool bias_grad) -> (Tensor? grad_input, Tensor? grad_weight, Tensor? grad_bias)",
    python: "none",
    evidence: "Convolution.cpp convolution_backward; reference 5.8",
    forward: (a, k) => {
      const { grad_output, input, weight } = a;
      const channelsLast = usesChannelsLast(input, weight);
      const keeps = channelsLast && k.rules.convolutionChannelsLast !== "results";
      const like = (t: Tensor): Tensor => k.output(t.sizes, grad_output.dtype, stridesOf(t.sizes, keeps));
      let gradInput: Tensor | null = null;
      let gradWeight: Tensor | null = null;
      const onWeight = (): void => {
        if (a.weight_grad) gradWeight = like(weight);
      };
      // recorders without a GPU have one kernel for all
      const own = k.temporaries && ownDepthwise(a, channelsLast);
      if (own) onWeight();
      const work = (direction: "input" | "weight", wanted: boolean): void => {
        if (wanted) takeConvolutionWorkspace(k, a, channelsLast, direction, input, grad_output);
      };
      if (a.input_grad) gradInput = like(input);
      layoutCopies(
        k,
        [grad_output, ...(a.input_grad ? [weight] : []), ...(a.weight_grad ? [input] : [])],
        channelsLast,
      );
      work("input", a.input_grad);
      if (!own) onWeight();
      work("weight", a.weight_grad);
      let gradBias: Tensor | null = null;
      if (a.bias_grad) {
        gradBias = k.output(a.bias_sizes ?? [grad_output.sizes[1]], grad_output.dtype);
        const dims = grad_output.sizes.map((_: number, i: number) => i).filter((i: number) => i !== 1);
        reductionScratch(k, grad_output, dims, { accumulatorBytes: 4, sums: true });
      }
      return [gradInput, gradWeight, gradBias];
    },
    derivatives: [d("grad_output input weight", "grad_output input weight", doubleBackward)],
  },
  ...[1, 2, 3].flatMap((n) => [convolutionOf(n), namedPadding(n), transposedOf(n)]),
  {
    schema: "conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor",
    evidence: "derivatives.yaml: conv_tbc; case modules/less-common-losses-and-layers",
    autocast: "low",
    python: "function",
    forward: ({ self, weight, pad }, k) => {
      const out = k.output([self.sizes[0] - weight.sizes[0] + 1 + 2 * pad, self.sizes[1], weight.sizes[2]], self.dtype);
      k.cublasWorkspace();
      return out;
    },
    derivatives: [
      d("self weight bias", "self weight", ({ grad, saved: { self, weight }, meta, ops: o }) => [
        o.zeros_like(self),
        o.zeros_like(weight),
        o.sum_to_size(grad, meta.bias.sizes),
      ]),
    ],
  },
  ...columnOps,
]);
