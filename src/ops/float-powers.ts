/** Powers in float64 or complex128, whatever the operands are (Pow.cpp: float_power). */

import { cxxName } from "../tensor/cxx-names.ts";
import { COMPLEX128, type DType, FLOAT64, isComplex } from "../tensor/dtype.ts";
import { isScalar, type Operand } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import { defineOps, type Ops } from "./row.ts";

const isComplexOperand = (x: Operand): boolean => (isScalar(x) ? x.scalar === "complex" : isComplex(x.dtype));
const wideType = (...operands: Operand[]): DType => (operands.some(isComplexOperand) ? COMPLEX128 : FLOAT64);
const wide = (o: Ops, x: Operand, type: DType): Operand => (isScalar(x) ? x : o.to(x, type));

export const floatPowers = defineOps([
  {
    schema: "float_power(Tensor self, Operand exponent) -> Tensor",
    evidence: "native_functions.yaml: float_power; case elementwise/powers-in-float64",
    outFrom: ["pow"],
    composite: ({ self, exponent }, o) => {
      const type = wideType(self, exponent);
      return o.pow(o.to(self, type), wide(o, exponent, type));
    },
  },
  {
    schema: "float_power.Scalar(Scalar self, Tensor exponent) -> Tensor",
    evidence: "native_functions.yaml: float_power.Scalar; case elementwise/powers-in-float64",
    python: "function",
    outFrom: ["pow_Scalar"],
    composite: ({ self, exponent }, o) => o.pow_Scalar(self, o.to(exponent, wideType(self, exponent))),
  },
  {
    schema: "float_power_(Tensor self, Operand exponent) -> Tensor",
    evidence: "native_functions.yaml: float_power_; case elementwise/powers-in-float64",
    python: "method",
    mutates: ["self"],
    composite: ({ self, exponent }, o) => {
      const type = wideType(self, exponent);
      if (self.dtype !== type)
        throw new TorchError(
          `the base given to float_power_ has dtype ${cxxName(self.dtype)} but the operation's result requires dtype ${cxxName(type)}`,
        );
      return o.pow_(self, wide(o, exponent, type));
    },
  },
]);
