/** The weight format that a configuration's own `quantization_config` describes. */

import { table } from "../base/table.ts";
import { flagField, numberField, objectField, textField, type ModelConfig } from "../formats/model-config.ts";
import { keptByName } from "./kept-modules.ts";
import { findWeightFormat, type WeightFormat } from "./weight-formats.ts";

type Reader = (config: ModelConfig) => string;

const perGroup =
  (method: string): Reader =>
  (config) => {
    const bits = numberField(config, "bits", "w_bit") ?? 4;
    const group = numberField(config, "group_size", "q_group_size") ?? 128;
    if (method === "awq") return `awq-g${group}`;
    return group > 0 ? `gptq-${bits}bit-g${group}` : `gptq-${bits}bit`;
  };

/** By `quant_method`. */
const METHODS = table<Reader>({
  fp8: (config) => (Array.isArray(config["weight_block_size"]) ? "fp8-block" : "fp8-tensor"),
  fbgemm_fp8: () => "fp8",
  gptq: perGroup("gptq"),
  awq: perGroup("awq"),
  mxfp4: () => "mxfp4",
  bitsandbytes: (config) => {
    if (flagField(config, "load_in_8bit", "_load_in_8bit") === true) return "int8";
    return flagField(config, "bnb_4bit_use_double_quant") === true ? "nf4-double" : "nf4";
  },
  "compressed-tensors": (config) => {
    const kind = textField(config, "format") ?? "";
    if (kind.includes("nvfp4")) return "nvfp4";
    if (kind.includes("float")) return "fp8";
    return kind.includes("pack") ? "w4a16" : "w8a8";
  },
  modelopt: (config) =>
    (textField(config, "quant_algo") ?? "").toUpperCase().includes("NVFP4") ? "nvfp4" : "fp8-tensor",
});

/** Null where the weights are not quantized; undefined where they are, by a method that is not known. */
export function formatOfConfig(config: ModelConfig): WeightFormat | null | undefined {
  const part = objectField(config, "quantization_config");
  if (part === undefined) return null;
  const method = textField(part, "quant_method") ?? "";
  const format = Object.hasOwn(METHODS, method) ? findWeightFormat(METHODS[method]!(part)) : undefined;
  const keepsByName = keptByName(part);
  return format === undefined || keepsByName === null ? format : { ...format, keepsByName };
}
