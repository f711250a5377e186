/** What stands beside an engine's verdict: the largest part of what it takes, and, where it does not fit, the weight format that does. */

import { cheapestFormat, formatAndContext, shorterContext } from "./format-fits.ts";
import type { ServingInput, ServingOptions } from "./engines.ts";
import { isFree, isOnHost, usedBytes, type ServingEstimate, type ServingPart } from "./serving.ts";

export interface ServingCard {
  readonly cause: { readonly part: ServingPart["code"]; readonly bytes: number; readonly ofBytes: number } | null;
  /** The change that costs least: weights, a context, or both. */
  readonly remedy: { readonly format?: string; readonly context?: number; readonly leftBytes?: number } | null;
}

export function servingCard(
  engine: string,
  input: ServingInput,
  options: ServingOptions,
  estimate: ServingEstimate,
): ServingCard {
  const parts = estimate.parts.filter(({ code }) => !isOnHost(code) && !isFree(code));
  const [largest] = parts.toSorted((a, b) => b.bytes - a.bytes);
  const ofBytes = Math.round(usedBytes(estimate));
  return {
    cause: largest === undefined ? null : { part: largest.code, bytes: Math.round(largest.bytes), ofBytes },
    remedy: estimate.fits ? null : remedyOf(engine, input, options),
  };
}

function remedyOf(engine: string, input: ServingInput, options: ServingOptions): ServingCard["remedy"] {
  const format = cheapestFormat(engine, input, options);
  if (format !== null) return format;
  const context = shorterContext(engine, input, options);
  return context === null ? formatAndContext(engine, input, options) : { context };
}
