/** What there is to say about one block: a title and labelled lines, for tooltips and details. */

import { formatBytes } from "../../../src/base/bytes.ts";
import { deathOf } from "../../../src/trace/lifetime.ts";
import type { BlockRecord, Trace } from "../../../src/trace/model.ts";
import { grouped, type Translate } from "./words.ts";

export interface BlockFacts {
  readonly title: string;
  readonly rows: readonly (readonly [label: string, value: string])[];
}

/** `train.py:21`, or an empty text. */
export function placeOf(trace: Trace, frame: number): string {
  const at = trace.frames[frame];
  return at === undefined ? "" : `${at.file.slice(at.file.lastIndexOf("/") + 1)}:${at.line}`;
}

/** `float32 [64, 512]`, or what the block is for when no tensor is on it, or an empty text. */
export function tensorOf(block: BlockRecord, noteName: (note: string) => string): string {
  if (block.dtype !== null) return `${block.dtype} [${(block.shape ?? []).join(", ")}]`;
  return block.note === null ? "" : noteName(block.note);
}

export const plainNote = (note: string): string => note.replaceAll("_", " ");

function lived(block: BlockRecord, t: Translate): string {
  const args = { from: block.allocEvent, until: block.freeEvent };
  if (block.allocEvent === -1) return t(block.freeEvent === -1 ? "lived_always" : "lived_from_start", args);
  return t(block.freeEvent === -1 ? "lived_to_end" : "lived_between", args);
}

const MOST_NODES = 3;

/** Which graph nodes kept it. */
function keptFor(trace: Trace, savedRows: readonly number[], t: Translate): string {
  const { saved } = trace;
  const nodes = [
    ...new Set(savedRows.map((row) => `${saved.names[saved.node[row]!]} (${saved.names[saved.slot[row]!]})`)),
  ];
  const named = nodes.slice(0, MOST_NODES).join(", ");
  const more = nodes.length > MOST_NODES ? ` ${t("more", { count: nodes.length - MOST_NODES })}` : "";
  return t("kept_for", { nodes: named + more });
}

/** @param savedRows rows of the trace's saved tensors that mention the block */
export function blockFacts(
  trace: Trace,
  index: number,
  savedRows: readonly number[],
  t: Translate,
  noteName: (note: string) => string = plainNote,
): BlockFacts {
  const block = trace.blocks[index]!;
  const rows: [string, string][] = [];
  const add = (label: string, value: string): void => {
    if (value !== "") rows.push([label, value]);
  };
  const exact = t("tip_exact", { count: block.bytes });
  const asked = block.requestedBytes === block.bytes ? "" : ` · ${t("tip_requested", { count: block.requestedBytes })}`;
  add(t("tip_bytes"), exact + asked);
  const frame = trace.frames[block.frame];
  const where = placeOf(trace, block.frame);
  add(t("tip_line"), frame === undefined ? "" : t("tip_where", { where, name: frame.name }));
  add(t("tip_op"), trace.ops[block.op] ?? "");
  add(t("tip_module"), trace.modules[block.module] ?? "");
  add(t("tip_category"), t(`category_${block.category}`));
  add(t("tip_phase"), t(`phase_${block.phase}`));
  add(t("tip_lived"), lived(block, t));
  if (savedRows.length > 0) add(t("tip_kept"), keptFor(trace, savedRows, t));
  const death = deathOf(trace, index, savedRows);
  const args = { where: placeOf(trace, death.frame), node: death.node ?? "" };
  add(t("tip_gone"), t(`gone_${death.kind}`, args));
  const tensor = tensorOf(block, noteName);
  return {
    title: [`#${grouped(index)}`, formatBytes(block.bytes), tensor].filter((part) => part !== "").join(" · "),
    rows,
  };
}
