/**
 * Which type `llama-quantize` gives each tensor of a model under a mix such as Q4_K_M: the rules of llama-quant.cpp, without an
 * importance matrix. The table of rules names roles and mixes; the code only walks it.
 */

import { table } from "../base/table.ts";
import { ggmlBytes, ggmlTypeNamed, type GgmlType } from "../formats/ggml-types.ts";
import type { Weight } from "../models/weight-list.ts";

/** What rules ask about the model. */
export interface MixModel {
  readonly layers: number;
  /** Query heads per key head. */
  readonly queriesPerKey: number;
  readonly experts: number;
  readonly hasOutput: boolean;
  /** 80 layers with grouped heads: what the rules call a 70B model. */
  readonly isSeventy: boolean;
}

interface MixedTensor {
  readonly mix: string;
  readonly base: string;
  /** Running index among tensors of this kind, and how many there are. */
  readonly index: number;
  readonly count: number;
  readonly model: MixModel;
}

/** Mixes by name: the type of everything that no rule names. Numbers are `general.file_type` of GGUF files. */
export const GGUF_MIXES: readonly { readonly id: number; readonly name: string; readonly base: string }[] = [
  { id: 0, name: "F32", base: "F32" },
  { id: 1, name: "F16", base: "F16" },
  { id: 2, name: "Q4_0", base: "Q4_0" },
  { id: 3, name: "Q4_1", base: "Q4_1" },
  { id: 7, name: "Q8_0", base: "Q8_0" },
  { id: 8, name: "Q5_0", base: "Q5_0" },
  { id: 9, name: "Q5_1", base: "Q5_1" },
  { id: 10, name: "Q2_K", base: "Q2_K" },
  { id: 11, name: "Q3_K_S", base: "Q3_K" },
  { id: 12, name: "Q3_K_M", base: "Q3_K" },
  { id: 13, name: "Q3_K_L", base: "Q3_K" },
  { id: 14, name: "Q4_K_S", base: "Q4_K" },
  { id: 15, name: "Q4_K_M", base: "Q4_K" },
  { id: 16, name: "Q5_K_S", base: "Q5_K" },
  { id: 17, name: "Q5_K_M", base: "Q5_K" },
  { id: 18, name: "Q6_K", base: "Q6_K" },
  { id: 19, name: "IQ2_XXS", base: "IQ2_XXS" },
  { id: 20, name: "IQ2_XS", base: "IQ2_XS" },
  { id: 21, name: "Q2_K_S", base: "Q2_K" },
  { id: 22, name: "IQ3_XS", base: "IQ3_S" },
  { id: 23, name: "IQ3_XXS", base: "IQ3_XXS" },
  { id: 24, name: "IQ1_S", base: "IQ1_S" },
  { id: 25, name: "IQ4_NL", base: "IQ4_NL" },
  { id: 26, name: "IQ3_S", base: "IQ3_S" },
  { id: 27, name: "IQ3_M", base: "IQ3_S" },
  { id: 28, name: "IQ2_S", base: "IQ2_XS" },
  { id: 29, name: "IQ2_M", base: "IQ2_S" },
  { id: 30, name: "IQ4_XS", base: "IQ4_XS" },
  { id: 31, name: "IQ1_M", base: "IQ1_M" },
  { id: 32, name: "BF16", base: "BF16" },
  { id: 36, name: "TQ1_0", base: "TQ1_0" },
  { id: 37, name: "TQ2_0", base: "TQ2_0" },
  { id: 38, name: "MXFP4_MOE", base: "MXFP4" },
  { id: 39, name: "NVFP4", base: "NVFP4" },
  { id: 40, name: "Q1_0", base: "Q1_0" },
  { id: 41, name: "Q2_0", base: "Q2_0" },
];

const IQ1_IQ2 = ["IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M"];
const SMALLEST = ["IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS"];
const PLAIN = new Set(["F32", "F16", "BF16"]);

