/** Lines that programs of several frameworks share: adapters, quantized weights, indentation. */

import { CONFIG_FILE } from "../program.ts";
import type { TrainRecipe } from "../recipe.ts";
import { row, WEIGHTS } from "../techniques.ts";

export const indented = (lines: readonly string[], by = 1): string[] => lines.map((line) => "    ".repeat(by) + line);

/** Adapters have the weights' type: what is sharded together must have one. */
export function adapterLines(recipe: TrainRecipe, dora: boolean): string[] {
  const [only] = recipe.loraTargets;
  const targets = only === "all-linear" ? '"all-linear"' : JSON.stringify(recipe.loraTargets);
  const options = [
    `r=${recipe.loraRank}`,
    `lora_alpha=${2 * recipe.loraRank}`,
    `lora_dropout=${recipe.loraDropout}`,
    `target_modules=${targets}`,
    ...(dora ? ["use_dora=True"] : []),
  ];
  return [`model = get_peft_model(model, LoraConfig(${options.join(", ")}), autocast_adapter_dtype=False)`];
}

export function quantizationLines(auto: string, attention: string): string[] {
  const { config, options } = row(WEIGHTS, "nf4-dq").quantization!;
  return [
    `quantization = ${config}(${options})`,
    `model = ${auto}.from_pretrained("${CONFIG_FILE}", config=config, dtype=dtype, quantization_config=quantization, device_map={"": local_rank}${attention})`,
    "model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=True)",
  ];
}
