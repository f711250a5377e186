/**
 * Free blocks of one stream in one pool, ordered by size, then address: the order in which best fit searches.
 * A list of short sorted arrays, so that a search is two binary searches and a change moves few entries.
 */

import { invariant } from "../base/invariant.ts";
import type { BlockNode } from "./block.ts";

const LONGEST_CHUNK = 32;

export class FreeList {
  private readonly chunks: BlockNode[][] = [];
  /** Place of the last {@link seek}. */
  private chunk = 0;
  private index = 0;

  get isEmpty(): boolean {
    return this.chunks.length === 0;
  }

  /** Moves to the first block of at least `bytes` and, among those of exactly `bytes`, `address`; null at the end. */
  seek(bytes: number, address: number): BlockNode | null {
    const { chunks } = this;
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = chunks[middle];
      const last = chunk[chunk.length - 1];
      if (last.bytes < bytes || (last.bytes === bytes && last.address < address)) low = middle + 1;
      else high = middle;
    }
    this.chunk = low;
    this.index = 0;
    if (low === chunks.length) return null;
    const chunk = chunks[low];
    let from = 0;
    let to = chunk.length - 1;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const node = chunk[middle];
      if (node.bytes < bytes || (node.bytes === bytes && node.address < address)) from = middle + 1;
      else to = middle;
    }
    this.index = from;
    return chunk[from];
  }

  /** The block after the last place sought; null at the end. */
  advance(): BlockNode | null {
    if (this.chunk >= this.chunks.length) return null;
    if (++this.index >= this.chunks[this.chunk].length) {
      this.chunk++;
      this.index = 0;
    }
    return this.chunk < this.chunks.length ? this.chunks[this.chunk][this.index] : null;
  }

  insert(node: BlockNode): void {
    const { chunks } = this;
    const found = this.seek(node.bytes, node.address);
    if (found === null) {
      if (chunks.length === 0) {
        chunks.push([node]);
        return;
      }
      // Larger than every other: append to the last chunk.
      this.chunk = chunks.length - 1;
      this.index = chunks[this.chunk].length;
    }
    const chunk = chunks[this.chunk];
    const at = this.index;
    chunk.push(node);
    for (let i = chunk.length - 1; i > at; i--) chunk[i] = chunk[i - 1];
    chunk[at] = node;
    if (chunk.length > LONGEST_CHUNK) chunks.splice(this.chunk + 1, 0, chunk.splice(LONGEST_CHUNK >>> 1));
  }

  remove(node: BlockNode): void {
    const found = this.seek(node.bytes, node.address);
    invariant(found === node, "a free block must be in its free list");
    this.removeCurrent();
  }

  /** Removes the block at the last place sought. */
  removeCurrent(): void {
    const chunk = this.chunks[this.chunk];
    const last = chunk.length - 1;
    for (let i = this.index; i < last; i++) chunk[i] = chunk[i + 1];
    chunk.pop();
    if (last === 0) this.chunks.splice(this.chunk, 1);
  }

  largest(): BlockNode | null {
    const chunk = this.chunks[this.chunks.length - 1];
    return chunk === undefined ? null : chunk[chunk.length - 1];
  }

  /** A copy in order: callers change the list while they walk it. */
  toArray(): BlockNode[] {
    return this.chunks.flat();
  }
}
