/**
 * Workspaces of matrix libraries that are taken once and kept: the bytes "of unknown source" that a program sees after its
 * first product, and again after its first backward, whose thread has a handle of its own.
 */

import { KIND } from "../trace/codes.ts";
import type { BlockRecord, EventColumns, Trace } from "../trace/model.ts";
import { allocatedBefore } from "../trace/queries.ts";
import { visitAround } from "../trace/lines.ts";
import { opName, partsOf, placeOf, type Finding, type FindingCode } from "./finding.ts";

/** A run that makes threads without end must not fill the report. */
const LISTED = 8;
/** Callers of the line for which the sum is shown too. */
const LISTED_LINES = 3;
/** A change so many times larger than the workspace needs no workspace to be explained. */
const LARGEST_RATIO = 16;

const ALLOC = KIND.alloc;
/** Made once for a trace: the events are many. */
const nextOf = new WeakMap<EventColumns, Int32Array>();

/** For each allocation the next one of another operator or line, or the number of events. */
function nextOthers(events: EventColumns): Int32Array {
  const known = nextOf.get(events);
  if (known !== undefined) return known;
  const { kind, op, frame } = events;
  const found = new Int32Array(kind.length).fill(kind.length);
  let later = -1;
  for (let event = kind.length - 1; event >= 0; event--) {
    if (kind[event] !== ALLOC) continue;
    if (later !== -1) found[event] = op[later] === op[event] && frame[later] === frame[event] ? found[later]! : later;
    later = event;
  }
  nextOf.set(events, found);
  return found;
}

/** Kept: it lives when another operator allocates. Who frees is not asked, because recordings do not say it. */
function isKept(trace: Trace, block: BlockRecord): boolean {
  if (block.category !== "workspace" || block.allocEvent === -1) return false;
  return block.freeEvent === -1 || block.freeEvent > nextOthers(trace.events)[block.allocEvent]!;
}

export function keptWorkspaces(trace: Trace): Finding[] {
  const findings: Finding[] = [];
  const reported = new Map<string, number>();
  let earlier = 0;
  let earlierBackward = 0;
  for (const block of trace.blocks) {
    if (!isKept(trace, block)) continue;
    const backward = block.phase === "backward";
    let code: FindingCode = "workspace_more";
    if (backward && earlierBackward++ === 0) code = "workspace_backward";
    else if (!backward && earlier++ === 0) code = "workspace_first";
    const where = placeOf(trace, block.frame);
    const op = opName(trace, block.op);
    const note = block.note ?? "";
    const key = `${code} ${where} ${op} ${note}`;
    const before = reported.get(key);
    if (before !== undefined) {
      findings[before] = oneMore(findings[before]!, block.bytes);
      continue;
    }
    if (reported.size >= LISTED) continue;
    reported.set(key, findings.length);
    findings.push({
      code,
      args: { where, op, note, blockBytes: block.bytes, totalBytes: block.bytes, count: 1 },
      parts: [],
      frame: block.frame,
      event: block.allocEvent,
    });
    const known = new Set(findings.filter(({ code: other }) => other === "change_parts").map(changeKey));
    findings.push(...changesWith(trace, block).filter((change) => !known.has(changeKey(change))));
  }
  return findings;
}

/** The same line may have changed the same again: that is reported once. */
const changeKey = ({ args }: Finding): string => `${args["where"]} ${args["changeBytes"]}`;

const oneMore = (finding: Finding, bytes: number): Finding => ({
  ...finding,
  args: {
    ...finding.args,
    count: Number(finding.args["count"]) + 1,
    totalBytes: Number(finding.args["totalBytes"]) + bytes,
  },
});

/** What the line that took the workspace, and its callers, changed in all, and what that consists of. */
function changesWith(trace: Trace, workspace: BlockRecord): Finding[] {
  const findings: Finding[] = [];
  let shownBytes = Number.NaN;
  for (let frame = workspace.frame; frame >= 0 && findings.length < LISTED_LINES; frame = trace.frames[frame]!.parent) {
    const { first, last } = visitAround(trace, frame, workspace.allocEvent);
    const changeBytes = trace.events.allocatedBytes[last]! - allocatedBefore(trace, first);
    if (changeBytes === shownBytes || changeBytes === workspace.bytes) continue;
    if (Math.abs(changeBytes) > LARGEST_RATIO * workspace.bytes) break;
    shownBytes = changeBytes;
    const within = (event: number) => event >= first && event <= last;
    const stayed = (block: BlockRecord) => block.freeEvent === -1 || block.freeEvent > last;
    const parts = partsOf([
      { blocks: trace.blocks.filter((block) => within(block.allocEvent) && stayed(block)), sign: 1 },
      { blocks: trace.blocks.filter((block) => block.allocEvent < first && within(block.freeEvent)), sign: -1 },
    ]);
    findings.push({
      code: "change_parts",
      args: { where: placeOf(trace, frame), changeBytes },
      parts,
      frame,
      event: last,
    });
  }
  return findings;
}
