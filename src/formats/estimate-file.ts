/** What `vramscope estimate --json` prints, for a serving engine or a training recipe, as figures: the first card of the document. */

import { table } from "../base/table.ts";
import type { Quantity, ReadingFact, ReadingNote } from "../trace/readings.ts";
import { readText } from "./file-text.ts";
import type { ForeignFormat } from "./foreign-format.ts";
import { field, isObject, type JsonObject } from "./json-text.ts";
import { badField, ownDocument } from "./own-document.ts";

const NEWEST_SCHEMA = 1;
const MOST_PARTS = 64;

/** Which part of an engine's memory is which quantity; what is on the host, or free, is none of the device's. */
const QUANTITY_OF_PART = table<Quantity>({
  weights: "weights",
  rotary_tables: "weights", // made when the model is loaded, and counted with it
  kv_cache: "kv_cache",
  activations: "activations",
  non_torch: "context",
  cuda_graphs: "graphs",
  compute: "compute_buffer",
});

/** Links of the chain of a simulated recipe, each an interval. */
const LINKS: readonly (readonly [name: string, quantity: Quantity])[] = [
  ["allocated", "allocated"],
  ["reserved", "reserved"],
  ["process", "process"],
];

const CODES = {
  notJson: "estimate_file_not_json",
  newerSchema: "estimate_file_newer_schema",
  badField: "estimate_file_bad_field",
};

const bad = (name: string): never => badField(CODES, name);

function bytesAt(object: JsonObject, name: string): number {
  const value = field(object, name);
  return typeof value === "number" && Number.isFinite(value) && value >= 0 && value < 2 ** 53
    ? Math.round(value)
    : bad(name);
}

interface Interval {
  readonly bytes: number;
  /** How far the real figure may be off. */
  readonly openBytes: number;
}

function intervalOf(object: JsonObject): Interval {
  const bytes = bytesAt(object, "bytes");
  const openBytes = Math.max(bytesAt(object, "highBytes") - bytes, bytes - bytesAt(object, "lowBytes"), 0);
  return { bytes, openBytes };
}

/** What the prediction leaves open stands where a tool's last digit stands. */
function factOf(quantity: Quantity, name: string, { bytes, openBytes }: Interval, peak: boolean): ReadingFact {
  return { quantity, name, bytes, roundingBytes: openBytes, peak, device: -1, process: -1, line: -1 };
}

/** Parts by what they are, added up. */
function partsOf(serving: JsonObject): Map<Quantity, Interval> {
  const parts = field(serving, "parts");
  if (!Array.isArray(parts)) return bad("parts");
  const sums = new Map<Quantity, Interval>();
  for (const part of parts.slice(0, MOST_PARTS) as unknown[]) {
    if (!isObject(part)) return bad("parts");
    const code = field(part, "code");
    if (typeof code !== "string") return bad("code");
    if (!Object.hasOwn(QUANTITY_OF_PART, code)) continue;
    const quantity = QUANTITY_OF_PART[code]!;
    const { bytes, openBytes } = intervalOf(part);
    const sum = sums.get(quantity) ?? { bytes: 0, openBytes: 0 };
    sums.set(quantity, { bytes: sum.bytes + bytes, openBytes: sum.openBytes + openBytes });
  }
  return sums;
}

/** Where tokens are counted, the cache gets what the other parts leave, so it is as open as they are together. */
function withOpenCache(parts: ReadonlyMap<Quantity, Interval>): [Quantity, Interval][] {
  const openBytes = [...parts.values()].reduce((sum, part) => sum + part.openBytes, 0);
  return [...parts].map(([quantity, part]) => [quantity, quantity === "kv_cache" ? { ...part, openBytes } : part]);
}

function servingFigures(serving: JsonObject): { facts: ReadingFact[]; notes: ReadingNote[] } {
  const parts = partsOf(serving);
  const named = typeof field(serving, "cacheTokens") === "number" ? withOpenCache(parts) : [...parts];
  const facts = named.map(([quantity, part]) => factOf(quantity, quantity, part, false));
  const notes = (
    [
      ["KV cache tokens", "cacheTokens"],
      ["context length", "contextLength"],
      ["engine", "engine"],
      ["version", "version"],
    ] as const
  ).flatMap(([name, key]): ReadingNote[] => {
    const value = field(serving, key);
    const isKnown = typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
    return isKnown ? [{ name, value: typeof value === "string" ? value.slice(0, 200) : value, line: -1 }] : [];
  });
  return { facts, notes };
}

function recipeFigures(estimate: JsonObject): { facts: ReadingFact[]; notes: ReadingNote[] } {
  const chain = field(estimate, "chain");
  if (!isObject(chain)) return bad("chain");
  const facts = LINKS.map(([name, quantity]) => {
    const link = field(chain, name);
    return isObject(link) ? factOf(quantity, name, intervalOf(link), true) : bad(name);
  });
  return { facts, notes: [] };
}

export const estimateFile: ForeignFormat = {
  id: "vramscope-estimate",
  title: "VRAMScope estimate (estimate --json)",
  extensions: ["json"],
  sniff: (_head, text) =>
    /^\s*\{\s*"schemaVersion"\s*:\s*\d+\s*,\s*"model"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*(?:"servings"|"torch")\s*:/.test(
      text,
    )
      ? 1
      : 0,
  read: (file, { name }) => {
    const document = ownDocument(readText(file), CODES, NEWEST_SCHEMA);
    const servings = field(document, "servings");
    const estimates = field(document, "estimates");
    const [first] = Array.isArray(servings) ? servings : Array.isArray(estimates) ? estimates : bad("estimates");
    if (!isObject(first)) return bad("estimates");
    const { facts, notes } = Array.isArray(servings) ? servingFigures(first) : recipeFigures(first);
    const model = field(document, "model");
    if (typeof model === "string") notes.push({ name: "model", value: model.slice(0, 200), line: -1 });
    return {
      format: estimateFile.id,
      trace: null,
      readings: { schemaVersion: 1, source: estimateFile.id, program: name, series: [], facts, notes },
      notes: [],
    };
  },
};
