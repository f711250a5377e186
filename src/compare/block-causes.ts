/** Why allocated, or requested, bytes of two traces differ at two moments: block by block, so that the causes add up. */

import { remainderBytes } from "../trace/queries.ts";
import type { BlockRecord, Trace } from "../trace/model.ts";
import type { SizeKey } from "./allocations.ts";
import { CauseTable, type Cause, type CauseCode, type CauseItem, type CodeLocation } from "./causes.ts";
import type { Pairs } from "./pairs.ts";
import { allocatedAt, livesAt, type Side } from "./side.ts";

export interface Comparison {
  readonly predicted: Side;
  readonly recorded: Side;
  readonly pairs: Pairs;
  /** By which size blocks belong together. */
  readonly sizes: SizeKey;
  /** Whether the two PyTorch versions give libraries other workspaces. */
  readonly versionsDiffer: boolean;
}

/** After which event of each side. */
export interface MomentPair {
  readonly predicted: number;
  readonly recorded: number;
}

export type BlockQuantity = "allocated" | "requested";

export function placeOf(trace: Trace, frame: number): CodeLocation | null {
  const found = trace.frames[frame];
  return found === undefined ? null : { file: found.file, line: found.line, function: found.name };
}

export function blockItem(trace: Trace, block: BlockRecord, side: CauseItem["side"], bytes: number): CauseItem {
  return {
    side,
    bytes,
    count: 1,
    requestedBytes: block.requestedBytes,
    place: placeOf(trace, block.frame),
    op: trace.ops[block.op] ?? null,
    module: trace.modules[block.module] ?? null,
    category: block.category === "unknown" ? null : block.category,
    note: block.note,
    address: block.address,
    heldBytes: null,
    request: null,
  };
}

/** Blocks that one side has at its moment and the other, in that place, has not. */
interface Leftovers {
  readonly predicted: number[];
  readonly recorded: number[];
}

function leftoversAt({ predicted, recorded, pairs }: Comparison, at: MomentPair, table: CauseTable): Leftovers {
  const [ours, theirs] = [predicted.trace.blocks, recorded.trace.blocks];
  const left: Leftovers = { predicted: [], recorded: [] };
  theirs.forEach((block, index) => {
    if (!livesAt(block, at.recorded)) return;
    const partner = pairs.ofRecorded[index]!;
    if (partner >= 0 && livesAt(ours[partner]!, at.predicted)) charge(predicted.trace, ours[partner]!, block, table);
    else left.recorded.push(index);
  });
  ours.forEach((block, index) => {
    if (!livesAt(block, at.predicted)) return;
    const partner = pairs.ofPredicted[index]!;
    if (partner < 0 || !livesAt(theirs[partner]!, at.recorded)) left.predicted.push(index);
  });
  return left;
}

/** The same request on both sides: what they are charged beyond it. */
function charge(trace: Trace, ours: BlockRecord, theirs: BlockRecord, table: CauseTable): void {
  if (ours.bytes === theirs.bytes) return;
  const remainder = remainderBytes(theirs) - remainderBytes(ours);
  const rounding = theirs.bytes - ours.bytes - remainder;
  if (remainder !== 0) table.add("remainder", blockItem(trace, ours, "both", remainder));
  if (rounding !== 0) table.add("rounding", blockItem(trace, ours, "both", rounding));
}

/** Blocks of one size that are left over on both sides stand for each other: only the order differed. */
function cancel(left: Leftovers, comparison: Comparison, table: CauseTable): Leftovers {
  const { predicted, recorded, sizes } = comparison;
  const bySize = new Map<number, number[]>();
  for (const index of left.predicted) {
    const size = predicted.trace.blocks[index]![sizes];
    const list = bySize.get(size);
    if (list === undefined) bySize.set(size, [index]);
    else list.push(index);
  }
  // from the end, as taking the first of a long list costs its length
  for (const list of bySize.values()) list.reverse();
  const remaining: number[] = [];
  for (const index of left.recorded) {
    const block = recorded.trace.blocks[index]!;
    const other = bySize.get(block[sizes])?.pop();
    if (other === undefined) remaining.push(index);
    else charge(predicted.trace, predicted.trace.blocks[other]!, block, table);
  }
  return { predicted: [...bySize.values()].flat(), recorded: remaining };
}

