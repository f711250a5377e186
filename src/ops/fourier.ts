/** Fourier transforms: the three kernels, the functions of torch.fft written in them, and stft. */

import { cxxName } from "../tensor/cxx-names.ts";
import { FLOAT32, isComplex, isFloating, toComplex, toReal } from "../tensor/dtype.ts";
import { sameShape, stridesInOrder, TorchError, wrapDim } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { type Args, type CompositeContext, d, defineOps, type Kernel, type OpRow, type Ops } from "./row.ts";

const half = (n: number): number => Math.floor(n / 2) + 1;

/** The input cut or padded with zeros to the lengths asked for. */
function resized(o: Ops, self: Tensor, sizes: readonly number[], dims: readonly number[]): Tensor {
  const shape = [...self.sizes];
  dims.forEach((dim, i) => (shape[dim] = sizes[i]));
  if (sameShape(shape, self.sizes)) return self;
  let cut = self;
  dims.forEach((dim) => {
    if (shape[dim] < cut.sizes[dim]) cut = o.slice(cut, dim, 0, shape[dim], 1);
  });
  if (sameShape(shape, cut.sizes)) return cut;
  const pad = shape.flatMap((_, i) => {
    const dim = shape.length - 1 - i;
    return [0, shape[dim] - cut.sizes[dim]];
  });
  return o.constant_pad_nd(cut, pad, 0);
}

const complexed = (o: Ops, t: Tensor): Tensor => (isComplex(t.dtype) ? t : o.to(t, toComplex(t.dtype)));
const floated = (o: Ops, t: Tensor): Tensor => (isComplex(t.dtype) || isFloating(t.dtype) ? t : o.to(t, FLOAT32));

/** The kernels write the transformed dimensions innermost, the others by falling strides before them (_exec_fft). */
function transformedStrides(
  self: Tensor,
  sizes: readonly number[],
  dim: readonly number[],
  sorts: boolean,
  realInput = false,
): number[] {
  const falling = (list: number[]): number[] => list.sort((x, y) => self.strides[y] - self.strides[x] || x - y);
  const dims = dim.map((i) => wrapDim(i, self.rank));
  const others = falling(self.sizes.map((_, i) => i).filter((i) => !dims.includes(i)));
  // real input over the first two dimensions takes two passes, the last dimension first
  if (realInput && dims.length > 1 && dims[0] === 0 && dims[1] === 1)
    return stridesInOrder(sizes, [...others, dims[dims.length - 1], ...dims.slice(0, -1)]);
  return stridesInOrder(sizes, [...others, ...(sorts ? falling([...dims]) : dims)]);
}

interface Axes {
  readonly dims: number[];
  readonly sizes: number[];
}

/** Which dimensions are transformed, and their lengths (canonicalize_fft_shape_and_dim_args). */
function axes(self: Tensor, n: readonly number[] | null, dim: readonly number[] | null): Axes {
  const rank = self.rank;
  const dims =
    dim?.map((i) => wrapDim(i, rank)) ??
    Array.from({ length: n?.length ?? rank }, (_, i) => rank - (n?.length ?? rank) + i);
  const sizes = dims.map((at, i) => (n && n[i] !== -1 ? n[i] : self.sizes[at]));
  if (sizes.some((s) => s < 1)) throw new TorchError(`Invalid number of data points (${sizes.join(", ")}) specified`);
  return { dims, sizes };
}

function forwardOrInverse(o: Ops, self: Tensor, { dims, sizes }: Axes, forward: boolean): Tensor {
  if (dims.length === 1 && !isComplex(self.dtype)) {
    const input = resized(o, floated(o, self), sizes, dims);
    return forward ? o._fft_r2c(input, dims, 0, false) : o.conj(o._fft_r2c(input, dims, 0, false));
  }
  return o._fft_c2c(resized(o, complexed(o, self), sizes, dims), dims, 0, forward);
}

/** Lengths with a larger prime factor go by another algorithm (Bluestein's). */
const LARGEST_FACTOR = 127;
function largestFactor(length: number): number {
  let [left, found] = [length, 1];
  for (let factor = 2; factor * factor <= left; factor++)
    while (left % factor === 0) [left, found] = [left / factor, factor];
  return Math.max(left, found);
}

