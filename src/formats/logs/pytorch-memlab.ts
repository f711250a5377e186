/** The line table of pytorch_memlab's `profile` and `LineProfiler`: statistics of PyTorch's allocator after each line. */

import { table } from "../../base/table.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { Quantity } from "../../trace/readings.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { sizeFigure } from "./figures.ts";
import { ReadingsBuilder } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

// pytorch_memlab/line_profiler/line_records.py: `## function`, three lines of column names (statistic, pool, kind of
// torch.cuda.memory_stats), then the columns, the line's number and the code. Sizes are calmsize's, powers of 1024: `1.25G`.

const STATISTICS = table<Quantity>({
  active_bytes: "allocated",
  allocated_bytes: "allocated",
  reserved_bytes: "reserved",
  requested_bytes: "requested",
  inactive_split_bytes: "other",
});
/** What the columns count, in their order. */
interface Columns {
  readonly names: readonly string[];
  readonly kinds: readonly string[];
}

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

function namesOf(text: string): string[] | null {
  const words = wordsOf(text.slice(0, 400));
  const end = words.indexOf("line");
  if (end < 1 || words[end + 1] !== "code") return null;
  const names = words.slice(0, end);
  return names.some((name) => Object.hasOwn(STATISTICS, name)) ? names : null;
}

const HEADER = /^[ \t]{0,80}(?:\w{1,40}_bytes(?:\.\w{1,40}){0,2}[ \t]+){1,12}line[ \t]+code\b/m;

/** Values of a row: as many sizes as there are columns, then a line's number. Lines that were not run have no sizes. */
function rowOf(text: string, columns: number): { sizes: readonly string[]; line: number } | null {
  const words = wordsOf(text.slice(0, 400));
  const line = words[columns];
  if (line === undefined || !/^\d{1,9}$/.test(line)) return null;
  return { sizes: words.slice(0, columns), line: Number(line) };
}

export const pytorchMemlab: ForeignFormat = {
  id: "pytorch-memlab",
  title: "pytorch_memlab line table",
  extensions: ["txt", "log"],
  sniff: (_head, text) => (HEADER.test(text) ? 0.95 : 0),
  read: (file, { name, onProgress }) => {
    const out = new ReadingsBuilder();
    let scope = "";
    let columns: Columns | null = null;
    let heads = 0;
    let unread = 0;
    eachLine(
      file,
      (text) => {
        const names = namesOf(text);
        if (text.startsWith("## ")) scope = text.slice(3).trim();
        else if (names !== null) {
          columns = { names, kinds: [] };
          heads = 2;
        } else if (columns === null) unread += text.trim() === "" ? 0 : 1;
        else if (heads > 0) {
          // The last line of names says whether a column is the peak or the value after the line.
          heads--;
          columns = { names: columns.names, kinds: wordsOf(text) };
        } else {
          const row = rowOf(text, columns.names.length);
          if (row === null) return;
          const { kinds } = columns;
          columns.names.forEach((column, at) => {
            const value = sizeFigure(row.sizes[at]!);
            if (value === null || !Object.hasOwn(STATISTICS, column)) return;
            const label = [scope, column, kinds[at] ?? ""].filter((part) => part !== "").join(" ");
            out.sample(STATISTICS[column]!, { device: 0, process: -1 }, label, value, null, row.line);
          });
        }
      },
      { onProgress },
    );
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: pytorchMemlab.title }));
    if (unread > 0) out.assume("log_lines_skipped", { lines: unread });
    return { format: pytorchMemlab.id, trace: null, ...out.finish(pytorchMemlab.id, name) };
  },
};
