/** The report of an opened file: what it is, how memory went in it, and then the same sections as after a run. */

import { formatBytes } from "../base/bytes.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { OpenedFile } from "../formats/foreign-format.ts";
import type { Assumption, Trace } from "../trace/model.ts";
import { allocatedBefore, reservedBefore } from "../trace/queries.ts";
import type { ReportFacts } from "./facts.ts";
import { jsonReport } from "./json.ts";
import type { SourceOf } from "./line-table.ts";
import type { Painter } from "./paint.ts";
import { recordingSentences } from "./recording-words.ts";
import { readingsJson, readingsSections } from "./readings-text.ts";
import { sparkline } from "./sparkline.ts";
import { cardSection, textReport, type ReportDetail } from "./text.ts";
import { displayWidth, padEnd, padStart, wrap } from "./width.ts";
import { assumptionText } from "./words.ts";

const INDENT = "  ";
const SPARK_WIDTH = 72;
const SIMULATED = "simulated";

export interface OpenedReport {
  readonly opened: OpenedFile;
  /** Name of the file as people know it. */
  readonly name: string;
  /** What people call the format. */
  readonly title: string;
  /** Facts of the trace, or null where there is none. */
  readonly facts: ReportFacts | null;
}

export interface OpenedTextOptions {
  readonly locale: Locale;
  readonly detail: ReportDetail;
  readonly painter: Painter;
  readonly sourceOf: SourceOf;
}

function titleText({ name, title }: OpenedReport, { locale, painter }: OpenedTextOptions): string[] {
  return wrap(message(locale, "opened_title", { name, format: title }), painter.width).map((line) =>
    painter.strong(line),
  );
}

/** Bytes at the start, peak and end of a recording: what people compare with. */
export function courseOf(trace: Trace, facts: ReportFacts) {
  return {
    allocated: {
      startBytes: allocatedBefore(trace, 0),
      // a recording may begin at its highest point
      peakBytes: Math.max(facts.allocated.peakBytes, allocatedBefore(trace, 0)),
      endBytes: facts.allocated.endBytes,
    },
    reserved: {
      startBytes: reservedBefore(trace, 0),
      peakBytes: Math.max(facts.reserved.peakBytes, reservedBefore(trace, 0)),
      endBytes: facts.reserved.endBytes,
    },
  };
}

/** Instead of a verdict, which only a simulated device allows: the figures of what was recorded. */
function headOf(report: OpenedReport, trace: Trace, facts: ReportFacts, options: OpenedTextOptions): string[] {
  const { locale, painter } = options;
  const course = courseOf(trace, facts);
  const columns = ["start", "peak", "end"] as const;
  const rows = (["allocated", "reserved"] as const).map((name) => [
    message(locale, `label_${name}`),
    ...columns.map((column) => formatBytes(course[name][`${column}Bytes`])),
  ]);
  const table = [["", ...columns.map((column) => message(locale, `opened_column_${column}`))], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => displayWidth(row[column]!))));
  const line = sparkline(
    trace.events.allocatedBytes,
    Math.min(SPARK_WIDTH, painter.width - INDENT.length),
    painter.ascii,
  );
  return [
    ...titleText(report, options),
    "",
    ...wrap(INDENT + recordingSentences(trace, facts, locale).join(" "), painter.width, INDENT),
    "",
    ...table.map((row) =>
      (
        INDENT + row.map((cell, column) => (column === 0 ? padEnd : padStart)(cell, widths[column]!)).join("  ")
      ).trimEnd(),
    ),
    ...cardSection(facts, options, widths[0]!),
    ...(line === "" ? [] : ["", painter.strong(message(locale, "opened_section_timeline")), INDENT + line]),
  ];
}

/** What a failed request tells: such a file is its verdict. */
export const isAboutFailure = (code: string): boolean => code.startsWith("oom_says_");

/** The verdict of an out-of-memory error: by how much, and why, as far as its text tells. */
function failureCard(notes: readonly Assumption[], { locale, painter }: OpenedTextOptions): string[] {
  const label = message(locale, "verdict_does_not_fit");
  const under = " ".repeat(INDENT.length + displayWidth(label) + 2);
  const items = notes.map((note) => assumptionText(locale, { frames: [] }, note));
  const [first = "", ...more] = items.flatMap((item) => wrap(under + item, painter.width, under));
  return [INDENT + painter.bad(label) + first.slice(INDENT.length + displayWidth(label)), ...more];
}

/** The report's lines joined, with a newline at the end. */
export function openedText(report: OpenedReport, options: OpenedTextOptions): string {
  const { opened, facts } = report;
  const { locale, painter } = options;
  const sections: string[] = [];
  const { trace, readings } = opened;
  if (trace !== null && facts !== null) {
    const head = trace.source === SIMULATED ? undefined : headOf(report, trace, facts, options);
    sections.push(textReport(facts, trace, { ...options, head }).trimEnd());
  } else sections.push(titleText(report, options).join("\n"));
  const failed = opened.notes.filter(({ code }) => isAboutFailure(code));
  if (trace === null && failed.length > 0) sections.push(failureCard(failed, options).join("\n"));
  if (readings !== null) {
    const parts = readingsSections(readings, { locale, painter });
    if (parts.length === 0 && trace === null) parts.push([INDENT + message(locale, "opened_nothing")]);
    sections.push(...parts.map((part) => part.join("\n")));
  }
  const others = trace === null ? opened.notes.filter(({ code }) => !isAboutFailure(code)) : opened.notes;
  if (others.length > 0) {
    const items = others.map((note) => assumptionText(locale, trace ?? { frames: [] }, note));
    sections.push(
      [
        painter.strong(message(locale, "opened_section_remarks")),
        ...items.flatMap((item) => wrap(`${INDENT}- ${item}`, painter.width, INDENT + INDENT)),
      ].join("\n"),
    );
  }
  return `${sections.join("\n\n")}\n`;
}

/** A plain object with all that the text says and more. */
export function openedJson({ opened, name, title, facts }: OpenedReport, locale: Locale): Record<string, unknown> {
  const { trace, readings } = opened;
  const nothingPrinted = { exitStatus: facts?.exitStatus ?? 0, errorText: null, stdout: "", stderr: "", warnings: [] };
  return {
    schemaVersion: 1,
    file: name,
    format: opened.format,
    title,
    course: trace === null || facts === null ? null : courseOf(trace, facts),
    report: trace === null || facts === null ? null : jsonReport(facts, trace, nothingPrinted, locale),
    readings: readings === null ? null : readingsJson(readings),
    notes: opened.notes.map((note) => ({
      code: note.code,
      args: note.args,
      count: note.count,
      text: assumptionText(locale, trace ?? { frames: [] }, note),
    })),
  };
}
