/** Functions of three operands and choices between two: where, masked_fill, lerp, addcmul, addcdiv; complex numbers from parts. */

import { cxxType } from "../tensor/cxx-names.ts";
import { nodeByOperand } from "./node-names.ts";
import { cxxName } from "../tensor/cxx-names.ts";
import { BOOL, COMPLEX128, COMPLEX64, FLOAT16, FLOAT32, FLOAT64, UINT8 } from "../tensor/dtype.ts";
import { isScalar, type Operand, resultType } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import { conj } from "./complex.ts";
import { minus, over, timesNegative } from "./cpp-expressions.ts";
import { elementwise } from "./pointwise.ts";
import { d, defineOps, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import { maskFilled } from "./values-elementwise.ts";
import { chance } from "./values-random.ts";
import { elementwise as elementwiseValues, numberOf, onHost } from "./values.ts";
import { among } from "./values-placed.ts";

/** A choice with a number: it becomes a 0-dim tensor on the condition's device, 512 bytes (seen as 4-byte blocks in real traces). */
const chosen = (schema: string, python: OpRow["python"]): OpRow => ({
  schema,
  python,
  takesOut: false,
  evidence: `native_functions.yaml: ${operatorName(schema)}; case overloads/choices`,
  composite: ({ condition, self, other }, o, c) => {
    const type = resultType([self, other], c.defaultDtype);
    const lift = (x: Operand): Tensor =>
      isScalar(x) ? o.scalar_tensor(x, type, condition.device) : x.dtype === type ? x : o.to(x, type);
    // argument conversions of the C++ overloads: the number last, after the tensor's cast
    if (isScalar(self) && !isScalar(other)) {
      const number = lift(self);
      return o.where_self(condition, number, lift(other));
    }
    const second = lift(other);
    return o.where_self(condition, lift(self), second);
  },
});

export const threeOperands = defineOps([
  {
    schema: "where(Tensor condition) -> Tensor[]",
    takesOut: false,
    evidence: "native_functions.yaml: where",
    python: "function",
    composite: ({ condition }, o) => o.unbind(o.nonzero(condition), 1),
  },
  {
    schema: "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
    evidence: "native_functions.yaml: where.self; case sorting/topk-threshold",
    values: elementwiseValues(["condition", "self", "other"], ([c, x, y]) => (c ? x : y)),
    forward: ({ condition, self, other }, k) => {
      if (condition.dtype !== BOOL && condition.dtype !== UINT8)
        throw new TorchError(
          `where expected condition to be a boolean tensor, but got a tensor with dtype ${cxxName(condition.dtype)}`,
        );
      const type = resultType([self, other], k.defaultDtype);
      for (const t of [self, other]) {
        // what is cast, and a number of the host beside a condition of the GPU (aten/src/ATen/native/TensorCompare.cpp: where_self_out)
        const isCopied = t.dtype !== type || (t.device === "cpu" && condition.device !== "cpu");
        if (isCopied) k.scratch(t.numel * type.itemBytes, "where_cast");
      }
      return elementwise(k, [condition, self, other], type);
    },
    node: "WhereBackward0",
    derivatives: [
      d("self", "condition", ({ grad, saved, ops: o }) => o.where_ScalarOther(saved.condition, grad, 0)),
      d("other", "condition", ({ grad, saved, ops: o }) => o.where_ScalarSelf(saved.condition, 0, grad)),
    ],
  },
  chosen("where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", "function"),
  chosen("where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor", "both"),
  chosen("where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", "function"),
  {
    schema: "masked_fill(Tensor self, Tensor mask, Operand value) -> Tensor",
    evidence: "native_functions.yaml: masked_fill; case sorting/nucleus-sampling",
    composite: ({ self, mask, value }, o) => o._masked_fill(self, mask, value),
  },
  {
    schema: "_masked_fill(Tensor self, Tensor mask, Operand value) -> Tensor",
    evidence: "case sorting/nucleus-sampling",
    values: maskFilled,
    as: "masked_fill",
    inside: "clone",
    forward: ({ self, mask }, k) => elementwise(k, [mask, self], self.dtype),
    inplace: true,
    node: nodeByOperand("masked_fill", 1, 0, "value"),
    python: "none",
    derivatives: [
      d("self", "mask", ({ grad, saved, ops: o }) => o.masked_fill(grad, saved.mask, 0)),
      d("value", "mask", ({ grad, saved, ops: o }) => o.sum(o.masked_select(grad, saved.mask))),
    ],
  },
  {
    schema: "masked_fill_(Tensor self, Tensor mask, Operand value) -> Tensor",
    evidence: "native_functions.yaml: masked_fill_; case tensors/in-place-and-out",
    values: maskFilled,
    mutates: ["self"],
    forward: ({ self }) => self,
    node: nodeByOperand("masked_fill", 1, 0, "value"),
    derivatives: [
      d("self", "mask", ({ grad, saved, ops: o }) => o.masked_fill(grad, saved.mask, 0)),
      d("value", "mask", ({ grad, saved, ops: o }) => o.sum(o.masked_select(grad, saved.mask))),
    ],
  },
  {
    schema: "lerp(Tensor self, Tensor end, Operand weight) -> Tensor",
    values: onHost(elementwiseValues(["self", "end", "weight"], ([x, y, w]) => x + w * (y - x))),
    evidence: "derivatives.yaml: lerp; case perceptrons/freezing-averages-and-casts",
    forward: ({ self, end, weight }, k) => {
      for (const [name, t] of [
        ["end", end],
        ["weight", weight],
      ])
        if (!isScalar(t) && t.dtype !== self.dtype && !(name === "weight" && t.rank === 0))
          throw new TorchError(
            `expected dtype ${cxxType(self.dtype)} for \`${name}\` but got dtype ${cxxType(t.dtype)}`,
          );
      return elementwise(k, [self, end, weight], self.dtype);
    },
    inplace: true,
    node: nodeByOperand("lerp", 1, 0, "weight"),
    derivatives: [
      d("self", "weight", ({ grad, saved, args, ops: o }) =>
        saved.weight ? o.mul(grad, minus(o, 1, saved.weight)) : o.mul(grad, 1 - args.weight.value),
      ),
      d("end", "weight", ({ grad, saved, args, ops: o }) => o.mul(grad, saved.weight ?? args.weight)),
      d("weight", "self end", ({ grad, saved: { self, end }, ops: o }) => o.mul(grad, o.sub(end, self))),
    ],
  },
  {
    schema: "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    values: onHost(elementwiseValues(["self", "tensor1", "tensor2"], ([x, y, z], a) => x + numberOf(a.value) * y * z)),
    evidence: "derivatives.yaml: addcmul; case optimizers/steps-in-backward",
    forward: ({ self, tensor1, tensor2 }, k) => elementwise(k, [self, tensor1, tensor2]),
    inplace: true,
    autocast: "promote",
    derivatives: [
      d("self", "", ({ grad }) => grad),
      // the factor is applied also where it is one
      d("tensor1", "tensor2", ({ grad, saved, args, ops: o }) =>
        o.mul(grad, conj(o, o.mul(saved.tensor2, args.value))),
      ),
      d("tensor2", "tensor1", ({ grad, saved, args, ops: o }) =>
        o.mul(grad, conj(o, o.mul(saved.tensor1, args.value))),
      ),
    ],
  },
  {
    schema: "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    values: onHost(
      elementwiseValues(["self", "tensor1", "tensor2"], ([x, y, z], a) => x + (numberOf(a.value) * y) / z),
    ),
    evidence: "derivatives.yaml: addcdiv; case optimizers/steps-in-backward",
    forward: ({ self, tensor1, tensor2 }, k) => elementwise(k, [self, tensor1, tensor2]),
    inplace: true,
    autocast: "promote",
    derivatives: [
      d("self", "", ({ grad }) => grad),
      d("tensor1", "tensor2", ({ grad, saved, args, ops: o }) => o.mul(grad, over(o, args.value, saved.tensor2))),
      d("tensor2", "tensor1 tensor2", ({ grad, saved: { tensor1, tensor2 }, args, ops: o }) =>
        timesNegative(o, grad, () => {
          const square = o.mul(tensor2, tensor2);
          return o.div(o.mul(tensor1, args.value), square);
        }),
      ),
    ],
  },
  {
    schema: "bernoulli(Tensor self) -> Tensor",
    evidence: "native_functions.yaml: bernoulli; case dropout/probabilities-and-modes",
    draws: true,
    values: chance((a) => a.self),
    forward: ({ self }, k) => k.like(self),
    inplace: false,
    derivatives: [d("self", "", ({ grad, ops: o }) => o.zeros_like(grad))],
  },
  {
    schema: "bernoulli.p(Tensor self, float p) -> Tensor",
    evidence: "native_functions.yaml: bernoulli.p; case overloads/views-joins-powers-and-draws",
    draws: true,
    composite: ({ self, p }, o) => o.bernoulli_(o.empty_like(self), p),
  },
  {
    values: onHost(elementwiseValues(["self", "other"], ([x, y]) => Math.hypot(x, y))),
    schema: "hypot(Tensor self, Tensor other) -> Tensor",
    evidence: "derivatives.yaml: hypot; case elementwise/of-two-tensors",
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    inplace: true,
    derivatives: [
      d("self", "self result", ({ grad, saved: { self, result }, ops: o }) => o.div(o.mul(grad, self), result)),
      d("other", "other result", ({ grad, saved: { other, result }, ops: o }) => o.div(o.mul(grad, other), result)),
    ],
  },
  {
    values: among,
    likely: 0,
    schema: "isin(Tensor elements, Tensor test_elements) -> Tensor",
    evidence: "native_functions.yaml: isin; case elementwise/less-common-functions",
    forward: ({ elements, test_elements }, k) => {
      const out = k.output(elements.sizes, BOOL);
      // few are compared one by one (isin_Tensor_Tensor_out in TensorCompare.cpp)
      if (test_elements.numel < 10 * elements.numel ** 0.145) {
        k.scratch(elements.numel * test_elements.numel, "isin_equal");
        k.scratch(elements.numel, "isin_any");
      } else k.assume("library_scratch", { library: "CUB" });
      return out;
    },
  },
  {
    schema: "logaddexp(Tensor self, Tensor other) -> Tensor",
    evidence: "derivatives.yaml: logaddexp; case elementwise/of-two-tensors",
    forward: ({ self, other }, k) => elementwise(k, [self, other]),
    derivatives: [
      d("self", "self other", ({ grad, saved: { self, other }, ops: o }) =>
        o.div(grad, o.add(o.exp(o.sub(other, self)), 1)),
      ),
      d("other", "self other", ({ grad, saved: { self, other }, ops: o }) =>
        o.div(grad, o.add(o.exp(o.sub(self, other)), 1)),
      ),
    ],
  },
  {
    schema: "complex(Tensor real, Tensor imag) -> Tensor",
    evidence: "derivatives.yaml: complex; case modules/errors",
    forward: ({ real, imag }, k) => {
      if (![real, imag].every((t) => [FLOAT16, FLOAT32, FLOAT64].includes(t.dtype)))
        throw new TorchError(
          `Expected both inputs to be Half, Float or Double tensors but got ${cxxName(real.dtype)} and ${cxxName(imag.dtype)}`,
        );
      if (real.dtype !== imag.dtype)
        throw new TorchError(
          `Expected object of scalar type ${cxxName(real.dtype)} but got scalar type ${cxxName(imag.dtype)} for second argument`,
        );
      return elementwise(k, [real, imag], real.dtype === FLOAT64 ? COMPLEX128 : COMPLEX64);
    },
    python: "function",
    derivatives: [d("real", "", ({ grad, ops: o }) => o.real(grad)), d("imag", "", ({ grad, ops: o }) => o.imag(grad))],
  },
  {
    schema: "polar(Tensor abs, Tensor angle) -> Tensor",
    evidence: "derivatives.yaml: polar; case attention/rotary-embeddings",
    forward: ({ abs, angle }, k) => elementwise(k, [abs, angle], abs.dtype === FLOAT64 ? COMPLEX128 : COMPLEX64),
    python: "function",
    derivatives: [
      d("abs angle", "result", ({ grad, saved: { result }, ops: o, statement }) => {
        const away = o.conj(grad);
        const length = statement(() => o.real(o.mul(away, o.sgn(result))));
        const turned = o.mul(result, { scalar: "complex", value: 0 });
        return [length, o.real(o.mul(away, turned))];
      }),
    ],
  },
]);
