/** What a recorder of a trace is told: blocks, segments, and the trace as a whole. */

import type { Category, Phase } from "./model.ts";

/** What is known of a block when it is handed out; see {@link BlockRecord} for the fields. */
/** Where a program was when something happened: indices of the trace's tables, -1 for none. */
export interface Origin {
  readonly frame: number;
  readonly op: number;
  readonly module: number;
  readonly phase: Phase;
}

export interface NewBlock extends Origin {
  readonly address: number;
  readonly bytes: number;
  readonly requestedBytes: number;
  readonly stream: number;
  readonly category: Category;
  readonly dtype: string | null;
  readonly shape: readonly number[] | null;
  readonly note: string | null;
}

export type SegmentKind = "segment_alloc" | "segment_free" | "segment_map" | "segment_unmap";

/** What a trace says about itself as a whole. */
export interface TraceMeta {
  readonly source: string;
  readonly program: string;
  readonly gpu: string;
  readonly capacityBytes: number;
  readonly torch: string;
}