/** What cuFFT takes beside the result: another copy for real numbers of uneven lengths and for three dimensions (test/record: ops-linalg, fft odd and fftn). */
function takesBeside(k: Kernel, self: Tensor, out: Tensor, dims: readonly number[]): void {
  const uneven = dims.some((dim) => largestFactor(self.sizes[wrapDim(dim, self.rank)]) > LARGEST_FACTOR);
  if (uneven && !isComplex(self.dtype)) k.scratch(out.nbytes + 768, "fft_workspace")();
  else if (dims.length > 2) k.scratch(out.nbytes, "fft_workspace")();
}

function realForward(o: Ops, self: Tensor, { dims, sizes }: Axes): Tensor {
  if (isComplex(self.dtype)) throw new TorchError(`rfft expects a real input tensor, but got ${cxxName(self.dtype)}`);
  const input = resized(o, floated(o, self), sizes, dims);
  const last = dims.slice(-1);
  if (dims.length === 1) return o._fft_r2c(input, last, 0, true);
  return o._fft_r2c(input, dims, 0, true);
}

function realInverse(o: Ops, self: Tensor, n: readonly number[] | null, dim: readonly number[] | null): Tensor {
  const { dims, sizes } = axes(self, n, dim);
  const end = dims.length - 1;
  const length = n && n[end] !== -1 ? n[end] : 2 * (self.sizes[dims[end]] - 1);
  const cut = [...sizes];
  cut[end] = half(length);
  return o._fft_c2r(resized(o, complexed(o, self), cut, dims), dims, 0, length);
}

const single = (name: string, run: (o: Ops, self: Tensor, n: number[] | null, dim: number[]) => Tensor): OpRow => ({
  schema: `fft_${name}(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor`,
  evidence: `native_functions.yaml: fft_${name}; case linear-algebra/fourier-transforms`,
  python: "none",
  composite: ({ self, n, dim }, o) => run(o, self, n === null ? null : [n], [dim]),
});

const many = (
  name: string,
  two: boolean,
  run: (o: Ops, self: Tensor, s: number[] | null, dim: number[] | null) => Tensor,
): OpRow => ({
  schema: `fft_${name}(Tensor self, int[]? s=None, int[]? dim=${two ? "[-2,-1]" : "None"}, str? norm=None) -> Tensor`,
  evidence: `native_functions.yaml: fft_${name}; case linear-algebra/fourier-transforms`,
  python: "none",
  composite: ({ self, s, dim }, o) => run(o, self, s, dim),
});

const complexKinds = [true, false].flatMap((forward) => {
  const name = forward ? "fft" : "ifft";
  const run = (o: Ops, self: Tensor, n: number[] | null, dim: number[] | null): Tensor =>
    forwardOrInverse(o, self, axes(self, n, dim), forward);
  return [single(name, run), many(`${name}2`, true, run), many(`${name}n`, false, run)];
});
const realRun = (o: Ops, self: Tensor, n: number[] | null, dim: number[] | null): Tensor =>
  realForward(o, self, axes(self, n, dim));

const shiftRow = (name: string, amount: (size: number) => number): OpRow => ({
  schema: `fft_${name}(Tensor self, int[]? dim=None) -> Tensor`,
  evidence: `native_functions.yaml: fft_${name}; case linear-algebra/fourier-transforms`,
  python: "none",
  composite: ({ self, dim }, o) => {
    const dims: number[] = (dim ?? self.sizes.map((_: number, i: number) => i)).map((i: number) =>
      wrapDim(i, self.rank),
    );
    return o.roll(
      self,
      dims.map((i) => amount(self.sizes[i])),
      dims,
    );
  },
});

