/** Sizes that every release of the caching allocator shares (c10/core/AllocatorConfig.h, before 2.9 CUDACachingAllocator.cpp). */

import { MIB } from "../base/bytes.ts";

/** Every request is rounded up to a multiple of this (kMinBlockSize). */
export const MIN_BLOCK_BYTES = 512;
/** Largest rounded request of the small pool; also the largest remainder the large pool leaves unsplit (kSmallSize). */
export const SMALL_BYTES = MIB;
/** Segment of the small pool, and page of a small expandable segment (kSmallBuffer). */
export const SMALL_SEGMENT_BYTES = 2 * MIB;
/** Segment for requests between 1 and 10 MiB unless configured (kLargeBuffer). */
export const LARGE_SEGMENT_BYTES = 20 * MIB;
/** From here on a request gets a segment of its own size (kMinLargeAlloc). */
export const MIN_LARGE_BYTES = 10 * MIB;
/** Granularity of such segments (kRoundLarge). */
export const ROUND_LARGE_BYTES = 2 * MIB;
/** Requests from one exbibyte on are refused before any search. */
export const TOO_LARGE_BYTES = 2 ** 60;
/** Slots of `roundup_power2_divisions`: 1 MiB, 2 MiB, … 32,768 MiB. */
export const DIVISION_SLOTS = 16;
