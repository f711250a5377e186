/** What an engine makes of the chosen cards: computed at once, by the engine's own rules. */

import type { Diagnostic, Outcome } from "../../../src/base/diagnostic.ts";
import { servingOptions } from "../../../src/cli/serving-options.ts";
import { UsageError } from "../../../src/cli/usage-error.ts";
import { estimateServing } from "../../../src/serving/engines.ts";
import { formatFits, type FormatFits } from "../../../src/serving/format-fits.ts";
import { longestContext } from "../../../src/serving/longest-context.ts";
import { servingCard, type ServingCard } from "../../../src/serving/serving-card.ts";
import type { ServingEstimate } from "../../../src/serving/serving.ts";
import { ModelFileError } from "../../../src/formats/model-file-error.ts";
import type { Capacity } from "../../../src/gpus/capacity.ts";
import { parsedOf, type Inputs } from "./inputs.ts";
import { diagnosticOf, servingInput, type PageModel } from "./page-model.ts";

export interface ServedOn {
  readonly card: Capacity;
  readonly estimate: ServingEstimate;
}

export function servedOn(model: PageModel, inputs: Inputs, card: Capacity): Outcome<ServedOn> {
  try {
    const found = estimateServing(
      inputs.chosen["engine"]!,
      servingInput(model),
      servingOptions(parsedOf(inputs), card),
    );
    return found.ok ? { ok: true, value: { card, estimate: found.value } } : { ok: false, error: found.error };
  } catch (error) {
    return { ok: false, error: refusalBy(error, model.name) };
  }
}

/** Why, and what would fit, on one card: formats are tried for it, so it is asked for the first card only. */
export function servedCard(model: PageModel, inputs: Inputs, { card, estimate }: ServedOn): ServingCard {
  return servingCard(inputs.chosen["engine"]!, servingInput(model), servingOptions(parsedOf(inputs), card), estimate);
}

/** What each format of the weights leaves room for; null where the engine refuses them all. */
export function formatsOn(model: PageModel, inputs: Inputs, card: Capacity): FormatFits | null {
  try {
    return formatFits(inputs.chosen["engine"]!, servingInput(model), servingOptions(parsedOf(inputs), card));
  } catch (error) {
    refusalBy(error, model.name);
    return null;
  }
}

function refusalBy(error: unknown, path: string): Diagnostic {
  if (error instanceof UsageError) return { code: error.code, args: error.args };
  if (error instanceof ModelFileError) return diagnosticOf(error, path);
  throw error;
}

/** The longest context that fits within the model's positions, for engines that set memory aside for it; null where none does. */
export function longestContextOn(
  model: PageModel,
  inputs: Inputs,
  card: Capacity,
  positions: number | null,
): number | null {
  const fitsAt = (tokens: number): boolean => {
    const chosen = { ...inputs.chosen, "max-len": String(tokens) };
    const found = servedOn(model, { ...inputs, chosen }, card);
    return found.ok && found.value.estimate.fits;
  };
  return longestContext(fitsAt, positions);
}
