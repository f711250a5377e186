/**
 * Multi-tensor operators (aten/src/ATen/native/cuda/ForeachBinaryOp*.cu and siblings): one call over lists. Results are
 * separate allocations in list order, the in-place forms take nothing; each is the plain operator for every element,
 * which also is their derivative. The overloads are rows of their own, from whose schemas Python's function is made.
 */

import { TorchError } from "../tensor/shape.ts";
import { FLOAT32, FLOAT64, isFloating } from "../tensor/dtype.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { defineOps, named, type Args, type CompositeContext, type OpRow, type Ops, type Value } from "./row.ts";
import { operatorName, parseSchema, type Argument, type ArgType } from "./schema.ts";
import { norms } from "./values-normalized.ts";

type Each = (o: Ops, self: Tensor, i: number, a: Args) => Tensor;

/** Lists are as long as the first, and it is not empty (ForeachUtils.h: check_foreach_api_restrictions). */
function checkLists(args: readonly Argument[], a: Args): void {
  const ofType = (type: ArgType): unknown[][] => args.filter((x) => x.type === type).map((x) => a[x.name]);
  const [first, ...others] = ofType("Tensor[]");
  const other = others.find((list) => list.length !== first.length);
  if (other !== undefined)
    throw new TorchError(`Tensor lists must have the same number of tensors, got ${first.length} and ${other.length}`);
  if (first.length === 0) throw new TorchError("Tensor list must have at least one tensor.");
  if (ofType("Scalar[]").some((list) => list.length !== first.length))
    throw new TorchError("Tensor list must have same number of elements as scalar list.");
}

/** Cases of the corpus that run these operators: most of them, and what is told apart by a tensor of numbers. */
const FUNCTIONS = "optimizers/foreach-functions";
const OVERLOADS = "optimizers/foreach-overloads";

const overLists = (
  schema: string,
  composite: (a: Args, o: Ops, c: CompositeContext) => Value,
  ran = FUNCTIONS,
): OpRow => {
  const { args } = parseSchema(schema);
  return {
    schema,
    evidence: `native_functions.yaml: ${operatorName(schema)}; case ${ran}`,
    python: "foreach",
    isOneCall: true,
    composite: (a, o, c) => {
      checkLists(args, a);
      return composite(a, o, c);
    },
  };
};

/** Result lists are separate allocations in order. */
const outOfPlace = (schema: string, each: Each, ran?: string): OpRow =>
  overLists(`${schema} -> Tensor[]`, (a, o) => a.self.map((t: Tensor, i: number) => each(o, t, i, a)), ran);

const inPlace = (schema: string, each: Each, ran?: string): OpRow =>
  overLists(
    `${schema} -> value`,
    (a, o) => {
      a.self.forEach((t: Tensor, i: number) => void each(o, t, i, a));
      return null;
    },
    ran,
  );

/** `_foreach_NAME.KIND` and `_foreach_NAME_.KIND`, both by the operator NAME. */
const pair = (
  name: string,
  kind: string,
  args: string,
  call: (a: Args, i: number) => unknown[],
  ran?: string,
): OpRow[] => [
  outOfPlace(`_foreach_${name}.${kind}(Tensor[] self${args})`, (o, t, i, a) => named(o, name)(t, ...call(a, i)), ran),
  inPlace(
    `_foreach_${name}_.${kind}(Tensor[] self${args})`,
    (o, t, i, a) => named(o, `${name}_`)(t, ...call(a, i)),
    ran,
  ),
];

const alpha = ", *, Scalar alpha=1";

/** Sums and differences: alpha belongs to lists. */
const additive = (name: string): OpRow[] => [
  ...pair(name, "Scalar", ", Scalar scalar", (a) => [a.scalar]),
  ...pair(name, "List", `, Tensor[] other${alpha}`, (a, i) => [a.other[i], a.alpha]),
  ...pair(name, "ScalarList", ", Scalar[] scalars", (a, i) => [a.scalars[i]]),
];

const binary = (name: string): OpRow[] => [
  ...pair(name, "Scalar", ", Scalar scalar", (a) => [a.scalar]),
  ...pair(name, "List", ", Tensor[] other", (a, i) => [a.other[i]]),
  ...pair(name, "ScalarList", ", Scalar[] scalars", (a, i) => [a.scalars[i]]),
];

