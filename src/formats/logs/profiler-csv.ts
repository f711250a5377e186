/** `nvprof --print-gpu-trace --csv` and CSV reports of `nsys stats`: what was copied and set. Memory in use is in neither. */

import { table } from "../../base/table.ts";
import { KIB, MIB, GIB } from "../../base/bytes.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { csvFields } from "./csv-row.ts";
import { figure, numberOf } from "./figures.ts";
import { NOWHERE, ReadingsBuilder } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

// nvprof writes the units in a second line, powers of 1024 (1.003906 KB are 1028 bytes). nsys writes them into the header, powers of
// 1000 (48 copies of 8 MiB are 402.653 MB); before 2021 it wrote KiB and meant it.
const NVPROF_UNITS = table<number>({ B: 1, KB: KIB, MB: MIB, GB: GIB });
const NSYS_UNITS = table<number>({
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: KIB,
  MiB: MIB,
  GiB: GIB,
});
const SECONDS = table<number>({ s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9, sec: 1 });

/** Where a table has what is read from it. */
interface Columns {
  readonly size: number;
  readonly name: number;
  readonly time: number;
  readonly device: number;
  readonly count: number;
  readonly sizeUnit: number;
  readonly timeUnit: number;
  /** A table of sums rather than one of copies. */
  readonly isSummary: boolean;
}

function unitIn(name: string): string {
  return /\(([A-Za-z]{1,4})\)$/.exec(name)?.[1] ?? "";
}

/** nsys: `Bytes (MB)` of cuda_gpu_trace, `Total (MB)` of cuda_gpu_mem_size_sum. */
function nsysColumns(names: readonly string[]): Columns | null {
  const find = (form: RegExp) => names.findIndex((name) => form.test(name));
  const bytes = find(/^Bytes \([KMG]?i?B\)$/);
  const total = find(/^Total \([KMG]?i?B\)$/);
  const size = bytes === -1 ? total : bytes;
  const name = find(bytes === -1 ? /^Operation$/ : /^Name$/);
  if (size === -1 || name === -1) return null;
  const time = find(/^Start \(\w{1,4}\)$/);
  return {
    size,
    name,
    time,
    device: find(/^Device$/),
    count: bytes === -1 ? find(/^(?:Count|Operations)$/) : -1,
    sizeUnit: NSYS_UNITS[unitIn(names[size]!)] ?? 1,
    timeUnit: time === -1 ? 0 : (SECONDS[unitIn(names[time]!)] ?? 0),
    isSummary: bytes === -1,
  };
}

/** nvprof: the header names, the next line the units. */
function nvprofColumns(names: readonly string[], units: readonly string[]): Columns | null {
  const [size, name, time] = [names.indexOf("Size"), names.indexOf("Name"), names.indexOf("Start")];
  const unit = NVPROF_UNITS[units[size] ?? ""];
  if (size === -1 || name === -1 || unit === undefined) return null;
  const timeUnit = SECONDS[units[time] ?? ""] ?? 0;
  return { size, name, time, device: names.indexOf("Device"), count: -1, sizeUnit: unit, timeUnit, isSummary: false };
}

const isNvprofHeader = (line: string): boolean => /^"?Start"?,"?Duration"?,"?Grid X"?/.test(line);

/** `NVIDIA A100-SXM4-80GB (0)`, of both tools. */
function deviceOf(text: string | undefined): number {
  const match = /\((\d{1,3})\)$/.exec(text ?? "");
  return match === null ? -1 : Number(match[1]);
}

class ProfileReader {
  readonly out = new ReadingsBuilder();
  #columns: Columns | null = null;
  #nvprofNames: readonly string[] | null = null;
  rows = 0;
  unread = 0;

  line(text: string, line: number): void {
    if (text.trim() === "" || text.startsWith("==")) return;
    if (isNvprofHeader(text)) {
      this.#nvprofNames = csvFields(text);
      return;
    }
    const fields = csvFields(text);
    if (this.#nvprofNames !== null) {
      this.#columns = nvprofColumns(this.#nvprofNames, fields);
      this.#nvprofNames = null;
      return;
    }
    const header = nsysColumns(fields);
    if (header !== null) {
      this.#columns = header;
      return;
    }
    if (this.#columns === null || !this.#row(fields, this.#columns, line)) this.unread++;
  }

  #row(fields: readonly string[], columns: Columns, line: number): boolean {
    const name = fields[columns.name];
    if (name === undefined || fields[columns.size] === undefined) return false;
    this.rows++;
    // Kernels have no size.
    const value = figure(fields[columns.size]!, columns.sizeUnit);
    if (value === null) return true;
    if (columns.isSummary) {
      this.out.fact("other", NOWHERE, name, value, false, line);
      const count = numberOf(fields[columns.count] ?? "");
      if (count !== null) this.out.note(`${name}: times`, count, line);
      return true;
    }
    const seconds = columns.time === -1 ? null : numberOf(fields[columns.time]!);
    const place = { device: deviceOf(fields[columns.device]), process: -1 };
    this.out.sample("other", place, name, value, seconds === null ? null : seconds * columns.timeUnit, line);
    return true;
  }
}

export const profilerCsv: ForeignFormat = {
  id: "profiler-csv",
  title: "nvprof or Nsight Systems table (CSV)",
  extensions: ["csv", "txt"],
  sniff: (_head, text) => {
    const lines = text.split("\n", 400);
    return lines.some((line) => isNvprofHeader(line) || (line.includes("B)") && nsysColumns(csvFields(line)) !== null))
      ? 0.9
      : 0;
  },
  read: (file, { name, onProgress }) => {
    const reader = new ProfileReader();
    eachLine(file, (text, line) => reader.line(text, line), { onProgress });
    const { out, unread } = reader;
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: profilerCsv.title }));
    out.assume("profile_copies_only");
    if (unread > 0) out.assume("log_lines_skipped", { lines: unread });
    return { format: profilerCsv.id, trace: null, ...out.finish(profilerCsv.id, name) };
  },
};
