/** The report as one JSON document: everything that the text says and more, with the program's output inside. */

import type { OutOfMemory } from "../explain/out-of-memory.ts";
import type { SavedTable } from "../explain/saved-table.ts";
import type { Locale } from "../i18n/index.ts";
import { plainBlock } from "../trace/block-columns.ts";
import type { Death } from "../trace/lifetime.ts";
import type { Trace } from "../trace/model.ts";
import type { ReportFacts } from "./facts.ts";
import { chainText } from "./holder-words.ts";
import { changeText, sortedTrials } from "./trials-text.ts";
import { verdictText } from "./text.ts";
import { cardLines } from "./verdict-words.ts";
import { assumptionText, findingText } from "./words.ts";

export const REPORT_SCHEMA_VERSION = 1;

/** What of a run is not in its trace. */
export interface JsonExtras {
  readonly exitStatus: number;
  readonly errorText: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly warnings: readonly string[];
}

function place(trace: Trace, frame: number): { file: string; line: number } | null {
  const entry = trace.frames[frame];
  return entry === undefined ? null : { file: entry.file, line: entry.line };
}

function blockJson(trace: Trace, index: number): Record<string, unknown> {
  const { frame, op, module, ...block } = plainBlock(trace.blocks[index]!);
  const named = { op: trace.ops[op] ?? null, module: trace.modules[module] ?? null };
  return { index, ...block, ...named, place: place(trace, frame) };
}

const deathJson = (trace: Trace, death: Death) => ({
  kind: death.kind,
  node: death.node,
  place: place(trace, death.frame),
});

/** The table of tensors saved for backward. */
export function savedJson(trace: Trace, saved: SavedTable | null): Record<string, unknown> | null {
  if (saved === null) return null;
  const rows = (list: SavedTable["kept"]) =>
    list.map(({ index, owners }) => ({
      ...blockJson(trace, index),
      owners: owners.map(({ frame, endFrame, ...owner }) => ({
        ...owner,
        place: place(trace, frame),
        endPlace: place(trace, endFrame),
      })),
    }));
  const made = (list: SavedTable["released"]) =>
    list.map(({ index, count, death }) => ({ ...blockJson(trace, index), count, death: deathJson(trace, death) }));
  return {
    event: saved.event,
    keptBytes: saved.keptBytes,
    kept: rows(saved.kept),
    thereBytes: saved.thereBytes,
    there: rows(saved.there),
    unsaved: made(saved.unsaved),
    released: made(saved.released),
  };
}

/** Blocks with what holds them; each holder as links and as words. */
export function heldJson(
  trace: Trace,
  held: NonNullable<ReportFacts["held"]>,
  locale: Locale,
): Record<string, unknown> {
  return {
    event: held.event,
    blocks: held.blocks.map(({ index, chains, death }) => ({
      ...blockJson(trace, index),
      holders: chains.map((links) => ({ text: chainText(locale, trace, links), links })),
      death: deathJson(trace, death),
    })),
  };
}

function oomJson(trace: Trace, oom: OutOfMemory | null): Record<string, unknown> | null {
  if (oom === null) return null;
  const { frame, ...rest } = oom;
  return { ...rest, place: place(trace, frame) };
}

/** A plain object; `JSON.stringify` makes the document. */
export function jsonReport(
  facts: ReportFacts,
  trace: Trace,
  extras: JsonExtras,
  locale: Locale,
): Record<string, unknown> {
  const { gpu } = facts;
  // what was lost is not zero
  const known = <T>(figure: T): T | null => (facts.traceLost ? null : figure);
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    program: facts.program,
    gpu: {
      id: gpu.id,
      name: gpu.name,
      computeCapability: gpu.computeCapability,
      totalBytes: gpu.totalBytes,
      totalEvidence: gpu.totalMark,
      contextBytes: { ...gpu.context },
    },
    torch: facts.torch,
    status: facts.status,
    verdict: facts.verdict,
    verdictText: verdictText(facts, locale),
    card: { ...facts.card, text: cardLines(facts.card, locale) },
    stoppedAt: facts.stoppedAt,
    traceLost: facts.traceLost,
    capacityBytes: facts.capacityBytes,
    allocated: known(facts.allocated),
    reserved: known(facts.reserved),
    asNvidiaSmiShows: known(facts.driver),
    outsideAllocator: known(facts.outside),
    headroomBytes: known(facts.headroomBytes),
    limitBytes: facts.limitBytes,
    overLimit: facts.overLimit,
    peak: facts.peak,
    categories: facts.categories,
    charged: facts.charged,
    phases: facts.phases,
    saved: savedJson(trace, facts.saved),
    outOfMemory: oomJson(trace, facts.outOfMemory),
    held: facts.held === null ? null : heldJson(trace, facts.held, locale),
    trials: sortedTrials(facts.trials).map((trial) => ({ ...trial, text: changeText(locale, trial.changes) })),
    lines: facts.lines,
    findings: facts.findings.map((finding) => ({
      code: finding.code,
      args: finding.args,
      parts: finding.parts,
      place: place(trace, finding.frame),
      event: finding.event,
      blocks: finding.blocks ?? [],
      text: findingText(locale, finding),
    })),
    assumptions: facts.assumptions.map((assumption) => ({
      code: assumption.code,
      args: assumption.args,
      place: place(trace, assumption.frame),
      count: assumption.count,
      text: assumptionText(locale, trace, assumption),
    })),
    unverifiedOps: facts.unverifiedOps,
    warnings: extras.warnings,
    output: { stdout: extras.stdout, stderr: extras.stderr },
    error: extras.errorText,
    exitStatus: extras.exitStatus,
  };
}
