/** Findings by the bytes that they are about: those worth a sentence, and the small ones that are only named. */

import type { Finding, FindingCode } from "./finding.ts";

/** A smaller share of the peak is only named. */
const SMALL_SHARE = 0.01;
/** Which argument says how many bytes it is about; of the others the sum of the parts. */
const BYTES: Partial<Record<FindingCode, string>> = {
  oom_request: "requestedBytes",
  reserved_ahead: "freeBytes",
  reserved_ahead_expandable: "freeBytes",
  unsplit_reused: "totalBytes",
  unsplit_fresh: "totalBytes",
  coarse_rounding: "totalBytes",
  unsplit_total: "totalBytes",
  workspace_first: "blockBytes",
  workspace_backward: "blockBytes",
  workspace_more: "totalBytes",
  grows_by_cat: "newBytes",
};

export function findingBytes({ code, args, parts }: Finding): number {
  const named = Number(args[BYTES[code] ?? "totalBytes"]);
  return Number.isFinite(named) ? named : parts.reduce((sum, { bytes }) => sum + Math.max(0, bytes), 0);
}

/** Largest first; what a change consists of stays behind the finding that it belongs to, a failed request comes first. */
export function rankedFindings(findings: readonly Finding[]): Finding[] {
  const groups: { readonly bytes: number; readonly members: Finding[] }[] = [];
  for (const finding of findings) {
    if (finding.code === "change_parts" && groups.length > 0) groups.at(-1)!.members.push(finding);
    else groups.push({ bytes: finding.code === "oom_request" ? Infinity : findingBytes(finding), members: [finding] });
  }
  return groups.sort((a, b) => b.bytes - a.bytes || 0).flatMap(({ members }) => members);
}

export interface Folded {
  readonly shown: readonly Finding[];
  readonly small: readonly Finding[];
}

/** @param peakBytes of the run: what is small beside it is folded */
export function foldedFindings(ranked: readonly Finding[], peakBytes: number): Folded {
  const least = peakBytes * SMALL_SHARE;
  const shown: Finding[] = [];
  const small: Finding[] = [];
  let isSmall = false;
  for (const finding of ranked) {
    if (finding.code !== "change_parts") isSmall = finding.code !== "oom_request" && findingBytes(finding) < least;
    (isSmall ? small : shown).push(finding);
  }
  return { shown, small };
}
