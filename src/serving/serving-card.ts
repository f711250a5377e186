/** What stands beside an engine's verdict: the largest part of what it takes, and, where it does not fit, the weight format that does. */

import { longestSequence } from "../models/heads.ts";
import { cheapestFormat } from "./format-fits.ts";
import { estimateServing, type ServingInput, type ServingOptions } from "./engines.ts";
import { longestContext } from "./longest-context.ts";
import { isFree, isOnHost, usedBytes, type ServingEstimate, type ServingPart } from "./serving.ts";

export interface ServingCard {
  readonly cause: { readonly part: ServingPart["code"]; readonly bytes: number; readonly ofBytes: number } | null;
  readonly remedy: { readonly format: string; readonly leftBytes: number } | { readonly context: number } | null;
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
    remedy: estimate.fits ? null : (cheapestFormat(engine, input, options) ?? shorterContext(engine, input, options)),
  };
}

/** Where no weights are small enough for the context that is asked for. */
function shorterContext(
  engine: string,
  input: ServingInput,
  options: ServingOptions,
): { readonly context: number } | null {
  const positions = input.config === null ? null : longestSequence(input.config);
  const context = longestContext((contextLength) => {
    const answer = estimateServing(engine, input, { ...options, contextLength });
    return answer.ok && answer.value.fits;
  }, positions);
  return context === null ? null : { context };
}
