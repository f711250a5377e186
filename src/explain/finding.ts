/** A finding: one thing worth telling about a run, as data that is worded later. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";
import type { BlockRecord, Category, Trace } from "../trace/model.ts";

export const FINDING_CODES = [
  "oom_request",
  "reserved_ahead",
  "reserved_ahead_expandable",
  "unsplit_reused",
  "unsplit_fresh",
  "coarse_rounding",
  "unsplit_total",
  "workspace_first",
  "workspace_backward",
  "workspace_more",
  "change_parts",
  "peak_scratch",
  "peak_scratch_share",
  "float32_logits",
  "float32_norm",
  "attention_scores",
  "full_mask",
  "autocast_weights",
  "kept_gradients",
  "graph_kept_by_loss",
  "evaluation_without_no_grad",
  "held_by_global",
  "held_by_exception",
  "held_by_cycle",
  "foreach_copies",
  "dropout_masks",
  "grows_by_cat",
  "grows_each_pass",
  "ddp_buckets",
  "ddp_states",
  "fsdp_gathered",
  "activations_of_rank",
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/** One summand of a total: blocks of a category, or, when `note` is given, blocks with this note. */
export interface Summand {
  readonly category: Category;
  readonly note: string | null;
  /** Negative: given back. */
  readonly bytes: number;
}

export interface Finding {
  readonly code: FindingCode;
  /** Arguments whose names end in `Bytes` are byte counts. */
  readonly args: DiagnosticArgs;
  /** What adds up to the total that the finding is about. */
  readonly parts: readonly Summand[];
  /** Index into the trace's frames, or -1. */
  readonly frame: number;
  /** Index of the event that the finding is about. */
  readonly event: number;
  /** Indexes of the blocks that it is about, where they are not those of the event. */
  readonly blocks?: readonly number[];
}

/** Finds one kind of thing; `finished`: the program came to its end. */
export type Finder = (trace: Trace, finished: boolean) => Finding[];

/** `file:line` of a frame, or an empty text. */
export function placeOf(trace: Trace, frame: number): string {
  const entry = trace.frames[frame];
  return entry === undefined ? "" : `${entry.file}:${entry.line}`;
}

export function opName(trace: Trace, op: number): string {
  return trace.ops[op] ?? "";
}

/** Sums blocks by category and note; `sign` is -1 for what was given back. */
export function partsOf(
  groups: readonly { readonly blocks: readonly BlockRecord[]; readonly sign: 1 | -1 }[],
): Summand[] {
  const parts = new Map<string, { category: Category; note: string | null; bytes: number }>();
  for (const { blocks, sign } of groups) {
    for (const block of blocks) {
      // What follows the colon tells threads apart; in a sum they belong together.
      const note = block.note?.split(":")[0] ?? null;
      const key = `${block.category} ${note ?? ""}`;
      const part = parts.get(key) ?? { category: block.category, note, bytes: 0 };
      part.bytes += sign * block.bytes;
      parts.set(key, part);
    }
  }
  return [...parts.values()].filter((part) => part.bytes !== 0).sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes));
}
