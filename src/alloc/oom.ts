/** The out-of-memory error, with the words of each PyTorch release. */

import { fixed2, GIB, KIB, MIB } from "../base/bytes.ts";
import type { AllocatorRules } from "../torch/allocator-rules.ts";

/** The numbers that the text mentions, all in bytes except the device. */
export interface OomFacts {
  readonly device: number;
  /** What the caller asked for. */
  readonly requestedBytes: number;
  /** What the driver was asked for: the text says this, not the request. */
  readonly segmentBytes: number;
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  /** Limit by `set_per_process_memory_fraction`, or null. */
  readonly allowedBytes: number | null;
  /** Free blocks of private pools. */
  readonly privatePoolBytes: number;
  /** Device memory of this process as the driver counts it (context included), or null to leave the sentence out. */
  readonly processBytes: number | null;
}

/** Bytes as the allocator's format_size prints them; not the same rule as elsewhere in PyTorch. */
export function formatSize(bytes: number): string {
  if (bytes <= KIB) return `${bytes} bytes`;
  if (bytes <= MIB) return `${fixed2(bytes / KIB)} KiB`;
  if (bytes <= GIB) return `${fixed2(bytes / MIB)} MiB`;
  return `${fixed2(bytes / GIB)} GiB`;
}

/** The text of the exception. */
export function oomText(facts: OomFacts, rules: AllocatorRules): string {
  const { device, allocatedBytes, reservedBytes, privatePoolBytes } = facts;
  const tried = `CUDA out of memory. Tried to allocate ${formatSize(facts.segmentBytes)}`;
  const allowed = facts.allowedBytes === null ? "" : `${formatSize(facts.allowedBytes)} allowed; `;
  if (rules.oomForm === "capacity-in-parentheses") {
    return (
      `${tried} (GPU ${device}; ${formatSize(facts.totalBytes)} total capacity; ${formatSize(allocatedBytes)} already allocated; ` +
      `${formatSize(facts.freeBytes)} free; ${allowed}${formatSize(reservedBytes)} reserved in total by PyTorch) ` +
      `If reserved memory is >> allocated memory ${rules.oomHint}`
    );
  }
  const inPrivatePools =
    privatePoolBytes > 0 ? `with ${formatSize(privatePoolBytes)} allocated in private pools (e.g., CUDA Graphs), ` : "";
  const process =
    facts.processBytes === null
      ? ""
      : `Including non-PyTorch memory, this process has ${formatSize(facts.processBytes)} memory in use. `;
  return (
    `${tried}. GPU ${device} has a total ${rules.oomCapacityWord} of ${formatSize(facts.totalBytes)} of which ` +
    `${formatSize(facts.freeBytes)} is free. ${process}${allowed}` +
    `Of the allocated memory ${formatSize(allocatedBytes + privatePoolBytes)} is allocated by PyTorch, ${inPrivatePools}` +
    `and ${formatSize(reservedBytes - allocatedBytes - privatePoolBytes)} is reserved by PyTorch but unallocated. ` +
    `If reserved but unallocated memory is large ${rules.oomHint}`
  );
}

/** Text for a request of one exbibyte or more. */
export const TOO_LARGE_TEXT = "CUDA out of memory. Tried to allocate more than 1EB memory.";
/** First line of what a failed cudaMalloc says when the caching allocator is switched off. */
export const UNCACHED_TEXT = "CUDA error: out of memory";

/** Thrown by `malloc`; `message` is PyTorch's text, the numbers are beside it. */
export class OutOfMemoryError extends Error implements OomFacts {
  override readonly name = "OutOfMemoryError";
  /** Python's name of the exception in this release, for example `torch.OutOfMemoryError`. */
  readonly exceptionName: string;
  readonly device: number;
  readonly requestedBytes: number;
  readonly segmentBytes: number;
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  readonly allowedBytes: number | null;
  readonly privatePoolBytes: number;
  readonly processBytes: number | null;

  constructor(message: string, exceptionName: string, facts: OomFacts) {
    super(message);
    this.exceptionName = exceptionName;
    this.device = facts.device;
    this.requestedBytes = facts.requestedBytes;
    this.segmentBytes = facts.segmentBytes;
    this.totalBytes = facts.totalBytes;
    this.freeBytes = facts.freeBytes;
    this.allocatedBytes = facts.allocatedBytes;
    this.reservedBytes = facts.reservedBytes;
    this.allowedBytes = facts.allowedBytes;
    this.privatePoolBytes = facts.privatePoolBytes;
    this.processBytes = facts.processBytes;
  }
}
