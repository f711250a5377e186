/** Figures that a tool printed or sampled, as text and as JSON: facts, series with their course, and notes. */

import { formatBytes, GIB, KIB, MIB } from "../base/bytes.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { ReadingFact, Readings, ReadingSeries } from "../trace/readings.ts";
import type { Painter } from "./paint.ts";
import { sparkline } from "./sparkline.ts";
import { cut, displayWidth, padEnd, padStart, wrap } from "./width.ts";

const INDENT = "  ";
const MOST_FACTS = 40;
const MOST_SERIES = 20;
const MOST_NOTES = 30;
const WIDEST_NAME = 48;
const SPARK_WIDTH = 60;

interface Words {
  readonly locale: Locale;
  readonly painter: Painter;
}

/** Where a figure belongs, as far as the tool says. */
function places({ device, process }: { device: number; process: number }, locale: Locale): string[] {
  return [
    ...(device >= 0 ? [message(locale, "opened_device", { device })] : []),
    ...(process >= 0 ? [message(locale, "opened_process", { process })] : []),
  ];
}

/** `8.12 MiB`, or `~8.12 MiB` when the tool rounded more than two decimals do. */
function shownBytes(bytes: number, roundingBytes: number): string {
  const size = Math.abs(bytes);
  const unit = size >= GIB ? GIB : size >= MIB ? MIB : size >= KIB ? KIB : 1;
  return `${roundingBytes > Math.ceil(unit * 0.005) ? "~" : ""}${formatBytes(bytes)}`;
}

function leftOut(count: number, locale: Locale): string[] {
  return count > 0 ? [INDENT + message(locale, "opened_left_out", { count })] : [];
}

/** A series of one sample has no course: it is a fact with the name of the series. */
function singleFacts(all: readonly ReadingSeries[], locale: Locale): ReadingFact[] {
  return all.flatMap(({ quantity, label, device, process, bytes, lines, roundingBytes }) =>
    bytes.length !== 1
      ? []
      : [
          {
            quantity,
            name: label === "" ? message(locale, `quantity_${quantity}`) : label,
            device,
            process,
            bytes: bytes[0]!,
            roundingBytes,
            peak: false,
            line: lines?.[0] ?? -1,
          },
        ],
  );
}

function factSection(facts: readonly ReadingFact[], { locale, painter }: Words): string[] {
  if (facts.length === 0) return [];
  const rows = facts.slice(0, MOST_FACTS).map((fact) => ({
    name:
      fact.peak && !/peak|max/i.test(fact.name) ? message(locale, "opened_fact_peak", { name: fact.name }) : fact.name,
    bytes: shownBytes(fact.bytes, fact.roundingBytes),
    about: [
      ...(fact.quantity === "other" || message(locale, `quantity_${fact.quantity}`) === fact.name
        ? []
        : [message(locale, `quantity_${fact.quantity}`)]),
      ...places(fact, locale),
      ...(fact.line > 0 ? [message(locale, "opened_line", { line: fact.line })] : []),
    ].join(" · "),
  }));
  const nameWidth = Math.min(WIDEST_NAME, Math.max(...rows.map(({ name }) => displayWidth(name))));
  const bytesWidth = Math.max(...rows.map(({ bytes }) => bytes.length));
  const mark = painter.ascii ? "~" : "…";
  return [
    painter.strong(message(locale, "opened_section_facts")),
    ...rows.flatMap(({ name, bytes, about }) => {
      const start = `${INDENT}${padEnd(cut(name, nameWidth, mark), nameWidth)}  ${padStart(bytes, bytesWidth)}`;
      return about === "" ? [start] : wrap(`${start}  ${about}`, painter.width, " ".repeat(displayWidth(start) + 2));
    }),
    ...leftOut(facts.length - rows.length, locale),
  ];
}

function seriesTitle(series: ReadingSeries, locale: Locale): string {
  const isNamed = series.quantity === "other" && series.label !== "";
  const quantity = isNamed ? "" : message(locale, `quantity_${series.quantity}`);
  return [quantity, series.label, ...places(series, locale)].filter((part) => part !== "").join(" · ");
}

function seriesLines(series: ReadingSeries, { locale, painter }: Words): string[] {
  const { bytes, seconds } = series;
  if (bytes.length < 2) return [];
  const lowest = bytes.reduce((low, value) => Math.min(low, value), Infinity);
  const highest = bytes.reduce((high, value) => Math.max(high, value), -Infinity);
  const figure = (name: "first" | "lowest" | "highest" | "last" | "throughout", value: number) =>
    `${message(locale, `opened_${name}`)} ${shownBytes(value, series.roundingBytes)}`;
  const at = series.lines?.[bytes.indexOf(highest)] ?? 0;
  const place = at > 0 ? ` (${message(locale, "opened_line", { line: at })})` : "";
  const figures =
    lowest === highest
      ? [figure("throughout", highest)]
      : [
          figure("first", bytes[0]!),
          figure("lowest", lowest),
          figure("highest", highest) + place,
          figure("last", bytes.at(-1)!),
        ];
  const count = bytes.length;
  const span = seconds === null ? 0 : seconds.at(-1)! - seconds[0]!;
  const length =
    span > 0
      ? message(locale, "opened_samples_over", {
          count,
          seconds: span >= 100 ? Math.round(span) : Number(span.toPrecision(3)),
        })
      : message(locale, "opened_samples", { count });
  const under = INDENT + INDENT;
  const line =
    lowest === highest ? "" : sparkline(bytes, Math.min(SPARK_WIDTH, painter.width - under.length), painter.ascii);
  return [
    ...wrap(INDENT + seriesTitle(series, locale), painter.width, INDENT),
    ...wrap(under + [...figures, length].join(", "), painter.width, under),
    ...(line === "" ? [] : [under + line]),
  ];
}

function seriesSection(all: readonly ReadingSeries[], words: Words): string[] {
  if (!all.some(({ bytes }) => bytes.length > 1)) return [];
  const largestFirst = [...all].sort(
    (a, b) => Math.max(0, ...b.bytes.slice(0, 1)) - Math.max(0, ...a.bytes.slice(0, 1)),
  );
  const shown = all.length > MOST_SERIES ? largestFirst.slice(0, MOST_SERIES) : all;
  return [
    words.painter.strong(message(words.locale, "opened_section_series")),
    ...shown.flatMap((series) => seriesLines(series, words)),
    ...leftOut(all.length - shown.length, words.locale),
  ];
}

function noteSection({ notes }: Readings, { locale, painter }: Words): string[] {
  if (notes.length === 0) return [];
  const shown = notes.slice(0, MOST_NOTES);
  return [
    painter.strong(message(locale, "opened_section_notes")),
    ...shown.flatMap(({ name, value }) => wrap(`${INDENT}${name}: ${value}`, painter.width, INDENT + INDENT)),
    ...leftOut(notes.length - shown.length, locale),
  ];
}

/** Sections of lines; none where there is nothing to say. */
export function readingsSections(readings: Readings, words: Words): string[][] {
  return [
    factSection([...readings.facts, ...singleFacts(readings.series, words.locale)], words),
    seriesSection(
      readings.series.filter(({ bytes }) => bytes.length !== 1),
      words,
    ),
    noteSection(readings, words),
  ].filter((section) => section.length > 0);
}

/** A plain object; columns become lists. */
export function readingsJson(readings: Readings): Record<string, unknown> {
  return {
    ...readings,
    series: readings.series.map((series) => ({
      ...series,
      seconds: series.seconds === null ? null : [...series.seconds],
      bytes: [...series.bytes],
      lines: series.lines === null ? null : [...series.lines],
    })),
  };
}