/** No operation makes more events of its own. */
const MOST_WITHIN = 1000;

/** Whether nothing that both sides have was allocated while the block lived. */
function isMomentary(trace: Trace, block: BlockRecord, partners: Int32Array): boolean {
  if (block.freeEvent < 0 || block.allocEvent < 0) return false;
  if (block.freeEvent - block.allocEvent > MOST_WITHIN) return false;
  for (let event = block.allocEvent + 1; event < block.freeEvent; event++) {
    const other = trace.events.block[event]!;
    if (other >= 0 && trace.blocks[other]!.allocEvent === event && partners[other]! >= 0) return false;
  }
  return true;
}

/** The moment of the other side that is in the same place: after the last common allocation up to `event`. */
function counterpart(from: Trace, partners: Int32Array, event: number, to: Trace): number {
  for (let at = event; at >= 0; at--) {
    const block = from.events.block[at]!;
    if (block < 0 || from.blocks[block]!.allocEvent !== at || partners[block]! < 0) continue;
    return to.blocks[partners[block]!]!.allocEvent;
  }
  return -1;
}

function codeOf(comparison: Comparison, side: "predicted" | "recorded", index: number, there: number): CauseCode {
  const { pairs, versionsDiffer } = comparison;
  const partners = side === "predicted" ? pairs.ofPredicted : pairs.ofRecorded;
  const { trace, first } = comparison[side];
  const other = comparison[side === "predicted" ? "recorded" : "predicted"].trace;
  const block = trace.blocks[index]!;
  const partner = partners[index]!;
  if (partner >= 0) return livesAt(other.blocks[partner]!, there) ? "other_moment" : "lifetime";
  if (block.category === "workspace" || block.category === "temporary") {
    if (isMomentary(trace, block, partners)) return "kernel_temporary";
    if (block.category === "workspace") return versionsDiffer ? "version" : "workspace";
  }
  const isKnown = block.frame >= 0 || block.op >= 0 || block.category !== "unknown" || block.note !== null;
  if (side === "recorded" && !isKnown) return block.allocEvent < first ? "before_recording" : "unexplained";
  return side === "predicted" ? "only_predicted" : "only_recorded";
}

/** Causes of recorded minus predicted; together they are the difference. */
export function blockCauses(comparison: Comparison, at: MomentPair, quantity: BlockQuantity): Cause[] {
  const { predicted, recorded, pairs } = comparison;
  const charges = new CauseTable();
  const left = cancel(leftoversAt(comparison, at, charges), comparison, charges);
  // requested bytes know nothing of charges
  const table = quantity === "allocated" ? charges : new CauseTable();
  const size = quantity === "allocated" ? "bytes" : "requestedBytes";
  const there = {
    predicted: counterpart(predicted.trace, pairs.ofPredicted, at.predicted, recorded.trace),
    recorded: counterpart(recorded.trace, pairs.ofRecorded, at.recorded, predicted.trace),
  };
  for (const side of ["predicted", "recorded"] as const) {
    const { trace } = comparison[side];
    const sign = side === "recorded" ? 1 : -1;
    for (const index of left[side]) {
      const block = trace.blocks[index]!;
      table.add(codeOf(comparison, side, index, there[side]), blockItem(trace, block, side, sign * block[size]));
    }
  }
  table.addBytes("before_recording", unlistedAt(recorded.trace, at.recorded));
  table.addBytes("only_predicted", -unlistedAt(predicted.trace, at.predicted));
  return table.list();
}

/** Allocated bytes that no block of the trace accounts for. */
function unlistedAt(trace: Trace, event: number): number {
  let listedBytes = 0;
  for (const block of trace.blocks) if (livesAt(block, event)) listedBytes += block.bytes;
  return allocatedAt(trace, event) - listedBytes;
}
