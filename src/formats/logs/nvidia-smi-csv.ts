/** `nvidia-smi --query-gpu=... --format=csv` and `--query-compute-apps=...`, once or in a loop, with or without header and units. */

import { table } from "../../base/table.ts";
import { MIB } from "../../base/bytes.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { Quantity } from "../../trace/readings.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { figure, timeOf } from "./figures.ts";
import { DeviceNumbers } from "./nvidia-smi-ids.ts";
import { ReadingsBuilder } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

// `nvidia-smi --help-query-gpu`, `--help-query-compute-apps`; MiB is 1048576 bytes, and stays so with `nounits`.

/** What a column counts, by its name without the unit. */
const COLUMNS = table<Quantity>({
  "memory.used": "device_used",
  "memory.free": "device_free",
  "memory.total": "device_total",
  "memory.reserved": "other",
  "protected_memory.used": "other",
  used_gpu_memory: "process",
  used_memory: "process",
  max_memory_usage: "process", // --query-accounted-apps
});
/** Columns that tell devices apart, best first. */
const IDS = ["index", "gpu_index", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "serial", "gpu_serial"];
const NOTES = table<string>({ name: "GPU", gpu_name: "GPU", driver_version: "driver version" });
const PROCESS_NAMES = ["process_name", "name"];

// A comma without a space behind belongs to a process's name, unless there are no others.
const fieldsOf = (line: string): string[] => line.split(line.includes(", ") ? ", " : ",").map((field) => field.trim());
const columnName = (field: string): string => field.replace(/\s?\[[\w%/ ]{1,20}\]$/, "").toLowerCase();

/** Names of the columns if the line is a header. */
function headerOf(line: string): string[] | null {
  if (!line.includes("memory")) return null;
  const names = fieldsOf(line).map(columnName);
  return names.some((name) => Object.hasOwn(COLUMNS, name)) && names.every((name) => /^[a-z][\w.]*$/.test(name))
    ? names
    : null;
}

const SIZE = /^(\d{1,12}) MiB$/;
const TIME = /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2}\.\d{3}$/;

/**
 * Names of columns of a file without a header: a process id, a name and a size are those of a process; of two sizes the larger
 * is the total. Null when that cannot be told.
 */
function guessedColumns(line: string): string[] | null {
  const fields = fieldsOf(line);
  const sizes = fields.flatMap((field, column) => (SIZE.test(field) ? [column] : []));
  if (sizes.length === 0 || sizes.length > 2) return null;
  const columns: string[] = fields.map((field) => (TIME.test(field) ? "timestamp" : "unknown"));
  const first = columns.indexOf("unknown");
  const number = fields[first] ?? "";
  const isProcess = sizes.length === 1 && fields.length - first === 3 && sizes[0] === fields.length - 1;
  if (isProcess && /^\d{2,9}$/.test(number) && !/^[\d.]+ ?%?$/.test(fields[first + 1]!)) {
    columns.splice(first, 3, "pid", "process_name", "used_gpu_memory");
    return columns;
  }
  if (/^\d{1,2}$/.test(number)) columns[first] = "index";
  const bytes = sizes.map((column) => Number(SIZE.exec(fields[column]!)![1]));
  sizes.forEach((column, at) => {
    const isTotal = sizes.length === 2 && bytes[at]! >= bytes[1 - at]! && (at === 1 || bytes[0] !== bytes[1]);
    columns[column] = isTotal ? "memory.total" : "memory.used";
  });
  return columns;
}

interface Table {
  readonly names: readonly string[];
  readonly time: number;
  readonly id: number;
  readonly process: number;
  readonly processName: number;
}

function tableOf(names: readonly string[]): Table {
  const first = (wanted: readonly string[]) => wanted.map((name) => names.indexOf(name)).find((at) => at !== -1) ?? -1;
  const process = names.indexOf("pid");
  return {
    names,
    time: names.indexOf("timestamp"),
    id: first(IDS),
    process,
    processName: process === -1 ? -1 : first(PROCESS_NAMES),
  };
}

