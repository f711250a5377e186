/** The report as Markdown, short enough for the summary of a job. */

import { formatBytes } from "../base/bytes.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { ReportFacts } from "./facts.ts";
import { escapeCell, markdownTable } from "./markdown-table.ts";
import { changeName, outcomeText, sortedTrials } from "./trials-text.ts";
import { titleText, verdictText } from "./text.ts";
import { cardLines } from "./verdict-words.ts";
import { categoryName, findingText } from "./words.ts";

const MOST_FINDINGS = 10;

/** Sections end with a newline; the document can be appended to another. */
export function markdownReport(facts: ReportFacts, locale: Locale): string {
  const title = titleText(facts, locale);
  const verdict = escapeCell(message(locale, `verdict_${facts.verdict}`));
  const sections = [`### ${escapeCell(title)}\n`, `**${verdict}**: ${escapeCell(verdictText(facts, locale))}\n`];
  if (facts.overLimit) {
    const args = { reservedBytes: facts.reserved.peakBytes, limitBytes: facts.limitBytes! };
    sections.push(`**${message(locale, "over_limit_text", args)}**\n`);
  }
  // what was lost is not zero
  if (facts.traceLost) return `${sections.join("\n")}\n`;
  const beside = cardLines(facts.card, locale).map(({ label, text }) => `- **${label}**: ${escapeCell(text)}`);
  if (beside.length > 0) sections.push(`${beside.join("\n")}\n`);
  const figures = (["allocated", "reserved"] as const).map((name) => [
    message(locale, `label_${name}`),
    formatBytes(facts[name].peakBytes),
  ]);
  if (facts.verdict !== "recorded")
    figures.push([message(locale, "label_driver"), formatBytes(facts.driver.expectedBytes)]);
  sections.push(markdownTable([message(locale, "label_peak"), ""], figures));
  const categories = facts.categories.map(({ category, bytes }) => [
    categoryName(locale, category),
    formatBytes(bytes),
  ]);
  if (facts.charged.remainderBytes > 0) {
    categories.push([message(locale, "share_remainder"), formatBytes(facts.charged.remainderBytes)]);
  }
  if (categories.length > 0) sections.push(markdownTable([message(locale, "section_categories"), ""], categories));
  if (facts.trials.length > 0) {
    const head = ["trial_column_change", "label_allocated", "label_reserved", "trial_column_outcome"] as const;
    const known = (bytes: number) => (bytes > 0 ? formatBytes(bytes) : "");
    sections.push(
      `#### ${message(locale, "section_trials")}\n`,
      markdownTable(
        head.map((code) => message(locale, code)),
        sortedTrials(facts.trials).map((trial) => [
          changeName(trial.changes),
          known(trial.peakAllocatedBytes),
          known(trial.peakReservedBytes),
          outcomeText(locale, trial),
        ]),
      ),
    );
  }
  const findings = facts.findings
    .slice(0, MOST_FINDINGS)
    .map((finding) => `- ${escapeCell(findingText(locale, finding))}`);
  if (findings.length > 0) sections.push(`#### ${message(locale, "section_findings")}\n`, `${findings.join("\n")}\n`);
  return `${sections.join("\n")}\n`;
}