/** Every third layer and both ends get more bits. */
const moreBits = ({ index, count }: MixedTensor): boolean => {
  const eighth = Math.floor(count / 8);
  return index < eighth || index >= Math.floor((7 * count) / 8) || (index - eighth) % 3 === 2;
};
const firstEighth = ({ index, count }: MixedTensor): boolean => index < Math.floor(count / 8);
const grouped = ({ model }: MixedTensor): boolean => model.queriesPerKey >= 4;
const eightExperts = ({ model }: MixedTensor): boolean => model.experts === 8;

interface MixRule {
  /** Beginning of the role, or the whole of it. */
  readonly role: RegExp;
  /** Absent: every mix. */
  readonly mixes?: readonly string[];
  readonly when?: (place: MixedTensor) => boolean;
  /** Empty: the mix's base type. */
  readonly type: string;
}

const DOWN = /^ffn_down/;
/** Tried in this order; the first that applies decides, the base type where none does. */
const RULES: readonly MixRule[] = [
  // Whatever has a third dimension counts as experts.
  { role: /_exps$|^attn_[kv]_b$/, mixes: ["MXFP4_MOE"], type: "MXFP4" },
  { role: /./, mixes: ["MXFP4_MOE"], type: "Q8_0" },

  { role: /^token_embd$/, mixes: SMALLEST, type: "Q2_K" },
  { role: /^token_embd$/, mixes: ["IQ2_S", "IQ2_M", "IQ3_XXS"], type: "IQ3_S" },
  { role: /^token_embd$/, mixes: ["TQ1_0", "TQ2_0", "Q2_0"], type: "Q4_K" },

  { role: /^attn_v$/, mixes: IQ1_IQ2, when: (p) => grouped(p) || p.model.experts >= 4, type: "Q4_K" },
  { role: /^attn_v$/, mixes: ["IQ2_S", "IQ2_M"], type: "IQ3_S" },
  { role: /^attn_v$/, mixes: SMALLEST, type: "Q2_K" },
  { role: /^attn_v$/, when: (p) => eightExperts(p) && !PLAIN.has(p.mix), type: "Q8_0" },
  {
    role: /^attn_v$/,
    mixes: ["Q2_K", "Q2_K_S", "IQ3_XXS", "IQ3_XS", "IQ3_S"],
    when: (p) => grouped(p) && p.model.isSeventy,
    type: "Q5_K",
  },
  { role: /^attn_v$/, mixes: ["Q2_K", "Q2_K_S", "IQ3_XXS", "IQ3_XS", "IQ3_S"], when: grouped, type: "Q4_K" },
  { role: /^attn_v$/, mixes: ["Q2_K"], type: "Q3_K" },
  { role: /^attn_v$/, mixes: ["IQ3_XXS"], type: "IQ3_S" },
  { role: /^attn_v$/, mixes: ["Q3_K_S", "Q3_K_M", "IQ3_M"], when: (p) => p.model.isSeventy, type: "Q5_K" },
  { role: /^attn_v$/, mixes: ["IQ3_M"], type: "Q4_K" },
  { role: /^attn_v$/, mixes: ["Q3_K_M"], when: (p) => p.index < 2, type: "Q5_K" },
  { role: /^attn_v$/, mixes: ["Q3_K_M"], type: "Q4_K" },
  { role: /^attn_v$/, mixes: ["Q3_K_L"], type: "Q5_K" },
  { role: /^attn_v$/, mixes: ["IQ4_NL", "IQ4_XS"], when: grouped, type: "Q5_K" },
  { role: /^attn_v$/, mixes: ["Q4_K_M", "Q5_K_M"], when: moreBits, type: "Q6_K" },
  { role: /^attn_v$/, mixes: ["Q4_K_S"], when: (p) => p.index < 4, type: "Q5_K" },
  { role: /^attn_v$/, mixes: ["Q4_K_M", "Q4_K_S"], when: (p) => p.model.isSeventy, type: "Q5_K" },

  { role: /^attn_k$/, mixes: IQ1_IQ2, when: eightExperts, type: "Q4_K" },
  { role: /^attn_k$/, when: (p) => eightExperts(p) && !PLAIN.has(p.mix), type: "Q8_0" },
  { role: /^attn_[kq]$/, mixes: ["IQ3_XS"], type: "IQ3_XXS" },
  { role: /^attn_[kq]$/, mixes: ["IQ3_XXS"], type: "IQ2_S" },

  { role: DOWN, mixes: ["Q2_K"], type: "Q3_K" },
  { role: DOWN, mixes: ["Q2_K_S", "IQ3_XXS"], when: firstEighth, type: "Q4_K" },
  { role: DOWN, mixes: ["IQ3_XXS"], type: "Q3_K" },
  { role: DOWN, mixes: ["Q3_K_M"], when: (p) => p.index < Math.floor(p.count / 16), type: "Q5_K" },
  { role: DOWN, mixes: ["Q3_K_M"], type: "Q4_K" },
  { role: DOWN, mixes: ["IQ3_M"], when: (p) => firstEighth(p) || (eightExperts(p) && moreBits(p)), type: "Q4_K" },
  { role: DOWN, mixes: ["Q3_K_L"], type: "Q5_K" },
  { role: DOWN, mixes: ["Q4_K_M", "Q5_K_M"], when: moreBits, type: "Q6_K" },
  { role: DOWN, mixes: ["Q4_K_S", "IQ4_NL", "IQ4_XS"], when: firstEighth, type: "Q5_K" },
  { role: DOWN, mixes: SMALLEST, when: firstEighth, type: "Q2_K" },
  { role: DOWN, mixes: ["IQ2_S", "IQ2_M"], when: firstEighth, type: "IQ3_S" },

  {
    role: /^attn_output$/,
    mixes: ["Q2_K", "IQ3_XS", "IQ3_XXS", "IQ3_S", "IQ3_M", "Q3_K_S", "Q3_K_M", "IQ4_NL", "IQ4_XS", "Q4_K_S", "Q4_K_M"],
    when: eightExperts,
    type: "Q5_K",
  },
  { role: /^attn_output$/, mixes: IQ1_IQ2, when: eightExperts, type: "Q5_K" },
  { role: /^attn_output$/, when: eightExperts, type: "" },
  { role: /^attn_output$/, mixes: ["Q2_K"], type: "Q3_K" },
  { role: /^attn_output$/, mixes: ["IQ3_XXS", "IQ2_S", "IQ2_M"], type: "IQ3_S" },
  { role: /^attn_output$/, mixes: ["Q3_K_M", "IQ3_M"], type: "Q4_K" },
  { role: /^attn_output$/, mixes: ["Q3_K_L"], type: "Q5_K" },
  { role: /^attn_output$/, mixes: ["IQ1_S", "IQ1_M"], type: "IQ2_XXS" },

  { role: /^attn_qkv$/, mixes: ["Q3_K_M", "Q3_K_L", "IQ3_M"], type: "Q4_K" },
  { role: /^attn_qkv$/, mixes: ["Q4_K_M"], type: "Q5_K" },
  { role: /^attn_qkv$/, mixes: ["Q5_K_M"], type: "Q6_K" },

  {
    role: /^ffn_(gate|up)(_exps|_shexp)?$/,
    mixes: ["IQ3_XS"],
    when: ({ index, count }) => index >= Math.floor(count / 8) && index < Math.floor((7 * count) / 8),
    type: "IQ3_XXS",
  },
];

