/** How generated programs name the releases of transformers and bitsandbytes that they run on, and what older ones call otherwise. */

import { METHODS, row, WEIGHTS } from "./techniques.ts";
import { NEWEST_BITSANDBYTES, NEWEST_TRANSFORMERS, type InferRecipe, type Recipe } from "./recipe.ts";

/** Where another release is played, the program says so, because nothing else of it would. */
export function release({ transformers, bitsandbytes, installed }: Recipe): string[] {
  const played = [
    ...(transformers === NEWEST_TRANSFORMERS || installed !== undefined ? [] : [["transformers", transformers]]),
    ...(bitsandbytes === NEWEST_BITSANDBYTES ? [] : [["bitsandbytes", bitsandbytes]]),
  ];
  if (played.length === 0) return [];
  const lines = played.map(
    ([name, version]) =>
      `os.environ["VRAMSCOPE_${name!.toUpperCase()}"] = "${version}"  # whose rules apply; ${name} itself does not read it`,
  );
  return ["import os", "", ...lines, ""];
}

/** Whether the program reads weights from a checkpoint, which an installed transformers would look for. */
export const loadsWeights = (recipe: Recipe): boolean => {
  if (recipe.task === "train") return row(METHODS, recipe.method).quantized;
  const { asPublished, quantization } = row(WEIGHTS, recipe.weights);
  return asPublished === true || quantization !== null;
};

function isBefore({ installed }: Recipe, major: number, minor: number): boolean {
  const [, ownMajor, ownMinor] = /^(\d+)\.(\d+)/.exec(installed ?? "") ?? [];
  return ownMajor !== undefined && (+ownMajor < major || (+ownMajor === major && +ownMinor! < minor));
}

/** The argument that says of what type weights are (src/transformers/modeling_utils.py: `dtype` since 4.56). */
export const typeName = (recipe: Recipe): string => (isBefore(recipe, 4, 56) ? "torch_dtype" : "dtype");

/** A cache of fixed size, whose batch and device older releases ask for (src/transformers/cache_utils.py, until 4.56). */
export const staticCache = (recipe: InferRecipe, length: number): string =>
  isBefore(recipe, 4, 56)
    ? `StaticCache(config=config, max_batch_size=batch, max_cache_len=${length}, device=device, dtype=dtype)`
    : `StaticCache(config=config, max_cache_len=${length})`;
