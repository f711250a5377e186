/** What the figures of an estimate rest on, in words: each once, the assumptions of the run last. */

import { isTakenUnpacked, row, WEIGHTS, type Estimate, type StatedSize } from "../estimate/index.ts";
import type { ModelConfig } from "../formats/model-config.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";

const ASSUMPTIONS_SHOWN = 6;

export function estimateNotes(
  model: { readonly name: string; readonly unsure: StatedSize | null; readonly config: ModelConfig | null },
  { recipe, head, digest }: Pick<Estimate, "recipe" | "head" | "digest">,
  locale: Locale,
): string[] {
  const lines: string[] = [];
  if (model.unsure !== null) lines.push(message(locale, "note_unsure", { model: model.name, ...model.unsure }));
  if (head.auto === "AutoModelForImageTextToText") lines.push(message(locale, "note_text_alone"));
  if (recipe.task !== "train" && row(WEIGHTS, recipe.weights).unmeasured)
    lines.push(message(locale, "note_unmeasured_weights"));
  if (model.config !== null && isTakenUnpacked(recipe, model.config))
    lines.push(message(locale, "note_taken_unpacked"));
  if (recipe.task === "infer" && recipe.cache === "quantized") lines.push(message(locale, "note_quantized_cache"));
  if (recipe.task === "infer" && recipe.cache === "static") lines.push(message(locale, "note_static_cache"));
  if (recipe.task === "train" && recipe.precision === "fp8") lines.push(message(locale, "note_fp8"));
  if (recipe.task === "train" && recipe.loss === "fused") lines.push(message(locale, "note_fused_loss"));
  for (const { code, args } of digest.assumptions.slice(0, ASSUMPTIONS_SHOWN)) {
    lines.push(messageOrCode(locale, code, args));
  }
  return [...new Set(lines)];
}
