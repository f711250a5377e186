/** What a comparison consists of, as rows of words: the same ones for a terminal and for Markdown. */

import { formatBytes } from "../base/bytes.ts";
import type {
  Cause,
  CauseItem,
  ComparedFigure,
  Figure,
  FigurePair,
  CodeLocation,
  ReadingsComparison,
  TraceComparison,
} from "../compare/index.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { Category } from "../trace/model.ts";
import { signedBytes } from "./difference-text.ts";
import { categoryName, noteName } from "./words.ts";

const MOST_ITEMS = 6;

export interface ComparisonTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One difference with its causes: a line, and lines below it. */
export interface Reason {
  readonly title: string;
  readonly lines: readonly string[];
}

const head = (locale: Locale): string[] => [
  "",
  message(locale, "compare_column_predicted"),
  message(locale, "compare_column_recorded"),
  message(locale, "compare_column_difference"),
];

export function traceTable({ figures }: TraceComparison, locale: Locale): ComparisonTable {
  return {
    head: head(locale),
    rows: figures.map(({ moment, quantity, predictedBytes, recordedBytes }) => [
      message(locale, `compare_${moment}`, { quantity: message(locale, `quantity_${quantity}`) }),
      formatBytes(predictedBytes),
      formatBytes(recordedBytes),
      signedBytes(recordedBytes - predictedBytes),
    ]),
  };
}

function intervalText(locale: Locale, { bytes, lowBytes, highBytes }: Figure): string {
  if (lowBytes === bytes && highBytes === bytes) return formatBytes(bytes);
  return message(locale, "compare_interval", { valueBytes: bytes, lowBytes, highBytes });
}

const pairName = (locale: Locale, { quantity, peak }: FigurePair): string =>
  peak
    ? message(locale, "compare_peak", { quantity: message(locale, `quantity_${quantity}`) })
    : message(locale, `quantity_${quantity}`);

export function readingsTable({ pairs, counts }: ReadingsComparison, locale: Locale): ComparisonTable {
  return {
    head: head(locale),
    rows: [
      ...pairs.map((pair) => [
        pairName(locale, pair),
        intervalText(locale, pair.predicted),
        formatBytes(pair.recorded.bytes),
        signedBytes(pair.recorded.bytes - pair.predicted.bytes),
      ]),
      ...counts.map(({ name, predicted, recorded }) => [
        name,
        String(predicted),
        String(recorded),
        `${recorded > predicted ? "+" : ""}${recorded - predicted}`,
      ]),
    ],
  };
}

const placeText = ({ file, line }: CodeLocation): string => `${file}:${line}`;

/** What an item is, without its bytes: how many of which size, where they were made, what for. */
function itemText(locale: Locale, item: CauseItem, isSegment: boolean): string {
  const { count, requestedBytes, place, op, module, category, note, request, address, heldBytes } = item;
  const parts = [message(locale, `compare_side_${item.side}`, { count, sizeBytes: requestedBytes })];
  if (note !== null) parts.push(noteName(locale, note));
  else if (category !== null) parts.push(categoryName(locale, category as Category));
  if (place !== null) parts.push(placeText(place));
  if (op !== null) parts.push(op);
  if (module !== null) parts.push(module);
  if (request !== null) {
    parts.push(message(locale, "compare_request", { ...request }));
  }
  if (heldBytes !== null) parts.push(message(locale, "compare_held", { heldBytes }));
  if (isSegment && address !== null)
    parts.push(message(locale, "compare_address", { address: `0x${address.toString(16)}` }));
  return parts.join(" · ");
}

/** A cause without blocks needs no list of them. */
const isBare = (item: CauseItem): boolean => item.requestedBytes === 0 && item.place === null && item.address === null;

function causeLines(locale: Locale, cause: Cause, indent: string): string[] {
  const isSegment = cause.code === "segments" || cause.code === "earlier_segments";
  const lines = [`${signedBytes(cause.bytes)}  ${message(locale, `cause_${cause.code}`)}`];
  // items that are alike may cancel each other out
  const items = cause.items.filter((item) => item.bytes !== 0 && !isBare(item));
  for (const item of items.slice(0, MOST_ITEMS)) {
    lines.push(`${indent}${signedBytes(item.bytes)}  ${itemText(locale, item, isSegment)}`);
  }
  if (items.length > MOST_ITEMS) {
    lines.push(`${indent}${message(locale, "items_left_out", { count: items.length - MOST_ITEMS })}`);
  }
  return lines;
}

const INDENT = "  ";

function reasonOf(locale: Locale, name: string, bytes: number, causes: readonly Cause[]): Reason {
  return {
    title: message(locale, "compare_reason", { name, change: signedBytes(bytes) }),
    lines: causes.flatMap((cause) => causeLines(locale, cause, INDENT)),
  };
}

/** Differences with the same causes at several moments are one. Where causes cancel each other out, there is none to explain. */
export function traceReasons({ figures }: TraceComparison, locale: Locale): Reason[] {
  const groups = new Map<string, ComparedFigure[]>();
  for (const figure of figures) {
    if (figure.causes.length === 0 || figure.predictedBytes === figure.recordedBytes) continue;
    const key = `${figure.quantity} ${JSON.stringify(figure.causes)}`;
    groups.set(key, [...(groups.get(key) ?? []), figure]);
  }
  return [...groups.values()].map((same) => {
    const { quantity, causes, predictedBytes, recordedBytes } = same[0]!;
    const moments = same.map(({ moment }) => message(locale, `compare_moment_${moment}`)).join(", ");
    const name = `${message(locale, `quantity_${quantity}`)} (${moments})`;
    return reasonOf(locale, name, recordedBytes - predictedBytes, causes);
  });
}

export function readingsReasons({ pairs }: ReadingsComparison, locale: Locale): Reason[] {
  return pairs
    .filter(({ predicted, recorded }) => predicted.bytes !== recorded.bytes)
    .map((pair) => {
      const bytes = pair.recorded.bytes - pair.predicted.bytes;
      const name = pair.name === "" ? pairName(locale, pair) : `${pairName(locale, pair)}, "${pair.name}"`;
      return reasonOf(locale, name, bytes, pair.causes);
    });
}
