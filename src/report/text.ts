/** The report as text: what fits, the three numbers, the peak and its composition, a table of lines, and why. */

import { formatBytes } from "../base/bytes.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Assumption, Trace } from "../trace/model.ts";
import { CLIMBS, type ReportFacts } from "./facts.ts";
import { shortPlace } from "./places.ts";
import { lineTableText, rowsByBytes, shownRows, unitFor, type SourceOf } from "./line-table.ts";
import { shareTable } from "./composition-text.ts";
import { heldSection } from "./held-text.ts";
import { oomSection } from "./oom-text.ts";
import { type Painter } from "./paint.ts";
import { foldedFindings } from "../explain/ranked.ts";
import { savedSections } from "./saved-text.ts";
import { trialsSection } from "./trials-text.ts";
import { displayWidth, padEnd, padStart, wrap } from "./width.ts";
import { cardLines } from "./verdict-words.ts";
import { assumptionText, categoryName, contextMark, findingText, phaseName, reasonText } from "./words.ts";

/**
 * `summary`: the verdict and the breakdown; `lines`: also the table of lines and the explanations; `saved`: what is saved for
 * backward instead of both.
 */
export type ReportDetail = "none" | "summary" | "lines" | "saved";

export interface TextOptions {
  readonly locale: Locale;
  readonly detail: ReportDetail;
  readonly painter: Painter;
  readonly sourceOf: SourceOf;
  /** Instead of verdict and figures, where what ran was not simulated. */
  readonly head?: readonly string[];
}

const INDENT = "  ";
const MOST_ITEMS = 20;

/** The report's lines joined, with a newline at the end; for detail `none` only the changes that somebody asked for. */
export function textReport(facts: ReportFacts, trace: Trace, options: TextOptions): string {
  if (options.detail === "none") return facts.trials.length === 0 ? "" : joined([trialsOf(facts, options)], options);
  const sections = [options.head ?? headSection(facts, options)];
  if (facts.allocated.peakBytes === 0) {
    // of a GPU that is not used the verdict says it
    if (facts.verdict !== "not_finished" && facts.verdict !== "unused")
      sections.push([INDENT + message(options.locale, "nothing_allocated")]);
  } else if (options.detail === "saved") {
    sections.push(...savedSections(facts.saved, trace, options.locale, options.painter));
  } else {
    // A recording may have no lines; a run without one has not begun.
    if (facts.peak !== null || options.head === undefined) sections.push(peakSection(facts, options));
    sections.push(categorySection(facts, options), phaseSection(facts, options));
    const { locale, painter } = options;
    const { outOfMemory: oom, held } = facts;
    if (oom !== null && facts.status === "out_of_memory") sections.push(oomSection(oom, trace, locale, painter));
    if (held !== null) {
      const heading = message(locale, held.event === oom?.event ? "section_held_oom" : "section_held_peak");
      sections.push(heldSection(heading, held.blocks, trace, locale, painter));
    }
    if (facts.trials.length > 0) sections.push(trialsOf(facts, options));
    if (options.detail === "lines") {
      sections.push(lineSection(facts, trace, options), findingSection(facts, options));
    }
  }
  sections.push(assumedSection(facts, trace, options), unverifiedSection(facts, options));
  return joined(sections, options);
}

const trialsOf = (facts: ReportFacts, { locale, painter }: TextOptions): string[] =>
  trialsSection(facts.trials, facts, locale, painter);

function joined(sections: readonly (readonly string[])[], { painter }: TextOptions): string {
  const text = sections
    .filter((section) => section.length > 0)
    .map((section) => section.join("\n"))
    .join("\n\n");
  return `${painter.ascii ? inAscii(text) : text}\n`;
}

/** What we write ourselves beyond ASCII; words of other languages and of the program stay. */
function inAscii(text: string): string {
  return text.replaceAll(" · ", " - ").replaceAll("…", "...");
}

/** Program, device and rules; of a recording only what it says. */
export function titleText(facts: ReportFacts, locale: Locale): string {
  const args = { program: facts.program, gpu: facts.gpu.name, torch: facts.torch };
  return message(locale, facts.capacityBytes === 0 ? "recorded_title" : "report_title", args);
}

