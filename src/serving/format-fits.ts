/** Which weight format fits a card, with which context: every format that an engine reads, by its own rules. */

import { longestSequence } from "../models/heads.ts";
import { findEngine, estimateServing, type ServingInput, type ServingOptions } from "./engines.ts";
import { GGUF_MIXES } from "./gguf-mix.ts";
import { longestContext } from "./longest-context.ts";
import { partBytes, usedBytes, type ServingEstimate } from "./serving.ts";
import { WEIGHT_FORMATS } from "../models/weight-formats.ts";

export interface FormatFit {
  readonly format: string;
  readonly weightBytes: number;
  /** Of the card, with the context that was asked for. */
  readonly usedBytes: number;
  readonly fits: boolean;
  /** The longest context that fits, or null where none does. */
  readonly longest: number | null;
}

export interface FormatFits {
  /** Tokens that were asked for. */
  readonly context: number;
  /** Largest weights first; of equal ones those with a longer context. */
  readonly rows: readonly FormatFit[];
}

/** What this engine reads, by name. */
function formatNames(engine: string): readonly { readonly name: string; readonly needsPruning?: true }[] {
  const found = findEngine(engine);
  return found.ok && found.value.readsGguf ? GGUF_MIXES : WEIGHT_FORMATS;
}

/** Formats that an option gets to, where the weights are not given. */
const choicesOf = (engine: string, input: ServingInput): readonly { readonly name: string }[] =>
  input.gguf != null ? [] : formatNames(engine).filter(({ needsPruning }) => needsPruning !== true);

/** The largest weights that fit as asked for: what changes least; null where none do. */
export function cheapestFormat(
  engine: string,
  input: ServingInput,
  options: ServingOptions,
): { readonly format: string; readonly leftBytes: number } | null {
  const fitting = choicesOf(engine, input).flatMap(({ name }) => {
    const answer = estimateServing(engine, input, { ...options, quant: name });
    if (!answer.ok || !answer.value.fits) return [];
    const leftBytes = options.totalBytes - Math.round(usedBytes(answer.value));
    return [{ format: name, leftBytes, weightBytes: partBytes(answer.value, "weights") }];
  });
  const [best] = fitting.sort((a, b) => b.weightBytes - a.weightBytes);
  return best === undefined ? null : { format: best.format, leftBytes: best.leftBytes };
}

/** The longest context with the weights as they are; null where none fits. */
export function shorterContext(engine: string, input: ServingInput, options: ServingOptions): number | null {
  const positions = input.config === null ? null : longestSequence(input.config);
  return longestContext((contextLength) => {
    const answer = estimateServing(engine, input, { ...options, contextLength });
    return answer.ok && answer.value.fits;
  }, positions);
}

/** The largest weights that leave room for any context, and the longest that they do. */
export function formatAndContext(
  engine: string,
  input: ServingInput,
  options: ServingOptions,
): { readonly format: string; readonly context: number } | null {
  const sized = choicesOf(engine, input).flatMap(({ name }) => {
    const answer = estimateServing(engine, input, { ...options, quant: name });
    return answer.ok ? [{ name, weightBytes: partBytes(answer.value, "weights") }] : [];
  });
  for (const { name } of sized.sort((a, b) => b.weightBytes - a.weightBytes)) {
    const context = shorterContext(engine, input, { ...options, quant: name });
    if (context !== null) return { format: name, context };
  }
  return null;
}

/** Formats that the engine refuses for this model are left out; null where all are. */
export function formatFits(engine: string, input: ServingInput, options: ServingOptions): FormatFits | null {
  const positions = input.config === null ? null : longestSequence(input.config);
  let context = 0;
  const rows = formatNames(engine).flatMap(({ name }): FormatFit[] => {
    const at = (contextLength: number | undefined): ServingEstimate | null => {
      const answer = estimateServing(engine, input, { ...options, quant: name, contextLength });
      return answer.ok ? answer.value : null;
    };
    const asked = at(options.contextLength);
    if (asked === null) return [];
    context = asked.contextLength;
    return [
      {
        format: name,
        weightBytes: partBytes(asked, "weights") + partBytes(asked, "host_weights"),
        usedBytes: usedBytes(asked),
        fits: asked.fits,
        longest: longestContext((tokens) => at(tokens)?.fits ?? false, positions),
      },
    ];
  });
  if (rows.length === 0) return null;
  return {
    context,
    rows: rows.sort((a, b) => b.weightBytes - a.weightBytes || (b.longest ?? 0) - (a.longest ?? 0)),
  };
}