/** The larger or smaller of the two, by the clamp of the same meaning. */
const extreme = (name: string, clamp: string): OpRow[] => [
  outOfPlace(`_foreach_${name}.Scalar(Tensor[] self, Scalar scalar)`, (o, t, _, a) => named(o, clamp)(t, a.scalar)),
  inPlace(`_foreach_${name}_.Scalar(Tensor[] self, Scalar scalar)`, (o, t, _, a) => named(o, `${clamp}_`)(t, a.scalar)),
  outOfPlace(`_foreach_${name}.List(Tensor[] self, Tensor[] other)`, (o, t, i, a) => named(o, clamp)(t, a.other[i])),
  inPlace(`_foreach_${name}_.List(Tensor[] self, Tensor[] other)`, (o, t, i, a) =>
    named(o, `${clamp}_`)(t, a.other[i]),
  ),
  outOfPlace(`_foreach_${name}.ScalarList(Tensor[] self, Scalar[] scalars)`, (o, t, i, a) =>
    named(o, clamp)(t, a.scalars[i]),
  ),
  inPlace(`_foreach_${name}_.ScalarList(Tensor[] self, Scalar[] scalars)`, (o, t, i, a) =>
    named(o, `${clamp}_`)(t, a.scalars[i]),
  ),
];

/** One of the numbers that a tensor on the host holds (ForeachUtils.h: convert_tensor_to_scalar_list). */
function numberAt({ self, scalars }: Args, i: number): { scalar: "float"; value: number } {
  const { device, sizes } = scalars as Tensor;
  if (device !== "cpu")
    throw new TorchError(`Expected scalars to be on CPU, got ${device === "cuda" ? "cuda:0" : device} instead.`);
  if (sizes.length !== 1)
    throw new TorchError(`Expected packed scalar Tensor to be of dimension 1. Got ${sizes.length} instead.`);
  if (sizes[0] !== self.length)
    throw new TorchError(
      `Expected length of scalars to match input of length ${self.length} but got ${sizes[0]} instead.`,
    );
  return { scalar: "float", value: scalars.values?.[i] ?? 1 };
}

/** self + value · tensor1 ∘ tensor2. */
const pointwise = (name: string): OpRow[] => {
  const lists = ", Tensor[] tensor1, Tensor[] tensor2";
  return [
    ...pair(name, "Scalar", `${lists}, Scalar value=1`, (a, i) => [a.tensor1[i], a.tensor2[i], a.value]),
    ...pair(name, "ScalarList", `${lists}, Scalar[] scalars`, (a, i) => [a.tensor1[i], a.tensor2[i], a.scalars[i]]),
    ...pair(
      name,
      "Tensor",
      `${lists}, Tensor scalars`,
      (a, i) => [a.tensor1[i], a.tensor2[i], numberAt(a, i)],
      OVERLOADS,
    ),
  ];
};

const unary = (name: string): OpRow[] => [
  outOfPlace(`_foreach_${name}(Tensor[] self)`, (o, t) => named(o, name)(t)),
  inPlace(`_foreach_${name}_(Tensor[] self)`, (o, t) => named(o, `${name}_`)(t)),
];

/** Elements that one block of a multi-tensor kernel works on (MultiTensorApply.cuh, kChunkSize). */
const CHUNK = 65_536;

