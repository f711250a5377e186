/** `gpustat --json`: devices and processes. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import { MIB } from "../../base/bytes.ts";
import { readText } from "../file-text.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { field, isObject, type JsonObject } from "../json-text.ts";
import { figure, timeOf } from "./figures.ts";
import { ReadingsBuilder, type DeviceProcess } from "./readings-builder.ts";

// gpustat/core.py, jsonify: `memory.used`, `memory.total` and `gpu_memory_usage` are MiB, whatever their names say.

const MOST_BYTES = 64 * MIB;

function parsed(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new DiagnosticError(diagnostic("gpustat_bad_json", { reason }));
  }
  return isObject(value) ? value : {};
}

const megabytes = (value: unknown) => (typeof value === "number" ? figure(String(value), MIB) : null);

function readProcesses(gpu: JsonObject, device: number, seconds: number | null, out: ReadingsBuilder): void {
  const processes = field(gpu, "processes");
  if (!Array.isArray(processes)) return;
  for (const process of processes.slice(0, 1024) as unknown[]) {
    if (!isObject(process)) continue;
    const [pid, command, user] = ["pid", "command", "username"].map((name) => field(process, name));
    const value = megabytes(field(process, "gpu_memory_usage"));
    const place: DeviceProcess = { device, process: typeof pid === "number" && Number.isSafeInteger(pid) ? pid : -1 };
    const label = [user, command].filter((part) => typeof part === "string").join(":");
    if (value !== null) out.sample("process", place, label, value, seconds, -1);
  }
}

function readDocument(document: JsonObject, out: ReadingsBuilder): void {
  const time = field(document, "query_time");
  const seconds = typeof time === "string" ? timeOf(time) : null;
  const gpus = field(document, "gpus");
  if (!Array.isArray(gpus)) return;
  for (const gpu of gpus.slice(0, 256) as unknown[]) {
    if (!isObject(gpu)) continue;
    const index = field(gpu, "index");
    const device = typeof index === "number" && Number.isInteger(index) && index >= 0 ? index : -1;
    const place: DeviceProcess = { device, process: -1 };
    const name = field(gpu, "name");
    if (typeof name === "string") out.note(`GPU ${device}`, name, -1);
    const used = megabytes(field(gpu, "memory.used"));
    const total = megabytes(field(gpu, "memory.total"));
    if (used !== null) out.sample("device_used", place, "", used, seconds, -1);
    if (total !== null) out.fact("device_total", place, "total", total, false, -1);
    readProcesses(gpu, device, seconds, out);
  }
}

export const gpustatJson: ForeignFormat = {
  id: "gpustat-json",
  title: "gpustat --json",
  extensions: ["json"],
  sniff: (_head, text) => (/^\s*\{/.test(text) && text.includes('"gpus"') && text.includes('"memory.used"') ? 0.97 : 0),
  read: (file, { name }) => {
    const out = new ReadingsBuilder();
    readDocument(parsed(readText(file, MOST_BYTES)), out);
    if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: gpustatJson.title }));
    return { format: gpustatJson.id, trace: null, ...out.finish(gpustatJson.id, name) };
  },
};
