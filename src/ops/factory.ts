/** Tensors out of nothing: empty, zeros, arange, random ones, and in-place fills. */

import { FLOAT32, INT64, isFloating, isIntegral } from "../tensor/dtype.ts";
import { contiguousStrides, stridesInOrder, TorchError } from "../tensor/shape.ts";
import { channelsLastStrides } from "../tensor/shape.ts";
import { commonShape, isScalar, resultType } from "../tensor/iterator.ts";
import { nodeName } from "./node-names.ts";
import { isGpu, type DeviceType, type Tensor } from "../tensor/tensor.ts";
import { radixSortBytes } from "./radix-sort.ts";
import { type Args, d, defineOps, type Kernel, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import {
  cauchy,
  chance,
  exponential,
  geometric,
  normal,
  normalOfTensors,
  permuted,
  uniform,
  wholeBetween,
  wholeUpTo,
} from "./values-random.ts";

import { evenly, filledWith, identityMatrix, inSteps, ones, zeros } from "./values-made.ts";
import { elementwise, type ValueRule } from "./values.ts";

/** Chance of equal keys that randperm takes, and how often it sorts by them (Randperm.cu). */
const LOG_OF_NINE_TENTHS_12 = Math.log(0.9) * 12;

/** randperm: the numbers in order are sorted by random keys, as wide as keeps equal ones rare (randperm_out_cuda in Randperm.cu). */
function sortByRandomKeys(k: Kernel, n: number, itemBytes: number): void {
  if (n === 0) return;
  const bits = Math.min(64, Math.ceil(Math.log2(n - (6 * n * n + 1) / LOG_OF_NINE_TENTHS_12)));
  const keyBytes = bits <= 32 ? 4 : 8;
  k.scratch(n * itemBytes, "randperm_range");
  k.scratch(n * keyBytes, "randperm_keys");
  k.scratch(n * keyBytes, "randperm_keys");
  k.scratch(radixSortBytes(n, keyBytes, itemBytes, k, bits), "sort_library");
}

const typeOf = (a: Args, fallback = FLOAT32) => a.dtype ?? fallback;
const make = (a: Args, k: Kernel): Tensor =>
  k.output(checked(a.size), typeOf(a), undefined, (a.device ?? "cpu") as DeviceType);

function checked(size: readonly number[]): readonly number[] {
  for (const s of size)
    if (s < 0) throw new TorchError(`Trying to create tensor with negative dimension ${s}: [${size.join(", ")}]`);
  return size;
}

const sized = (name: string, values?: ValueRule): OpRow => ({
  values,
  schema: `${name}(int[] size, *, dtype? dtype=None, device? device=None) -> Tensor`,
  evidence: `native_functions.yaml: ${name}`,
  forward: make,
  python: "none",
});

const like = (name: string, values?: ValueRule, middle = ""): OpRow => ({
  values,
  schema: `${name}(Tensor self${middle}, *, dtype? dtype=None, device? device=None, str? memory_format=None) -> Tensor`,
  evidence: `native_functions.yaml: ${name}`,
  forward: (a, k) => {
    const { self } = a;
    const type = typeOf(a, self.dtype);
    const device = (a.device ?? self.device) as DeviceType;
    return k.output(self.sizes, type, stridesFor(self, a.memory_format), device);
  },
  python: "none",
});

/** Strides of a copy of `self` in a memory format; null and preserve_format keep the order of dimensions. */
export function stridesFor(self: Tensor, format: string | null): readonly number[] {
  if (format === "contiguous_format") return contiguousStrides(self.sizes);
  if (format === "channels_last" || format === "channels_last_3d") return channelsLastStrides(self.sizes);
  if (self.isNonOverlappingAndDense) return self.strides;
  const order = self.sizes.map((_, i) => i);
  order.sort((x, y) => self.strides[y] - self.strides[x] || x - y);
  return self.strides.some((s) => s === 0) ? contiguousStrides(self.sizes) : stridesInOrder(self.sizes, order);
}

const arangeLength = (a: Args): number => Math.max(0, Math.ceil((a.end.value - a.start.value) / a.step.value));

const fill = (schema: string, values?: ValueRule): OpRow => ({
  values,
  schema: `${schema} -> Tensor`,
  evidence: `derivatives.yaml: ${operatorName(schema)}`,
  mutates: ["self"],
  forward: ({ self }) => self,
  python: "method",
  derivatives: [d("self", "", ({ grad, ops: o }) => o.zeros_like(grad))],
});

const drawn = (schema: string, values?: ValueRule): OpRow => ({ ...fill(schema, values), draws: true });

/** Where `self` is, and of its type unless told otherwise. */
const sizedAs = (name: string, inside?: string, values?: ValueRule): OpRow => ({
  values,
  schema: `${name}(Tensor self, int[] size, *, dtype? dtype=None, device? device=None) -> Tensor`,
  evidence: `native_functions.yaml: ${name}`,
  inside,
  forward: (a, k) =>
    k.output(checked(a.size), typeOf(a, a.self.dtype), undefined, (a.device ?? a.self.device) as DeviceType),
  python: "none",
});

export const factory = defineOps([
  sizedAs("new_empty"),
  sizedAs("new_zeros", "new_empty", zeros),
  {
    schema:
      "new_empty_strided(Tensor self, int[] size, int[] stride, *, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: new_empty_strided; case dropout/probabilities-and-modes",
    forward: (a, k) => k.output(a.size, typeOf(a, a.self.dtype), a.stride, (a.device ?? a.self.device) as DeviceType),
    python: "none",
  },
  {
    // what torch.tensor makes of Python's data: on the CPU, then copied
    schema: "_from_data(int[] size, *, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "case training/datasets-and-loaders",
    as: "_to_copy",
    forward: make,
    python: "none",
  },
  sized("empty"),
  sized("zeros", zeros),
  sized("ones", ones),
  sized("rand", uniform()),
  sized("randn", normal()),
  {
    schema: "full(int[] size, Scalar fill_value, *, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: full; case lifetimes/scopes-exceptions-and-generators",
    values: filledWith("fill_value"),
    forward: make,
    python: "none",
  },
  {
    schema: "empty_strided(int[] size, int[] stride, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: empty_strided; case tensors/more-factories",
    forward: (a, k) => k.output(a.size, typeOf(a), a.stride, (a.device ?? "cpu") as DeviceType),
    python: "none",
  },
  {
    schema: "scalar_tensor(Scalar s, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: scalar_tensor; case pooling/lp-pooling",
    values: filledWith("s"),
    forward: (a, k) => k.output([], typeOf(a), [], (a.device ?? "cpu") as DeviceType),
    python: "none",
  },
  {
    schema: "randint(Scalar low, Scalar high, int[] size, *, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: randint; case sorting/cumulative-columns",
    values: wholeBetween,
    forward: (a, k) => k.output(a.size, typeOf(a, INT64), undefined, (a.device ?? "cpu") as DeviceType),
    python: "none",
  },
  {
    schema: "randperm(int n, *, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: randperm; case training/datasets-and-loaders",
    values: permuted,
    forward: (a, k) => {
      const device = (a.device ?? "cpu") as DeviceType;
      const out = k.output([a.n], typeOf(a, INT64), undefined, device);
      if (isGpu(device)) sortByRandomKeys(k, a.n, out.dtype.itemBytes);
      return out;
    },
    python: "none",
  },
  {
    schema: "arange(Scalar start, Scalar end, Scalar step, *, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: arange; case lifetimes/decorators-and-context-managers",
    values: inSteps,
    forward: (a, k) => k.output([arangeLength(a)], typeOf(a, INT64), undefined, (a.device ?? "cpu") as DeviceType),
    python: "none",
  },
  ...(
    [
      ["linspace(Scalar start, Scalar end, int steps", evenly],
      ["logspace(Scalar start, Scalar end, int steps, float base=10.0", undefined],
    ] as const
  ).map(([head, values]): OpRow => ({
    values,
    schema: `${head}, *, dtype? dtype=None, device? device=None) -> Tensor`,
    evidence: `native_functions.yaml: ${operatorName(head)}`,
    forward: (a, k) => {
      if (a.steps < 0) throw new TorchError("number of steps must be non-negative");
      return k.output([a.steps], typeOf(a), undefined, (a.device ?? "cpu") as DeviceType);
    },
    python: "none",
  })),
  {
    schema: "eye(int n, int? m=None, *, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: eye; case tensors/factories",
    values: identityMatrix,
    forward: (a, k) => {
      if (a.n < 0) throw new TorchError(`n must be greater or equal to 0, got ${a.n}`);
      if (a.m !== null && a.m < 0) throw new TorchError(`m must be greater or equal to 0, got ${a.m}`);
      return k.output([a.n, a.m ?? a.n], typeOf(a), undefined, (a.device ?? "cpu") as DeviceType);
    },
    python: "none",
  },
  {
    schema:
      "tril_indices(int row, int col, int offset=0, *, bool upper=False, dtype? dtype=None, device? device=None) -> Tensor",
    evidence: "native_functions.yaml: tril_indices; case elementwise/less-common-functions",
    forward: (a, k) => {
      let n = 0;
      for (let i = 0; i < a.row; i++) {
        const below = Math.max(0, Math.min(a.col, i + a.offset + 1));
        n += a.upper ? a.col - Math.max(0, Math.min(a.col, i + a.offset)) : below;
      }
      return k.output([2, n], typeOf(a, INT64), undefined, (a.device ?? "cpu") as DeviceType);
    },
    python: "none",
  },
  like("empty_like"),
  like("zeros_like", zeros),
  like("ones_like", ones),
  like("rand_like", uniform()),
  like("randn_like", normal()),
  like("full_like", filledWith("fill_value"), ", Scalar fill_value"),
  like("randint_like", wholeBetween, ", Scalar low, Scalar high"),
  fill("zero_(Tensor self)", zeros),
  fill(
    "fill_(Tensor self, Operand value)",
    elementwise(["value"], ([v]) => v),
  ),
  {
    ...drawn("normal_(Tensor self, float mean=0, float std=1)", normal("mean", "std")),
    forward: ({ self, std }) => {
      if (std < 0)
        throw new TorchError(
          `normal expects std >= 0.0, but found std ${Number.isInteger(std) ? std.toFixed(1) : std}`,
        );
      return self;
    },
  },
  drawn("uniform_(Tensor self, float from=0, float to=1)", uniform("from", "to")),
  drawn(
    "bernoulli_(Tensor self, Operand p=0.5)",
    chance((a) => a.p),
  ),
  fill("random_(Tensor self, int? low=None, int? high=None)", wholeUpTo),
  drawn("exponential_(Tensor self, float lambd=1)", exponential),
  drawn("cauchy_(Tensor self, float median=0, float sigma=1)", cauchy),
  drawn("log_normal_(Tensor self, float mean=1, float std=2)"),
  drawn("geometric_(Tensor self, float p)", geometric),
  {
    schema: "normal.Tensor_Tensor(Operand mean, Operand std) -> Tensor",
    evidence: "derivatives.yaml: normal; case elementwise/less-common-functions",
    values: normalOfTensors,
    node: ({ mean, std }) => nodeName("normal", isScalar(std) ? 1 : isScalar(mean) ? 2 : 3),
    forward: ({ mean, std }, k) => {
      const given = [mean, std].filter((x): x is Tensor => !isScalar(x));
      const type = resultType(given);
      const out = k.output(commonShape(given), isFloating(type) ? type : FLOAT32);
      // a number is spread over an empty tensor only to find the common shape (normal_out_impl in DistributionTemplates.h)
      if (isScalar(std)) k.scratch(out.nbytes, "std_tensor");
      else if (k.temporaries) k.statement(() => k.ops.ge(k.ops.min(std), 0)); // none is below zero
      return out;
    },
    derivatives: ["mean", "std"].map((name) =>
      d(name, "", ({ grad, meta, ops: o }) => o.zeros(meta[name].sizes, grad.dtype, grad.device)),
    ),
    python: "none",
  },
  {
    schema: "poisson(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: poisson; case elementwise/less-common-functions",
    forward: ({ self }, k) => k.like(self, isIntegral(self.dtype) ? FLOAT32 : self.dtype),
  },
  {
    schema: "binomial(Tensor count, Tensor prob) -> Tensor",
    evidence: "native_functions.yaml: binomial; case distributions/binomial-draws",
    python: "function",
    takesOut: false,
    draws: true,
    forward: ({ count }, k) => k.output(count.sizes, count.dtype),
  },
]);
