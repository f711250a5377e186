/**
 * How memory stood when recording began: the state at the end, with every recorded action undone.
 *
 * What the record does not say is how much a block of that time was charged beyond its request. It follows from
 * what is around it: in the large pool a free block is always larger than 1 MiB, so a smaller gap belongs to the
 * block before it; and a block that is later cut from the gap shows where the gap began.
 */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { AllocatorConfig } from "./config.ts";
import { SMALL_BYTES, SMALL_SEGMENT_BYTES } from "./constants.ts";
import { TRACE_ACTIONS, type RecordedHistory } from "./recorded.ts";
import { roundRequest } from "./rounding.ts";
import type { BlockSnapshot, SegmentSnapshot } from "./snapshot.ts";

interface LiveBlock {
  readonly address: number;
  readonly requestedBytes: number;
  /** Charged bytes, or null when only the request is known. */
  bytes: number | null;
  /** Entry that frees it; -1 when it outlives the record. */
  readonly freedAt: number;
}

interface Room {
  readonly segment: Omit<SegmentSnapshot, "blocks" | "allocatedBytes" | "activeBytes" | "requestedBytes">;
  readonly live: LiveBlock[];
}

const BLOCK_ALLOC = TRACE_ACTIONS.indexOf("alloc");
const FREE_REQUESTED = TRACE_ACTIONS.indexOf("free_requested");
const FREE_COMPLETED = TRACE_ACTIONS.indexOf("free_completed");
const SEGMENT_ALLOC = TRACE_ACTIONS.indexOf("segment_alloc");
const SEGMENT_FREE = TRACE_ACTIONS.indexOf("segment_free");
const SEGMENT_MAP = TRACE_ACTIONS.indexOf("segment_map");
const SEGMENT_UNMAP = TRACE_ACTIONS.indexOf("segment_unmap");

/** Index of the last element whose address is not above `address`, or -1. */
function lastNotAbove(sorted: readonly { readonly address: number }[], address: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle].address <= address) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Undoes all actions; addresses of blocks that live at the start, and the segments of that time. */
function undo(history: RecordedHistory): { live: LiveBlock[]; rooms: Room[] } {
  const { action, address, bytes, stream } = history.actions;
  const live = new Map<number, LiveBlock>();
  const rooms = new Map<number, Room>();
  for (const segment of history.segments) {
    rooms.set(segment.address, { segment, live: [] });
    for (const block of segment.blocks) {
      if (block.state === "inactive") continue;
      live.set(block.address, {
        address: block.address,
        requestedBytes: block.requestedBytes,
        bytes: block.bytes,
        freedAt: -1,
      });
    }
  }
  for (let i = action.length - 1; i >= 0; i--) {
    const at = address[i];
    switch (action[i]) {
      case BLOCK_ALLOC:
        live.delete(at);
        break;
      case FREE_COMPLETED:
      case FREE_REQUESTED:
        // A block whose free waited for other streams is held from its request on; both actions name it.
        if (!live.has(at)) live.set(at, { address: at, requestedBytes: bytes[i], bytes: null, freedAt: i });
        break;
      case SEGMENT_ALLOC:
        rooms.delete(at);
        break;
      case SEGMENT_FREE:
        rooms.set(at, {
          segment: {
            address: at,
            totalBytes: bytes[i],
            stream: stream[i],
            // Only the small pool has segments of this size: large ones begin at 10 MiB.
            type: bytes[i] === SMALL_SEGMENT_BYTES ? "small" : "large",
            poolId: [0, 0],
            isExpandable: false,
          },
          live: [],
        });
        break;
      case SEGMENT_MAP:
      case SEGMENT_UNMAP:
        throw new DiagnosticError(diagnostic("history-expandable"));
    }
  }
  const byAddress = (a: { address: number }, b: { address: number }): number => a.address - b.address;
  return {
    live: [...live.values()].sort(byAddress),
    rooms: [...rooms.values()].sort((a, b) => byAddress(a.segment, b.segment)),
  };
}

/** For each block of unknown charge, the address of the first block that is cut from the gap behind it while it lives. */
function firstCuts(history: RecordedHistory, live: readonly LiveBlock[]): Map<LiveBlock, number> {
  const cuts = new Map<LiveBlock, number>();
  const { action, address } = history.actions;
  for (let i = 0; i < action.length; i++) {
    if (action[i] !== BLOCK_ALLOC) continue;
    const before = live[lastNotAbove(live, address[i])];
    if (before === undefined || before.bytes !== null || before.address === address[i]) continue;
    if (before.freedAt >= 0 && before.freedAt < i) continue;
    if (!cuts.has(before)) cuts.set(before, address[i]);
  }
  return cuts;
}

function chargeBlocks(room: Room, cuts: ReadonlyMap<LiveBlock, number>, config: AllocatorConfig): void {
  const end = room.segment.address + room.segment.totalBytes;
  room.live.forEach((block, i) => {
    if (block.bytes !== null) return;
    const roundedBytes = roundRequest(Math.max(1, block.requestedBytes), config);
    const roomBytes = (room.live[i + 1]?.address ?? end) - block.address;
    const cutBytes = (cuts.get(block) ?? Infinity) - block.address;
    block.bytes = roundedBytes;
    if (room.segment.type === "small" || roomBytes < roundedBytes) return;
    if (roundedBytes >= config.maxSplitBytes || roomBytes - roundedBytes <= SMALL_BYTES) block.bytes = roomBytes;
    else if (cutBytes >= roundedBytes && cutBytes - roundedBytes <= SMALL_BYTES) block.bytes = cutBytes;
  });
}

function withGaps(room: Room): BlockSnapshot[] {
  const blocks: BlockSnapshot[] = [];
  let at = room.segment.address;
  const fill = (to: number): void => {
    if (to > at) blocks.push({ address: at, bytes: to - at, requestedBytes: 0, state: "inactive" });
  };
  for (const { address, requestedBytes, bytes } of room.live) {
    if (address < at) throw new DiagnosticError(diagnostic("history-inconsistent", { address }));
    fill(address);
    blocks.push({ address, bytes: bytes!, requestedBytes, state: "active_allocated" });
    at = address + bytes!;
  }
  const end = room.segment.address + room.segment.totalBytes;
  if (at > end) throw new DiagnosticError(diagnostic("history-inconsistent", { address: end }));
  fill(end);
  return blocks;
}

/**
 * The segments as they were before the first recorded action. Throws `history-expandable` for expandable segments (a
 * record does not say where their address ranges end) and `history-inconsistent` when actions and segments disagree.
 */
export function historyStart(history: RecordedHistory, config: AllocatorConfig): SegmentSnapshot[] {
  if (history.segments.some((segment) => segment.isExpandable))
    throw new DiagnosticError(diagnostic("history-expandable"));
  const { live, rooms } = undo(history);
  const segments = rooms.map((room) => room.segment);
  for (const block of live) {
    const room = rooms[lastNotAbove(segments, block.address)];
    if (room !== undefined && block.address < room.segment.address + room.segment.totalBytes) room.live.push(block);
  }
  const cuts = firstCuts(history, live);
  return rooms.map((room) => {
    chargeBlocks(room, cuts, config);
    const blocks = withGaps(room);
    const held = blocks.filter((block) => block.state !== "inactive");
    const heldBytes = held.reduce((sum, block) => sum + block.bytes, 0);
    const requestedBytes = held.reduce((sum, block) => sum + block.requestedBytes, 0);
    return { ...room.segment, allocatedBytes: heldBytes, activeBytes: heldBytes, requestedBytes, blocks };
  });
}
