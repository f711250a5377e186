/** What a recipe takes where nobody chose: lengths that the model allows, and what recipes of that method do in practice. */

import { flagField, objectField, textField, type ModelConfig } from "../formats/model-config.ts";
import { headOf, longestSequence, modelTypeOf } from "../models/heads.ts";
import { withinPositions, type Recipe, type TrainRecipe } from "./recipe.ts";
import { isPacked, METHODS, row } from "./techniques.ts";

/** Models of text whose head refuses `gradient_checkpointing_enable()`. */
const NOT_CHECKPOINTED: ReadonlySet<string | null> = new Set(["albert"]);

/** What is trained on a checkpoint with packed weights where nobody says. */
const PACKED_METHOD = "lora";
/** Methods of quantization whose layers here have a kernel through which gradients flow. */
const TRAINED_ON: ReadonlySet<string | undefined> = new Set(["gptq", "awq"]);

/** Options that decide about an estimate's figure, in the order in which an answer names those that were not given. */
const DECIDING = {
  train: ["batch", "seq", "precision", "optimizer", "checkpointing", "attention", "lora-rank"],
  infer: ["batch", "prompt", "new", "weights", "attention"],
} as const;

/**
 * Weights are those of the checkpoint where its configuration says how they are quantized and nobody chose others. What is trained on
 * packed weights is an adapter.
 */
function withPublishedWeights(recipe: Recipe, config: ModelConfig, chosen: (name: string) => boolean): Recipe {
  const packed = objectField(config, "quantization_config");
  if (packed === undefined) return recipe;
  if (recipe.task === "infer") return chosen("weights") ? recipe : { ...recipe, weights: "checkpoint" };
  const method = chosen("method") ? recipe.method : PACKED_METHOD;
  const { onFourBits } = row(METHODS, method);
  if (flagField(packed, "load_in_4bit", "_load_in_4bit") === true) return { ...recipe, method: onFourBits ?? method };
  const taken = onPackedWeights({ ...recipe, method }, config);
  return taken.frozen === "checkpoint" ? taken : recipe;
}

/** The recipe on the weights that GPTQ or AWQ packed, where the configuration says that they are and adapters are trained. */
export function onPackedWeights(recipe: TrainRecipe, config: ModelConfig): TrainRecipe {
  const quantMethod = textField(objectField(config, "quantization_config") ?? {}, "quant_method");
  const can = row(METHODS, recipe.method).onPacked === true && TRAINED_ON.has(quantMethod);
  return can ? { ...recipe, frozen: "checkpoint" } : recipe;
}

/** Whether weights that a checkpoint has packed are taken as if they were not: frozen ones of formats that nothing here is trained on. */
export const isTakenUnpacked = (recipe: Recipe, config: ModelConfig): boolean =>
  recipe.task === "train" && !isPacked(recipe) && objectField(config, "quantization_config") !== undefined;

export function settledRecipe(recipe: Recipe, config: ModelConfig, chosen: (name: string) => boolean): Recipe {
  const within = withinPositions(withPublishedWeights(recipe, config, chosen), longestSequence(config), chosen);
  if (within.task !== "train" || chosen("checkpointing")) return within;
  const canCheckpoint = headOf(config).hasLength && !NOT_CHECKPOINTED.has(modelTypeOf(config));
  return canCheckpoint ? { ...within, checkpointing: row(METHODS, within.method).checkpointing } : within;
}

const optionOf = (field: string): string =>
  field === "newTokens" ? "new" : field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The options, as one types them, that lead from one recipe to another. */
export function optionsBetween(before: Recipe, after: Recipe): string[] {
  const old = before as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(after)
    .filter(([field, value]) => String(old[field]) !== String(value))
    .map(([field, value]) => `--${optionOf(field)} ${value}`);
}

/** Options with the values that were taken because nobody gave them, as one types them. */
export function takenOptions(recipe: Recipe, config: ModelConfig, chosen: (name: string) => boolean): string[] {
  const { hasLength, generates } = headOf(config);
  const values: Readonly<Record<string, string | number>> =
    recipe.task === "train"
      ? {
          batch: recipe.batch,
          seq: recipe.seq,
          precision: recipe.precision,
          optimizer: recipe.optimizer,
          checkpointing: recipe.checkpointing,
          attention: recipe.attention,
          "lora-rank": recipe.loraRank,
        }
      : {
          batch: recipe.batch,
          prompt: recipe.prompt,
          new: recipe.newTokens,
          weights: recipe.weights,
          attention: recipe.attention,
        };
  const meansNothing = new Set([
    ...(hasLength ? [] : ["seq", "prompt"]),
    ...(recipe.task === "infer" && (!generates || recipe.newTokens === 0) ? ["new"] : []),
    ...(recipe.task === "train" && !row(METHODS, recipe.method).adapters ? ["lora-rank"] : []),
  ]);
  return DECIDING[recipe.task]
    .filter((name) => !chosen(name) && !meansNothing.has(name))
    .map((name) => `--${name} ${values[name]}`);
}