/** Never quantized: converted as float32. */
const KEPT = /norm|bias|^ffn_gate_inp|^exp_probs_b|^ssm_conv1d|^ssm_(a|d)$|^attn_sinks$/;
/** Types for rows that are no whole number of blocks. */
const FALLBACK = table<string>({
  TQ1_0: "Q4_0",
  TQ2_0: "Q4_0",
  IQ1_S: "IQ4_NL",
  IQ1_M: "IQ4_NL",
  IQ2_XXS: "IQ4_NL",
  IQ2_XS: "IQ4_NL",
  IQ2_S: "IQ4_NL",
  IQ3_XXS: "IQ4_NL",
  IQ3_S: "IQ4_NL",
  Q2_K: "IQ4_NL",
  Q3_K: "IQ4_NL",
  IQ4_XS: "IQ4_NL",
  Q4_K: "Q5_0",
  Q5_K: "Q5_1",
  Q6_K: "Q8_0",
});

function outputType(mix: string, columns: number, base: GgmlType): string {
  if (PLAIN.has(mix)) return mix;
  if (mix === "Q8_0" || mix === "MXFP4_MOE" || columns % base.blockSize !== 0) return "Q8_0";
  return IQ1_IQ2.includes(mix) || mix === "IQ3_XXS" ? "Q5_K" : "Q6_K";
}