/** Those that say after which pass the card is full. */
const DATED: ReadonlySet<string> = new Set(["loop_grows", "loop_grows_open"]);

function growingText({ code, args }: Assumption, locale: Locale): string {
  const isEven = DATED.has(code) || args[CLIMBS] === undefined;
  return message(locale, isEven ? "growing_text" : "climbing_text", args);
}

export function verdictText(facts: ReportFacts, locale: Locale): string {
  const { capacityBytes, headroomBytes, driver } = facts;
  switch (facts.verdict) {
    case "fits":
      return message(locale, "fits_text", { capacityBytes, headroomBytes });
    case "tight":
      if (facts.growing !== null) return growingText(facts.growing, locale);
      if (facts.guessedRows !== null && headroomBytes >= 0) {
        const { rowBytes, ...args } = facts.guessedRows.args;
        const most = Math.floor(headroomBytes / Number(rowBytes)) + Number(args["rows"]);
        return message(locale, "guessed_rows_text", { ...args, most: most.toLocaleString("en-US") });
      }
      if (facts.unstepped !== null && headroomBytes >= 0)
        return message(locale, "unstepped_text", { capacityBytes, headroomBytes });
      if (facts.printedError !== null && headroomBytes >= 0)
        return message(locale, "error_printed_text", { capacityBytes, headroomBytes, ...facts.printedError.args });
      return message(locale, "tight_text", { capacityBytes, headroomBytes: capacityBytes - facts.reserved.peakBytes });
    case "unused": {
      const { args } = facts.unused ?? {};
      if (args === undefined) return message(locale, "nothing_allocated");
      const { gpus, option } = args;
      const code =
        gpus !== undefined ? "unused_count_text" : option === undefined ? "unused_text" : "unused_option_text";
      return message(locale, code, args);
    }
    case "recorded":
      return message(locale, "recorded_text", { endBytes: facts.allocated.endBytes });
    case "not_finished":
      return stopText(facts, locale);
    case "does_not_fit": {
      const failed = facts.findings.find((finding) => finding.code === "oom_request");
      if (facts.status !== "out_of_memory" && facts.growing !== null) return growingText(facts.growing, locale);
      if (facts.status !== "out_of_memory" || failed === undefined) {
        return message(locale, "does_not_fit_text", { missingBytes: driver.lowBytes - capacityBytes, capacityBytes });
      }
      return message(locale, "does_not_fit_request_text", failed.args);
    }
  }
}

/** Why a program did not come to its end, at which line, and whether the figures go up to there. */
function stopText(facts: ReportFacts, locale: Locale): string {
  const { stoppedAt } = facts;
  const code = facts.traceLost
    ? "not_finished_lost_text"
    : facts.lines.length === 0
      ? "not_finished_empty_text"
      : "not_finished_text";
  const text = message(locale, code, { reason: reasonText(locale, facts.status, facts.exitStatus) });
  if (stoppedAt === null) return text;
  const { file, line, isExact } = stoppedAt;
  return message(locale, isExact ? "stopped_at_text" : "stopped_after_text", { file, line, text });
}

function figureRows(
  facts: ReportFacts,
  locale: Locale,
): { readonly label: string; readonly bytes: number; readonly legend: string }[] {
  const { context } = facts.gpu;
  const { outside } = facts;
  return [
    {
      label: message(locale, "label_allocated"),
      bytes: facts.allocated.peakBytes,
      legend: message(locale, "legend_allocated", { endBytes: facts.allocated.endBytes }),
    },
    {
      label: message(locale, "label_reserved"),
      bytes: facts.reserved.peakBytes,
      legend: message(locale, "legend_reserved", { endBytes: facts.reserved.endBytes }),
    },
    {
      label: message(locale, "label_driver"),
      bytes: facts.driver.expectedBytes,
      legend: message(locale, "legend_driver", {
        lowBytes: context.lowBytes,
        highBytes: facts.driver.highBytes - facts.reserved.peakBytes - outside.highBytes,
        mark: contextMark(locale, context),
      }),
    },
    ...(outside.highBytes === 0
      ? []
      : [
          {
            label: message(locale, "label_outside"),
            bytes: outside.expectedBytes,
            legend: message(locale, "legend_outside", { lowBytes: outside.lowBytes, highBytes: outside.highBytes }),
          },
        ]),
  ];
}

