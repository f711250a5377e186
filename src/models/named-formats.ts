/** What a Hub id says of the file format behind it: `…-AWQ`, `…-unsloth-bnb-4bit`, `…-FP8-dynamic` are a model and how its weights lie. */

import type { ModelConfig } from "../formats/model-config.ts";

export interface NamedFormat {
  /** The id without the words of the format. */
  readonly base: string;
  /** As answers call it. */
  readonly format: string;
  /** The `quantization_config` that such files have; null: files that transformers opens as plain 16-bit weights. */
  readonly quantization: ModelConfig | null;
}

interface EndingRow {
  /** Ending of an id in lower case. */
  readonly ending: RegExp;
  readonly format: string;
  readonly quantization: ModelConfig | null;
}

const packed = (format: string): ModelConfig => ({ quant_method: "compressed-tensors", format, ignore: ["lm_head"] });
const perGroup = (method: string, bits: number): ModelConfig => ({ quant_method: method, bits, group_size: 128 });

/** The first that fits counts. Vendors' habits: README files of unsloth, RedHatAI, nvidia, Qwen, hugging-quants. */
const ENDINGS: readonly EndingRow[] = [
  { ending: /(?:-i1)?[-_.]gguf$/, format: "GGUF", quantization: null },
  {
    ending: /-(?:unsloth-)?bnb-4bit$/,
    format: "nf4-double",
    quantization: {
      quant_method: "bitsandbytes",
      load_in_4bit: true,
      bnb_4bit_quant_type: "nf4",
      bnb_4bit_use_double_quant: true,
      bnb_4bit_compute_dtype: "bfloat16",
    },
  },
  { ending: /-bnb-8bit$/, format: "int8", quantization: { quant_method: "bitsandbytes", load_in_8bit: true } },
  { ending: /-awq(?:-(?:int4|4bit))?$/, format: "awq", quantization: perGroup("awq", 4) },
  { ending: /-gptq-(?:int8|8bit)$/, format: "gptq-8bit", quantization: perGroup("gptq", 8) },
  { ending: /-gptq(?:-(?:int4|4bit))?$/, format: "gptq", quantization: perGroup("gptq", 4) },
  { ending: /-fp8-(?:dynamic|kv|per-tensor)$/, format: "fp8", quantization: packed("float-quantized") },
  {
    ending: /-(?:fp8|fp8-block)$/,
    format: "fp8-block",
    quantization: { quant_method: "fp8", weight_block_size: [128, 128], modules_to_not_convert: ["lm_head"] },
  },
  { ending: /-(?:nv)?fp4(?:-fp8)?$/, format: "nvfp4", quantization: packed("nvfp4-pack-quantized") },
  { ending: /-mxfp4$/, format: "mxfp4", quantization: { quant_method: "mxfp4" } },
  { ending: /[-.](?:quantized\.)?w4a16$/, format: "w4a16", quantization: packed("pack-quantized") },
  { ending: /[-.](?:quantized\.)?w8a8$/, format: "w8a8", quantization: packed("int-quantized") },
  { ending: /-(?:bf16|fp16|mlx|hf)$/, format: "16-bit", quantization: null },
];

/** The endings as text, for those who look ids up elsewhere: a regular expression for an id in lower case, and what such files have. */
export const namedFormatsText = (): string =>
  JSON.stringify(ENDINGS.map(({ ending, quantization }) => [ending.source, quantization]));

/** Null where an id names no format. */
export function namedFormat(id: string): NamedFormat | null {
  const lower = id.toLowerCase();
  for (const { ending, format, quantization } of ENDINGS) {
    const match = ending.exec(lower);
    if (match !== null && match.index > 0) return { base: id.slice(0, match.index), format, quantization };
  }
  return null;
}
