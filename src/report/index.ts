/** Reports: words and pictures from results; nothing here knows where a result came from. */

export { reportFacts } from "./facts.ts";
export type { PeakPlace, ReportFacts, ReportInput, Verdict } from "./facts.ts";
export { formulasJson } from "./formula-json.ts";
export { formulaReport } from "./formula-text.ts";
export { jsonReport, REPORT_SCHEMA_VERSION } from "./json.ts";
export type { JsonExtras } from "./json.ts";
export type { SourceOf } from "./line-table.ts";
export { markdownReport } from "./markdown.ts";
export { differenceJson, differenceMarkdown, differenceText } from "./difference-text.ts";
export { gpusJson, gpusText } from "./gpus-text.ts";
export { plainPainter } from "./paint.ts";
export type { Painter } from "./paint.ts";
export { ranksText, verdictOfRanks, worstRank } from "./ranks-text.ts";
export type { RankFacts } from "./ranks-text.ts";
export { textReport, verdictText } from "./text.ts";
export type { ReportDetail, TextOptions } from "./text.ts";