function headSection(facts: ReportFacts, { locale, painter }: TextOptions): string[] {
  const title = titleText(facts, locale);
  const verdict = message(locale, `verdict_${facts.verdict}`);
  // what was lost is not zero
  const rows = !facts.traceLost ? figureRows(facts, locale) : [];
  const beside = cardLines(facts.card, locale).map(({ label }) => displayWidth(label));
  const labelWidth = Math.max(displayWidth(verdict), ...beside, ...rows.map((row) => displayWidth(row.label)));
  const valueWidth = Math.max(0, ...rows.map((row) => displayWidth(formatBytes(row.bytes))));
  const paintVerdict =
    facts.verdict === "fits" ? painter.good : facts.verdict === "tight" ? painter.strong : painter.bad;
  const under = " ".repeat(INDENT.length + labelWidth + 2);
  const [first = "", ...more] = wrap(under + verdictText(facts, locale), painter.width, under);
  const lines = [
    ...wrap(title, painter.width).map((line) => painter.strong(line)),
    "",
    INDENT + paintVerdict(padEnd(verdict, labelWidth)) + first.slice(INDENT.length + labelWidth),
    ...more,
  ];
  if (facts.overLimit) {
    const text = message(locale, "over_limit_text", {
      reservedBytes: facts.reserved.peakBytes,
      limitBytes: facts.limitBytes!,
    });
    lines.push(...wrap(under + text, painter.width, under).map((line) => painter.bad(line)));
  }
  lines.push(...cardSection(facts, { locale, painter }, labelWidth));
  for (const row of rows) {
    const start = `${INDENT}${padEnd(row.label, labelWidth)}  ${padStart(formatBytes(row.bytes), valueWidth)}  `;
    lines.push(...wrap(start + row.legend, painter.width, " ".repeat(displayWidth(start))));
  }
  return lines;
}

/** Why, what is of no use, what grows and what helps, beside labels as wide as the others. */
export function cardSection(
  facts: ReportFacts,
  { locale, painter }: Pick<TextOptions, "locale" | "painter">,
  labelWidth: number,
): string[] {
  return cardLines(facts.card, locale).flatMap(({ id, label, text }) => {
    const start = `${INDENT}${padEnd(label, labelWidth)}  `;
    const lines = wrap(start + text, painter.width, " ".repeat(displayWidth(start)));
    return id === "help" ? lines.map((line) => painter.good(line)) : lines;
  });
}

function peakSection(facts: ReportFacts, { locale, painter, sourceOf }: TextOptions): string[] {
  const label = `${INDENT}${message(locale, "label_peak")}  `;
  const under = " ".repeat(displayWidth(label));
  const { peak } = facts;
  if (peak === null) return wrap(label + message(locale, "peak_before_any_line"), painter.width, under);
  const parts = [shortPlace(`${peak.file}:${peak.line}`)];
  if (peak.op !== null) parts.push(peak.op);
  if (peak.module !== null) parts.push(message(locale, "in_module", { module: peak.module }));
  const source = sourceOf(peak.file)?.[peak.line - 1]?.trim() ?? "";
  return [
    ...wrap(label + parts.join("  "), painter.width, under),
    ...(source === ""
      ? []
      : wrap(under + source, painter.width, under)
          .slice(0, 2)
          .map((line) => painter.faint(line))),
  ];
}

function categorySection(facts: ReportFacts, { locale, painter }: TextOptions): string[] {
  const rows = facts.categories.map(({ category, bytes }) => ({ label: categoryName(locale, category), bytes }));
  const { remainderBytes } = facts.charged;
  if (remainderBytes > 0) rows.push({ label: message(locale, "share_remainder"), bytes: remainderBytes });
  return [
    painter.strong(message(locale, "section_categories")),
    ...shareTable(rows, facts.allocated.peakBytes, rows.length, locale, painter),
  ];
}