function fitting(name: string, columns: number): GgmlType {
  const type = ggmlTypeNamed(name)!;
  if (columns % type.blockSize === 0) return type;
  const other = FALLBACK[type.name] === undefined ? undefined : ggmlTypeNamed(FALLBACK[type.name]!);
  return other !== undefined && columns % other.blockSize === 0 ? other : ggmlTypeNamed("F16")!;
}

export interface GgufTensor {
  readonly weight: Weight;
  readonly type: GgmlType;
  readonly bytes: number;
}

/** The type and size of each weight under a mix; `pure` gives every matrix the base type, as `--pure` does. */
export function ggufTensors(
  weights: readonly Weight[],
  mix: { readonly name: string; readonly base: string },
  model: MixModel,
  pure = false,
): readonly GgufTensor[] {
  const base = ggmlTypeNamed(mix.base)!;
  const counts = new Map<string, number>();
  for (const weight of weights) counts.set(weight.role, (counts.get(weight.role) ?? 0) + 1);
  const seen = new Map<string, number>();
  let downs = 0;
  return weights.map((weight) => {
    const index = seen.get(weight.role) ?? 0;
    seen.set(weight.role, index + 1);
    const rows = weight.rows * weight.copies;
    const done = (type: GgmlType): GgufTensor => ({ weight, type, bytes: ggmlBytes(type, weight.columns, rows) });
    // Biases of experts have two dimensions and stay as converted.
    if (weight.kind === "vector" && weight.copies > 1) return done(ggmlTypeNamed("F16")!);
    if (weight.kind === "vector" || KEPT.test(weight.role)) return done(ggmlTypeNamed("F32")!);
    if (PLAIN.has(mix.name) || pure) return done(fitting(mix.base, weight.columns));
    const isOutput = weight.role === "output" || (weight.role === "token_embd" && !model.hasOutput);
    if (isOutput) return done(fitting(outputType(mix.name, weight.columns, base), weight.columns));
    // In mixtures the feed-forward parts count by layer, because some layers have them once and some twice.
    // The smallest mixes count tensors all the same.
    const isDown = DOWN.test(weight.role);
    if (isDown) downs++;
    const byLayer = model.experts > 1 && weight.layer !== null && weight.role.startsWith("ffn_");
    const byTensor = byLayer && isDown && IQ1_IQ2.includes(mix.name);
    const place: MixedTensor = {
      mix: mix.name,
      base: mix.base,
      index: byTensor ? downs - 1 : byLayer ? weight.layer : index,
      count: byLayer ? model.layers : counts.get(weight.role)!,
      model,
    };
    const rule = RULES.find(
      (candidate) =>
        candidate.role.test(weight.role) &&
        (candidate.mixes === undefined || candidate.mixes.includes(mix.name)) &&
        (candidate.when === undefined || candidate.when(place)),
    );
    return done(fitting(rule?.type || mix.base, weight.columns));
  });
}
