/** All findings about a trace, in the order in which a report tells them. */

import type { Trace } from "../trace/model.ts";
import { attentionScores } from "./attention-scores.ts";
import { autocastWeights } from "./autocast-weights.ts";
import { dropoutMasks } from "./dropout-masks.ts";
import { failedRequests } from "./failed-request.ts";
import type { Finder, Finding } from "./finding.ts";
import { float32Logits } from "./float32-logits.ts";
import { float32Norms } from "./float32-norm.ts";
import { foreachCopies } from "./foreach-copies.ts";
import { fullMasks } from "./full-mask.ts";
import { growsEachPass } from "./grows-each-pass.ts";
import { growsByCat } from "./grows-by-cat.ts";
import { keptGradients } from "./kept-gradients.ts";
import { keptWorkspaces } from "./kept-workspace.ts";
import { leftWhole } from "./left-whole.ts";
import { peakScratch } from "./peak-scratch.ts";
import { reservedAhead } from "./reserved-ahead.ts";
import { unsplitRemainders } from "./unsplit-remainder.ts";
import { unusedGraphs } from "./unused-graph.ts";

export { FINDING_CODES } from "./finding.ts";
export type { Finder, Finding, FindingCode, Summand } from "./finding.ts";

export const FINDERS: readonly Finder[] = [
  failedRequests,
  unusedGraphs,
  keptGradients,
  float32Logits,
  attentionScores,
  fullMasks,
  dropoutMasks,
  float32Norms,
  autocastWeights,
  foreachCopies,
  growsByCat,
  growsEachPass,
  leftWhole,
  peakScratch,
  reservedAhead,
  unsplitRemainders,
  keptWorkspaces,
];

/** @param finished whether the program came to its end, as far as one knows */
export function explain(trace: Trace, finished = true): Finding[] {
  const found = FINDERS.flatMap((find) => find(trace, finished));
  // a sum that keeps graphs grows with each pass, too: the nearer cause is told
  return found.some(({ code }) => code === "graph_kept_by_loss")
    ? found.filter(({ code }) => code !== "grows_each_pass")
    : found;
}
