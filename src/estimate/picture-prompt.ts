/** A prompt with pictures before its text: how long it is, and the lines of Python that make it. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { Head } from "../models/heads.ts";
import { pictureArguments, pictureTokens } from "../models/pictures.ts";
import type { InferRecipe } from "./recipe.ts";

/** Tokens before the answer, those of pictures with them. */
export function promptTokens(recipe: InferRecipe, head: Head): number {
  if (recipe.pictures === 0 || head.looks === null) return recipe.prompt;
  const size = { width: recipe.pictureWidth, height: recipe.pictureHeight };
  return recipe.prompt + recipe.pictures * pictureTokens(head.looks, size);
}

/** Pictures stand before the text: lines that make the tokens of both, and what else the model is given; none without pictures. */
export function picturePrompt(
  recipe: InferRecipe,
  head: Head,
): { lines: string[]; more: Readonly<Record<string, string>> } | null {
  if (recipe.pictures === 0) return null;
  if (head.looks === null) throw new DiagnosticError(diagnostic("pictures_not_known"));
  const size = { width: recipe.pictureWidth, height: recipe.pictureHeight };
  const tokens = pictureTokens(head.looks, size);
  return {
    lines: [
      `# ${size.width} x ${size.height} pixels are ${tokens} tokens`,
      `places = torch.full((batch, pictures * ${tokens}), config.image_token_id, device=device)`,
      "text = torch.zeros(batch, prompt, dtype=torch.int64, device=device)",
      "input_ids = torch.cat([places, text], dim=1)",
    ],
    more: pictureArguments(head.looks, size),
  };
}

export const asArguments = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).map(([name, value]) => `${name}=${value}`);
