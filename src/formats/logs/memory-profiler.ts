/** memory_profiler: the line table of `@profile` and the samples of `mprof run`. Both are memory of the host, not of the GPU. */

import { MIB } from "../../base/bytes.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { figure, numberOf } from "./figures.ts";
import { NOWHERE, ReadingsBuilder } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

// memory_profiler.py: show_results (template of five columns, MiB is 2**20, precision is the user's), and the records MEM, CHLD and
// FUNC that mprof's file has, with times in seconds since 1970.

const HEADER = /^Line #\s+Mem usage\s+Increment\b/;
const ROW = /^\s*(\d{1,9})\s+(-?[\d.]{1,20}) MiB\s+(-?[\d.]{1,20}) MiB(?:\s+(\d{1,15}))?(?:\s|$)/;

export const memoryProfiler: ForeignFormat = {
  id: "memory-profiler",
  title: "memory_profiler line table",
  extensions: ["log", "txt"],
  sniff: (_head, text) => (/^Line #\s+Mem usage\s+Increment\b/m.test(text) ? 0.95 : 0),
  read: (file, { name, onProgress }) => {
    const out = new ReadingsBuilder();
    let measured = "";
    let inTable = false;
    let unread = 0;
    eachLine(
      file,
      (text, line) => {
        if (text.startsWith("Filename: ")) {
          measured = text.slice("Filename: ".length).trim();
          out.note("measured file", measured, line);
          inTable = false;
        } else if (HEADER.test(text)) {
          inTable = true;
        } else if (inTable) {
          // A line without figures was not run.
          const row = ROW.exec(text.slice(0, 200));
          const usage = row === null ? null : figure(row[2]!, MIB);
          const increment = row === null ? null : figure(row[3]!, MIB);
          if (usage === null || increment === null) return;
          const at = Number(row![1]);
          out.sample("host", NOWHERE, measured, usage, null, at);
          out.sample("other", NOWHERE, `${measured} increment`.trim(), increment, null, at);
        } else if (text.trim() !== "") unread++;
      },
      { onProgress },
    );
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: memoryProfiler.title }));
    if (unread > 0) out.assume("log_lines_skipped", { lines: unread });
    return { format: memoryProfiler.id, trace: null, ...out.finish(memoryProfiler.id, name) };
  },
};

const LONGEST_RECORD = 4000;

function readRecord(out: ReadingsBuilder, text: string, line: number): boolean {
  const [kind, ...words] = text.trimEnd().split(" ");
  const value = (at: number) => figure(words[at] ?? "", MIB);
  const time = (at: number) => numberOf(words[at] ?? "");
  if (kind === "CMDLINE") {
    out.note("command", words.join(" "), line);
    return true;
  }
  if (kind === "MEM" || kind === "CHLD") {
    const child = kind === "CHLD" ? 1 : 0;
    const used = value(child);
    const seconds = time(child + 1);
    if (used === null || seconds === null) return false;
    out.sample("host", NOWHERE, child === 1 ? `child ${words[0]}` : "", used, seconds, line);
    return true;
  }
  if (kind !== "FUNC") return false;
  const before = value(1);
  const after = value(3);
  if (before === null || after === null) return false;
  const grown = { bytes: after.bytes - before.bytes, roundingBytes: before.roundingBytes + after.roundingBytes };
  out.fact("other", NOWHERE, `${words[0]}: grown by`, grown, false, line);
  return true;
}

export const mprofFile: ForeignFormat = {
  id: "mprof",
  title: "mprof samples (memory_profiler)",
  extensions: ["dat"],
  sniff: (_head, text) => (/^(?:CMDLINE |MEM \d)/.test(text) && /^MEM -?\d+\.\d+ \d+\.\d+\r?$/m.test(text) ? 0.97 : 0),
  read: (file, { name, onProgress }) => {
    const out = new ReadingsBuilder();
    let unread = 0;
    eachLine(
      file,
      (text, line) => {
        if (text.trim() !== "" && !readRecord(out, text, line)) unread++;
      },
      { onProgress, longest: LONGEST_RECORD },
    );
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: mprofFile.title }));
    if (unread > 0) out.assume("log_lines_skipped", { lines: unread });
    return { format: mprofFile.id, trace: null, ...out.finish(mprofFile.id, name) };
  },
};
