/** `nvidia-smi -q` as text and `nvidia-smi -q -x` as XML: the same tree in two notations, once or in a loop. */

import { table } from "../../base/table.ts";
import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { Quantity } from "../../trace/readings.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { sizeFigure, timeOf } from "./figures.ts";
import { DeviceNumbers } from "./nvidia-smi-ids.ts";
import { ReadingsBuilder } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

const LONGEST = 2000;

/** What the frame buffer's entries count; the text's names in lower case are the XML's. */
const FRAME_BUFFER = table<Quantity>({
  total: "device_total",
  reserved: "other",
  used: "device_used",
  free: "device_free",
});
const NOTES = table<string>({
  "driver version": "driver version",
  driver_version: "driver version",
  "cuda version": "CUDA version",
  cuda_version: "CUDA version",
});

/** Takes the entries of the tree in either notation. */
class QueryReader {
  readonly out = new ReadingsBuilder();
  readonly #devices = new DeviceNumbers();
  #device = -1;
  #seconds: number | null = null;
  #process: { pid: number; name: string } | null = null;

  gpu(id: string): void {
    this.#device = this.#devices.of(id);
    this.#process = null;
  }

  entry(section: string, name: string, value: string, line: number): void {
    if (name === "timestamp") this.#seconds = timeOf(value) ?? this.#seconds;
    if (Object.hasOwn(NOTES, name)) this.out.note(NOTES[name]!, value, line);
    if (name === "product name" || name === "product_name") this.out.note(`GPU ${this.#device}`, value, line);
    if (section === "fb memory usage" || section === "fb_memory_usage") this.#frameBuffer(name, value, line);
    else if (section === "processes" || section === "process_info") this.#processEntry(name, value, line);
  }

  #frameBuffer(name: string, value: string, line: number): void {
    const quantity = Object.hasOwn(FRAME_BUFFER, name) ? FRAME_BUFFER[name]! : null;
    const size = quantity === null ? null : sizeFigure(value);
    if (quantity === null || size === null) return;
    const place = { device: this.#device, process: -1 };
    if (quantity === "device_total") this.out.fact(quantity, place, "total", size, false, line);
    else this.out.sample(quantity, place, quantity === "other" ? name : "", size, this.#seconds, line);
  }

  #processEntry(name: string, value: string, line: number): void {
    if (name === "process id" || name === "pid") {
      const pid = Number(value);
      this.#process = Number.isSafeInteger(pid) && pid >= 0 ? { pid, name: "" } : null;
    } else if (this.#process !== null && (name === "name" || name === "process_name")) {
      this.#process.name = value;
    } else if (this.#process !== null && (name === "used gpu memory" || name === "used_memory")) {
      const size = sizeFigure(value);
      const place = { device: this.#device, process: this.#process.pid };
      if (size === null) this.out.once("smi_not_available", { column: name });
      else this.out.sample("process", place, this.#process.name, size, this.#seconds, line);
    }
  }
}

function finish(id: string, title: string, name: string, out: ReadingsBuilder) {
  if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title }));
  return { format: id, trace: null, ...out.finish(id, name) };
}

// `        Used                              : 1234 MiB`
const ENTRY = /^( *)(\S[^:]{0,80}?) *: (.*)$/;

export const nvidiaSmiText: ForeignFormat = {
  id: "nvidia-smi-query",
  title: "nvidia-smi -q",
  extensions: ["txt", "log"],
  sniff: (_head, text) => (/=NVSMI LOG=/.test(text) || /^ {4}FB Memory Usage$/m.test(text) ? 0.96 : 0),
  read: (file, { name, onProgress }) => {
    const reader = new QueryReader();
    let section = "";
    eachLine(
      file,
      (text, line) => {
        const device = /^GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f:.]{4,12})\s*$/.exec(text);
        if (device !== null) reader.gpu(device[1]!);
        const entry = ENTRY.exec(text);
        if (entry !== null) reader.entry(section, entry[2]!.toLowerCase(), entry[3]!.trim(), line);
        // A section is a line of four spaces and words; "Processes" may say None behind a colon.
        else if (/^ {4}\S/.test(text)) section = text.trim().toLowerCase();
      },
      { onProgress, longest: LONGEST },
    );
    return finish(nvidiaSmiText.id, nvidiaSmiText.title, name, reader.out);
  },
};

const ENTITIES = table<string>({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" });

const xmlText = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_whole, name: string) => ENTITIES[name]!).trim();

/** Open tags deeper than this are no nvidia-smi's. */
const DEEPEST = 32;

export const nvidiaSmiXml: ForeignFormat = {
  id: "nvidia-smi-xml",
  title: "nvidia-smi -q -x",
  extensions: ["xml"],
  sniff: (_head, text) => (text.includes("<nvidia_smi_log>") ? 1 : 0),
  read: (file, { name, onProgress }) => {
    const reader = new QueryReader();
    const open: string[] = [];
    let value = "";
    eachLine(
      file,
      (text, line) => {
        for (const part of text.split("<").slice(1)) {
          const end = part.indexOf(">");
          const tag =
            end === -1 ? null : /^(\/?)([A-Za-z_]\w{0,60})(?:\s+id="([^"]{1,60})")?\s*(\/?)$/.exec(part.slice(0, end));
          if (tag === null) continue;
          const [, closing, element, id, empty] = tag;
          if (element === "gpu" && id !== undefined) reader.gpu(id);
          if (closing === "/") {
            if (open.at(-1) === element) open.pop();
            if (value !== "") reader.entry(open.at(-1) ?? "", element!, xmlText(value), line);
            value = "";
          } else if (empty === "") {
            if (element === "nvidia_smi_log") open.length = 0;
            if (open.length < DEEPEST) open.push(element!);
            value = part.slice(end + 1).trim();
          }
        }
      },
      { onProgress, longest: LONGEST },
    );
    return finish(nvidiaSmiXml.id, nvidiaSmiXml.title, name, reader.out);
  },
};
