/** What a report must say about a snapshot beside its figures: what was not recorded, what was assumed, what else is in the file. */

import type { Assumption, Trace } from "../trace/model.ts";
import type { Purposes } from "./snapshot-categories.ts";
import type { Repairs } from "./snapshot-repair.ts";
import type { Assigned } from "./snapshot-trace.ts";
import type { SnapshotParts, SnapshotSegment } from "./snapshot.ts";

interface Facts {
  readonly trace: Trace;
  readonly parts: SnapshotParts;
  readonly found: Repairs;
  readonly assigned: Assigned;
  readonly purposes: Purposes;
  readonly others: readonly number[];
  readonly segments: readonly SnapshotSegment[];
  readonly unknown: number;
}

function note(code: string, args: Assumption["args"] = {}): Assumption {
  return { code, args, frame: -1, count: 1 };
}

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((total, value) => total + value, 0);

/** Notes on the record itself, then on the device. */
export function snapshotNotes({
  parts,
  found,
  assigned,
  purposes,
  others,
  segments,
  unknown,
  trace,
}: Facts): Assumption[] {
  const notes: Assumption[] = [];
  const recorded = assigned.allocEvent.length > found.early.length;
  const { withoutStack, guessed } = purposes;
  const earlyBytes = sum(assigned.early.bytes);
  const cut = found.early.filter((block) => block.frameList >= 0).length;
  if (!recorded) notes.push(note("snapshot_no_history"));
  else if (earlyBytes > 0) notes.push(note("snapshot_before", { count: found.early.length, earlyBytes }));
  if (recorded && cut > 0) notes.push(note("snapshot_cut", { count: cut }));
  if (guessed.parameterBytes > 0) notes.push(note("snapshot_guessed", guessed));
  if (recorded && withoutStack.withStack === 0) notes.push(note("snapshot_no_stacks"));
  else {
    if (withoutStack.backward > 0) notes.push(note("snapshot_backward_thread", { count: withoutStack.backward }));
    if (withoutStack.elsewhere > 0) notes.push(note("snapshot_other_thread", { count: withoutStack.elsewhere }));
  }
  if (recorded && withoutStack.withStack > 0) notes.push(note("snapshot_categories"));
  if (found.gaps > 0) notes.push(note("snapshot_gaps", { count: found.gaps }));
  if (found.finals === null) notes.push(note("snapshot_no_segments"));
  if (assigned.otherwise > 0) notes.push(note("snapshot_charged_otherwise", { count: assigned.otherwise }));
  if (unknown > 0) notes.push(note("snapshot_unknown_actions", { count: unknown }));
  const pools = segments.filter(({ poolId }) => poolId[0] !== 0 || poolId[1] !== 0);
  if (pools.length > 0) {
    const poolBytes = sum(pools.map((segment) => segment.totalBytes));
    const usedBytes = sum(pools.map((segment) => segment.allocatedBytes));
    notes.push(note("snapshot_private_pools", { count: pools.length, poolBytes, usedBytes }));
  }
  const expandable = sum(segments.filter((segment) => segment.isExpandable).map((segment) => segment.totalBytes));
  if (expandable > 0) notes.push(note("snapshot_expandable", { mappedBytes: expandable }));
  const settings = parts.allocatorSettings["PYTORCH_CUDA_ALLOC_CONF"];
  if (typeof settings === "string" && settings !== "")
    notes.push(note("snapshot_settings", { settings: settings.slice(0, 200) }));
  if (others.length > 0) notes.push(note("snapshot_other_devices", { devices: others.slice(0, 16).join(", ") }));
  if (trace.failures.length > 0) notes.push(note("snapshot_failures", { count: trace.failures.length }));
  return notes;
}
