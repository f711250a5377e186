/** The digest of a run whose last steps were continued without Python. */

import { digestOf, type Digest } from "../trace/digest.ts";
import type { Continuation } from "./continue.ts";

/** `begun` describes the steps that ran; where the continued ones reach higher, what was alive then takes the place of its peak. */
export function continuedDigest(begun: Digest, more: Continuation): Digest {
  const reservedPeakBytes = Math.max(begun.reservedPeakBytes, more.reservedPeakBytes);
  if (more.allocatedPeakBytes <= begun.allocatedPeakBytes) return { ...begun, reservedPeakBytes };
  const peak = digestOf(more.atPeak);
  return {
    ...peak,
    reservedPeakBytes,
    allocatedEndBytes: begun.allocatedEndBytes,
    phases: begun.phases.map((entry) =>
      entry.phase === peak.peak.phase ? { ...entry, allocatedBytes: peak.allocatedPeakBytes } : entry,
    ),
    released: begun.released || more.outOfMemory,
  };
}
