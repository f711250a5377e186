/** The techniques that a recipe names, as rows: what each is in a program, and what the textbook counts for it. */

import type { TrainRecipe } from "./recipe.ts";

export interface PrecisionRow {
  readonly id: string;
  /** Type of the weights, as PyTorch names it. */
  readonly weights: string;
  /** Type under autocast, or null without. */
  readonly autocast: string | null;
  /** Losses are scaled because small gradients vanish in float16. */
  readonly scaled: boolean;
  /** Linear layers multiply in 8 bits. */
  readonly float8?: boolean;
  /** Bytes of a weight, and of an activation in a textbook formula. */
  readonly weightBytes: number;
  readonly activationBytes: number;
}

export const PRECISIONS: readonly PrecisionRow[] = [
  { id: "fp32", weights: "float32", autocast: null, scaled: false, weightBytes: 4, activationBytes: 4 },
  { id: "autocast-bf16", weights: "float32", autocast: "bfloat16", scaled: false, weightBytes: 4, activationBytes: 2 },
  { id: "autocast-fp16", weights: "float32", autocast: "float16", scaled: true, weightBytes: 4, activationBytes: 2 },
  { id: "bf16", weights: "bfloat16", autocast: null, scaled: false, weightBytes: 2, activationBytes: 2 },
  { id: "fp16", weights: "float16", autocast: null, scaled: false, weightBytes: 2, activationBytes: 2 },
  { id: "fp8", weights: "bfloat16", autocast: null, scaled: false, float8: true, weightBytes: 2, activationBytes: 2 },
  { id: "bf16-autocast", weights: "bfloat16", autocast: "bfloat16", scaled: false, weightBytes: 2, activationBytes: 2 },
];

export interface MethodRow {
  readonly id: string;
  /** Adapters are trained, the model is not. */
  readonly adapters: boolean;
  readonly dora: boolean;
  /** Weights of the frozen model in 4 bits. */
  readonly quantized: boolean;
  /** The same on weights in 4 bits, which a checkpoint may have already: id of another row. */
  readonly onFourBits?: string;
  /** Layers that GPTQ or AWQ packed take its adapters. */
  readonly onPacked?: true;
  /** What of the model is trained, for people: everything, adapters, or the last part. */
  readonly trains: "all" | "adapters" | "head";
  /** What recipes for it checkpoint where nobody says: id of a row of model-changes.ts. Guides of peft and trl do it for adapters. */
  readonly checkpointing: string;
}

export const METHODS: readonly MethodRow[] = [
  { id: "full", adapters: false, dora: false, quantized: false, trains: "all", checkpointing: "none" },
  {
    id: "lora",
    adapters: true,
    dora: false,
    quantized: false,
    onFourBits: "qlora",
    onPacked: true,
    trains: "adapters",
    checkpointing: "blocks",
  },
  {
    id: "dora",
    adapters: true,
    dora: true,
    quantized: false,
    onFourBits: "qdora",
    trains: "adapters",
    checkpointing: "blocks",
  },
  { id: "qlora", adapters: true, dora: false, quantized: true, trains: "adapters", checkpointing: "blocks" },
  { id: "qdora", adapters: true, dora: true, quantized: true, trains: "adapters", checkpointing: "blocks" },
  { id: "head", adapters: false, dora: false, quantized: false, trains: "head", checkpointing: "none" },
];

/** Whether the frozen weights are packed, by the method or as their checkpoint has them. */
export const isPacked = ({ method, frozen }: Pick<TrainRecipe, "method" | "frozen">): boolean =>
  row(METHODS, method).quantized || frozen === "checkpoint";

export interface OptimizerRow {
  readonly id: string;
  readonly imports: readonly string[];
  /** Python lines that make `optimizer` for the parameters `trained`. */
  readonly lines: readonly string[];
  /** Bytes of state per parameter: of a float32 weight, and of one in 16 bits. */
  readonly stateBytes: readonly [wide: number, narrow: number];
  /** It steps inside of backward, so that no two gradients are there at a time: after each micro-batch, and never on scaled gradients. */
  readonly inBackward?: true;
  /** PyTorch's own AdamW, which may as well step in backward. */
  readonly isAdamW?: true;
}

