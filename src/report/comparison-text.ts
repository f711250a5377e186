/** A prediction held against a record, as text, Markdown and JSON. */

import type { LineComparison, ReadingsComparison, TraceComparison } from "../compare/index.ts";
import { message, type Locale } from "../i18n/index.ts";
import {
  readingsReasons,
  readingsTable,
  traceReasons,
  traceTable,
  type ComparisonTable,
  type Reason,
} from "./comparison-table.ts";
import { signedBytes } from "./difference-text.ts";
import { escapeCell, markdownTable } from "./markdown-table.ts";
import type { Painter } from "./paint.ts";
import { displayWidth, padEnd, padStart, wrap } from "./width.ts";

export type AnyComparison = TraceComparison | ReadingsComparison;

const INDENT = "  ";
const MOST_LINES = 20;

interface Parts {
  readonly title: string;
  readonly about: readonly string[];
  readonly table: ComparisonTable;
  readonly reasons: readonly Reason[];
  readonly after: readonly string[];
}

function partsOf(comparison: AnyComparison, names: readonly [string, string], locale: Locale): Parts {
  const title = message(locale, "compare_title", { predicted: names[0], recorded: names[1] });
  const { unexplainedBytes } = comparison;
  const unexplained = message(locale, unexplainedBytes === 0 ? "compare_explained" : "compare_unexplained", {
    unexplainedBytes,
  });
  if (comparison.kind === "traces") {
    return {
      title,
      about: aboutStretch(comparison, locale),
      table: traceTable(comparison, locale),
      reasons: traceReasons(comparison, locale),
      after: [unexplained],
    };
  }
  const { lines, unpaired, pairs, counts } = comparison;
  const quantities = [...new Set(unpaired.map(({ quantity }) => message(locale, `quantity_${quantity}`)))];
  return {
    title,
    about: pairs.length + counts.length === 0 ? [message(locale, "compare_nothing_common")] : [],
    table: readingsTable(comparison, locale),
    reasons: readingsReasons(comparison, locale),
    after: [
      ...(pairs.length === 0 ? [] : [unexplained]),
      ...(quantities.length === 0 ? [] : [message(locale, "compare_unpaired", { names: quantities.join(", ") })]),
      ...(lines === null ? [] : lineTexts(lines, locale)),
    ],
  };
}

function aboutStretch({ pairs, first, end, predicted, wasChosen, sizes }: TraceComparison, locale: Locale): string[] {
  const { recordedAllocations, commonAllocations, predictedAllocations } = pairs;
  const isWhole = first === 0 && end === predicted.events.kind.length;
  const lines = [
    message(locale, commonAllocations === recordedAllocations ? "compare_all_found" : "compare_some_found", {
      count: recordedAllocations,
      common: commonAllocations,
      extra: predictedAllocations - commonAllocations,
    }),
  ];
  if (commonAllocations < recordedAllocations / 2) lines.push(message(locale, "compare_other_program"));
  if (!isWhole) lines.push(message(locale, wasChosen ? "compare_chosen" : "compare_stretch", { first, last: end - 1 }));
  if (sizes === "bytes") lines.push(message(locale, "compare_charged_only"));
  return lines;
}

function lineTexts({ lines, different, file }: LineComparison, locale: Locale): string[] {
  const texts = [message(locale, "compare_lines", { count: lines, different: different.length, file })];
  for (const { line, predictedBytes, recordedBytes } of different.slice(0, MOST_LINES)) {
    const change = signedBytes(recordedBytes - predictedBytes);
    texts.push(message(locale, "compare_line", { line, predictedBytes, recordedBytes, change }));
  }
  if (different.length > MOST_LINES) {
    texts.push(message(locale, "items_left_out", { count: different.length - MOST_LINES }));
  }
  return texts;
}