function phaseSection(facts: ReportFacts, { locale, painter }: TextOptions): string[] {
  if (facts.phases.length < 2) return [];
  const labels = facts.phases.map(({ phase }) => phaseName(locale, phase));
  const labelWidth = Math.max(...labels.map(displayWidth));
  const valueWidth = Math.max(...facts.phases.map((row) => formatBytes(row.allocatedBytes).length));
  return [
    painter.strong(message(locale, "section_phases")),
    ...facts.phases.map(
      (row, index) =>
        `${INDENT}${padEnd(labels[index]!, labelWidth)}  ${padStart(formatBytes(row.allocatedBytes), valueWidth)}`,
    ),
  ];
}

/** The rest of a recording's lines is in its JSON. */
const MOST_RECORDED_LINES = 30;

function lineSection(facts: ReportFacts, trace: Trace, { locale, painter, sourceOf }: TextOptions): string[] {
  if (facts.lines.length === 0) return [];
  const unit = unitFor(Math.max(...facts.lines.map((row) => row.peakBytes)));
  const order = trace.source === "simulated" ? "source" : "bytes";
  const rows =
    order === "source" ? shownRows(facts.lines, facts.program) : rowsByBytes(facts.lines, MOST_RECORDED_LINES);
  const leftOut = facts.lines.length - rows.length;
  return [
    painter.strong(message(locale, "section_lines", { unit: unit.name })),
    ...wrap(INDENT + message(locale, "line_names_explained"), painter.width, INDENT).map((line) => painter.faint(line)),
    ...lineTableText(rows, facts.program, sourceOf, locale, painter, unit, order),
    ...(leftOut === 0
      ? []
      : wrap(INDENT + message(locale, "lines_left_out", { count: leftOut }), painter.width, INDENT)),
  ];
}

/** Sentences as a list under a heading; nothing when there are none. */
function listSection(heading: string, items: readonly string[], { locale, painter }: TextOptions): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MOST_ITEMS);
  const leftOut = items.length - shown.length;
  if (leftOut > 0) shown.push(message(locale, "items_left_out", { count: leftOut }));
  return [
    painter.strong(heading),
    ...shown.flatMap((item) => wrap(`${INDENT}- ${item}`, painter.width, `${INDENT}  `)),
  ];
}

function findingSection(facts: ReportFacts, options: TextOptions): string[] {
  const { locale, painter } = options;
  const { shown, small } = foldedFindings(facts.findings, facts.allocated.peakBytes);
  const items = shown.map((finding) => findingText(locale, finding));
  const section = listSection(message(locale, "section_findings"), items, options);
  if (facts.findings.length === 0) return section;
  const codesOf = (findings: typeof shown): string => [...new Set(findings.map(({ code }) => code))].join(", ");
  const faint = (text: string): string[] =>
    wrap(INDENT + text, painter.width, INDENT).map((line) => painter.faint(line));
  const leastBytes = Math.ceil(facts.allocated.peakBytes / 100);
  return [
    ...section,
    ...(small.length === 0
      ? []
      : faint(message(locale, "findings_small", { count: small.length, leastBytes, codes: codesOf(small) }))),
    ...faint(message(locale, "findings_more", { codes: codesOf(facts.findings.slice(0, MOST_ITEMS)) })),
  ];
}

function assumedSection(facts: ReportFacts, trace: Trace, options: TextOptions): string[] {
  const items = facts.assumptions.map((assumption) => assumptionText(options.locale, trace, assumption));
  return listSection(message(options.locale, "section_assumed"), items, options);
}

function unverifiedSection(facts: ReportFacts, { locale, painter }: TextOptions): string[] {
  if (facts.unverifiedOps.length === 0) return [];
  return [
    painter.strong(message(locale, "section_unverified")),
    ...wrap(INDENT + facts.unverifiedOps.join(", "), painter.width, INDENT),
  ];
}
