/** What a serving engine makes of a GPU, as data that every engine fills in: parts of its memory, tokens that fit, what was assumed. */

import type { Diagnostic } from "../base/diagnostic.ts";
import type { Evidence } from "../gpus/row.ts";

export type ServingPartCode =
  | "weights"
  | "rotary_tables"
  | "activations"
  | "non_torch"
  | "cuda_graphs"
  | "kv_cache"
  | "states"
  | "compute"
  | "reserve"
  | "unused"
  | "host_weights"
  | "host_compute"
  | "host_output";

/** One part of the memory of one GPU, or of the host. */
export interface ServingPart {
  readonly code: ServingPartCode;
  readonly bytes: number;
  /** The interval, where the part was not computed but calibrated. */
  readonly lowBytes: number;
  readonly highBytes: number;
  readonly mark: Evidence;
  /** The rule or the record that it comes from. */
  readonly source: string;
}

export function exactPart(code: ServingPartCode, bytes: number, source: string): ServingPart {
  return { code, bytes, lowBytes: bytes, highBytes: bytes, mark: "source", source };
}

/** A part known up to a share of itself. */
export function roughPart(
  code: ServingPartCode,
  bytes: number,
  share: number,
  mark: Evidence,
  source: string,
): ServingPart {
  return { code, bytes, lowBytes: bytes * (1 - share), highBytes: bytes * (1 + share), mark, source };
}

export interface ServingEstimate {
  readonly engine: string;
  /** The release whose rules these are. */
  readonly version: string;
  /** Parts on the fullest GPU. */
  readonly parts: readonly ServingPart[];
  /** Bytes that the engine gives itself on a GPU: a fraction of the total, or all of it. */
  readonly budgetBytes: number;
  /** Tokens whose cache fits, over all sequences; null where the engine allots by context instead. */
  readonly cacheTokens: number | null;
  /** Sequences of the longest length that fit at once; null as above. */
  readonly concurrency: number | null;
  readonly contextLength: number;
  readonly fits: boolean;
  /** What decides about these figures beside the model and the card, by the option that chooses it. */
  readonly settings: Readonly<Record<string, number | string>>;
  readonly assumptions: readonly Diagnostic[];
}

/** Parts of the host's memory, which is another. */
export const isOnHost = (code: ServingPartCode): boolean => code.startsWith("host_");
/** Parts that the engine keeps free or does not use. */
export const isFree = (code: ServingPartCode): boolean => code === "reserve" || code === "unused";

/** What is taken of the card, without what is kept free. */
export function usedBytes({ parts }: ServingEstimate): number {
  return parts.filter(({ code }) => !isOnHost(code) && !isFree(code)).reduce((sum, { bytes }) => sum + bytes, 0);
}

export function partBytes(estimate: ServingEstimate, code: ServingPartCode): number {
  return estimate.parts.filter((part) => part.code === code).reduce((sum, part) => sum + part.bytes, 0);
}