export const fourierOps = defineOps([
  {
    schema: "_fft_c2c(Tensor self, int[] dim, int normalization, bool forward) -> Tensor",
    evidence: "derivatives.yaml: _fft_c2c; case linear-algebra/fourier-transforms",
    python: "none",
    forward: ({ self, dim }, k) => {
      const out = k.output(self.sizes, self.dtype, transformedStrides(self, self.sizes, dim, true));
      takesBeside(k, self, out, dim);
      return out;
    },
    derivatives: [d("self", "", ({ grad, args: a, ops: o }) => o._fft_c2c(grad, a.dim, a.normalization, !a.forward))],
  },
  {
    schema: "_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor",
    evidence: "derivatives.yaml: _fft_r2c; case linear-algebra/fourier-transforms",
    python: "none",
    node: "FftR2CBackward0",
    forward: ({ self, dim, onesided }, k) => {
      const sizes = [...self.sizes];
      const last = wrapDim(dim[dim.length - 1], self.rank);
      if (onesided) sizes[last] = half(sizes[last]);
      const out = k.output(sizes, toComplex(self.dtype), transformedStrides(self, sizes, dim, false, true));
      takesBeside(k, self, out, dim);
      return out;
    },
    derivatives: [
      // the missing half is zeros, then a full transform whose real part counts
      d("self", "self", ({ grad, saved: { self }, args: a, ops: o }) => {
        const last = wrapDim(a.dim[a.dim.length - 1], self.rank);
        const present = grad.sizes[last];
        let full = grad;
        if (a.onesided && self.sizes[last] > present) {
          full = o.new_zeros(grad, self.sizes);
          o.copy_(o.narrow(full, last, 0, present), grad);
        }
        return o.real(o._fft_c2c(full, a.dim, a.normalization, false));
      }),
    ],
  },
  {
    schema: "_fft_c2r(Tensor self, int[] dim, int normalization, int last_dim_size) -> Tensor",
    evidence: "derivatives.yaml: _fft_c2r; case linear-algebra/fourier-transforms",
    python: "none",
    node: "FftC2RBackward0",
    forward: ({ self, dim, last_dim_size }, k) => {
      const sizes = [...self.sizes];
      sizes[wrapDim(dim[dim.length - 1], self.rank)] = last_dim_size;
      const out = k.output(sizes, toReal(self.dtype), transformedStrides(self, sizes, dim, false));
      // cuFFT overwrites the input of this transform
      k.scratch(self.nbytes, "fft_input_copy");
      return out;
    },
    derivatives: [
      d("self", "", ({ grad, args: a, ops: o }) => {
        const last = wrapDim(a.dim[a.dim.length - 1], grad.rank);
        const back: Tensor = o._fft_r2c(grad, a.dim, a.normalization, true);
        const doubled = grad.sizes[last] - back.sizes[last];
        if (doubled > 0) o.mul_(o.narrow(back, last, 1, doubled), 2);
        return back;
      }),
    ],
  },
  ...complexKinds,
  single("rfft", realRun),
  many("rfft2", true, realRun),
  many("rfftn", false, realRun),
  single("irfft", realInverse),
  many("irfft2", true, realInverse),
  many("irfftn", false, realInverse),
  shiftRow("fftshift", (size) => Math.floor(size / 2)),
  shiftRow("ifftshift", (size) => Math.floor((size + 1) / 2)),
  {
    schema:
      "_stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None) -> Tensor",
    evidence: "case linear-algebra/fourier-transforms",
    as: "stft",
    python: "none",
    composite: stft,
  },
]);

/** Frames of the signal as a view, times the window, each transformed (SpectralOps.cpp). */
function stft(a: Args, o: Ops, { rules }: CompositeContext): Tensor {
  const isReal = !isComplex(a.self.dtype) && !(a.window && isComplex(a.window.dtype));
  if (a.return_complex === null && isReal && rules.spectrumFormRequired)
    throw new TorchError(
      "stft requires the return_complex parameter be given for real inputs, and will further require that return_complex=True in a future PyTorch release.",
    );
  const hop = a.hop_length ?? Math.floor(a.n_fft / 4);
  const signal: Tensor = a.self.rank === 1 ? o.unsqueeze(a.self, 0) : a.self;
  const frames = 1 + Math.floor((signal.sizes[1] - a.n_fft) / hop);
  const [batch] = signal.sizes;
  let framed: Tensor = o.as_strided(
    signal,
    [batch, frames, a.n_fft],
    [signal.strides[0], hop * signal.strides[1], signal.strides[1]],
  );
  if (a.window) {
    const missing = a.n_fft - a.window.numel;
    const left = Math.floor(missing / 2);
    framed = o.mul(framed, missing > 0 ? o.constant_pad_nd(a.window, [left, missing - left], 0) : a.window);
  }
  const onesided = a.onesided ?? !isComplex(framed.dtype);
  let out: Tensor = isComplex(framed.dtype) ? o._fft_c2c(framed, [2], 0, true) : o._fft_r2c(framed, [2], 0, onesided);
  out = o.transpose(out, 1, 2);
  if (a.self.rank === 1) out = o.squeeze_dim(out, 0);
  return (a.return_complex ?? !isReal) ? out : o.view_as_real(out);
}
