/** Lines of a program that train adapters beside frozen weights, plain or packed by GPTQ or AWQ. */

import type { TrainRecipe } from "./recipe.ts";

/** `load`: the Python expression that loads the checkpoint's weights. */
export const packedWeights = (load: string): readonly string[] => [
  "# a kernel through which gradients flow",
  'config.quantization_config["backend"] = "auto_trainable"',
  `model = ${load}`,
];

/** Packed layers are no linear ones to peft: the line gives their names, for `target_modules`. */
const PACKED_NAMES =
  'packed = sorted({name.rsplit(".", 1)[-1] for name, layer in model.named_modules() if hasattr(layer, "qweight")})';

/** The Python expression of the layers that get adapters, and the lines that it needs before it. */
export function adapterTargets({ loraTargets, frozen }: TrainRecipe): { names: string; before: readonly string[] } {
  if (loraTargets[0] !== "all-linear") return { names: JSON.stringify(loraTargets), before: [] };
  return frozen === "checkpoint" ? { names: "packed", before: [PACKED_NAMES] } : { names: '"all-linear"', before: [] };
}

export function adapters(recipe: TrainRecipe, dora: boolean): string[] {
  const { names, before } = adapterTargets(recipe);
  const options = [
    `r=${recipe.loraRank}`,
    `lora_alpha=${2 * recipe.loraRank}`,
    `lora_dropout=${recipe.loraDropout}`,
    `target_modules=${names}`,
    ...(dora ? ["use_dora=True"] : []),
    ...(recipe.modulesToSave.length > 0 ? [`modules_to_save=${JSON.stringify(recipe.modulesToSave)}`] : []),
  ];
  const same = recipe.loraDtype === "same" ? ", autocast_adapter_dtype=False" : "";
  return [...before, `model = get_peft_model(model, LoraConfig(${options.join(", ")})${same})`];
}
