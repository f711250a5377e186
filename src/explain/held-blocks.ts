/** The largest blocks at a moment with what holds them, where they were made, and how they went in this run. */

import type { HolderLink, HolderTable } from "../session/holders.ts";
import { largestAt } from "../trace/composition.ts";
import { deathOf, savedByBlock, type Death } from "../trace/lifetime.ts";
import type { BlockRecord, Trace } from "../trace/model.ts";

export type HolderChain = readonly HolderLink[];

export interface HeldBlock {
  /** Index into the trace's blocks. */
  readonly index: number;
  readonly block: BlockRecord;
  /** What holds it, those that say most first. Empty when nobody looked. */
  readonly chains: readonly HolderChain[];
  readonly death: Death;
}

/** Calls in progress hold their arguments, and operators what they work on: told only when nothing else holds the block. */
const RANK_OF_CALLS = 10;

function rankOf(chain: HolderChain): number {
  const last = chain.at(-1);
  if (last?.kind === "grad") return 0;
  if (last?.kind === "saved") return 2;
  if (last?.kind === "running") return RANK_OF_CALLS + 1;
  if (last?.kind === "leaf") return RANK_OF_CALLS + 2;
  if (last?.kind !== "python") return 4;
  if (chain.length > 1) return 3;
  const root = last.steps[0]?.[0];
  return root === "internal" || root === "argument" ? RANK_OF_CALLS : 1;
}

/** One block, with the holders that a look at `event` found. */
export function heldBlock(trace: Trace, holders: HolderTable | null, index: number, event: number): HeldBlock {
  return describe(trace, chainsByBlock(holders), savedByBlock(trace), index, event);
}

/** The `most` largest blocks after an event, largest first. */
export function heldBlocks(trace: Trace, holders: HolderTable | null, event: number, most: number): HeldBlock[] {
  const chains = chainsByBlock(holders);
  const saved = savedByBlock(trace);
  return largestAt(trace, event, most).map((index) => describe(trace, chains, saved, index, event));
}

function chainsByBlock(holders: HolderTable | null): ReadonlyMap<number, readonly HolderChain[]> {
  return new Map((holders?.blocks ?? []).map(({ block, chains }) => [block, chains]));
}

function describe(
  trace: Trace,
  chains: ReadonlyMap<number, readonly HolderChain[]>,
  savedRows: ReadonlyMap<number, readonly number[]>,
  index: number,
  event: number,
): HeldBlock {
  const rows = savedRows.get(index) ?? [];
  const found = chains.get(index);
  return {
    index,
    block: trace.blocks[index]!,
    chains: found === undefined ? [] : chosen(found, slotsAt(trace, rows, event)),
    death: deathOf(trace, index, rows),
  };
}

/** Slots that hold the block, as links: also those of a node that the running operator has not tied to a tensor yet. */
function slotsAt(trace: Trace, rows: readonly number[], event: number): HolderLink[] {
  const { saved } = trace;
  return rows
    .filter((row) => saved.since[row]! <= event && (saved.until[row] === -1 || saved.until[row]! > event))
    .map((row) => ({
      kind: "saved",
      node: saved.names[saved.node[row]!]!,
      slot: saved.names[saved.slot[row]!]!,
      frame: saved.frame[row]!,
    }));
}

function chosen(chains: readonly HolderChain[], slots: readonly HolderLink[]): HolderChain[] {
  const key = (link: HolderLink | undefined) =>
    link?.kind === "saved" ? `${link.node}.${link.slot} ${link.frame}` : null;
  const known = new Set(chains.map((chain) => key(chain.at(-1))));
  const all = [...chains, ...slots.filter((slot) => !known.has(key(slot))).map((slot) => [slot])];
  const ranked = all.map((chain) => ({ chain, rank: rankOf(chain) })).sort((a, b) => a.rank - b.rank);
  const telling = ranked.filter(({ rank }) => rank < RANK_OF_CALLS);
  return (telling.length > 0 ? telling : ranked).map(({ chain }) => chain);
}
