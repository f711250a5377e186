/** Why two figures differ, as data: each cause with its bytes, which add up to the difference, and what it consists of. */

/** In the order in which they are listed. Signs are those of recorded minus predicted. */
export const CAUSES = [
  "only_recorded", // blocks that the prediction does not have
  "only_predicted",
  "lifetime", // both have the block, but it is alive on one side only
  "other_moment", // the peaks lie at different moments
  "rounding", // the same request, rounded otherwise
  "remainder", // the same request with another unsplit remainder
  "workspace", // kept by a library
  "version", // workspaces that differ between the two PyTorch versions
  "kernel_temporary", // scratch memory within one operation
  "segments", // taken from the driver within the stretch
  "earlier_segments", // taken before the recording began
  "before_recording", // allocated before the recording began, and listed nowhere
  "reserved", // of a process figure: what the allocator reserved differs by as much
  "other_parts", // of a cache that gets what is left: what the other parts take more, or less
  "context", // CUDA context and loaded kernels
  "outside_allocator", // more than the context: NCCL, graphs, other libraries
  "other_processes",
  "interval", // the prediction is an interval, and the record lies in it
  "sampling", // samples, between which a peak may lie
  "precision", // the last digit that a tool prints
  "unexplained",
] as const;
export type CauseCode = (typeof CAUSES)[number];

/** Where a block was made. */
export interface CodeLocation {
  readonly file: string;
  readonly line: number;
  readonly function: string;
}

/** Blocks or segments that are alike in everything that is listed. */
export interface CauseItem {
  readonly side: "predicted" | "recorded" | "both";
  /** Recorded minus predicted, all of them together. */
  readonly bytes: number;
  readonly count: number;
  /** Of one of them, as asked for; of a segment, its size. */
  readonly requestedBytes: number;
  readonly place: CodeLocation | null;
  readonly op: string | null;
  readonly module: string | null;
  readonly category: string | null;
  readonly note: string | null;
  /** Of the first of them, or null. */
  readonly address: number | null;
  /** For a segment: bytes of the blocks in it at that moment, or null. */
  readonly heldBytes: number | null;
  /** For a segment: the request that it was taken for, and what was free then, in how many pieces. */
  readonly request: SegmentRequest | null;
}

export interface SegmentRequest {
  readonly requestedBytes: number;
  readonly freeBytes: number;
  readonly pieces: number;
  readonly largestFreeBytes: number;
}

export interface Cause {
  readonly code: CauseCode;
  readonly bytes: number;
  /** Largest first. */
  readonly items: readonly CauseItem[];
}

/** Collects items and merges those that are alike. */
export class CauseTable {
  readonly #items = new Map<CauseCode, Map<string, CauseItem>>();

  add(code: CauseCode, item: CauseItem): void {
    let items = this.#items.get(code);
    if (items === undefined) this.#items.set(code, (items = new Map()));
    const { side, requestedBytes, place, op, module, category, note, heldBytes, request } = item;
    const key = JSON.stringify([side, requestedBytes, place, op, module, category, note, heldBytes, request]);
    const known = items.get(key);
    items.set(key, known === undefined ? item : { ...known, bytes: known.bytes + item.bytes, count: known.count + 1 });
  }

  /** A cause without blocks. */
  addBytes(code: CauseCode, bytes: number): void {
    if (bytes === 0) return;
    this.add(code, { ...NO_BLOCK, bytes, side: bytes > 0 ? "recorded" : "predicted" });
  }

  list(): Cause[] {
    return CAUSES.flatMap((code) => {
      const items = this.#items.get(code);
      if (items === undefined) return [];
      const list = [...items.values()].sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes));
      return [{ code, bytes: list.reduce((sum, item) => sum + item.bytes, 0), items: list }];
    });
  }
}

export const NO_BLOCK: CauseItem = {
  side: "both",
  bytes: 0,
  count: 1,
  requestedBytes: 0,
  place: null,
  op: null,
  module: null,
  category: null,
  note: null,
  address: null,
  heldBytes: null,
  request: null,
};
