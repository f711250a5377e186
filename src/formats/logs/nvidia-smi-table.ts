/** What plain `nvidia-smi` prints: the table of GPUs, MIG devices and processes, once or in a loop, of drivers since 2013. */

import { MIB } from "../../base/bytes.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { figure, timeOf } from "./figures.ts";
import { ReadingsBuilder } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

const LONGEST = 400;

// Since driver 610 it says `KMD Version` and `CUDA UMD Version`.
const VERSIONS =
  /NVIDIA-SMI\s+([\d.]+)\s+(?:Driver|KMD) Version:\s*([\d.]+)(?:\s+CUDA (?:UMD )?Version:\s*([\d.]+|N\/A))?/;
const BUS = /\b[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\b/;
const GPU = /^\s*(\d{1,3})\s+(\S[^|]{0,60}?)\s*(?:\s(?:On|Off|N\/A|WDDM|TCC|MCDM))?\s*$/;
const USAGE = /(\d{1,9})Mi?B\s*\/\s*(\d{1,9})Mi?B/;
// | GPU GI CI MIG-device |
const MIG = /^\s*(\d{1,3})\s+(\d{1,3}|N\/A)\s+(\d{1,3}|N\/A)\s+(\d{1,3})\s*$/;
// GPU, perhaps GI and CI, PID, perhaps type, name; what is behind is the size.
const PROCESS = /^\s*(\d{1,3})\s+(?:(N\/A|\d{1,3})\s+(N\/A|\d{1,3})\s+)?(\d{1,9})\s+(?:(C\+G|M\+C|[CGM])\s+)?(\S.*)$/;
const PROCESS_SIZE = /\s(?:(\d{1,9})Mi?B|N\/A|Insufficient Permissions)\s*$/;

class TableReader {
  readonly out = new ReadingsBuilder();
  #seconds: number | null = null;
  #device = -1;
  #section: "gpus" | "mig" | "processes" = "gpus";
  #migLabel: string | null = null;
  /** Where the table begins in its lines: behind a collector's prefix, or indented. */
  #indent = 0;
  unread = 0;

  line(whole: string, line: number): void {
    if (whole.length > LONGEST) {
      this.unread++;
      return;
    }
    const banner = whole.indexOf("| NVIDIA-SMI");
    if (banner !== -1) this.#indent = banner;
    const isTable = this.#indent > 0 && "|+".includes(whole[this.#indent] ?? " ");
    const text = isTable ? whole.slice(this.#indent) : whole;
    if (!text.startsWith("|")) {
      const time = timeOf(text);
      if (time !== null) this.#seconds = time;
      else if (text.trim() !== "" && !text.startsWith("+")) this.unread++;
      return;
    }
    if (text.includes("NVIDIA-SMI")) this.#begin(text, line);
    else if (text.includes("MIG devices:")) this.#section = "mig";
    else if (/\bprocesses:/i.test(text)) this.#section = "processes";
    else if (this.#section === "processes") this.#process(text, line);
    else this.#cells(text, line);
  }

  #begin(text: string, line: number): void {
    this.#section = "gpus";
    this.#device = -1;
    const match = VERSIONS.exec(text);
    if (match === null) return;
    this.out.note("driver version", match[2]!, line);
    if (match[3] !== undefined) this.out.note("CUDA version", match[3], line);
  }

  #cells(text: string, line: number): void {
    const cells = text.split("|");
    const first = cells[1] ?? "";
    const gpu = BUS.test(cells[2] ?? "") ? GPU.exec(first) : null;
    if (gpu !== null) {
      this.#device = Number(gpu[1]);
      this.out.note(`GPU ${this.#device}`, gpu[2]!, line);
      return;
    }
    const mig = this.#section === "mig" ? MIG.exec(first) : null;
    if (mig !== null) {
      this.#device = Number(mig[1]);
      this.#migLabel = `MIG ${mig[2]}/${mig[3]}`;
    }
    const usage = USAGE.exec(text);
    if (usage === null || this.#device === -1) return;
    // The second line of a MIG device is its BAR1 window.
    if (this.#section === "mig" && mig === null) return;
    const place = { device: this.#device, process: -1 };
    const label = this.#section === "mig" ? this.#migLabel! : "";
    const used = figure(usage[1]!, MIB);
    const total = figure(usage[2]!, MIB);
    if (used !== null) this.out.sample("device_used", place, label, used, this.#seconds, line);
    if (total !== null) this.out.fact("device_total", place, label === "" ? "total" : label, total, false, line);
  }

  #process(text: string, line: number): void {
    const inner = text.slice(1, text.endsWith("|") ? -1 : undefined).trimEnd();
    const size = PROCESS_SIZE.exec(inner.slice(-60));
    const match = size === null ? null : PROCESS.exec(inner.slice(0, inner.length - size[0].length));
    if (match === null) return;
    const place = { device: Number(match[1]), process: Number(match[4]) };
    const value = size![1] === undefined ? null : figure(size![1], MIB);
    // Windows' driver model hides the memory of processes.
    if (value === null) this.out.once("smi_not_available", { column: "GPU Memory Usage" });
    else this.out.sample("process", place, match[6]!.trim(), value, this.#seconds, line);
  }
}

export const nvidiaSmiTable: ForeignFormat = {
  id: "nvidia-smi-table",
  title: "nvidia-smi table",
  extensions: ["txt", "log", "out"],
  sniff: (_head, text) => (/\| NVIDIA-SMI\s+[\d.]+/.test(text) ? 0.96 : 0),
  read: (file, { name, onProgress }) => {
    const reader = new TableReader();
    eachLine(file, (text, line) => reader.line(text, line), { onProgress });
    const { out, unread } = reader;
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: nvidiaSmiTable.title }));
    if (unread > 0) out.assume("log_lines_skipped", { lines: unread });
    return { format: nvidiaSmiTable.id, trace: null, ...out.finish(nvidiaSmiTable.id, name) };
  },
};
