/** What an out-of-memory text implies: what was missing, whether memory lay in pieces, who else was there, and what would change it. */

import { MIB } from "../../base/bytes.ts";
import type { OomPart, OomText } from "./oom-words.ts";
import type { ReadingsBuilder } from "./readings-builder.ts";

/** A request that fails at this size or below only met a full device; it is not what filled it. */
const SMALL_REQUEST_BYTES = 64 * MIB;
/** From this share of what is reserved on, unallocated memory is worth a word. */
const MUCH = 0.1;
/** The driver keeps a little for itself: what it has free is not all to be had. */
const DRIVER_KEEPS_BYTES = 64 * MIB;

/** Adds remarks about one text. */
export function explainOom(text: OomText, out: ReadingsBuilder): void {
  const bytes = (part: OomPart): number | null => text.sizes.get(part)?.bytes ?? null;
  const tried = bytes("tried");
  const allocated = bytes("allocated");
  const free = bytes("free");
  const cached = bytes("unallocated") ?? bytes("cached");
  const reserved = bytes("reserved") ?? (allocated === null || cached === null ? null : allocated + cached);
  const unallocated = cached ?? (reserved === null || allocated === null ? null : Math.max(0, reserved - allocated));
  const total = bytes("total");
  const allowed = bytes("allowed");
  if (tried !== null && free !== null && tried > free) out.assume("oom_says_missing", { missingBytes: tried - free });
  if (tried !== null && free !== null && tried + DRIVER_KEEPS_BYTES <= free && allowed === null) {
    out.assume("oom_says_enough_free", { freeBytes: free });
  }
  if (tried !== null && total !== null && tried > total)
    out.assume("oom_says_never", { triedBytes: tried, totalBytes: total });
  else if (tried !== null && tried <= SMALL_REQUEST_BYTES) out.assume("oom_says_small", { triedBytes: tried });
  if (allowed !== null && total !== null && allowed < total) out.assume("oom_says_limited", { allowedBytes: allowed });
  if (unallocated !== null && reserved !== null && reserved > 0) {
    if (tried !== null && unallocated >= tried) {
      out.assume("oom_says_fragmented", { unallocatedBytes: unallocated, triedBytes: tried });
    } else if (unallocated >= reserved * MUCH)
      out.assume("oom_says_some_unallocated", { unallocatedBytes: unallocated });
    else out.assume("oom_says_not_fragmented", { unallocatedBytes: unallocated });
  }
  explainOthers(text, reserved, out);
}

/** Who else holds memory of the device. */
function explainOthers(text: OomText, reserved: number | null, out: ReadingsBuilder): void {
  const own = text.sizes.get("thisProcess")?.bytes ?? null;
  const total = text.sizes.get("total")?.bytes ?? null;
  const free = text.sizes.get("free")?.bytes ?? null;
  const listed = text.processes.map(({ size }) => size.bytes);
  if (own !== null && reserved !== null && own > reserved)
    out.assume("oom_says_outside", { outsideBytes: own - reserved });
  // in a container the driver knows the own process by another number, so the one as large as what is reserved is probably it
  const self =
    own !== null || reserved === null
      ? -1
      : listed.findIndex((bytes) => bytes >= reserved && bytes < reserved * 1.5 + 2e9);
  const others = listed.filter((_, index) => index !== self);
  const otherBytes = others.reduce((sum, bytes) => sum + bytes, 0);
  if (others.length > 0) out.assume("oom_says_others", { count: others.length, otherBytes });
  else if (own === null && listed.length === 0 && total !== null && free !== null && reserved !== null) {
    const rest = total - free - reserved;
    if (rest > 0) out.assume("oom_says_rest", { restBytes: rest });
  }
}
