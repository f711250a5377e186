/** Copies: clone, casts, moves between devices, concatenation, padding and rearranging that needs new memory. */

import { BOOL, type DType, isFloating, promoteTypes } from "../tensor/dtype.ts";
import { isScalar } from "../tensor/iterator.ts";
import { joinedStrides, suggestedStrides } from "../tensor/memory-format.ts";
import { sameShape, TorchError, wrapDim } from "../tensor/shape.ts";
import { isGpu, type DeviceType, type Tensor } from "../tensor/tensor.ts";
import { realOf } from "./complex.ts";
import { stridesFor } from "./factory.ts";
import { d, defineOps, named, type OpRow } from "./row.ts";
import { converted, same } from "./values-elementwise.ts";
import { joined, repeatedPlaces, repeatedTimes, triangle } from "./values-selection.ts";
import { elementwise as elementwiseValues } from "./values.ts";
import { padded } from "./values-placed.ts";

const sameOrder = (self: Tensor, format: string | null): boolean =>
  format === null ||
  format === "preserve_format" ||
  sameShape(stridesFor(self, format), self.strides) ||
  (format === "contiguous_format" && self.isContiguous);

export const copies = defineOps([
  {
    // what a composite made, into the tensor given as out=
    schema: "_copy_into_out(Tensor self) -> Tensor",
    evidence: "at::native::resize_output and copy_, as CompositeImplicitAutograd functions with out= end (Resize.cpp)",
    values: same,
    python: "none",
    readsUnresolved: true,
    forward: ({ self }, k) => k.output(self.sizes, self.dtype),
  },
  {
    schema: "clone(Tensor self, *, str? memory_format=None) -> Tensor",
    evidence: "derivatives.yaml: clone; case autograd/hooks-on-tensors-and-nodes",
    values: same,
    mostDistinct: ({ self }) => self.storage.mostDistinct,
    readsUnresolved: true,
    forward: ({ self, memory_format }, k) => {
      return k.output(self.sizes, self.dtype, stridesFor(self, memory_format));
    },
    derivatives: [d("self", "", ({ grad }) => grad)],
  },
  {
    schema: "contiguous(Tensor self, *, str? memory_format=None) -> Tensor",
    evidence: "native_functions.yaml: contiguous; case pooling/max-pooling-with-indices",
    composite: ({ self, memory_format }, o) => {
      const format = memory_format ?? "contiguous_format";
      return sameOrder(self, format) ? self : o.clone(self, format);
    },
    python: "method",
  },
  {
    schema:
      "_to_copy(Tensor self, dtype? dtype=None, device? device=None, str? memory_format=None, bool non_blocking=False) -> Tensor",
    evidence: "derivatives.yaml: _to_copy; case modules/buffers",
    values: converted,
    mostDistinct: ({ self }) => self.storage.mostDistinct,
    mixedDevices: true,
    forward: (a, k) => {
      const { self } = a;
      const type = a.dtype ?? self.dtype;
      const device = (a.device ?? self.device) as DeviceType;
      const out = k.output(self.sizes, type, stridesFor(self, a.memory_format), device);
      if (self.device !== device) {
        // conversions of a non-blocking copy happen on the GPU (reference 5.2)
        if (isGpu(device) && type !== self.dtype && a.non_blocking) k.scratch(self.nbytes, "copy_source_dtype", device);
        if (self.isCuda && type !== self.dtype && a.non_blocking)
          k.scratch(self.numel * type.itemBytes, "copy_target_dtype");
        if (self.isCuda && !self.isNonOverlappingAndDense) k.scratch(self.nbytes, "copy_contiguous");
      }
      return out;
    },
    node: "ToCopyBackward0",
    python: "none",
    derivatives: [
      // FunctionsManual.cpp: _to_copy_backward
      d("self", "", ({ grad, meta, ops: o }) =>
        o.to(realOf(o, grad, meta.self.dtype), meta.self.dtype, meta.self.device),
      ),
    ],
  },
  {
    schema:
      "to(Tensor self, dtype? dtype=None, device? device=None, bool non_blocking=False, bool copy=False, str? memory_format=None) -> Tensor",
    evidence: "native_functions.yaml: to; case modules/buffers",
    composite: (a, o) => {
      const { self } = a;
      const changes =
        a.copy ||
        (a.dtype !== null && a.dtype !== self.dtype) ||
        (a.device !== null && a.device !== self.device) ||
        !sameOrder(self, a.memory_format);
      return changes ? o._to_copy(self, a.dtype, a.device, a.memory_format, a.non_blocking) : self;
    },
    python: "none",
  },
  {
    // Python's parser calls the source so, and takes a number for it (python_variable_methods.cpp: THPVariable_copy_)
    schema: "copy_(Tensor self, Operand other, bool non_blocking=False) -> Tensor",
    evidence:
      "native_functions.yaml: copy_; case allocator/growing-buffers; case overloads/answers-that-the-host-reads",
    values: elementwiseValues(["other"], ([x]) => x),
    mixedDevices: true,
    mutates: ["self"],
    forward: ({ self, other, non_blocking }, k) => {
      if (isScalar(other)) return self;
      if (self.device !== other.device && self.dtype !== other.dtype && non_blocking) {
        if (self.isCuda) k.scratch(other.nbytes, "copy_source_dtype");
        else k.scratch(other.numel * self.dtype.itemBytes, "copy_target_dtype");
      }
      return self;
    },
    node: "torch::autograd::CopyBackwards",
    python: "method",
    derivatives: [
      d("self", "", ({ grad, ops: o }) => o.zeros_like(grad)),
      d("other", "", ({ grad, meta, ops: o }) => o.to(grad, meta.other.dtype, meta.other.device)),
    ],
  },
  {
    schema: "cat(Tensor[] tensors, int dim=0) -> Tensor",
    evidence: "derivatives.yaml: cat; case allocator/growing-buffers; case tensors/joins-with-channels-last",
    aliases: ["concat", "concatenate"],
    values: joined,
    joins: true,
    autocast: undefined,
    forward: ({ tensors, dim }, k) => {
      if (tensors.length === 0) throw new TorchError("torch.cat(): expected a non-empty list of Tensors", "ValueError");
      const real = tensors.filter((t: Tensor) => !(t.rank === 1 && t.numel === 0));
      let type: DType = tensors[0].dtype;
      for (const t of tensors) type = promoteTypes(type, t.dtype);
      if (real.length === 0) return k.output([0], type);
      const first: Tensor = real[0];
      const at = wrapDim(dim, first.rank);
      let total = 0;
      for (const t of real) {
        if (t.rank !== first.rank)
          throw new TorchError("Tensors must have same number of dimensions: got " + first.rank + " and " + t.rank);
        t.sizes.forEach((s: number, i: number) => {
          if (i !== at && s !== first.sizes[i])
            throw new TorchError(
              `Sizes of tensors must match except in dimension ${at}. Expected size ${first.sizes[i]} but got size ${s} for tensor number ${tensors.indexOf(t)} in the list.`,
            );
        });
        total += t.sizes[at];
      }
      const sizes = [...first.sizes];
      sizes[at] = total;
      return k.output(sizes, type, joinedStrides(sizes, tensors));
    },
    python: "function",
    derivatives: [
      d("tensors", "", ({ grad, meta, args, ops: o }) => {
        let from = 0;
        const list = meta.tensors as { sizes: readonly number[] }[];
        const rank = grad.rank;
        const at = wrapDim(args.dim, rank);
        return list.map((m) => {
          if (m.sizes.length === 1 && m.sizes[0] === 0 && rank !== 1) return o.zeros([0], grad.dtype, grad.device);
          const size = m.sizes[at];
          const part = o.narrow(grad, at, from, size);
          from += size;
          return part;
        });
      }),
    ],
  },
  {
    schema: "narrow(Tensor self, int dim, int start, int length) -> Tensor",
    takesOut: false,
    evidence: "native_functions.yaml: narrow; case pooling/spatial-pyramid",
    composite: ({ self, dim, start, length }, o) => {
      const size = self.sizes[wrapDim(dim, self.rank)];
      if (length < 0) throw new TorchError("narrow(): length must be non-negative.");
      if (start < -size || start > size)
        throw new TorchError(
          `start out of range (expected to be in range of [${-size}, ${size}], but got ${start})`,
          "IndexError",
        );
      const from = start < 0 ? start + size : start;
      if (from + length > size)
        throw new TorchError(`start (${start}) + length (${length}) exceeds dimension size (${size}).`);
      return o.slice(self, dim, from, from + length, 1);
    },
  },
  {
    schema: "narrow.Tensor(Tensor self, int dim, Tensor start, int length) -> Tensor",
    takesOut: false,
    evidence: "native_functions.yaml: narrow.Tensor; case overloads/choices",
    mixedDevices: true,
    composite: ({ self, dim, start, length }, o, c) => {
      if (start.rank !== 0 || isFloating(start.dtype) || start.dtype === BOOL)
        throw new TorchError("start must be an 0-dim integral Tensor.");
      if (!start.values) c.assume("data_dependent_size", { rule: "from the start" });
      return o.narrow(self, dim, start.values?.[0] ?? 0, length);
    },
  },
  {
    schema: "repeat(Tensor self, int[] repeats) -> Tensor",
    evidence: "derivatives.yaml: repeat; case tensors/copies-and-shapes",
    values: repeatedTimes,
    forward: ({ self, repeats }, k) => {
      const pad = repeats.length - self.rank;
      if (pad < 0)
        throw new TorchError(
          "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
        );
      return k.output(
        repeats.map((r: number, i: number) => r * (i < pad ? 1 : self.sizes[i - pad])),
        self.dtype,
      );
    },
    python: "method",
    derivatives: [
      d("self", "", ({ grad, meta, args, drop, ops: o }) => {
        const { sizes } = meta.self;
        const { repeats } = args;
        if (repeats.includes(0)) return o.zeros(sizes, grad.dtype, grad.device);
        const pad = repeats.length - sizes.length;
        // new dimensions one after the other, the repeats of old ones in one sum (FunctionsManual.cpp: repeat_backward)
        let whole = grad;
        for (let i = 0; i < pad; i++) {
          const last = whole;
          whole = o.sum_dim_IntList(last, [0], false);
          if (i > 0) drop(last);
        }
        const shape: number[] = [];
        const dims: number[] = [];
        repeats.slice(pad).forEach((r: number, i: number) => {
          if (r !== 1) dims.push(shape.push(r) - 1);
          shape.push(sizes[i]);
        });
        return dims.length ? o.sum_dim_IntList(o.reshape(whole, shape), dims) : whole;
      }),
    ],
  },
  ...(["tril", "triu"] as const).map((name): OpRow => ({
    schema: `${name}(Tensor self, int diagonal=0) -> Tensor`,
    evidence: `derivatives.yaml: ${name}`,
    values: triangle(
      name === "tril" ? (beside, diagonal) => beside <= diagonal : (beside, diagonal) => beside >= diagonal,
    ),
    forward: ({ self }, k) => {
      if (self.rank < 2) throw new TorchError(`${name}: input tensor must have at least 2 dimensions`);
      return k.output(self.sizes, self.dtype);
    },
    inplace: true,
    derivatives: [d("self", "", ({ grad, args, ops: o }) => named(o, name)(grad, args.diagonal))],
  })),
  {
    values: padded,
    schema: "constant_pad_nd(Tensor self, int[] pad, Scalar value=0) -> Tensor",
    evidence: "derivatives.yaml: constant_pad_nd; case convolutions/one-three-dimensions-and-transposed",
    inside: ({ pad }) => (pad.some((n: number) => n > 0) ? "constant_pad_nd" : "clone"),
    forward: ({ self, pad }, k) => {
      const sizes = [...self.sizes];
      for (let i = 0; i < pad.length / 2; i++) sizes[self.rank - 1 - i] += pad[2 * i] + pad[2 * i + 1];
      return k.output(sizes, self.dtype, suggestedStrides(sizes, self));
    },
    python: "function",
    derivatives: [
      d("self", "", ({ grad, args, ops: o }) =>
        o.constant_pad_nd(
          grad,
          args.pad.map((p: number) => -p),
          0,
        ),
      ),
    ],
  },
  {
    schema: "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
    evidence: "derivatives.yaml: diag_embed; case indexing/diagonals-and-triangles",
    forward: ({ self, offset, dim1, dim2 }, k) => {
      const o = k.ops;
      const rank = self.rank + 1;
      const size = self.sizes[self.rank - 1] + Math.abs(offset);
      const shape: number[] = [];
      const a = wrapDim(dim1, rank);
      const b = wrapDim(dim2, rank);
      let next = 0;
      for (let i = 0; i < rank; i++) shape.push(i === a || i === b ? size : self.sizes[next++]);
      const out = o.zeros(shape, self.dtype, self.device);
      o.copy_(o.diagonal(out, offset, dim1, dim2), self);
      return out;
    },
    derivatives: [d("self", "", ({ grad, args, ops: o }) => o.diagonal(grad, args.offset, args.dim1, args.dim2))],
  },
  {
    schema: "diag(Tensor self, int diagonal=0) -> Tensor",
    evidence: "native_functions.yaml: diag; case tensors/more-factories",
    composite: ({ self, diagonal }, o) => {
      if (self.rank === 1) return o.diag_embed(self, diagonal);
      if (self.rank !== 2) throw new TorchError(`diag(): Supports 1D or 2D tensors. Got ${self.rank}D`);
      return o.diagonal_copy(self, diagonal);
    },
  },
  {
    schema: "diagflat(Tensor self, int offset=0) -> Tensor",
    evidence: "native_functions.yaml: diagflat; case overloads/functions-made-of-other-operators",
    takesOut: false,
    composite: ({ self, offset }, o) => o.diag(o.view(o.contiguous(self), [-1]), offset),
  },
  {
    schema: "repeat_interleave.self_int(Tensor self, int repeats, int? dim=None, *, int? output_size=None) -> Tensor",
    evidence: "native_functions.yaml: repeat_interleave.self_int; case tensors/copies-and-shapes",
    // expand, then a copy in the new shape
    composite: ({ self, repeats, dim }, o) => {
      if (repeats < 0) throw new TorchError("Repeats must be non-negative");
      const input = dim === null ? o.flatten(self) : self;
      const at = dim === null ? 0 : wrapDim(dim, self.rank);
      const expanded = [...input.sizes];
      expanded.splice(at + 1, 0, repeats);
      const copy = o.clone(o.expand(o.unsqueeze(input, at + 1), expanded), "contiguous_format");
      const merged = [...input.sizes];
      merged[at] *= repeats;
      return o.view(copy, merged);
    },
  },
  {
    schema:
      "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, int? output_size=None) -> Tensor",
    evidence: "native_functions.yaml: repeat_interleave.self_Tensor",
    composite: ({ self, repeats, dim, output_size }, o) => {
      const input = dim === null ? o.flatten(self) : self;
      const at = dim ?? 0;
      const size = input.sizes[wrapDim(at, input.rank)];
      if (repeats.rank > 1) throw new TorchError("repeats must be 0-dim or 1-dim tensor");
      if (repeats.rank === 1 && repeats.numel !== 1 && repeats.numel !== size)
        throw new TorchError(
          `repeats must have the same size as input along dim, but got repeats.size(0) = ${repeats.numel} and input.size(${at}) = ${size}`,
        );
      const each = repeats.numel === 1 ? o.expand(o.reshape(repeats, [1]), [size]) : repeats;
      return o.index_select(input, at, o.repeat_interleave_Tensor(each, output_size));
    },
  },
  {
    // as many times each position as `repeats` says; the running sums live until it returns
    schema: "repeat_interleave.Tensor(Tensor repeats, *, int? output_size=None) -> Tensor",
    forward: ({ repeats, output_size }, k) => {
      const o = k.ops;
      const sums = o.cumsum(repeats, 0);
      // without a size the last sum is read, and whether all numbers are allowed (repeat_interleave_common in Repeat.cpp)
      if (output_size === null && k.temporaries) k.statement(() => void o.all(o.ge(repeats, 0)));
      const known: readonly number[] | null = repeats.values;
      if (!known && output_size === null) k.assume("data_dependent_size", { rule: "every element once" });
      const total = known?.reduce((x, y) => x + y, 0) ?? repeats.numel;
      const out = k.output([output_size ?? k.readBack(total, repeats)], repeats.dtype);
      k.drop(sums);
      return out;
    },
    python: "function",
    evidence: "native_functions.yaml: repeat_interleave.Tensor; native/cuda/Repeat.cu, native/Repeat.cpp",
    values: repeatedPlaces,
  },
  {
    schema: "flatten(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor",
    evidence: "native_functions.yaml: flatten; case pooling/without-gradients",
    composite: ({ self, start_dim, end_dim }, o) => {
      if (self.rank === 0) return o.reshape(self, [1]);
      const from = wrapDim(start_dim, self.rank);
      const to = wrapDim(end_dim, self.rank);
      if (from > to) throw new TorchError("flatten() has invalid args: start_dim cannot come after end_dim");
      if (from === to) return self;
      const middle = self.sizes.slice(from, to + 1).reduce((x: number, y: number) => x * y, 1);
      return o.reshape(self, [...self.sizes.slice(0, from), middle, ...self.sizes.slice(to + 1)]);
    },
  },
  {
    schema: "unflatten(Tensor self, int dim, int[] sizes) -> Tensor",
    evidence: "native_functions.yaml: unflatten; case attention/encoder-layers-in-evaluation",
    composite: ({ self, dim, sizes }, o) => {
      const at = wrapDim(dim, self.rank);
      if (sizes.length === 0) throw new TorchError("unflatten: sizes must be non-empty");
      const known = sizes.filter((s: number) => s !== -1).reduce((x: number, y: number) => x * y, 1);
      const open = sizes.filter((s: number) => s === -1).length;
      if (open > 1) throw new TorchError("only one dimension can be inferred");
      const size = self.sizes[at];
      if (open ? size % known !== 0 : size !== known)
        throw new TorchError(
          `unflatten: Provided sizes [${sizes.join(", ")}] don't multiply up to the size of dim ${at} (${size}) in the input tensor`,
        );
      const inner = sizes.map((s: number) => (s === -1 ? size / known : s));
      return o.view(self, [...self.sizes.slice(0, at), ...inner, ...self.sizes.slice(at + 1)]);
    },
  },
]);
