/**
 * Bytes of a weight in each format that people load: one row per format, with what it leaves alone. Formulas from the formats'
 * own packers; each row says which.
 */

import type { Evidence } from "../gpus/row.ts";
import { weightElements, type Weight } from "./weight-list.ts";

export interface WeightFormat {
  readonly name: string;
  /** Other names that people use. */
  readonly aliases: readonly string[];
  /** Bytes of one quantized matrix: weights and whatever scales come with them. */
  readonly matrixBytes: (weight: Weight) => number;
  /** Which matrices are left in the type that the model is computed in. */
  readonly keeps: "nothing" | "embeddings" | "embeddings+routers" | "all-but-experts";
  /** Weights that a configuration's own lists leave alone besides. */
  readonly keepsByName?: (weight: Weight) => boolean;
  /** What engines round the sides of a rank's experts up to, where their kernels want it. */
  readonly expertSides?: { readonly hidden: number; readonly inner: number };
  /** Bytes of a value that is left alone; null: of the type that the model is computed in. */
  readonly keptBytes: number | null;
  /** The weights must have been pruned for it: nobody gets there by an option. */
  readonly needsPruning?: true;
  readonly evidence: string;
  readonly mark: Evidence;
}

const each = (weight: Weight, bytesPerMatrix: (columns: number, rows: number) => number): number =>
  bytesPerMatrix(weight.columns, weight.rows) * weight.copies;

const plain = (name: string, bytes: number, ...aliases: readonly string[]): WeightFormat => ({
  name,
  aliases,
  matrixBytes: (weight) => weightElements(weight) * bytes,
  keeps: "nothing",
  keptBytes: bytes,
  evidence: "size of the type",
  mark: "source",
});

const up = (value: number, by: number): number => Math.ceil(value / by);

/** bitsandbytes: a 16-entry code of float32; with statistics in 8 bits a 256-entry code and an offset. */
function bnb4(columns: number, rows: number, doubled: boolean): number {
  const values = columns * rows;
  const blocks = up(values, 64);
  const statistics = doubled ? blocks + up(blocks, 256) * 4 + 1024 + 4 : blocks * 4;
  return up(values, 2) + statistics + 64;
}

/** Packed into 32-bit words, with a zero point and a 16-bit scale per group of inputs. */
function grouped(columns: number, rows: number, bits: number, group: number): number {
  const groups = group > 0 ? up(columns, group) : 1;
  return (columns * rows * bits) / 8 + groups * rows * 2 + (groups * rows * bits) / 8;
}

function gptq(bits: number, group: number): WeightFormat {
  return {
    name: group > 0 ? `gptq-${bits}bit-g${group}` : `gptq-${bits}bit`,
    aliases: bits === 4 && group === 128 ? ["gptq", "gptq-int4", "int4"] : [],
    // The order of inputs is stored with and without act-order: one 32-bit index each.
    matrixBytes: (weight) => each(weight, (columns, rows) => grouped(columns, rows, bits, group) + 4 * columns),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "AutoGPTQ: qweight, qzeros, scales and g_idx of a layer",
    mark: "source",
  };
}

function awq(group: number): WeightFormat {
  return {
    name: `awq-g${group}`,
    aliases: group === 128 ? ["awq", "awq-int4"] : [],
    matrixBytes: (weight) => each(weight, (columns, rows) => grouped(columns, rows, 4, group)),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "AutoAWQ: qweight, qzeros and scales of a layer",
    mark: "source",
  };
}

