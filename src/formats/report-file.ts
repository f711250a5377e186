/** Our own reports, as `vramscope run --json` prints them: figures without the blocks behind them. */

import { diagnostic, DiagnosticError } from "../base/diagnostic.ts";
import type { Quantity, ReadingFact, ReadingNote } from "../trace/readings.ts";
import { readText } from "./file-text.ts";
import type { ForeignFormat } from "./foreign-format.ts";
import { field, isObject, type JsonObject } from "./json-text.ts";

const NEWEST_SCHEMA = 1;

/** Where in the report a figure stands, what it counts, and whether it is a highest value. */
const FIGURES: readonly (readonly [path: readonly string[], quantity: Quantity, peak: boolean])[] = [
  [["allocated", "peakBytes"], "allocated", true],
  [["allocated", "endBytes"], "allocated", false],
  [["reserved", "peakBytes"], "reserved", true],
  [["reserved", "endBytes"], "reserved", false],
  [["asNvidiaSmiShows", "expectedBytes"], "process", true],
  [["gpu", "contextBytes", "expectedBytes"], "context", false],
  [["charged", "requestedBytes"], "requested", true],
  [["capacityBytes"], "device_total", false],
];
const NAMES = ["program", "torch", "status", "verdict"] as const;

function bad(name: string): never {
  throw new DiagnosticError(diagnostic("report_bad_field", { field: name }));
}

function at(document: JsonObject, path: readonly string[]): unknown {
  let value: unknown = document;
  for (const name of path) value = isObject(value) ? field(value, name) : undefined;
  return value;
}

function bytesAt(document: JsonObject, path: readonly string[]): number {
  const value = at(document, path);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : bad(path.join("."));
}

function parse(text: string): JsonObject {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new DiagnosticError(diagnostic("report_not_json", { reason }));
  }
  if (!isObject(document)) return bad("document");
  const version = field(document, "schemaVersion");
  if (typeof version !== "number") return bad("schemaVersion");
  if (version > NEWEST_SCHEMA) {
    throw new DiagnosticError(diagnostic("report_newer_schema", { version, known: NEWEST_SCHEMA }));
  }
  return document;
}

/** Bytes at the peak by category, for what a report names so. */
function categoryFacts(document: JsonObject): ReadingFact[] {
  const categories = field(document, "categories");
  if (!Array.isArray(categories)) return bad("categories");
  return categories.slice(0, 64).map((entry: unknown, index) => {
    if (!isObject(entry)) return bad(`categories[${index}]`);
    const name = field(entry, "category");
    if (typeof name !== "string") return bad(`categories[${index}].category`);
    return fact("other", name.slice(0, 60), bytesAt(entry, ["bytes"]), false);
  });
}

function fact(quantity: Quantity, name: string, bytes: number, peak: boolean): ReadingFact {
  return { quantity, name, bytes, peak, device: 0, process: -1, roundingBytes: 0, line: -1 };
}

export const reportFile: ForeignFormat = {
  id: "vramscope-report",
  title: "VRAMScope report (run --json)",
  extensions: ["json"],
  sniff: (_head, text) =>
    /^\s*\{\s*"schemaVersion"\s*:/.test(text) && text.includes('"asNvidiaSmiShows"') && text.includes('"verdict"')
      ? 1
      : 0,
  read: (file, { name }) => {
    const document = parse(readText(file));
    const notes = NAMES.map((key): ReadingNote => {
      const value = field(document, key);
      return typeof value === "string" ? { name: key, value: value.slice(0, 200), line: -1 } : bad(key);
    });
    const gpu = at(document, ["gpu", "name"]);
    if (typeof gpu === "string") notes.push({ name: "gpu", value: gpu.slice(0, 200), line: -1 });
    const facts = FIGURES.map(([path, quantity, peak]) =>
      fact(quantity, path.join("."), bytesAt(document, path), peak),
    );
    return {
      format: reportFile.id,
      trace: null,
      readings: {
        schemaVersion: 1,
        source: reportFile.id,
        program: name,
        series: [],
        facts: [...facts, ...categoryFacts(document)],
        notes,
      },
      notes: [],
    };
  },
};
