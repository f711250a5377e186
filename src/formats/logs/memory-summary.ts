/** The table of `torch.cuda.memory_summary()`, of any release, whole or abbreviated, alone or in a log. */

import { table } from "../../base/table.ts";
import { GIB, KIB, MIB } from "../../base/bytes.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { Quantity } from "../../trace/readings.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { explainStats, type StatFigures } from "./stats-meaning.ts";
import { NOWHERE, ReadingsBuilder, type DeviceProcess } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

/** KB are 1024 bytes here, too. */
const UNITS = table<number>({
  B: 1,
  KB: KIB,
  KiB: KIB,
  MB: MIB,
  MiB: MIB,
  GB: GIB,
  GiB: GIB,
  TB: 1024 * GIB,
  TiB: 1024 * GIB,
  PB: 1024 * 1024 * GIB,
  PiB: 1024 * 1024 * GIB,
});
const COUNTS = table<number>({ "": 1, K: 1e3, M: 1e6 });

/** Names of rows, and what their bytes count. */
const ROWS = table<Quantity>({
  "Allocated memory": "allocated",
  "Active memory": "other",
  "Requested memory": "requested",
  "GPU reserved memory": "reserved",
  "Non-releasable memory": "other",
});
const COLUMNS = ["current", "peak", "allocated in all", "freed in all"] as const;

const TITLE = /PyTorch (?:CUDA|XPU|HIP) memory summary, device ID (\S{1,8})/;
const SCALARS = /CUDA OOMs: (\d{1,12})\b.{0,40}cudaMalloc retries: (\d{1,12})\b/;
/** Whatever stands before it: a log's prefix, a comment's sign. */
const ROW = /\|\s{0,12}([A-Za-z][\w -]{1,30}?)\s{0,30}\|((?:\s{0,12}\d{1,19} ?[A-Za-z]{0,3}\s{0,12}\|){4})/;
const CELL = /(\d{1,19}) ?([A-Za-z]{0,3})/g;

interface Table {
  place: DeviceProcess;
  group: string;
  readonly figures: StatFigures;
}

function readRow(label: string, cells: string, table: Table, line: number, out: ReadingsBuilder): void {
  const isPool = label.startsWith("from ");
  if (!isPool) table.group = label;
  const quantity = ROWS[table.group];
  const name = isPool ? `${table.group}, ${label}` : label;
  [...cells.matchAll(CELL)].forEach(([, number, unit], column) => {
    const value = Number(number) * ((quantity === undefined ? COUNTS : UNITS)[unit!] ?? 1);
    if (!Number.isSafeInteger(value)) return;
    if (quantity === undefined) {
      if (!isPool && column < 2) out.note(`${name} (${COLUMNS[column]!})`, value, line);
      return;
    }
    // the table cuts digits off, so the figure may be up to one unit more
    const size = { bytes: value, roundingBytes: unit === "B" ? 0 : UNITS[unit!]! };
    // what was allocated and freed in all says nothing about how much memory there was
    if (column < 2)
      out.fact(isPool ? "other" : quantity, table.place, `${name} (${COLUMNS[column]!})`, size, column === 1, line);
    if (!isPool) table.figures.set(`${table.group}.${COLUMNS[column]!}`, size.bytes);
  });
}

export const memorySummary: ForeignFormat = {
  id: "memory-summary",
  title: "torch.cuda.memory_summary()",
  standsInside: true,
  extensions: ["txt", "log"],
  sniff: (_head, text) => (TITLE.test(text) ? 0.95 : 0),
  read: (file, { name, onProgress }) => {
    const out = new ReadingsBuilder();
    const tables: Table[] = [];
    eachLine(
      file,
      (text, line) => {
        const title = TITLE.exec(text);
        if (title !== null) {
          const place = /^\d{1,3}$/.test(title[1]!) ? { device: Number(title[1]), process: -1 } : NOWHERE;
          tables.push({ place, group: "", figures: new Map() });
        }
        const table = tables.at(-1);
        if (table === undefined) return;
        const scalars = SCALARS.exec(text);
        if (scalars !== null) {
          out.note("CUDA OOMs", Number(scalars[1]), line);
          out.note("cudaMalloc retries", Number(scalars[2]), line);
          table.figures.set("ooms", Number(scalars[1]));
          table.figures.set("retries", Number(scalars[2]));
        }
        const row = ROW.exec(text);
        if (row !== null) readRow(row[1]!, row[2]!, table, line, out);
      },
      { onProgress },
    );
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: memorySummary.title }));
    const last = tables.at(-1)!.figures;
    explainStats(
      {
        allocated: last.get("Allocated memory.current"),
        peakAllocated: last.get("Allocated memory.peak"),
        reserved: last.get("GPU reserved memory.current"),
        peakReserved: last.get("GPU reserved memory.peak"),
        split: last.get("Non-releasable memory.current"),
        ooms: last.get("ooms"),
        retries: last.get("retries"),
      },
      out,
    );
    return { format: memorySummary.id, trace: null, ...out.finish(memorySummary.id, name) };
  },
};
