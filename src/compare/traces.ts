/** A predicted trace held against a recorded one: which stretch of it was recorded, its moments, and every difference by cause. */

import { findTorch, type TorchVersion } from "../torch/releases.ts";
import { rulesFor } from "../torch/changes.ts";
import type { Trace } from "../trace/model.ts";
import { sizeKeyOf, type SizeKey } from "./allocations.ts";
import { blockCauses, type Comparison, type MomentPair } from "./block-causes.ts";
import { NO_BLOCK, type Cause } from "./causes.ts";
import { pairBlocks, type Pairs } from "./pairs.ts";
import { segmentCauses } from "./segment-causes.ts";
import { allocatedAt, highestMoment, requestedAt, reservedAt, wholeOf, type Side } from "./side.ts";
import { recordedStretch } from "./window.ts";

export const MOMENTS = ["start", "peak", "end"] as const;
export type MomentName = (typeof MOMENTS)[number];
export const COMPARED = ["allocated", "requested", "reserved"] as const;
export type ComparedQuantity = (typeof COMPARED)[number];

/** One quantity at one moment. */
export interface ComparedFigure {
  readonly moment: MomentName;
  readonly quantity: ComparedQuantity;
  readonly predictedBytes: number;
  readonly recordedBytes: number;
  /** Causes of recorded minus predicted; their bytes add up to it. */
  readonly causes: readonly Cause[];
}

export interface TraceComparison {
  readonly kind: "traces";
  readonly predicted: Trace;
  readonly recorded: Trace;
  /** The stretch of the prediction that was recorded: its first event, and the one behind its last. */
  readonly first: number;
  readonly end: number;
  readonly wasChosen: boolean;
  /** Whether sizes are those that were asked for, or only what was charged is known on one side. */
  readonly sizes: SizeKey;
  readonly pairs: Pairs;
  readonly figures: readonly ComparedFigure[];
  /** The most in any figure. */
  readonly unexplainedBytes: number;
}

export interface StretchChoice {
  /** First event of the prediction, and the one behind its last; null: as it is found. */
  readonly first: number | null;
  readonly end: number | null;
}

/** Whether matrix libraries get other workspaces under the two versions; unknown versions say nothing. */
function workspacesDiffer(one: string, other: string): boolean {
  const [first, second] = [findTorch(one), findTorch(other)];
  if (!first.ok || !second.ok) return false;
  const of = (version: TorchVersion): string => {
    const rules = rulesFor(version);
    return JSON.stringify([
      rules.cublasWorkspaceCounted,
      rules.cublasWorkspaceSizes,
      rules.ltWorkspaceMode,
      rules.ltWorkspaceBytes,
    ]);
  };
  return of(first.value) !== of(second.value);
}

export function compareWithRecording(
  predicted: Trace,
  recorded: Trace,
  choice: StretchChoice = { first: null, end: null },
): TraceComparison {
  const [ours, theirs] = [wholeOf(predicted), wholeOf(recorded)];
  const key = sizeKeyOf([ours, theirs]);
  const wasChosen = choice.first !== null || choice.end !== null;
  const side: Side = wasChosen
    ? { trace: predicted, first: choice.first ?? 0, end: choice.end ?? ours.end }
    : recordedStretch(ours, theirs, key);
  const pairs = pairBlocks(side, theirs, key);
  const versionsDiffer = workspacesDiffer(predicted.torch, recorded.torch);
  const comparison: Comparison = { predicted: side, recorded: theirs, pairs, sizes: key, versionsDiffer };
  const figures = MOMENTS.flatMap((moment) =>
    COMPARED.filter((quantity) => quantity !== "requested" || key === "requestedBytes").map((quantity) =>
      figureAt(comparison, moment, quantity),
    ),
  );
  return {
    kind: "traces",
    predicted,
    recorded,
    first: side.first,
    end: side.end,
    wasChosen,
    sizes: key,
    pairs,
    figures,
    unexplainedBytes: figures.reduce((most, { causes }) => Math.max(most, unexplainedIn(causes)), 0),
  };
}

function unexplainedIn(causes: readonly Cause[]): number {
  return causes.reduce((sum, { code, items }) => {
    if (code !== "unexplained") return sum;
    return sum + items.reduce((all, item) => all + Math.abs(item.bytes), 0);
  }, 0);
}

function momentOf(side: Side, moment: MomentName, quantity: ComparedQuantity): number {
  if (moment === "start") return side.first - 1;
  if (moment === "end") return side.end - 1;
  return highestMoment(side, quantity === "reserved" ? "reservedBytes" : "allocatedBytes");
}

const BYTES_AT = { allocated: allocatedAt, requested: requestedAt, reserved: reservedAt } as const;

function figureAt(comparison: Comparison, moment: MomentName, quantity: ComparedQuantity): ComparedFigure {
  const { predicted, recorded } = comparison;
  const at: MomentPair = {
    predicted: momentOf(predicted, moment, quantity),
    recorded: momentOf(recorded, moment, quantity),
  };
  const predictedBytes = BYTES_AT[quantity](predicted.trace, at.predicted);
  const recordedBytes = BYTES_AT[quantity](recorded.trace, at.recorded);
  const causes = quantity === "reserved" ? segmentCauses(comparison, at) : blockCauses(comparison, at, quantity);
  const explained = causes.reduce((sum, cause) => sum + cause.bytes, 0);
  const rest = recordedBytes - predictedBytes - explained;
  return { moment, quantity, predictedBytes, recordedBytes, causes: rest === 0 ? causes : withRest(causes, rest) };
}

/** What the causes leave over; none of them may hide it. */
function withRest(causes: readonly Cause[], bytes: number): Cause[] {
  const known = causes.find(({ code }) => code === "unexplained");
  const item = { ...NO_BLOCK, bytes };
  const cause: Cause = {
    code: "unexplained",
    bytes: bytes + (known?.bytes ?? 0),
    items: [...(known?.items ?? []), item],
  };
  return [...causes.filter((other) => other !== known), cause];
}
