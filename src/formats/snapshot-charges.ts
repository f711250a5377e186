/**
 * What the allocator charged for each block. The record says what was asked for; the rest follows from where the block lies:
 * requests are rounded up, and in the large pool a remainder of at most 1 MiB stays with the block that left it. A block is always
 * cut from the beginning of a free stretch, so the stretch ends at the next block in use or with the segment.
 */

import { SMALL_BYTES } from "../alloc/constants.ts";
import type { AllocatorConfig } from "../alloc/config.ts";
import { roundRequest } from "../alloc/rounding.ts";

/** A segment with its blocks in use by address; of the small pool and of expandable segments nothing has to be known. */
interface Room {
  readonly start: number;
  readonly end: number;
  readonly used: number[];
}

/** Far more blocks above 1 MiB than a segment of any device holds; beyond them a file is not believed. */
const MOST_BLOCKS = 1 << 16;

/** Index of the first element that is not below `address`. */
function firstNotBelow(sorted: readonly number[], address: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < address) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Charges {
  readonly #config: AllocatorConfig;
  readonly #starts: number[] = [];
  readonly #rooms: Room[] = [];
  /** Blocks from before the record whose remainder shows only when the next block is cut behind them, by address. */
  readonly #open = new Map<number, { readonly roundedBytes: number; readonly found: (bytes: number) => void }>();

  constructor(config: AllocatorConfig) {
    this.#config = config;
  }

  addSegment(start: number, bytes: number): void {
    const at = firstNotBelow(this.#starts, start);
    if (this.#starts[at] === start) return;
    this.#starts.splice(at, 0, start);
    this.#rooms.splice(at, 0, { start, end: start + bytes, used: [] });
  }

  removeSegment(start: number): void {
    const at = firstNotBelow(this.#starts, start);
    if (this.#starts[at] !== start) return;
    this.#starts.splice(at, 1);
    this.#rooms.splice(at, 1);
  }

  rounded(requestedBytes: number): number {
    return roundRequest(Math.max(1, requestedBytes), this.#config);
  }

  #room(address: number): Room | null {
    const room = this.#rooms[firstNotBelow(this.#starts, address + 1) - 1];
    return room !== undefined && address < room.end ? room : null;
  }

  /** Blocks of the large pool are those above 1 MiB. */
  #roomFor(address: number, roundedBytes: number): Room | null {
    if (roundedBytes <= SMALL_BYTES) return null;
    const room = this.#room(address);
    return room === null || room.used.length >= MOST_BLOCKS ? null : room;
  }

  /** Bytes of a block with so much room until the next one; an unlimited remainder stays with blocks that are never split. */
  #chargedBytes(roundedBytes: number, roomBytes: number): number {
    if (roomBytes < roundedBytes) return roundedBytes;
    return roundedBytes >= this.#config.maxSplitBytes || roomBytes - roundedBytes <= SMALL_BYTES
      ? roomBytes
      : roundedBytes;
  }

  /** A block is in use from the start on. `found` hears of its bytes when a block is cut from what is behind it. */
  place(address: number, requestedBytes: number, found: ((bytes: number) => void) | null): void {
    const roundedBytes = this.rounded(requestedBytes);
    const room = this.#roomFor(address, roundedBytes);
    if (room === null) return;
    const at = firstNotBelow(room.used, address);
    if (room.used[at] !== address) room.used.splice(at, 0, address);
    if (found !== null) this.#open.set(address, { roundedBytes, found });
  }

  /** Bytes of a block from before the record, by what is around it at the start. All of them must be placed. */
  atStart(address: number, requestedBytes: number): number {
    const roundedBytes = this.rounded(requestedBytes);
    const room = this.#roomFor(address, roundedBytes);
    if (room === null) return roundedBytes;
    const next = room.used[firstNotBelow(room.used, address + 1)] ?? room.end;
    return this.#chargedBytes(roundedBytes, next - address);
  }

  /** A block is handed out; its bytes. */
  alloc(address: number, requestedBytes: number): number {
    const roundedBytes = this.rounded(requestedBytes);
    const room = this.#roomFor(address, roundedBytes);
    if (room === null) return roundedBytes;
    const { used } = room;
    const at = firstNotBelow(used, address);
    const before = used[at - 1];
    const open = before === undefined ? undefined : this.#open.get(before);
    if (open !== undefined) {
      const cutBytes = address - before!;
      if (cutBytes >= open.roundedBytes && cutBytes - open.roundedBytes <= SMALL_BYTES) open.found(cutBytes);
      this.#open.delete(before!);
    }
    const isThere = used[at] === address;
    const next = used[isThere ? at + 1 : at] ?? room.end;
    if (!isThere) used.splice(at, 0, address);
    return this.#chargedBytes(roundedBytes, next - address);
  }

  /** A block is no longer in use. */
  release(address: number, requestedBytes: number): void {
    const room = this.rounded(requestedBytes) <= SMALL_BYTES ? null : this.#room(address);
    if (room === null) return;
    this.#open.delete(address);
    const at = firstNotBelow(room.used, address);
    if (room.used[at] === address) room.used.splice(at, 1);
  }
}
