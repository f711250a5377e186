/** Fake quantisation: values rounded to what a narrow type holds, with the mask of those in range kept for backward. */

import { BOOL } from "../tensor/dtype.ts";
import { d, defineOps, named, type OpRow } from "./row.ts";

const withMask = (name: string, rest: string, python: OpRow["python"]): OpRow[] => [
  {
    schema: `${name}_cachemask(Tensor self, ${rest}) -> (Tensor output, Tensor mask)`,
    python: "none",
    node: "FakeQuantizePerTensorAffineCachemaskBackward0",
    forward: ({ self }, k) => [k.like(self), k.like(self, BOOL)],
    derivatives: [d("self", "mask", ({ grad, saved, ops: o }) => o.mul(grad, saved.mask))],
    evidence: "native/quantized/FakeQuantPerTensorAffine.cpp, FakeQuantPerChannelAffine.cpp",
  },
  {
    schema: `${name}(Tensor self, ${rest}) -> Tensor`,
    evidence: `native_functions.yaml: ${name}`,
    python,
    composite: (a, o) => named(o, `${name}_cachemask`)(...Object.values(a))[0],
  },
];

export const fakeQuantizeOps = defineOps([
  ...withMask(
    "fake_quantize_per_tensor_affine",
    "Operand scale, Operand zero_point, int quant_min, int quant_max",
    "function",
  ),
  ...withMask(
    "fake_quantize_per_channel_affine",
    "Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max",
    "function",
  ),
]);