/** Fields of a row; commas in the name of a process make too many. */
function rowFields(line: string, { names, processName }: Table): string[] | null {
  const fields = fieldsOf(line);
  const more = fields.length - names.length;
  if (more < 0 || (more > 0 && processName === -1)) return null;
  if (more > 0) fields.splice(processName, more + 1, fields.slice(processName, processName + more + 1).join(", "));
  return fields;
}

const IS_MISSING = /^\[?(?:N\/A|Not Supported|Unknown Error|Insufficient Permissions|GPU is lost|Not Found)\]?$/i;

class CsvReader {
  readonly out = new ReadingsBuilder();
  readonly #devices = new DeviceNumbers();
  #table: Table | null = null;
  unread = 0;

  line(text: string, line: number): void {
    if (text.trim() === "") return;
    const header = headerOf(text);
    if (header !== null) {
      this.#table = tableOf(header);
      return;
    }
    if (this.#table === null) {
      const guessed = guessedColumns(text);
      if (guessed === null) {
        this.unread++;
        return;
      }
      this.#table = tableOf(guessed);
      this.out.assume("smi_columns_guessed", { columns: guessed.filter((name) => name !== "unknown").join(", ") });
    }
    if (!this.#row(text, line, this.#table)) this.unread++;
  }

  #row(text: string, line: number, table: Table): boolean {
    const fields = rowFields(text, table);
    if (fields === null) return false;
    const seconds = table.time === -1 ? null : timeOf(fields[table.time]!);
    const id = table.id === -1 ? "" : fields[table.id]!;
    const isIndex = table.id !== -1 && table.names[table.id]!.endsWith("index");
    if (isIndex && !/^\d{1,4}$/.test(id)) return false;
    const device = table.id === -1 ? -1 : isIndex ? Number(id) : this.#devices.of(id);
    const process = table.process === -1 ? -1 : Number(fields[table.process]);
    if (!Number.isSafeInteger(process)) return false;
    const place = { device, process };
    const label = table.processName === -1 ? "" : fields[table.processName]!;
    let known = false;
    table.names.forEach((name, column) => {
      const field = fields[column]!;
      if (IS_MISSING.test(field)) {
        if (Object.hasOwn(COLUMNS, name)) {
          known = true;
          this.out.once("smi_not_available", { column: name });
        }
        return;
      }
      if (process === -1 && Object.hasOwn(NOTES, name)) {
        this.out.note(device === -1 || NOTES[name] !== "GPU" ? NOTES[name]! : `GPU ${device}`, field, line);
      }
      if (!Object.hasOwn(COLUMNS, name)) return;
      const quantity = COLUMNS[name]!;
      const value = figure(field.replace(/ MiB$/, ""), MIB);
      if (value === null) return;
      known = true;
      if (quantity === "device_total") this.out.fact(quantity, place, name, value, false, line);
      else this.out.sample(quantity, place, quantity === "other" ? name : label, value, seconds, line);
    });
    return known;
  }
}

export const nvidiaSmiCsv: ForeignFormat = {
  id: "nvidia-smi-csv",
  title: "nvidia-smi CSV (--query-gpu, --query-compute-apps)",
  extensions: ["csv", "log", "txt"],
  sniff: (_head, text) => {
    const lines = text.slice(0, 8192).split("\n").slice(0, 20);
    if (lines.some((line) => headerOf(line) !== null)) return 0.98;
    const whole = lines.filter((line) => line.trim() !== "");
    if (whole.length > 0 && whole.slice(0, 3).every((line) => guessedColumns(line) !== null)) return 0.7;
    // without header and units: at least to say so
    return whole.some((line) => line.includes(",") && TIME.test(fieldsOf(line)[0]!)) ? 0.3 : 0;
  },
  read: (file, { name, onProgress }) => {
    const reader = new CsvReader();
    const { cutLines } = eachLine(file, (text, line) => reader.line(text, line), { onProgress });
    const { out, unread } = reader;
    if (out.isEmpty) throw new DiagnosticError(diagnostic("smi_no_columns"));
    if (unread > 0) out.assume("log_lines_skipped", { lines: unread });
    if (cutLines > 0) out.assume("log_lines_cut", { lines: cutLines });
    return { format: nvidiaSmiCsv.id, trace: null, ...out.finish(nvidiaSmiCsv.id, name) };
  },
};
