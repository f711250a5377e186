/** The request that no memory was left for. */

import { KIND } from "../trace/codes.ts";
import type { Trace } from "../trace/model.ts";
import { opName, placeOf, type Finding } from "./finding.ts";

export function failedRequests(trace: Trace): Finding[] {
  const { kind, bytes, allocatedBytes, reservedBytes, frame, op } = trace.events;
  // A program that tries again and again would say the same many times: the last failure is the one that counts.
  const event = kind.lastIndexOf(KIND.oom);
  if (event === -1) return [];
  return [
    {
      code: "oom_request",
      args: {
        where: placeOf(trace, frame[event]!),
        op: opName(trace, op[event]!),
        requestedBytes: bytes[event]!,
        allocatedBytes: allocatedBytes[event]!,
        reservedBytes: reservedBytes[event]!,
        capacityBytes: trace.capacityBytes,
      },
      parts: [],
      frame: frame[event]!,
      event,
    },
  ];
}
