/** A recorded history run again: its requests go through our allocator, and every address is compared with the recorded one. */

import type { Block } from "./block.ts";
import { CachingAllocator } from "./caching-allocator.ts";
import { parseAllocConf, type AllocatorConfig } from "./config.ts";
import { RecordedMemory } from "./driver.ts";
import { historyStart } from "./history-start.ts";
import { TRACE_ACTIONS, type RecordedHistory } from "./recorded.ts";

export interface ReplayOptions {
  readonly config?: AllocatorConfig;
  readonly torch?: string;
}

export interface ReplayMismatch {
  /** Index of the entry in the record. */
  readonly entry: number;
  readonly requestedBytes: number;
  readonly recordedAddress: number;
  readonly ourAddress: number;
}

export interface ReplayResult {
  /** Entries `alloc` in the record. */
  readonly allocs: number;
  /** Those that got the recorded address. */
  readonly matching: number;
  readonly firstMismatch: ReplayMismatch | null;
  /** Frees of blocks that the replay does not know. */
  readonly unknownFrees: number;
  readonly startAllocatedBytes: number;
  readonly startReservedBytes: number;
  readonly peakAllocatedBytes: number;
  /** The allocator as the record left it. */
  readonly allocator: CachingAllocator;
}

/** The device's size is not recorded; a replay must never run out. */
const ENDLESS_BYTES = 2 ** 50;

export function replayHistory(history: RecordedHistory, options: ReplayOptions = {}): ReplayResult {
  const config = options.config ?? parseAllocConf("", options.torch);
  const { action, address, bytes, stream } = history.actions;
  const start = historyStart(history, config);
  const driver = new RecordedMemory();
  for (let i = 0; i < action.length; i++) if (TRACE_ACTIONS[action[i]] === "segment_alloc") driver.expect(address[i]);
  const allocator = new CachingAllocator({ totalBytes: ENDLESS_BYTES, config, torch: options.torch, driver });
  const live: Map<number, Block> = allocator.restore(start);
  const startAllocatedBytes = allocator.memoryAllocated();
  const startReservedBytes = allocator.memoryReserved();
  let allocs = 0;
  let matching = 0;
  let unknownFrees = 0;
  let firstMismatch: ReplayMismatch | null = null;
  for (let i = 0; i < action.length; i++) {
    switch (TRACE_ACTIONS[action[i]]) {
      case "alloc": {
        allocs++;
        const block = allocator.malloc(bytes[i], stream[i]);
        if (block === null) break;
        if (block.address === address[i]) matching++;
        else
          firstMismatch ??= {
            entry: i,
            requestedBytes: bytes[i],
            recordedAddress: address[i],
            ourAddress: block.address,
          };
        live.set(address[i], block);
        break;
      }
      case "free_completed": {
        // The request alone does not make a block reusable; without events the completion follows at once.
        const block = live.get(address[i]);
        live.delete(address[i]);
        if (block === undefined) unknownFrees++;
        else allocator.free(block);
        break;
      }
      case "segment_free":
        // The first of a run: our allocator returns all free segments at once, as PyTorch did.
        if (TRACE_ACTIONS[action[i - 1] ?? -1] !== "segment_free") allocator.emptyCache();
        break;
    }
  }
  return {
    allocs,
    matching,
    firstMismatch,
    unknownFrees,
    startAllocatedBytes,
    startReservedBytes,
    peakAllocatedBytes: allocator.maxMemoryAllocated(),
    allocator,
  };
}