const TORCH: readonly string[] = [];
const BNB = ["import bitsandbytes as bnb"];
const one = (call: string): readonly string[] => [`optimizer = ${call}`];

// prettier-ignore
export const OPTIMIZERS: readonly OptimizerRow[] = [
  { id: "sgd", imports: TORCH, lines: one("torch.optim.SGD(trained, lr=1e-3)"), stateBytes: [0, 0] },
  { id: "momentum", imports: TORCH, lines: one("torch.optim.SGD(trained, lr=1e-3, momentum=0.9)"), stateBytes: [4, 2] },
  { id: "adam", imports: TORCH, lines: one("torch.optim.Adam(trained, lr=1e-5)"), stateBytes: [8, 4] },
  { id: "adamw", imports: TORCH, lines: one("torch.optim.AdamW(trained, lr=1e-5)"), stateBytes: [8, 4], isAdamW: true },
  { id: "adamw-fused", imports: TORCH, lines: one("torch.optim.AdamW(trained, lr=1e-5, fused=True)"), stateBytes: [8, 4], isAdamW: true },
  { id: "adamw-loop", imports: TORCH, lines: one("torch.optim.AdamW(trained, lr=1e-5, foreach=False)"), stateBytes: [8, 4], isAdamW: true },
  { id: "adamw-offload", imports: ["from torchao.optim import CPUOffloadOptimizer"], lines: one("CPUOffloadOptimizer(trained, torch.optim.AdamW, lr=1e-5)"), stateBytes: [0, 0] },
  {
    id: "adamw-in-backward",
    imports: TORCH,
    lines: [
      "steppers = {p: torch.optim.AdamW([p], lr=1e-5, foreach=False) for p in trained}",
      "",
      "def step_at_once(parameter):",
      "    steppers[parameter].step()",
      "    steppers[parameter].zero_grad()",
      "",
      "for parameter in trained:",
      "    parameter.register_post_accumulate_grad_hook(step_at_once)",
      "optimizers = []  # nothing is left for after backward",
    ],
    stateBytes: [8, 4],
    inBackward: true,
  },
  { id: "adamw-8bit", imports: BNB, lines: one("bnb.optim.AdamW8bit(trained, lr=1e-5)"), stateBytes: [2.03125, 2.03125] },
  { id: "adamw-paged", imports: BNB, lines: one("bnb.optim.PagedAdamW(trained, lr=1e-5)"), stateBytes: [0, 0] },
  { id: "adamw-paged-8bit", imports: BNB, lines: one("bnb.optim.PagedAdamW8bit(trained, lr=1e-5)"), stateBytes: [0, 0] },
  { id: "lion", imports: BNB, lines: one("bnb.optim.Lion(trained, lr=1e-5)"), stateBytes: [4, 4] },
  { id: "lion-8bit", imports: BNB, lines: one("bnb.optim.Lion8bit(trained, lr=1e-5)"), stateBytes: [1.015625, 1.015625] },
  { id: "adafactor", imports: ["from transformers import Adafactor"], lines: one("Adafactor(trained, lr=1e-5, scale_parameter=False, relative_step=False)"), stateBytes: [0.01, 0.01] },
  { id: "rmsprop", imports: TORCH, lines: one("torch.optim.RMSprop(trained, lr=1e-4)"), stateBytes: [4, 2] },
  { id: "adagrad", imports: TORCH, lines: one("torch.optim.Adagrad(trained, lr=1e-3)"), stateBytes: [4, 2] },
  {
    id: "muon",
    imports: TORCH,
    lines: [
      "inner = [p for n, p in model.named_parameters() if p.requires_grad and p.ndim == 2 and 'embed' not in n and 'head' not in n]",
      "outer = [p for p in trained if all(p is not other for other in inner)]",
      "optimizers = [torch.optim.Muon(inner, lr=1e-3), torch.optim.AdamW(outer, lr=1e-5)]",
    ],
    stateBytes: [4, 2],
  },
];