export const WEIGHT_FORMATS: readonly WeightFormat[] = [
  plain("fp32", 4, "float32", "f32"),
  plain("bf16", 2, "bfloat16"),
  plain("fp16", 2, "float16", "half", "f16"),
  {
    name: "fp8",
    aliases: ["fp8-channel", "fp8-dynamic", "float8", "w8a8-fp8"],
    matrixBytes: (weight) => each(weight, (columns, rows) => columns * rows + 4 * rows),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "compressed-tensors FP8: a float32 scale per output",
    mark: "recalled",
  },
  {
    name: "fp8-tensor",
    aliases: ["fp8-static"],
    matrixBytes: (weight) => each(weight, (columns, rows) => columns * rows + 8),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "transformers, finegrained_fp8: a scale for weights and one for inputs per matrix",
    mark: "source",
  },
  {
    name: "fp8-block",
    aliases: ["fp8-128x128", "deepseek-fp8"],
    matrixBytes: (weight) => each(weight, (columns, rows) => columns * rows + 4 * up(columns, 128) * up(rows, 128)),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "DeepSeek-V3: weight_scale_inv, a float32 per 128 x 128 values",
    mark: "source",
  },
  {
    name: "sparse-2:4",
    aliases: ["2:4", "semi-structured"],
    // half of the 16-bit values, and two bits for the place of each; matrices that its tiles do not divide stay whole
    matrixBytes: (weight) =>
      each(weight, (columns, rows) => columns * rows * (columns % 64 === 0 && rows % 32 === 0 ? 9 / 8 : 2)),
    keeps: "embeddings+routers",
    keptBytes: null,
    needsPruning: true,
    evidence: "torch/sparse/_semi_structured_conversions.py: values and 16-bit metadata, run for three sizes",
    mark: "source",
  },
  {
    name: "int8",
    aliases: ["llm.int8", "bnb-int8", "8bit", "load_in_8bit"],
    matrixBytes: (weight) => each(weight, (columns, rows) => columns * rows + 4 * rows),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "bitsandbytes Linear8bitLt: SCB, a float32 per output",
    mark: "source",
  },
  {
    name: "w8a8",
    aliases: ["w8a8-int8", "quantized.w8a8", "smoothquant"],
    matrixBytes: (weight) => each(weight, (columns, rows) => columns * rows + 4 * rows),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "compressed-tensors int8: a float32 scale per output",
    mark: "recalled",
  },
  {
    name: "nf4",
    aliases: ["bnb-4bit", "4bit", "fp4", "load_in_4bit"],
    matrixBytes: (weight) => each(weight, (columns, rows) => bnb4(columns, rows, false)),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "bitsandbytes Linear4bit, blocks of 64, float32 statistics",
    mark: "source",
  },
  {
    name: "nf4-double",
    aliases: ["nf4-dq", "qlora", "bnb-4bit-dq"],
    matrixBytes: (weight) => each(weight, (columns, rows) => bnb4(columns, rows, true)),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "bitsandbytes Linear4bit, blocks of 64, statistics in 8 bits by blocks of 256",
    mark: "source",
  },
  gptq(4, 128),
  gptq(4, 64),
  gptq(4, 32),
  gptq(4, -1),
  gptq(3, 128),
  gptq(8, 128),
  gptq(8, -1),
  awq(128),
  awq(64),
  awq(32),
  {
    name: "w4a16",
    aliases: ["w4a16-g128", "compressed-tensors-int4"],
    matrixBytes: (weight) => each(weight, (columns, rows) => (columns * rows) / 2 + 2 * up(columns, 128) * rows + 16),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "compressed-tensors pack-quantized, symmetric, groups of 128",
    mark: "recalled",
  },
  {
    name: "mxfp4",
    aliases: [],
    matrixBytes: (weight) => each(weight, (columns, rows) => (columns * rows) / 2 + up(columns, 32) * rows),
    keeps: "all-but-experts",
    // vllm/model_executor/layers/quantization/mxfp4.py, create_weights for Marlin; kernels of Hopper and Blackwell round alike or less
    expertSides: { hidden: 256, inner: 128 },
    keptBytes: null,
    evidence: "gpt-oss checkpoints: one byte of scale per 32 values of an expert, all else bfloat16",
    mark: "source",
  },
  {
    name: "nvfp4",
    aliases: [],
    matrixBytes: (weight) => each(weight, (columns, rows) => (columns * rows) / 2 + up(columns, 16) * rows + 8),
    keeps: "embeddings+routers",
    keptBytes: null,
    evidence: "compressed-tensors nvfp4-pack-quantized: an FP8 scale per 16 values, two float32 per matrix",
    mark: "recalled",
  },
];

const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const BY_NAME = new Map(
  WEIGHT_FORMATS.flatMap((format) => [format.name, ...format.aliases].map((name) => [squeezed(name), format] as const)),
);

export function findWeightFormat(name: string): WeightFormat | undefined {
  return BY_NAME.get(squeezed(name));
}

/** Everything by which a format may be called. */
export function weightFormatNames(): readonly string[] {
  return WEIGHT_FORMATS.flatMap((format) => [format.name, ...format.aliases]);
}

const EMBEDDINGS = /^(token_embd|output|position_embd)$/;
const ROUTERS = /^ffn_gate_inp|^ssm_conv1d|^ssm_ba$|^ssm_a$/;
const EXPERTS = /_exps$/;

function isKept(format: WeightFormat, weight: Weight): boolean {
  if (weight.kind === "vector" || format.keepsByName?.(weight) === true) return true;
  switch (format.keeps) {
    case "nothing":
      return false;
    case "embeddings":
      return EMBEDDINGS.test(weight.role);
    case "embeddings+routers":
      return EMBEDDINGS.test(weight.role) || ROUTERS.test(weight.role);
    case "all-but-experts":
      return !EXPERTS.test(weight.role);
  }
}

/** Bytes of one weight in a format; `computeBytes` is the size of a value that is left alone. */
export function weightBytes(format: WeightFormat, weight: Weight, computeBytes: number): number {
  if (!isKept(format, weight)) return format.matrixBytes(weight);
  const perValue = format.keptBytes ?? computeBytes;
  // Scores by which experts are chosen stay in float32 whatever the model is computed in.
  return weightElements(weight) * (weight.buffer === true ? Math.max(perValue, 4) : perValue);
}
