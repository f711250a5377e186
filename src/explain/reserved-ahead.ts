/**
 * Reserved memory that runs ahead of allocated: a request took a new segment although more than its size was free, because
 * no free block was large enough. A cache that grows does this at every step.
 */

import { knowsAllocOption } from "../alloc/index.ts";
import { KIND } from "../trace/codes.ts";
import type { Trace } from "../trace/model.ts";
import { allocatedBefore } from "../trace/queries.ts";
import { opName, placeOf, type Finding } from "./finding.ts";

const SEGMENT_ALLOC = KIND.segment_alloc;
const ALLOC = KIND.alloc;
/** Segments of the small pool (kSmallBuffer of c10/cuda/CUDACachingAllocator.cpp), which large free blocks never serve. */
const SMALL_SEGMENT_BYTES = 2 * 1024 * 1024;
/** Less than this share of what is reserved is not worth a sentence. */
const NOTABLE_SHARE = 0.1;
export function reservedAhead(trace: Trace): Finding[] {
  const { kind, bytes, reservedBytes, frame, op } = trace.events;
  let worst = -1;
  let worstFreeBytes = 0;
  let totalBytes = 0;
  let count = 0;
  let peakReservedBytes = 0;
  for (let event = 0; event < kind.length; event++) {
    peakReservedBytes = Math.max(peakReservedBytes, reservedBytes[event]!);
    if (kind[event] !== SEGMENT_ALLOC || kind[event + 1] !== ALLOC || bytes[event]! <= SMALL_SEGMENT_BYTES) continue;
    const freeBytes = reservedBytes[event]! - bytes[event]! - allocatedBefore(trace, event);
    if (freeBytes < bytes[event]!) continue;
    count += 1;
    totalBytes += bytes[event]!;
    if (freeBytes > worstFreeBytes) {
      worst = event;
      worstFreeBytes = freeBytes;
    }
  }
  if (worst === -1 || totalBytes < peakReservedBytes * NOTABLE_SHARE) return [];
  return [
    {
      code: knowsAllocOption("expandable_segments", trace.torch) ? "reserved_ahead_expandable" : "reserved_ahead",
      args: {
        where: placeOf(trace, frame[worst]!),
        op: opName(trace, op[worst]!),
        requestedBytes: trace.blocks[trace.events.block[worst + 1]!]!.requestedBytes,
        freeBytes: worstFreeBytes,
        reservedBytes: reservedBytes[worst]! - bytes[worst]!,
        totalBytes,
        count,
      },
      parts: [],
      frame: frame[worst]!,
      event: worst,
    },
  ];
}