export const foreachOps = defineOps([
  ...["add", "sub"].flatMap(additive),
  ...pair("add", "Tensor", `, Tensor other${alpha}`, (a) => [a.other, a.alpha]),
  ...["mul", "div", "clamp_min", "clamp_max"].flatMap(binary),
  ...["mul", "div"].flatMap((name) => pair(name, "Tensor", ", Tensor other", (a) => [a.other])),
  ...extreme("maximum", "clamp_min"),
  ...extreme("minimum", "clamp_max"),
  ...["addcmul", "addcdiv"].flatMap(pointwise),
  ...pair("lerp", "List", ", Tensor[] tensors1, Tensor[] weights", (a, i) => [a.tensors1[i], a.weights[i]]),
  ...pair("lerp", "Scalar", ", Tensor[] tensors1, Scalar weight", (a, i) => [a.tensors1[i], a.weight]),
  ...pair("lerp", "ScalarList", ", Tensor[] tensors1, Scalar[] weights", (a, i) => [a.tensors1[i], a.weights[i]]),
  ...pair("pow", "Scalar", ", Scalar exponent", (a) => [a.exponent]),
  ...pair("pow", "List", ", Tensor[] exponent", (a, i) => [a.exponent[i]]),
  ...pair("pow", "ScalarList", ", Scalar[] exponent", (a, i) => [a.exponent[i]]),
  // on the GPU the base stays a number, where pow makes a tensor of it
  overLists("_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]", ({ self, exponent }, o, c) => {
    const graph = c.gradEnabled && exponent.some((t: Tensor) => t.requiresGrad);
    const fast =
      c.temporaries &&
      !graph &&
      exponent.every((t: Tensor) => t.isCuda && isFloating(t.dtype) && t.isNonOverlappingAndDense);
    return fast ? o._foreach_pow_kernel(self, exponent) : exponent.map((t: Tensor) => o.pow_Scalar(self, t));
  }),
  {
    schema: "_foreach_pow_kernel(Scalar self, Tensor[] exponent) -> Tensor[]",
    as: "_foreach_pow",
    python: "none",
    evidence: `ForeachBinaryOpScalar.cu: foreach_scalar_pow_list_kernel_cuda; case ${OVERLOADS}`,
    forward: ({ exponent }, k) => exponent.map((t: Tensor) => k.like(t)),
  },
  ...[
    "abs",
    "acos",
    "asin",
    "atan",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "floor",
    "frac",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "neg",
    "reciprocal",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
  ].flatMap(unary),
  inPlace("_foreach_zero_(Tensor[] self)", (o, t) => o.zero_(t)),
  inPlace("_foreach_copy_(Tensor[] self, Tensor[] src, bool non_blocking=False)", (o, t, i, a) =>
    o.copy_(t, a.src[i], a.non_blocking),
  ),
  outOfPlace("_foreach_clone(Tensor[] self, *, str? memory_format=None)", (o, t, _, a) => o.clone(t, a.memory_format)),
  outOfPlace("_foreach_max(Tensor[] self)", (o, t) => o.max(t)),
  {
    schema: "_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, dtype? dtype=None) -> Tensor[]",
    evidence: "native_functions.yaml: _foreach_norm.Scalar; case recurrent/rnn-cell-and-clipping",
    python: "foreach",
    composite: (a, o, c) => {
      if (a.self.length === 0) throw new TorchError("Tensor list must have at least one tensor.");
      const graph = c.gradEnabled && a.self.some((t: Tensor) => t.requiresGrad);
      const device = a.self[0]?.device;
      const fast =
        !graph &&
        [1, 2, Infinity].includes(a.ord.value) &&
        a.self.every(
          (t: Tensor) =>
            isFloating(t.dtype) && t.isNonOverlappingAndDense && t.device === device && t.dtype === a.self[0].dtype,
        );
      return fast
        ? o._foreach_norm_kernel(a.self, a.ord, a.dtype)
        : a.self.map((t: Tensor) => o.linalg_vector_norm(t, a.ord, null, false, a.dtype));
    },
  },
  {
    values: norms,
    schema: "_foreach_norm_kernel(Tensor[] self, Scalar ord, dtype? dtype=None) -> Tensor[]",
    as: "_foreach_norm",
    python: "none",
    evidence: "ForeachReduceOp.cu: partial norms of all chunks first, then one 0-dim result per tensor (reference 5.7)",
    forward: ({ self, dtype: type }, k) => {
      const chunks = Math.max(1, ...self.map((t: Tensor) => Math.ceil(t.numel / CHUNK)));
      const partial = self[0].dtype === FLOAT64 ? FLOAT64 : FLOAT32;
      k.scratch(self.length * chunks * partial.itemBytes, "foreach_norm_chunks");
      const out = type ?? self[0].dtype;
      if (!k.rules.foreachNormsAreViews) return self.map(() => k.output([], out));
      const norms = k.output([self.length], out);
      return self.map((_: Tensor, i: number) => k.ops.select(norms, 0, i));
    },
  },
]);
