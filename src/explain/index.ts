/** All findings about a trace, in the order in which a report tells them. */

import type { Trace } from "../trace/model.ts";
import { failedRequests } from "./failed-request.ts";
import type { Finder, Finding } from "./finding.ts";
import { keptWorkspaces } from "./kept-workspace.ts";
import { peakScratch } from "./peak-scratch.ts";
import { reservedAhead } from "./reserved-ahead.ts";
import { unsplitRemainders } from "./unsplit-remainder.ts";

export type { Finder, Finding, FindingCode, Part } from "./finding.ts";

export const FINDERS: readonly Finder[] = [
  failedRequests,
  peakScratch,
  reservedAhead,
  unsplitRemainders,
  keptWorkspaces,
];

export function explain(trace: Trace): Finding[] {
  return FINDERS.flatMap((find) => find(trace));
}
