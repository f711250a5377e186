/** Logs of TensorRT-LLM and TensorRT: engine, execution context, paged KV cache, and the memory of GPU and host at each step. */

import { table } from "../../base/table.ts";
import { GIB, KIB, MIB } from "../../base/bytes.ts";
import { figure, timeOf } from "./figures.ts";
import { lineLog } from "./line-log.ts";
import { NOWHERE, type DeviceProcess, type ReadingsBuilder } from "./readings-builder.ts";

// Wording: cpp/tensorrt_llm/batch_manager/kvCacheManager.cpp, cpp/tensorrt_llm/common/memoryUtils.h (bytesToString: powers of
// 1024 written MB or MiB), tensorrt_llm/_torch/pyexecutor/_util.py; lines with `now:` are TensorRT's own, in MiB.

const UNITS = table<number>({ B: 1, K: KIB, M: MIB, G: GIB });

// `[TensorRT-LLM][INFO] [MemUsageChange]`, `[01/16/2026-06:20:17] [TRT-LLM] [RANK 1] [I]`
const RANK = /\[RANK (\d{1,4})\]|^\[(\d{1,4})\]\[TensorRT-LLM\]/;

function placeOf(text: string, out: ReadingsBuilder): DeviceProcess {
  const match = RANK.exec(text.slice(0, 120));
  if (match === null) return NOWHERE;
  out.once("log_rank_is_device");
  return { device: Number(match[1] ?? match[2]), process: -1 };
}

const profiled = (
  what: string,
  form: RegExp,
  fact: "weights" | "context" | "activations" | "kv_cache",
  name: string,
) => ({
  mark: what,
  form,
  gives: [{ fact, name, unit: GIB, peak: fact === "activations" }],
});

export const tensorrtLlmLog = lineLog({
  id: "tensorrt-llm-log",
  title: "TensorRT-LLM log",
  claim: 0.93,
  signs: ["[TensorRT-LLM][INFO]", "[TRT-LLM] [I]", "[TRT] [I]"],
  place: placeOf,
  rows: [
    {
      mark: "TensorRT-LLM version: ",
      form: /TensorRT-LLM version: ([\w.+-]{1,40})/y,
      gives: [{ note: "TensorRT-LLM version" }],
      common: true,
    },
    {
      mark: "Loaded engine size: ",
      form: /Loaded engine size: (\d+) Mi?B/y,
      gives: [{ fact: "weights", name: "engine", unit: MIB }],
    },
    {
      mark: " for max tokens in paged KV cache (",
      form: / for max tokens in paged KV cache \((\d+)\)/y,
      gives: [{ note: "KV cache tokens" }],
    },
    {
      mark: "[MemUsageChange] Allocated ",
      form: /\[MemUsageChange\] Allocated ([\d.]+) ([KMG]?)i?B (?:GPU memory )?for ([\w -]{1,60})/y,
      read: (match, { out, place, line }) => {
        const value = figure(match[1]!, UNITS[match[2] === "" ? "B" : match[2]!]!);
        const what = match[3]!.trim();
        if (value === null) return;
        const isCache = what.includes("KV cache") || what.startsWith("max tokens");
        out.fact(isCache ? "kv_cache" : "compute_buffer", place, isCache ? "paged KV cache" : what, value, false, line);
      },
    },
    {
      mark: "[MemUsageChange] ",
      form: /\[MemUsageChange\] ([^:]{1,120}): CPU ([+-]\d+), GPU ([+-]\d+), now: CPU (\d+), GPU (\d+) \(MiB\)/y,
      read: (match, { text, out, place, line }) => {
        const [, what, , gpuChange, host, gpu] = match;
        const change = figure(gpuChange!, MIB);
        if (change !== null && change.bytes !== 0) out.fact("other", place, `GPU change: ${what}`, change, false, line);
        // TensorRT's own counter of what it manages is smaller than the device's.
        const quantity = what!.startsWith("TensorRT-managed") ? "allocated" : "device_used";
        const label = quantity === "allocated" ? "TensorRT-managed" : "";
        const seconds = timeOf(text);
        const used = figure(gpu!, MIB);
        const hostUsed = figure(host!, MIB);
        if (used !== null) out.sample(quantity, place, label, used, seconds, line);
        if (hostUsed !== null) out.sample("host", place, label, hostUsed, seconds, line);
      },
    },
    {
      mark: "[MemUsageStats] Peak memory usage",
      form: /\[MemUsageStats\] Peak memory usage[^:]{0,80}: CPU (\d+) MiB, GPU (\d+) MiB/y,
      gives: [
        { fact: "host", name: "peak while building", unit: MIB, peak: true },
        { fact: "allocated", name: "peak while building", unit: MIB, peak: true },
      ],
    },
    {
      // before TensorRT 8.4
      mark: "[MemUsageSnapshot] ",
      form: /\[MemUsageSnapshot\] [^:]{0,120}: CPU (\d+) MiB, GPU (\d+) MiB/y,
      gives: [
        { sample: "host", unit: MIB },
        { sample: "device_used", unit: MIB },
      ],
    },
    {
      mark: "Memory usage when calculating max tokens in paged kv cache: ",
      form: /Memory usage when calculating max tokens in paged kv cache: total: ([\d.]+) GiB, available: ([\d.]+) GiB/y,
      gives: [
        { fact: "device_total", name: "total", unit: GIB },
        { fact: "device_free", name: "available for the KV cache", unit: GIB },
      ],
    },
    {
      mark: "Number of blocks in KV cache primary pool: ",
      form: /Number of blocks in KV cache primary pool: (\d+)/y,
      gives: [{ note: "KV cache blocks" }],
    },
    {
      mark: "Number of tokens per block: ",
      form: /Number of tokens per block: (\d+)/y,
      gives: [{ note: "tokens per block" }],
    },
    profiled(
      "Memory used after loading model weights (inside torch)",
      /Memory used after loading model weights \(inside torch\) in memory usage profiling: ([\d.]+) GiB/y,
      "weights",
      "inside torch after loading the weights",
    ),
    profiled(
      "Memory used after loading model weights (outside torch)",
      /Memory used after loading model weights \(outside torch\) in memory usage profiling: ([\d.]+) GiB/y,
      "context",
      "outside torch after loading the weights",
    ),
    profiled(
      "Memory dynamically allocated during inference (inside torch)",
      /Memory dynamically allocated during inference \(inside torch\) in memory usage profiling: ([\d.]+) GiB/y,
      "activations",
      "allocated during inference",
    ),
    profiled(
      "Memory used outside torch (",
      /Memory used outside torch \([^()]{0,80}\) in memory usage profiling: ([\d.]+) GiB/y,
      "context",
      "outside torch",
    ),
    {
      mark: "Peak memory during memory usage profiling (torch + non-torch): ",
      form: /Peak memory during memory usage profiling \(torch \+ non-torch\): ([\d.]+) GiB, available KV cache memory when calculating max tokens: ([\d.]+) GiB/y,
      gives: [
        { fact: "device_used", name: "peak while profiling", unit: GIB, peak: true },
        { fact: "other", name: "available for the KV cache", unit: GIB },
      ],
    },
    {
      mark: "device total memory ",
      form: /device total memory ([\d.]+) GiB/y,
      gives: [{ fact: "device_total", name: "total", unit: GIB }],
    },
    {
      mark: "Estimated max memory in KV cache : ",
      form: /Estimated max memory in KV cache : ([\d.]+) GiB/y,
      gives: [{ fact: "other", name: "estimated most for the KV cache", unit: GIB }],
    },
  ],
});
