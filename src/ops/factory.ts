/** Tensors out of nothing: empty, zeros, arange, random ones, and the like of another tensor. */

import { BOOL, type DType, INT64, toComplex } from "../tensor/dtype.ts";
import type { Scalar } from "../tensor/iterator.ts";
import { channelsLastStrides, contiguousStrides, numel, stridesInOrder, TorchError } from "../tensor/shape.ts";
import { isGpu, type DeviceType, type Tensor } from "../tensor/tensor.ts";
import { checkDeviation } from "./fills.ts";
import { radixSortBytes } from "./radix-sort.ts";
import { type Args, defineOps, type Kernel, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import { evenly, filledWith, identityMatrix, inSteps, ones, zeros, powersEvenly } from "./values-made.ts";
import { normal, permuted, uniform, wholeBetween } from "./values-random.ts";
import { numberOf, type ValueRule } from "./values.ts";
import { triangleIndices } from "./values-placed.ts";

/** Chance of equal keys that randperm takes, and how often it sorts by them (Randperm.cu). */
const LOG_OF_NINE_TENTHS_12 = Math.log(0.9) * 12;

/** randperm: the numbers in order are sorted by random keys, as wide as keeps equal ones rare (randperm_out_cuda in Randperm.cu). */
function sortByRandomKeys(k: Kernel, n: number, itemBytes: number): void {
  // the number as a tensor, which says whether the type holds it (check_supported_max_int_with_precision)
  k.scratch(itemBytes, "randperm_number")();
  if (n === 0) return;
  const bits = Math.min(64, Math.ceil(Math.log2(n - (6 * n * n + 1) / LOG_OF_NINE_TENTHS_12)));
  const keyBytes = bits <= 32 ? 4 : 8;
  k.scratch(n * itemBytes, "randperm_range");
  k.scratch(n * keyBytes, "randperm_keys");
  k.scratch(n * keyBytes, "randperm_keys");
  k.scratch(radixSortBytes(n, keyBytes, itemBytes, k, bits), "sort_library");
}

function checked(size: readonly number[]): readonly number[] {
  for (const s of size)
    if (s < 0) throw new TorchError(`Trying to create tensor with negative dimension ${s}: [${size.join(", ")}]`);
  if (!Number.isSafeInteger(numel(size)))
    throw new TorchError(`Storage size calculation overflowed with sizes=[${size.join(", ")}]`);
  return size;
}

/** What is known of an operator that makes a tensor, beside its parameters. */
interface Made {
  readonly size: (a: Args) => readonly number[];
  readonly strides?: (a: Args) => readonly number[];
  /** Its dtype where none is named; otherwise the default one. */
  readonly dtype?: (a: Args, k: Kernel) => DType;
  readonly values?: ValueRule;
  readonly draws?: true;
  readonly factory?: "cpu";
  readonly takesOut?: false;
  readonly inside?: string;
  readonly namedAround?: true;
  readonly evidence?: string;
  /** What is refused before anything is made. */
  readonly check?: (a: Args) => void;
  /** What the kernel takes beside the result. */
  readonly scratch?: (a: Args, k: Kernel, result: Tensor) => void;
}

/** An operator that makes a tensor out of nothing: on the CPU and of the default dtype unless Python says something else. */
const made = (head: string, { size, strides, dtype, check, scratch, evidence, ...row }: Made, more = ""): OpRow => ({
  factory: "default",
  ...row,
  schema: `${head}, *, dtype? dtype=None, device? device=None${more}) -> Tensor`,
  evidence: evidence ?? `native_functions.yaml: ${operatorName(head)}`,
  python: "function",
  forward: (a, k) => {
    check?.(a);
    const type = a.dtype ?? dtype?.(a, k) ?? k.defaultDtype;
    const result = k.output(checked(size(a)), type, strides?.(a), (a.device ?? "cpu") as DeviceType);
    scratch?.(a, k, result);
    return result;
  },
});

const ofSize = (a: Args): readonly number[] => a.size;
const sized = (name: string, values?: ValueRule, draws?: true): OpRow =>
  made(`${name}(int[] size`, { size: ofSize, values, ...(draws && { draws }) });

const int64 = (): DType => INT64;

/** The dtype that a number alone stands for. */
const ofNumber = ({ scalar }: Scalar, k: Kernel): DType =>
  scalar === "bool"
    ? BOOL
    : scalar === "int"
      ? INT64
      : scalar === "complex"
        ? toComplex(k.defaultDtype)
        : k.defaultDtype;

const isWhole = (number: Scalar | undefined): boolean =>
  number === undefined || number.scalar === "int" || number.scalar === "bool";

const stepBetween = (a: Args): [start: number, end: number, step: number] => [
  numberOf(a.start),
  numberOf(a.end),
  a.step === undefined ? 1 : numberOf(a.step),
];

function checkSteps(a: Args): void {
  const [start, end, step] = stepBetween(a);
  if (step === 0) throw new TorchError("step must be nonzero");
  if ((end - start) * step < 0) throw new TorchError("upper bound and lower bound inconsistent with step sign");
}

const arange = (head: string): OpRow =>
  made(head, {
    size: (a) => {
      const [start, end, step] = stepBetween(a);
      return [Math.max(0, Math.ceil((end - start) / step))];
    },
    dtype: (a, k) => ([a.start, a.end, a.step].every(isWhole) ? INT64 : k.defaultDtype),
    check: checkSteps,
    values: inSteps,
    evidence: "native_functions.yaml: arange; case tensors/defaults-of-factories",
  });

const spaced = (head: string, values?: ValueRule): OpRow =>
  made(head, {
    size: (a) => {
      if (a.steps < 0) throw new TorchError("number of steps must be non-negative");
      return [a.steps];
    },
    values,
  });

/** How many places of a matrix lie on the diagonal of that offset or below it. */
function below({ row, col, offset }: Args): number {
  let n = 0;
  for (let i = 0; i < row; i++) n += Math.max(0, Math.min(col, i + offset + 1));
  return n;
}

const triangle = (name: string, count: (a: Args) => number, values: ValueRule): OpRow =>
  made(`${name}(int row, int col, int offset=0`, {
    size: (a) => [2, count(a)],
    dtype: int64,
    values,
    takesOut: false,
    evidence: `native_functions.yaml: ${name}; case tensors/defaults-of-factories`,
  });

/** Beside `self`: where it is, and of its dtype unless another one is named. */
const besideSelf = (
  head: string,
  size: (a: Args) => readonly number[],
  { strides, ...row }: Partial<OpRow> & { readonly strides?: (a: Args) => readonly number[] } = {},
  more = "",
): OpRow => ({
  schema: `${head}, *, dtype? dtype=None, device? device=None${more}) -> Tensor`,
  evidence: `native_functions.yaml: ${operatorName(head)}`,
  factory: "self",
  takesOut: false,
  forward: (a, k) =>
    k.output(checked(size(a)), a.dtype ?? a.self.dtype, strides?.(a), (a.device ?? a.self.device) as DeviceType),
  ...row,
});

const newSized = (name: string, row?: Partial<OpRow>): OpRow =>
  besideSelf(`${name}(Tensor self, int[] size`, ofSize, { python: "method", ...row });

/** With the geometry of `self`; `parameters` stand between it and the dtype. */
const like = (name: string, row: Partial<OpRow> = {}, parameters = ""): OpRow =>
  besideSelf(
    `${name}(Tensor self${parameters}`,
    (a) => a.self.sizes,
    { python: "function", strides: (a) => stridesFor(a.self, a.memory_format), ...row },
    ", str? memory_format=None",
  );

/** Strides of a copy of `self` in a memory format; null and preserve_format keep the order of dimensions. */
export function stridesFor(self: Tensor, format: string | null): readonly number[] {
  if (format === "contiguous_format") return contiguousStrides(self.sizes);
  if (format === "channels_last" || format === "channels_last_3d") return channelsLastStrides(self.sizes);
  if (self.isNonOverlappingAndDense) return self.strides;
  const order = self.sizes.map((_, i) => i);
  order.sort((x, y) => self.strides[y] - self.strides[x] || x - y);
  return self.strides.some((s) => s === 0) ? contiguousStrides(self.sizes) : stridesInOrder(self.sizes, order);
}

export const factory = defineOps([
  newSized("new_empty"),
  newSized("new_zeros", { inside: "new_empty", values: zeros }),
  newSized("new_ones", { inside: "new_empty", values: ones }),
  besideSelf("new_full(Tensor self, int[] size, Scalar fill_value", ofSize, {
    python: "method",
    inside: "new_empty",
    values: filledWith("fill_value"),
  }),
  besideSelf("new_empty_strided(Tensor self, int[] size, int[] stride", ofSize, {
    python: "method",
    strides: (a) => a.stride,
    evidence: "native_functions.yaml: new_empty_strided; case dropout/probabilities-and-modes",
  }),
  {
    // what torch.tensor makes of Python's data: on the CPU, then copied
    schema: "_from_data(int[] size, *, dtype? dtype=None, device? device=None) -> Tensor",
    // Python writes those that are few; of the others it is known that they were told
    values: () => null,
    evidence: "case training/datasets-and-loaders",
    as: "_to_copy",
    forward: (a, k) =>
      k.output(checked(a.size), a.dtype ?? k.defaultDtype, undefined, (a.device ?? "cpu") as DeviceType),
    python: "none",
  },
  made(
    "empty(int[] size",
    {
      namedAround: true,
      size: ofSize,
      strides: (a) =>
        a.memory_format?.startsWith("channels_last") ? channelsLastStrides(a.size) : contiguousStrides(a.size),
    },
    ", str? memory_format=None",
  ),
  sized("zeros", zeros),
  {
    ...sized("_efficientzerotensor", zeros),
    evidence: "ZeroTensor.cu: nothing is allocated; the corpora without temporaries were recorded where it was",
    forward: ({ size, dtype, device }, k) => {
      const type = dtype ?? k.defaultDtype;
      const sizes = checked(size);
      if (!k.temporaries) return k.output(sizes, type, undefined, device);
      return k.view(k.output([0], type, undefined, device), sizes, contiguousStrides(sizes), 0, true);
    },
  },
  sized("ones", ones),
  sized("rand", uniform(), true),
  sized("randn", normal(), true),
  made("full(int[] size, Scalar fill_value", {
    size: ofSize,
    dtype: (a, k) => ofNumber(a.fill_value, k),
    values: filledWith("fill_value"),
    evidence: "native_functions.yaml: full; case lifetimes/scopes-exceptions-and-generators",
  }),
  made("normal.float_float(float mean, float std, int[] size", {
    size: ofSize,
    check: (a) => checkDeviation(a.std),
    values: normal("mean", "std"),
    draws: true,
    factory: "cpu",
    evidence: "native_functions.yaml: normal.float_float; case tensors/more-factories",
  }),
  made("empty_strided(int[] size, int[] stride", {
    namedAround: true,
    size: ofSize,
    strides: (a) => a.stride,
    takesOut: false,
    evidence: "native_functions.yaml: empty_strided; case tensors/more-factories",
  }),
  made("empty_permuted(int[] size, int[] physical_layout", {
    namedAround: true,
    size: ofSize,
    strides: (a) => stridesInOrder(a.size, a.physical_layout),
    takesOut: false,
    evidence: "native_functions.yaml: empty_permuted; case tensors/defaults-of-factories",
  }),
  made("scalar_tensor(Scalar s", {
    size: () => [],
    takesOut: false,
    values: filledWith("s"),
    evidence: "native_functions.yaml: scalar_tensor; case pooling/lp-pooling",
  }),
  ...["randint(Scalar high, int[] size", "randint.low(Scalar low, Scalar high, int[] size"].map((head) =>
    made(head, {
      size: ofSize,
      dtype: int64,
      values: wholeBetween,
      draws: true,
      evidence: "native_functions.yaml: randint; case tensors/defaults-of-factories",
    }),
  ),
  made("randperm(int n", {
    size: (a) => [a.n],
    dtype: int64,
    values: permuted,
    draws: true,
    scratch: (a, k, result) => {
      if (isGpu(result.device)) sortByRandomKeys(k, a.n, result.dtype.itemBytes);
    },
    evidence: "native_functions.yaml: randperm; case training/datasets-and-loaders; recorded on an H100",
  }),
  ...["arange(Scalar end", "arange.start_step(Scalar start, Scalar end, Scalar step=1"].map(arange),
  made("range(Scalar start, Scalar end, Scalar step=1", {
    size: (a) => {
      const [start, end, step] = stepBetween(a);
      return [Math.floor((end - start) / step) + 1];
    },
    check: checkSteps,
    values: inSteps,
    factory: "cpu",
    evidence: "native_functions.yaml: range; case tensors/defaults-of-factories",
  }),
  spaced("linspace(Scalar start, Scalar end, int steps", evenly),
  spaced("logspace(Scalar start, Scalar end, int steps, float base=10.0", powersEvenly),
  made("eye(int n, int? m=None", {
    size: (a) => {
      if (a.n < 0) throw new TorchError(`n must be greater or equal to 0, got ${a.n}`);
      if (a.m !== null && a.m < 0) throw new TorchError(`m must be greater or equal to 0, got ${a.m}`);
      return [a.n, a.m ?? a.n];
    },
    values: identityMatrix,
    evidence: "native_functions.yaml: eye; case tensors/factories",
  }),
  triangle(
    "tril_indices",
    below,
    triangleIndices((beside, offset) => beside <= offset),
  ),
  triangle(
    "triu_indices",
    (a) => a.row * a.col - below({ ...a, offset: a.offset - 1 }),
    triangleIndices((beside, offset) => beside >= offset),
  ),
  like("empty_like", { namedAround: true }),
  like("zeros_like", { values: zeros }),
  like("ones_like", { values: ones }),
  like("rand_like", { values: uniform(), draws: true }),
  like("randn_like", { values: normal(), draws: true }),
  like("full_like", { values: filledWith("fill_value") }, ", Scalar fill_value"),
  like("randint_like", { values: wholeBetween, draws: true }, ", Scalar high"),
  like("randint_like.low_dtype", { values: wholeBetween, draws: true }, ", Scalar low, Scalar high"),
]);
