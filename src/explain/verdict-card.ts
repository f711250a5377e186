/**
 * What stands beside every verdict: why memory is as high as it is, what is reserved and of no use, and the cheapest change
 * that was measured. Data; words are in report/verdict-words.ts.
 */

import { compositionAt, forEachAlive } from "../trace/composition.ts";
import { freeMemoryAt } from "../trace/free-memory.ts";
import type { Category, Trace } from "../trace/model.ts";
import { allocatedBefore } from "../trace/queries.ts";
import type { Finding } from "./finding.ts";
import { outOfMemory } from "./out-of-memory.ts";
import type { Trial } from "./trials.ts";

/** The largest part of what is allocated at the decisive moment, and the line that made most of it. */
export interface Cause {
  readonly category: Category;
  readonly bytes: number;
  readonly ofBytes: number;
  /** `file:line`, or an empty text where lines are not known. */
  readonly where: string;
  readonly whereBytes: number;
}

/** Memory that PyTorch holds and no tensor uses, where it is much. */
export interface Unusable {
  readonly event: number;
  readonly reservedBytes: number;
  readonly freeBytes: number;
  readonly largestBytes: number;
  readonly pieces: number;
}

export interface Remedy {
  readonly changes: Trial["changes"];
  /** Of the reserved peak; null where the program ran out of memory without the change. */
  readonly savedBytes: number | null;
  readonly peakReservedBytes: number;
  readonly fits: boolean;
  /** It fits only if context and libraries take less than they may. */
  readonly tight: boolean;
}

export interface VerdictCard {
  readonly cause: Cause | null;
  readonly unusable: Unusable | null;
  /** Memory that grows with every pass, or null. */
  readonly growth: Finding | null;
  readonly remedy: Remedy | null;
}

/** Less is not worth a sentence: of what is reserved, and in bytes. */
const NOTABLE_FREE_SHARE = 0.2;
const NOTABLE_FREE_BYTES = 64 * 2 ** 20;
/** A change that saves less is no remedy. */
const NOTABLE_SAVING_SHARE = 0.02;

export interface CardInput {
  readonly trace: Trace;
  readonly peakEvent: number;
  readonly peakReservedBytes: number;
  readonly findings: readonly Finding[];
  readonly trials: readonly Trial[];
  /** It is told as something that needs no help. */
  readonly fits: boolean;
}

export function verdictCard(input: CardInput): VerdictCard {
  const { trace, findings } = input;
  const failed = outOfMemory(trace);
  return {
    cause: causeAt(trace, failed?.event ?? input.peakEvent),
    unusable: unusableIn(trace, failed?.event ?? -1),
    growth: findings.find(({ code }) => code === "grows_each_pass") ?? null,
    remedy: remedyOf(input, failed !== null),
  };
}

function causeAt(trace: Trace, event: number): Cause | null {
  if (event < 0) return null;
  const { shares, allocatedBytes } = compositionAt(trace, event, "category");
  const [largest] = shares;
  if (largest?.key === undefined || largest.key === null || largest.bytes === 0) return null;
  const lines = new Map<number, number>();
  forEachAlive(trace, event, (block) => {
    if (block.category === largest.key && block.frame >= 0)
      lines.set(block.frame, (lines.get(block.frame) ?? 0) + block.bytes);
  });
  const bytesByLine = new Map<string, number>();
  for (const [frame, bytes] of lines) {
    const { file, line } = trace.frames[frame]!;
    bytesByLine.set(`${file}:${line}`, (bytesByLine.get(`${file}:${line}`) ?? 0) + bytes);
  }
  const [where = "", whereBytes = 0] = [...bytesByLine].reduce((a, b) => (b[1] > (a[1] ?? 0) ? b : a), [
    "",
    0,
  ] as const);
  return {
    category: largest.key as Category,
    bytes: largest.bytes,
    ofBytes: allocatedBytes,
    where,
    // a block counts more than its tensor: never say more than the whole
    whereBytes: Math.min(whereBytes, largest.bytes),
  };
}

/** Where most is reserved, or where a request failed. */
function unusableIn(trace: Trace, failedAt: number): Unusable | null {
  const { allocatedBytes, reservedBytes } = trace.events;
  let event = failedAt;
  if (event === -1) {
    // of all moments with the most reserved that with most allocated: then the rest was of least use
    for (let at = 0; at < reservedBytes.length; at++) {
      const more = event === -1 ? 1 : reservedBytes[at]! - reservedBytes[event]!;
      if (more > 0 || (more === 0 && allocatedBytes[at]! > allocatedBytes[event]!)) event = at;
    }
  }
  if (event === -1) return null;
  const reserved = reservedBytes[event]!;
  const rough = reserved - (allocatedBytes[event] ?? allocatedBefore(trace, 0));
  if (rough < NOTABLE_FREE_BYTES || rough < reserved * NOTABLE_FREE_SHARE) return null;
  const { freeBytes, largestBytes, pieces } = freeMemoryAt(trace, event);
  if (pieces === 0) return null;
  return { event, reservedBytes: reserved, freeBytes, largestBytes, pieces };
}

/** Trials come in the order of how little they change: the first that fits, otherwise the one that saves most. */
export function remedyOf(
  { trials, peakReservedBytes, fits }: Pick<CardInput, "trials" | "peakReservedBytes" | "fits">,
  ranOut: boolean,
): Remedy | null {
  const measured = trials.filter(({ outcome }) => outcome === "measured");
  const savedBy = (trial: Trial): number => peakReservedBytes - trial.peakReservedBytes;
  const helpful = measured.filter((trial) => ranOut || savedBy(trial) >= peakReservedBytes * NOTABLE_SAVING_SHARE);
  const least = fits
    ? undefined
    : (helpful.find((trial) => trial.fits && !trial.tight) ?? helpful.find((trial) => trial.fits));
  const found = least ?? helpful.toSorted((a, b) => a.peakReservedBytes - b.peakReservedBytes)[0];
  if (found === undefined) return null;
  return {
    changes: found.changes,
    savedBytes: ranOut ? null : savedBy(found),
    peakReservedBytes: found.peakReservedBytes,
    fits: found.fits,
    tight: found.tight,
  };
}
