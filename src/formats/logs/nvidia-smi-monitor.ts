/** `nvidia-smi dmon` and `pmon`: columns under a header that is repeated, one row for each device or process and second. */

import { MIB } from "../../base/bytes.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { Quantity } from "../../trace/readings.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { figure } from "./figures.ts";
import { ReadingsBuilder } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

// `man nvidia-smi`, "Device Monitoring" and "Process Monitoring": fb is the frame buffer's memory in use, in what it calls MB and
// the query calls MiB; bar1 is the window through which the host reaches it; ccpm is protected memory.

const FIGURES: Readonly<
  Record<string, { readonly device: Quantity; readonly process: Quantity; readonly label: string }>
> = {
  fb: { device: "device_used", process: "process", label: "" },
  bar1: { device: "other", process: "other", label: "bar1" },
  ccpm: { device: "other", process: "other", label: "ccpm" },
};

// With `--format csv` commas stand between.
const wordsOf = (line: string): string[] =>
  line
    .replace(/^#/, " ")
    .trim()
    .split(/[\s,]+/);

/** Lower-case names of the columns if the line is the first line of a header. */
function headerOf(line: string): string[] | null {
  if (!line.startsWith("#")) return null;
  const names = wordsOf(line.slice(0, 1000)).map((name) => name.toLowerCase());
  return names.includes("gpu") && names.includes("fb") ? names : null;
}

/** Seconds of `20240506` and `07:08:09`, as `-o DT` prints them, or of the time alone. */
function secondsOf(date: string | undefined, time: string | undefined): number | null {
  const clock = /^(\d{2}):(\d{2}):(\d{2})$/.exec(time ?? "");
  if (clock === null) return null;
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(date ?? "");
  const since = day === null ? 0 : Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])) / 1000;
  return since + Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
}

function readRow(out: ReadingsBuilder, names: readonly string[], text: string, line: number): boolean {
  const words = wordsOf(text);
  const at = (name: string): string | undefined => words[names.indexOf(name)];
  const device = at("gpu");
  if (device === undefined || !/^\d{1,4}$/.test(device)) return false;
  const pid = names.includes("pid") ? at("pid") : undefined;
  // pmon prints a row of dashes for a device without processes.
  if (pid === "-") return true;
  const process = pid === undefined ? -1 : Number(pid);
  if (!Number.isSafeInteger(process)) return false;
  const place = { device: Number(device), process };
  const command = names.indexOf("command");
  const name = command === -1 ? "" : words.slice(command).join(" ");
  const seconds = secondsOf(at("date"), at("time"));
  for (const [column, { device: ofDevice, process: ofProcess, label }] of Object.entries(FIGURES)) {
    const value = names.includes(column) ? figure(at(column) ?? "", MIB) : null;
    // Protected memory is that of confidential computing, else zero.
    if (value === null || (column === "ccpm" && value.bytes === 0)) continue;
    const own = process === -1 ? label : label === "" ? name : `${name} ${label}`;
    out.sample(process === -1 ? ofDevice : ofProcess, place, own, value, seconds, line);
  }
  return true;
}

export const nvidiaSmiMonitor: ForeignFormat = {
  id: "nvidia-smi-monitor",
  title: "nvidia-smi dmon or pmon",
  extensions: ["txt", "log", "out"],
  sniff: (_head, text) => (text.split("\n", 200).some((line) => headerOf(line) !== null) ? 0.97 : 0),
  read: (file, { name, onProgress }) => {
    const out = new ReadingsBuilder();
    let names: string[] | null = null;
    let unread = 0;
    eachLine(
      file,
      (text, line) => {
        if (text.startsWith("#")) names = headerOf(text) ?? names;
        else if (text.trim() !== "" && (names === null || !readRow(out, names, text, line))) unread++;
      },
      { onProgress, longest: 1000 },
    );
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: nvidiaSmiMonitor.title }));
    if (unread > 0) out.assume("log_lines_skipped", { lines: unread });
    return { format: nvidiaSmiMonitor.id, trace: null, ...out.finish(nvidiaSmiMonitor.id, name) };
  },
};
