/**
 * What a record does not say but must have happened: blocks that were there before it began, frees and allocations that are missing
 * from it, and marks that stand beside it. Found in one pass over the rows.
 */

import { KIND } from "../trace/codes.ts";
import { AddressMap } from "./address-map.ts";
import { FREE_WAITING } from "./snapshot-rows.ts";
import type { SnapshotSegment } from "./snapshot.ts";

const ALLOC = KIND.alloc;
const FREE_REQUESTED = KIND.free_requested;
const FREE_COMPLETED = KIND.free_completed;
const MARK = KIND.mark;

/** A block at the end, as the segments list it. */
export interface FinalBlock {
  readonly address: number;
  readonly bytes: number;
  readonly requestedBytes: number;
  readonly frameList: number;
}

/** A block that was there before the record began. */
export interface EarlyBlock {
  readonly address: number;
  readonly requestedBytes: number;
  /** As the segments say, or null when it is gone by then. */
  readonly bytes: number | null;
  readonly frameList: number;
}

/** A row to put in before row `before`. */
export interface Insertion {
  readonly before: number;
  readonly kind: number;
  readonly address: number;
  readonly bytes: number;
  readonly name: string;
}

export interface Repairs {
  readonly early: readonly EarlyBlock[];
  readonly insertions: Insertion[];
  /** Blocks at the end, by address; null when the snapshot lists no segments although blocks must be there. */
  readonly finals: ReadonlyMap<number, FinalBlock> | null;
  /** Allocations without a free before the same address was handed out again, and the like. */
  readonly gaps: number;
}

export interface RowColumns {
  readonly kind: Uint8Array;
  readonly address: Float64Array;
  readonly bytes: Float64Array;
}

function finalBlocks(segments: readonly SnapshotSegment[]): Map<number, FinalBlock> {
  const finals = new Map<number, FinalBlock>();
  for (const segment of segments) {
    for (const block of segment.blocks) if (block.state === "active_allocated") finals.set(block.address, block);
  }
  return finals;
}

/** Looks at the rows of one device; turns a lone completion into the free that it must have been. */
export function findRepairs(rows: RowColumns, segments: readonly SnapshotSegment[]): Repairs {
  const { kind, address, bytes } = rows;
  const live = new AddressMap();
  const waiting = new AddressMap();
  /** Addresses that were handed out or given back before: such a block is not from before the record. */
  const seen = new AddressMap();
  const early: EarlyBlock[] = [];
  const insertions: Insertion[] = [];
  let gaps = 0;
  for (let row = 0; row < kind.length; row++) {
    const at = address[row]!;
    switch (kind[row]) {
      case ALLOC:
        if (live.get(at) >= 0) {
          gaps += 1;
          insertions.push({ before: row, kind: FREE_REQUESTED, address: at, bytes: 0, name: "" });
        }
        waiting.take(at);
        live.set(at, row);
        seen.set(at, 1);
        break;
      case FREE_COMPLETED:
        if (waiting.take(at) >= 0) break;
        // recorded without requests, or requested before the record began
        if (live.get(at) < 0) break;
        kind[row] = FREE_REQUESTED;
        live.take(at);
        break;
      case FREE_REQUESTED:
      case FREE_WAITING:
        if (kind[row] === FREE_WAITING) waiting.set(at, row);
        if (live.take(at) >= 0) break;
        if (seen.get(at) < 0) early.push({ address: at, requestedBytes: bytes[row]!, bytes: null, frameList: -1 });
        else {
          gaps += 1;
          kind[row] = MARK;
        }
        seen.set(at, 1);
        break;
      default:
    }
  }
  const finals = segments.length === 0 && live.size > 0 ? null : finalBlocks(segments);
  if (finals !== null) {
    const end = kind.length;
    for (const block of finals.values()) {
      if (live.get(block.address) >= 0) continue;
      if (seen.get(block.address) < 0) early.push(block);
      else {
        gaps += 1;
        insertions.push({ before: end, kind: ALLOC, address: block.address, bytes: block.requestedBytes, name: "" });
      }
    }
    for (const [at] of live.entries()) {
      if (finals.has(at)) continue;
      gaps += 1;
      insertions.push({ before: end, kind: FREE_REQUESTED, address: at, bytes: 0, name: "" });
    }
  }
  early.sort((a, b) => a.address - b.address);
  return { early, insertions, finals, gaps };
}
