/** Logs of llama.cpp: buffers of weights, KV cache and computation for each device, and the breakdown that it prints at the end. */

import { GIB, MIB } from "../../base/bytes.ts";
import type { Quantity } from "../../trace/readings.ts";
import { figure } from "./figures.ts";
import { lineLog, type FoundLine, type LogRow } from "./line-log.ts";
import { NOWHERE, type DeviceProcess } from "./readings-builder.ts";

// Wording: src/llama-model.cpp (load_tensors), src/llama-kv-cache.cpp, src/llama-context.cpp, common/fit.cpp; before 2025
// llama.cpp (llm_load_tensors, llama_kv_cache_init, llama_new_context_with_model). MiB is 1024 * 1024 there.

// CUDA0, ROCm1, Vulkan0, SYCL0, MTL0, Metal; buffers of the host are CPU, CPU_Mapped, CUDA_Host, CUDA0_Split is the device's.
const ON_DEVICE = /^(?:[A-Z][A-Za-z]{1,15}?)(\d{1,2})(?:_[A-Z]\w{0,20})?$/;

/** The device of a buffer, or null when it is in the host's memory. */
function deviceOf(buffer: string): DeviceProcess | null {
  if (/^(?:CPU|BLAS|Host)|_Host$|REPACK$/.test(buffer)) return null;
  const match = ON_DEVICE.exec(buffer);
  // Metal, OpenCL: one device, not numbered
  return match === null ? { device: 0, process: -1 } : { device: Number(match[1]), process: -1 };
}

function bufferFact({ out, line }: FoundLine, buffer: string, quantity: Quantity, what: string, size: string): void {
  const value = figure(size, MIB);
  // Since 2026 a first pass without memory finds out what fits.
  if (value === null || value.bytes === 0) return;
  const place = deviceOf(buffer);
  out.fact(place === null ? "host" : quantity, place ?? NOWHERE, `${buffer} ${what}`, value, false, line);
}

/** `NAME: BUFFER <what> = 12.34 MiB`; buffer names are padded on the left. */
function bufferRow(mark: string, what: string, quantity: Quantity): LogRow {
  const form = new RegExp(`${mark}\\s*([A-Za-z][\\w.-]{0,40})\\s+${what}\\s*=\\s*([\\d.]+) Mi?B`, "y");
  return { mark, form, read: (match, found) => bufferFact(found, match[1]!, quantity, what, match[2]!) };
}

const WEIGHTS = ["load_tensors:", "load_tensors_impl:"];
const CACHES = [
  "llama_kv_cache:",
  "llama_kv_cache_init:",
  "llama_kv_cache_unified:",
  "llama_kv_cache_unified_iswa:",
  "llama_kv_cache_iswa:",
  "\u0020init:",
];
const COMPUTE = [
  "llama_new_context_with_model:",
  "llama_init_from_model:",
  "llama_context:",
  "sched_reserve:",
  "graph_reserve:",
  "\u0020reserve:",
  "alloc_compute_meta:",
  "llama_init_from_context:",
];

const COLUMNS: readonly (readonly [quantity: Quantity, name: string])[] = [
  ["weights", "model"],
  ["kv_cache", "context"],
  ["compute_buffer", "compute"],
];
/** An unaccounted figure that overflowed is printed as 2^64 less something; no card has a PiB. */
const MOST_MIB = 2 ** 30;

function breakdown(found: FoundLine, name: string, figures: readonly string[]): void {
  const { out, line } = found;
  const { device, process } = deviceOf(name) ?? NOWHERE;
  const place = { device, process };
  const fact = (quantity: Quantity, what: string, text: string | undefined) => {
    const value = text === undefined || Number(text) > MOST_MIB ? null : figure(text, MIB);
    if (value !== null && value.bytes > 0) out.fact(quantity, place, `${name}: ${what}`, value, false, line);
  };
  if (figures.length >= 6) {
    const [total, free, self, ...parts] = figures;
    fact("device_total", "total", total);
    fact("device_free", "free", free);
    fact("reserved", "self", self);
    // The buffers are the same, said one by one.
    COLUMNS.forEach(([quantity, what], index) =>
      fact(out.has(quantity, place) ? "other" : quantity, what, parts[index]),
    );
    fact("other", "unaccounted", parts[3]);
  } else {
    const [self, ...parts] = figures;
    const isHost = device === -1;
    const isKnown = out.has(isHost ? "host" : "weights", place);
    fact(isKnown ? "other" : isHost ? "host" : "reserved", "self", self);
    COLUMNS.forEach(([, what], index) => fact("other", what, parts[index]));
  }
}

const BREAKDOWN: LogRow = {
  mark: "memory_breakdown_print: |",
  form: /memory_breakdown_print: \|\s+- ([\w-]{1,40})(?: \(([^|]{1,80})\))?\s*\|([\d\s=+()-]{1,160})\|/y,
  read: (match, found) => {
    const figures = match[3]!.match(/\d+/g) ?? [];
    if (match[2] !== undefined) found.out.note(`device ${match[1]}`, match[2], found.line);
    breakdown(found, match[1]!, figures);
  },
};

