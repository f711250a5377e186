/** Logs of Ollama's server: what it planned to put on each GPU, in both wordings, with the lines of llama.cpp between them. */

import { table } from "../../base/table.ts";
import type { Quantity } from "../../trace/readings.ts";
import { sizeFigure, timeOf, type Figure } from "./figures.ts";
import { lineLog, type FoundLine, type LogRow } from "./line-log.ts";
import { LLAMA_CPP_ROWS } from "./llama-cpp-log.ts";
import { NOWHERE, type DeviceProcess } from "./readings-builder.ts";

// Wording: ml/device.go (BackendMemory.Log), discover/types.go, server/sched.go, and until 0.12 llm/memory.go (LogValue); sizes by
// HumanBytes2 of format/bytes.go: powers of 1024, one decimal. Go's slog writes key=value, quoted where there is a space.

/** `key=value` of a line of slog; a quoted value may hold spaces and `\\"`. */
function pairs(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const key = /\s*([A-Za-z_][\w.]{0,60})=|\s*[^\s=]+=?/y;
  while (key.lastIndex < text.length) {
    const name = key.exec(text);
    if (name === null) break;
    if (name[1] === undefined) continue;
    const start = key.lastIndex;
    let end = text.indexOf(" ", start);
    if (text[start] === '"') {
      end = start + 1;
      while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      found.set(name[1], text.slice(start + 1, end));
      key.lastIndex = end + 1;
    } else {
      if (end === -1) end = text.length;
      found.set(name[1], text.slice(start, end));
      key.lastIndex = end;
    }
  }
  return found;
}

function deviceOf(name: string): DeviceProcess | null {
  const match = /^(?:CUDA|ROCm|Vulkan|Metal|MTL|SYCL)(\d{1,2})$/.exec(name);
  if (match !== null) return { device: Number(match[1]), process: -1 };
  return name === "CPU" ? null : NOWHERE;
}

type Line = ReadonlyMap<string, string>;

function size(line: Line, key: string): Figure | null {
  const text = line.get(key);
  return text === undefined ? null : sizeFigure(text);
}

function part(quantity: Quantity): (line: Line, found: FoundLine) => void {
  return (pair, { out, line }) => {
    const name = pair.get("device") ?? "";
    const value = size(pair, "size");
    const place = deviceOf(name);
    const what = `${name} ${pair.get("msg")}`;
    if (value !== null) out.fact(place === null ? "host" : quantity, place ?? NOWHERE, what, value, false, line);
  };
}

/** `["22.9 GiB" "22.9 GiB"]`, as Go prints a list: one entry for each GPU. */
function listed(quantity: Quantity, name: string, text: string | undefined, { out, line }: FoundLine): void {
  const sizes = text?.match(/[\d.]{1,12} [KMGT]?i?B/g) ?? [];
  sizes.slice(0, 64).forEach((entry, device) => {
    const value = sizeFigure(entry);
    if (value !== null) out.fact(quantity, { device, process: -1 }, name, value, false, line);
  });
}

const PLANNED: readonly (readonly [key: string, quantity: Quantity])[] = [
  ["memory.required.full", "other"],
  ["memory.required.partial", "other"],
  ["memory.required.kv", "kv_cache"],
  ["memory.weights.total", "weights"],
  ["memory.weights.repeating", "other"],
  ["memory.weights.nonrepeating", "other"],
  ["memory.graph.full", "compute_buffer"],
  ["memory.graph.partial", "other"],
];

function offload(pair: Line, found: FoundLine): void {
  const { out, line } = found;
  for (const [key, quantity] of PLANNED) {
    const value = size(pair, key);
    if (value !== null) out.fact(quantity, NOWHERE, key, value, false, line);
  }
  listed("device_free", "memory.available", pair.get("memory.available"), found);
  listed("process", "memory.required.allocations", pair.get("memory.required.allocations"), found);
  const layers = pair.get("layers.offload");
  const all = pair.get("layers.model");
  if (layers !== undefined && all !== undefined) out.note("layers on the GPU", `${layers}/${all}`, line);
}

function compute(pair: Line, { out, line }: FoundLine): void {
  const name = pair.get("description") || pair.get("name") || "";
  const isHost = pair.get("library") === "cpu";
  const device = /^\d{1,2}$/.exec(pair.get("id") ?? "");
  const place = device === null || isHost ? NOWHERE : { device: Number(device[0]), process: -1 };
  const total = size(pair, "total");
  const available = size(pair, "available");
  if (total !== null) out.fact(isHost ? "host" : "device_total", place, `${name} total`, total, false, line);
  if (available !== null) out.fact(isHost ? "host" : "device_free", place, `${name} available`, available, false, line);
}

function memory(quantity: Quantity, keys: readonly string[]): (line: Line, found: FoundLine) => void {
  return (pair, { text, out, line }) => {
    for (const key of keys) {
      const value = size(pair, key);
      if (value !== null) out.sample(quantity, NOWHERE, key, value, timeOf(text.replace(/^.{0,40}time=/, "")), line);
    }
  };
}

const MESSAGES = table<(line: Line, found: FoundLine) => void>({
  "model weights": part("weights"),
  "kv cache": part("kv_cache"),
  "compute graph": part("compute_buffer"),
  "total memory": (pair, { out, line }) => {
    const value = size(pair, "size");
    if (value !== null) out.fact("other", NOWHERE, "total memory, GPUs and host", value, false, line);
  },
  offload,
  "offload to gpu": offload,
  "offload to cuda": offload,
  "offload to rocm": offload,
  "offload to metal": offload,
  "offload to oneapi": offload,
  "offload to cpu": offload,
  "inference compute": compute,
  "system memory": memory("host", ["total", "free"]),
  "gpu memory": memory("device_free", ["free", "available"]),
});

export const ollamaLog = lineLog({
  id: "ollama-log",
  title: "Ollama server log",
  claim: 0.9,
  signs: ['msg="Listening on', "OLLAMA_HOST:"],
  rows: [
    ...Object.entries(MESSAGES).map(([message, read]): LogRow => {
      const mark = message.includes(" ") ? `msg="${message}" ` : `msg=${message} `;
      return { mark, form: new RegExp(mark, "y"), read: (_match, found) => read(pairs(found.text), found) };
    }),
    // The runner's own lines stand between the server's.
    ...LLAMA_CPP_ROWS.map((row) => ({ ...row, common: true })),
  ],
});
