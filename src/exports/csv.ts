/** Tables for spreadsheets (RFC 4180): every block from birth to death, and every source line. */

import { shownText } from "../base/shown-text.ts";
import type { ExportFormat } from "./export-format.ts";
import { lineTable } from "../trace/lines.ts";
import type { Trace } from "../trace/model.ts";

type Cell = string | number | null;

/** Spreadsheets take a text that begins like this for a formula; the program's text is no formula. */
const FORMULA = /^\s*[=+\-@|%＝＋－＠]/;

function cell(value: Cell): string {
  if (typeof value === "number") return String(value);
  if (value === null) return "";
  const name = shownText(value);
  const text = FORMULA.test(name) ? `'${name}` : name;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const row = (cells: readonly Cell[]): string => `${cells.map(cell).join(",")}\r\n`;

const BLOCK_HEADER = [
  "block",
  "category",
  "bytes",
  "requested_bytes",
  "address",
  "stream",
  "alloc_event",
  "free_event",
  "phase",
  "dtype",
  "shape",
  "op",
  "module",
  "file",
  "line",
  "function",
  "note",
];

function* blocks(trace: Trace): Generator<string, void, undefined> {
  yield row(BLOCK_HEADER);
  for (const [index, block] of trace.blocks.entries()) {
    const frame = trace.frames[block.frame];
    yield row([
      index,
      block.category,
      block.bytes,
      block.requestedBytes,
      block.address,
      block.stream,
      block.allocEvent,
      block.freeEvent === -1 ? null : block.freeEvent,
      block.phase,
      block.dtype,
      block.shape === null ? null : block.shape.join("x"),
      trace.ops[block.op] ?? null,
      trace.modules[block.module] ?? null,
      frame?.file ?? null,
      frame?.line ?? null,
      frame?.name ?? null,
      block.note,
    ]);
  }
}

const LINE_HEADER = [
  "file",
  "line",
  "function",
  "allocated_after_bytes",
  "change_bytes",
  "peak_bytes",
  "allocations",
  "allocation_bytes",
  "frees",
  "modules",
  "ops",
];

function* lines(trace: Trace): Generator<string, void, undefined> {
  yield row(LINE_HEADER);
  for (const line of lineTable(trace)) {
    yield row([
      line.file,
      line.line,
      line.function,
      line.allocatedAfterBytes,
      line.changeBytes,
      line.peakBytes,
      line.allocations,
      line.allocationBytes,
      line.frees,
      line.modules.join(" "),
      line.ops.join(" "),
    ]);
  }
}

export const csvBlocks: ExportFormat = {
  id: "csv-blocks",
  extension: ".csv",
  label: "export_csv_blocks",
  write: blocks,
};

export const csvLines: ExportFormat = { id: "csv-lines", extension: ".csv", label: "export_csv_lines", write: lines };
