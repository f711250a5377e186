/** The report as one JSON document: everything that the text says and more, with the program's output inside. */

import type { Locale } from "../i18n/index.ts";
import type { Trace } from "../trace/model.ts";
import type { ReportFacts } from "./facts.ts";
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

/** A plain object; `JSON.stringify` makes the document. */
export function jsonReport(
  facts: ReportFacts,
  trace: Trace,
  extras: JsonExtras,
  locale: Locale,
): Record<string, unknown> {
  const { gpu } = facts;
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
    capacityBytes: facts.capacityBytes,
    allocated: facts.allocated,
    reserved: facts.reserved,
    asNvidiaSmiShows: facts.driver,
    headroomBytes: facts.headroomBytes,
    limitBytes: facts.limitBytes,
    overLimit: facts.overLimit,
    peak: facts.peak,
    categories: facts.categories,
    charged: facts.charged,
    phases: facts.phases,
    lines: facts.lines,
    findings: facts.findings.map((finding) => ({
      code: finding.code,
      args: finding.args,
      parts: finding.parts,
      place: place(trace, finding.frame),
      event: finding.event,
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