function tableText({ head, rows }: ComparisonTable, painter: Painter): string[] {
  if (rows.length === 0) return [];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => displayWidth(row[column]!))));
  const line = (row: readonly string[]): string =>
    INDENT + row.map((cell, column) => (column === 0 ? padEnd : padStart)(cell, widths[column]!)).join("  ");
  return [painter.faint(line(head)), ...rows.map(line)];
}

export function comparisonText(
  comparison: AnyComparison,
  names: readonly [string, string],
  locale: Locale,
  painter: Painter,
): string {
  const { title, about, table, reasons, after } = partsOf(comparison, names, locale);
  const wrapped = (text: string, indent: string): string[] => wrap(indent + text, painter.width, `${indent}  `);
  const sections = [
    wrap(title, painter.width).map((line) => painter.strong(line)),
    about.flatMap((line) => wrapped(line, INDENT)),
    tableText(table, painter),
    ...reasons.map((reason) => [
      ...wrap(reason.title, painter.width).map((line) => painter.strong(line)),
      ...reason.lines.flatMap((line) => {
        const deeper = /^ */.exec(line)![0];
        return wrapped(line.trimStart(), INDENT + deeper);
      }),
    ]),
    after.flatMap((line) => wrapped(line, INDENT)),
  ];
  const text = sections
    .filter((section) => section.length > 0)
    .map((section) => section.join("\n"))
    .join("\n\n");
  return `${painter.ascii ? text.replaceAll(" · ", " - ") : text}\n`;
}

export function comparisonMarkdown(
  comparison: AnyComparison,
  names: readonly [string, string],
  locale: Locale,
): string {
  const { title, about, table, reasons, after } = partsOf(comparison, names, locale);
  const list = (lines: readonly string[]): string =>
    lines.map((line) => `${/^ */.exec(line)![0]}- ${escapeCell(line.trim())}\n`).join("");
  const sections = [
    `#### ${escapeCell(title)}\n`,
    list(about),
    table.rows.length === 0 ? "" : markdownTable(table.head, table.rows),
    ...reasons.map((reason) => `**${escapeCell(reason.title)}**\n\n${list(reason.lines)}`),
    list(after),
  ];
  return `${sections.filter((section) => section !== "").join("\n")}\n`;
}

/** A plain object with every cause and item; traces themselves are left out. */
export function comparisonJson(comparison: AnyComparison, names: readonly [string, string]): Record<string, unknown> {
  const [predicted, recorded] = names;
  if (comparison.kind === "readings") {
    const { predictedName: _, recordedName: __, ...rest } = comparison;
    return { schemaVersion: 1, predicted, recorded, ...rest };
  }
  const { pairs, figures, first, end, wasChosen, sizes, unexplainedBytes } = comparison;
  const { predictedAllocations, recordedAllocations, commonAllocations } = pairs;
  return {
    schemaVersion: 1,
    kind: comparison.kind,
    predicted,
    recorded,
    stretch: { firstEvent: first, lastEvent: end - 1, wasChosen },
    allocations: { predicted: predictedAllocations, recorded: recordedAllocations, common: commonAllocations },
    sizes: sizes === "bytes" ? "charged" : "requested",
    figures: figures.map((figure) => ({
      ...figure,
      differenceBytes: figure.recordedBytes - figure.predictedBytes,
    })),
    unexplainedBytes,
  };
}

/** The largest difference of any figure, in bytes: of intervals and rounded figures what lies outside of them. */
export function largestDifference(comparison: AnyComparison): number {
  if (comparison.kind === "traces") {
    return comparison.figures.reduce(
      (most, { predictedBytes, recordedBytes }) => Math.max(most, Math.abs(recordedBytes - predictedBytes)),
      0,
    );
  }
  const settled = new Set(["precision", "interval", "context", "workspace", "sampling"]);
  return comparison.pairs.reduce((most, { causes }) => {
    const apart = causes.reduce((sum, { code, bytes }) => sum + (settled.has(code) ? 0 : bytes), 0);
    return Math.max(most, Math.abs(apart));
  }, 0);
}
