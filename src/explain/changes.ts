/** Changes that may lower a program's peak: what each puts in place before the program runs again, the least intrusive first. */

import { knowsAllocOption } from "../alloc/index.ts";
import type { ProgramChange } from "../python/run-types.ts";
import { PHASE } from "../trace/codes.ts";
import type { Phase, Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { buildsBuckets, gathersParameters } from "./left-whole.ts";
import { outOfMemory } from "./out-of-memory.ts";
import { scalarSums } from "./unused-graph.ts";

/** What one change does to a run. */
export interface ChangedRun {
  readonly changes: readonly ProgramChange[];
  /** Variables of the program's environment; they replace those of the same name. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ChangeRow {
  readonly id: ChangeId;
  /** Null when the change has nothing to take hold of in this program. */
  readonly of: (subject: ChangeSubject) => ChangedRun | null;
}

export interface ChangeSubject {
  readonly trace: Trace;
  readonly findings: readonly Finding[];
  readonly env: Readonly<Record<string, string>>;
}

export const CHANGE_IDS = [
  "expandable_segments",
  "set_to_none",
  "no_grad",
  "detach_loss",
  "bucket_view",
  "reshard",
  "shard_blocks",
  "zero_optimizer",
  "fused",
  "foreach_off",
  "chunked_loss",
  "autocast",
  "adam_8bit",
  "checkpoint_blocks",
  "bfloat16",
  "half_batch",
] as const;
export type ChangeId = (typeof CHANGE_IDS)[number];

/** Changes that no run can put in place: they need other code, so they are named and not tried. */
export const UNTRIED_CHANGES = [{ id: "sdpa", finding: "attention_scores" }] as const;
export type UntriedId = (typeof UNTRIED_CHANGES)[number]["id"];

/** Tried together where nothing alone is enough, in this order. */
export const COMBINED_CHANGES: readonly (readonly ChangeId[])[] = [
  ["autocast", "checkpoint_blocks"],
  ["autocast", "checkpoint_blocks", "adam_8bit"],
  ["autocast", "checkpoint_blocks", "adam_8bit", "half_batch"],
];

const EXPANDABLE = "expandable_segments:True";
const CONF = ["PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"] as const;

/** The option, beside whatever else the program's environment sets. */
function expandable({ env, trace }: ChangeSubject): ChangedRun | null {
  const name = CONF.find((candidate) => env[candidate] !== undefined) ?? "PYTORCH_CUDA_ALLOC_CONF";
  const set = env[name] ?? "";
  if (set.includes("expandable_segments") || !knowsAllocOption("expandable_segments", trace.torch)) return null;
  return { changes: [], env: { [name]: set === "" ? EXPANDABLE : `${set},${EXPANDABLE}` } };
}

/**
 * At the lines of the script where sums of losses keep graphs. When memory ran out, a backward may still have come: then every
 * scalar sum is a candidate, and the run shows whether it was one.
 */
function detachLoss({ trace, findings }: ChangeSubject): ChangedRun | null {
  const failed = outOfMemory(trace);
  const frames =
    failed === null
      ? findings.filter(({ code }) => code === "graph_kept_by_loss").map(({ frame }) => frame)
      : scalarSums(trace, failed.event).map((index) => trace.blocks[index]!.frame);
  const lines = frames.flatMap((frame) => {
    const place = trace.frames[frame];
    return place !== undefined && place.file === trace.program ? [place.line] : [];
  });
  return lines.length === 0 ? null : { changes: [{ name: "detach_loss", lines: [...new Set(lines)] }], env: {} };
}

const OTHERS: Partial<Record<ChangeId, ChangeRow["of"]>> = {
  expandable_segments: expandable,
  detach_loss: detachLoss,
};

export const CHANGE_ROWS: readonly ChangeRow[] = CHANGE_IDS.map((id) => ({
  id,
  of: OTHERS[id] ?? (() => ({ changes: [{ name: id as ProgramChange["name"] }], env: {} })),
}));

const reached =
  (phase: Phase) =>
  ({ events }: Trace): boolean =>
    events.phase.includes(PHASE[phase]);
const callsModules = ({ modules }: Trace): boolean => modules.length > 0;

/** What a run must have reached for a change to make any difference to it; the others may always make one. */
const TAKES_HOLD: Partial<Record<ChangeId, (trace: Trace) => boolean>> = {
  set_to_none: reached("backward"),
  no_grad: callsModules,
  bucket_view: buildsBuckets,
  reshard: gathersParameters,
  shard_blocks: gathersParameters,
  zero_optimizer: buildsBuckets,
  fused: reached("optimizer"),
  foreach_off: reached("optimizer"),
  autocast: callsModules,
  adam_8bit: reached("optimizer"),
  checkpoint_blocks: callsModules,
};

/** Whether a run that went as far as this one can differ with the change. */
export const takesHold = (id: ChangeId, trace: Trace): boolean => TAKES_HOLD[id]?.(trace) ?? true;

/** Several changes as one; null when one of them has nothing to take hold of. */
export function changedRun(ids: readonly ChangeId[], subject: ChangeSubject): ChangedRun | null {
  const runs = ids.map((id) => CHANGE_ROWS.find((row) => row.id === id)!.of(subject));
  if (runs.includes(null)) return null;
  return {
    changes: runs.flatMap((run) => run!.changes),
    env: Object.assign({}, ...runs.map((run) => run!.env)) as Record<string, string>,
  };
}