export const LLAMA_CPP_ROWS: readonly LogRow[] = [
  ...WEIGHTS.flatMap((mark) => [
    bufferRow(mark, "model buffer size", "weights"),
    bufferRow(mark, "buffer size", "weights"),
  ]),
  {
    mark: "offloaded ",
    form: /offloaded (\d+\/\d+) layers to GPU/y,
    gives: [{ note: "layers on the GPU" }],
  },
  ...CACHES.map((mark) => bufferRow(mark, "KV buffer size", "kv_cache")),
  bufferRow("llama_memory_recurrent:", "RS buffer size", "kv_cache"),
  {
    mark: " cells, ",
    form: / cells,\s*\d+ layers,\s*[\d/]+ seqs\), K \((\w+)\):\s*([\d.]+) MiB, V \((\w+)\):\s*([\d.]+) MiB/y,
    gives: [
      { note: "type of K" },
      { fact: "other", name: "K, all devices", unit: MIB },
      { note: "type of V" },
      { fact: "other", name: "V, all devices", unit: MIB },
    ],
    read: (match, { text, out, line }) => {
      const cells = /(\d{1,12})$/.exec(text.slice(0, match.index).slice(-13));
      if (cells !== null) out.note("KV cache cells", Number(cells[1]), line);
    },
  },
  {
    mark: ", R (",
    form: /, R \(\w+\):\s*([\d.]+) MiB, S \(\w+\):\s*([\d.]+) MiB/y,
    gives: [
      { fact: "other", name: "R (convolution states), all devices", unit: MIB },
      { fact: "other", name: "S (recurrent states), all devices", unit: MIB },
    ],
  },
  {
    mark: "KV self size",
    form: /KV self size\s*=\s*([\d.]+) MiB(?:, K \((\w+)\):\s*([\d.]+) MiB, V \((\w+)\):\s*([\d.]+) MiB)?/y,
    gives: [
      { fact: "other", name: "KV cache, all devices", unit: MIB },
      { note: "type of K" },
      { fact: "other", name: "K, all devices", unit: MIB },
      { note: "type of V" },
      { fact: "other", name: "V, all devices", unit: MIB },
    ],
  },
  ...COMPUTE.flatMap((mark) => [
    bufferRow(mark, "compute buffer size", "compute_buffer"),
    bufferRow(mark, "output buffer size", "compute_buffer"),
  ]),
  BREAKDOWN,
  {
    // 2023
    mark: "VRAM used",
    form: /VRAM used\s*[:=]\s*([\d.]+) Mi?B/y,
    gives: [{ fact: "process", name: "VRAM used", unit: MIB }],
  },
  {
    mark: "using device ",
    form: /using device [A-Za-z]{1,15}\d{0,2} \(([^|]{1,100}?)\)(?: \([0-9a-zA-Z:.]{4,20}\))? - (\d+) MiB free/y,
    gives: [{ note: "device" }, { fact: "device_free", name: "free before loading", unit: MIB }],
  },
  {
    mark: "compute capability ",
    form: /compute capability [\d.]+, VMM: \w+, VRAM: (\d+) MiB/y,
    gives: [{ fact: "device_total", name: "VRAM", unit: MIB }],
  },
  {
    mark: "projected to use ",
    form: /projected to use (\d+) MiB of device memory vs\. (\d+) MiB of free device memory/y,
    gives: [
      { fact: "process", name: "projected", unit: MIB },
      { fact: "device_free", name: "free before loading", unit: MIB },
    ],
  },
  { mark: "n_ctx ", form: /n_ctx\s*=\s*(\d+)/y, gives: [{ note: "context length" }], common: true },
  { mark: "n_ubatch ", form: /n_ubatch\s*=\s*(\d+)/y, gives: [{ note: "micro-batch" }], common: true },
  {
    mark: "model size ",
    form: /model size\s*=\s*([\d.]+) GiB/y,
    gives: [{ fact: "other", name: "size of the file's weights", unit: GIB }],
    common: true,
  },
  {
    mark: "file size ",
    form: /file size\s*=\s*([\d.]+) GiB/y,
    gives: [{ fact: "other", name: "size of the file's weights", unit: GIB }],
    common: true,
  },
  {
    mark: "general.name ",
    form: /general\.name(?: str)?\s*=\s*(\S[^\n]{0,120})/y,
    gives: [{ note: "model" }],
    common: true,
  },
];

export const llamaCppLog = lineLog({
  id: "llama-cpp-log",
  title: "llama.cpp log",
  claim: 0.85,
  signs: ["llama_model_loader: ", "ggml_cuda_init: ", "main: llama_backend_init"],
  rows: LLAMA_CPP_ROWS,
});
