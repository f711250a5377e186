/** What writes numbers into tensors: fills, numbers drawn in place or by parameters that are tensors. */

import { FLOAT32, isFloating, isIntegral } from "../tensor/dtype.ts";
import { commonShape, resultType } from "../tensor/iterator.ts";
import { TorchError } from "../tensor/shape.ts";
import { Tensor } from "../tensor/tensor.ts";
import { nodeName } from "./node-names.ts";
import { d, defineOps, type OpRow } from "./row.ts";
import { operatorName } from "./schema.ts";
import { zeros } from "./values-made.ts";
import {
  cauchy,
  chance,
  exponential,
  geometric,
  normal,
  normalOfTensors,
  uniform,
  wholeUpTo,
} from "./values-random.ts";
import { elementwise, type ValueRule } from "./values.ts";

const fill = (schema: string, values?: ValueRule): OpRow => ({
  values,
  schema: `${schema} -> Tensor`,
  evidence: `derivatives.yaml: ${operatorName(schema)}`,
  mutates: ["self"],
  forward: ({ self }) => self,
  python: "method",
  derivatives: [d("self", "", ({ grad, ops: o }) => o.zeros_like(grad))],
});

/** Draws its numbers from a generator. */
const drawn = (schema: string, values?: ValueRule): OpRow => ({ ...fill(schema, values), draws: true });

/** A deviation is not negative. */
export function checkDeviation(std: number, shown = String(std)): void {
  if (std < 0) throw new TorchError(`normal expects std >= 0.0, but found std ${shown}`);
}

/** Drawn with a mean and a deviation of which at least one is a tensor; `number` is that of its graph node among the three. */
const normalOf = (overload: string, parameters: string, number: number, differentiable: readonly string[]): OpRow => ({
  schema: `normal.${overload}(${parameters}) -> Tensor`,
  evidence: "derivatives.yaml: normal; case tensors/defaults-of-factories",
  python: "function",
  draws: true,
  values: normalOfTensors,
  node: nodeName("normal", number),
  forward: ({ mean, std }, k) => {
    if (!(std instanceof Tensor)) checkDeviation(std);
    const tensors = [mean, std].filter((x): x is Tensor => x instanceof Tensor);
    const type = resultType(tensors);
    const out = k.output(commonShape(tensors), isFloating(type) ? type : FLOAT32);
    // a number is spread over an empty tensor only to find the common shape (normal_out_impl in DistributionTemplates.h)
    if (!(std instanceof Tensor)) k.scratch(out.nbytes, "std_tensor");
    else if (k.temporaries) k.statement(() => k.ops.ge(k.ops.min(std), 0)); // none is below zero
    return out;
  },
  derivatives: differentiable.map((name) =>
    d(name, "", ({ grad, meta, ops: o }) => o.zeros(meta[name].sizes, grad.dtype, grad.device)),
  ),
});

export const fills = defineOps([
  { ...fill("zero_(Tensor self)", zeros), python: "both" },
  {
    ...fill(
      "fill_(Tensor self, Operand value)",
      elementwise(["value"], ([v]) => v),
    ),
    python: "both",
  },
  {
    schema: "fill(Tensor self, Operand value) -> Tensor",
    evidence: "native_functions.yaml: fill.Scalar; case overloads/scatters-fills-and-steps",
    python: "function",
    takesOut: false,
    composite: ({ self, value }, o) => o.fill_(o.clone(self), value),
  },
  {
    // the diagonal of a wide matrix, and of a tall one again below an empty row where it wraps (TensorAdvancedIndexing.cpp)
    schema: "fill_diagonal_(Tensor self, Scalar fill_value, bool wrap=False) -> Tensor",
    evidence: "native_functions.yaml: fill_diagonal_; case overloads/scatters-fills-and-steps",
    python: "method",
    mutates: ["self"],
    composite: ({ self, fill_value }, o) => {
      o.fill_(o.diagonal(self), fill_value);
      return self;
    },
  },
  {
    ...drawn("normal_(Tensor self, float mean=0, float std=1)", normal("mean", "std")),
    forward: ({ self, std }) => {
      checkDeviation(std, Number.isInteger(std) ? std.toFixed(1) : undefined);
      return self;
    },
  },
  drawn("uniform_(Tensor self, float from=0, float to=1)", uniform("from", "to")),
  drawn(
    "bernoulli_(Tensor self, Operand p=0.5)",
    chance((a) => a.p),
  ),
  drawn("random_(Tensor self)", wholeUpTo),
  drawn("random_.to(Tensor self, int to)", wholeUpTo),
  drawn("random_.from(Tensor self, int from, int? to)", wholeUpTo),
  drawn("exponential_(Tensor self, float lambd=1)", exponential),
  drawn("cauchy_(Tensor self, float median=0, float sigma=1)", cauchy),
  drawn("log_normal_(Tensor self, float mean=1, float std=2)"),
  drawn("geometric_(Tensor self, float p)", geometric),
  normalOf("Tensor_float", "Tensor mean, float std=1", 1, ["mean"]),
  normalOf("float_Tensor", "float mean, Tensor std", 2, ["std"]),
  normalOf("Tensor_Tensor", "Tensor mean, Tensor std", 3, ["mean", "std"]),
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
