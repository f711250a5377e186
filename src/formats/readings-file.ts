/** Our own readings: what `vramscope watch` and `vramscope record` write, one JSON document with figures in columns. */

import {
  QUANTITIES,
  type Quantity,
  type ReadingFact,
  type ReadingNote,
  type Readings,
  type ReadingSeries,
} from "../trace/readings.ts";
import { readText } from "./file-text.ts";
import type { ForeignFormat } from "./foreign-format.ts";
import { field, isObject, type JsonObject } from "./json-text.ts";
import { badField, ownDocument } from "./own-document.ts";

export const READINGS_FORMAT = "vramscope-readings";
const NEWEST_SCHEMA = 1;
const MOST_ENTRIES = 100_000;
/** Of all series together. */
const MOST_SAMPLES = 20_000_000;
const MOST_TEXT = 1000;

const CODES = { notJson: "readings_not_json", newerSchema: "readings_newer_schema", badField: "readings_bad_field" };

const bad = (name: string): never => badField(CODES, name);

function listAt(object: JsonObject, name: string, most: number): readonly unknown[] {
  const value = field(object, name);
  return Array.isArray(value) && value.length <= most ? value : bad(name);
}

/** Text on one line, as a report may show it. */
function textAt(object: JsonObject, name: string): string {
  const value = field(object, name);
  if (typeof value !== "string") return bad(name);
  return value.slice(0, MOST_TEXT).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, " ");
}

function integerAt(object: JsonObject, name: string): number {
  const value = field(object, name);
  return typeof value === "number" && Number.isSafeInteger(value) ? value : bad(name);
}

const bytesAt = (object: JsonObject, name: string): number => {
  const value = integerAt(object, name);
  return value >= 0 ? value : bad(name);
};

function quantityAt(object: JsonObject): Quantity {
  const value = field(object, "quantity");
  return QUANTITIES.find((quantity) => quantity === value) ?? bad("quantity");
}

type Numbers = Float64Array | Int32Array;

/** A column of numbers that a typed array of this kind holds. */
function columnAt<T extends Numbers>(object: JsonObject, name: string, into: T, least: number): T {
  const values = listAt(object, name, into.length);
  if (values.length !== into.length) bad(name);
  values.forEach((value, index) => {
    const isFitting = typeof value === "number" && Number.isFinite(value) && value >= least;
    into[index] = isFitting ? value : bad(name);
    // a typed array keeps what fits; what does not must not pass as something else
    if (into[index] !== value) bad(name);
  });
  return into;
}

function seriesOf(value: unknown, budget: { samples: number }): ReadingSeries {
  if (!isObject(value)) return bad("series");
  const length = listAt(value, "bytes", budget.samples).length;
  budget.samples -= length;
  const optional = <T>(name: string, read: () => T): T | null => (field(value, name) === null ? null : read());
  return {
    quantity: quantityAt(value),
    device: integerAt(value, "device"),
    process: integerAt(value, "process"),
    label: textAt(value, "label"),
    seconds: optional("seconds", () => columnAt(value, "seconds", new Float64Array(length), 0)),
    bytes: columnAt(value, "bytes", new Float64Array(length), 0),
    lines: optional("lines", () => columnAt(value, "lines", new Int32Array(length), -1)),
    roundingBytes: bytesAt(value, "roundingBytes"),
  };
}

function factOf(value: unknown): ReadingFact {
  if (!isObject(value)) return bad("facts");
  const peak = field(value, "peak");
  return {
    quantity: quantityAt(value),
    name: textAt(value, "name"),
    device: integerAt(value, "device"),
    process: integerAt(value, "process"),
    bytes: bytesAt(value, "bytes"),
    roundingBytes: bytesAt(value, "roundingBytes"),
    peak: typeof peak === "boolean" ? peak : bad("peak"),
    line: integerAt(value, "line"),
  };
}

function noteOf(value: unknown): ReadingNote {
  if (!isObject(value)) return bad("notes");
  const content = field(value, "value");
  const isNumber = typeof content === "number" && Number.isFinite(content);
  return {
    name: textAt(value, "name"),
    value: isNumber ? content : textAt(value, "value"),
    line: integerAt(value, "line"),
  };
}

/** The document that {@link readingsFile} reads. */
export function writeReadings(readings: Readings): string {
  const { series, ...rest } = readings;
  const columns = series.map((entry) => ({
    ...entry,
    seconds: entry.seconds === null ? null : [...entry.seconds],
    bytes: [...entry.bytes],
    lines: entry.lines === null ? null : [...entry.lines],
  }));
  return `${JSON.stringify({ format: READINGS_FORMAT, ...rest, series: columns })}\n`;
}

export const readingsFile: ForeignFormat = {
  id: READINGS_FORMAT,
  title: "VRAMScope readings (watch, record)",
  extensions: ["json"],
  sniff: (_head, text) => (new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${READINGS_FORMAT}"`).test(text) ? 1 : 0),
  read: (file) => {
    const document = ownDocument(readText(file), CODES, NEWEST_SCHEMA);
    const budget = { samples: MOST_SAMPLES };
    return {
      format: READINGS_FORMAT,
      trace: null,
      readings: {
        schemaVersion: 1,
        source: textAt(document, "source"),
        program: textAt(document, "program"),
        series: listAt(document, "series", MOST_ENTRIES).map((entry) => seriesOf(entry, budget)),
        facts: listAt(document, "facts", MOST_ENTRIES).map(factOf),
        notes: listAt(document, "notes", MOST_ENTRIES).map(noteOf),
      },
      notes: [],
    };
  },
};