export interface WeightsRow {
  readonly id: string;
  readonly dtype: string;
  /** The class of transformers that says how weights are quantized, with its arguments; null for weights as they are. */
  readonly quantization: { readonly config: string; readonly options: string } | null;
  /** As the configuration's own `quantization_config` says. */
  readonly asPublished?: true;
  readonly weightBytes: number;
  /** No recorded or published figure was held against what its kernels take beside the weights. */
  readonly unmeasured?: true;
}

const quantized = (id: string, dtype: string, config: string, options: string, weightBytes: number): WeightsRow => ({
  id,
  dtype,
  quantization: { config, options },
  weightBytes,
});

const unmeasured = (...words: Parameters<typeof quantized>): WeightsRow => ({
  ...quantized(...words),
  unmeasured: true,
});

const BITS_AND_BYTES = "BitsAndBytesConfig";
const NF4 = 'load_in_4bit=True, bnb_4bit_quant_type="nf4"';
const IN_BFLOAT16 = "bnb_4bit_compute_dtype=torch.bfloat16";

// prettier-ignore
export const WEIGHTS: readonly WeightsRow[] = [
  { id: "fp32", dtype: "float32", quantization: null, weightBytes: 4 },
  { id: "bf16", dtype: "bfloat16", quantization: null, weightBytes: 2 },
  { id: "fp16", dtype: "float16", quantization: null, weightBytes: 2 },
  { id: "checkpoint", dtype: "bfloat16", quantization: null, asPublished: true, weightBytes: 2, unmeasured: true },
  quantized("int8", "float16", BITS_AND_BYTES, "load_in_8bit=True", 1),
  quantized("nf4", "bfloat16", BITS_AND_BYTES, `${NF4}, ${IN_BFLOAT16}`, 0.5625),
  quantized("nf4-dq", "bfloat16", BITS_AND_BYTES, `${NF4}, bnb_4bit_use_double_quant=True, ${IN_BFLOAT16}`, 0.515869140625),
  quantized("fp4", "bfloat16", BITS_AND_BYTES, `load_in_4bit=True, ${IN_BFLOAT16}`, 0.5625),
  quantized("gptq", "float16", "GPTQConfig", "bits=4, group_size=128", 0.51953125),
  quantized("gptq-exllamav2", "float16", "GPTQConfig", 'bits=4, group_size=128, exllama_config={"version": 2}', 0.51953125),
  unmeasured("gptq-int8", "float16", "GPTQConfig", "bits=8, group_size=128", 1.0234375),
  unmeasured("gptq-int3", "float16", "GPTQConfig", "bits=3, group_size=128", 0.3935546875),
  unmeasured("awq", "float16", "AwqConfig", "bits=4, group_size=128", 0.51953125),
  unmeasured("fp8", "bfloat16", "FineGrainedFP8Config", "", 1),
  unmeasured("torchao-int8", "bfloat16", "TorchAoConfig", '"int8_weight_only"', 1),
  unmeasured("torchao-int8-dynamic", "bfloat16", "TorchAoConfig", '"int8_dynamic_activation_int8_weight"', 1),
  unmeasured("torchao-int4", "bfloat16", "TorchAoConfig", '"int4_weight_only", group_size=128', 0.53125),
  unmeasured("torchao-fp8", "bfloat16", "TorchAoConfig", '"float8_weight_only"', 1),
  unmeasured("torchao-fp8-dynamic", "bfloat16", "TorchAoConfig", '"float8_dynamic_activation_float8_weight"', 1),
  unmeasured("hqq", "float16", "HqqConfig", "nbits=4, group_size=64", 0.5625),
  unmeasured("hqq-int8", "float16", "HqqConfig", "nbits=8, group_size=64", 1.0625),
  unmeasured("eetq", "float16", "EetqConfig", '"int8"', 1),
  unmeasured("quanto-int8", "bfloat16", "QuantoConfig", 'weights="int8"', 1),
  unmeasured("quanto-int4", "bfloat16", "QuantoConfig", 'weights="int4"', 0.53125),
];

/** The row of that id; ids come from the option table, so a missing one is our mistake. */
export function row<Row extends { readonly id: string }>(rows: readonly Row[], id: string): Row {
  const found = rows.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no row ${id}`);
  return found;
}
