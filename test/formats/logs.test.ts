/** Logs and tables of other tools: what each sample says, to the byte, and that the samples are told apart by their content. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../src/base/diagnostic.ts";
import type { OpenedFile } from "../../src/formats/foreign-format.ts";
import { openFile, sniffFormat } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { isMessageCode } from "../../src/i18n/index.ts";
import type { Quantity } from "../../src/trace/readings.ts";
import { ROOT } from "../helpers.ts";

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const sample = (name: string): Uint8Array => readFileSync(join(ROOT, "test/formats/samples", name));
const open = (name: string): OpenedFile => openFile(bytesReader(sample(name)), { name });
const openText = (text: string, name = "x.log"): OpenedFile =>
  openFile(bytesReader(new TextEncoder().encode(text)), { name });

/** `[device, process, bytes]` of the facts of a quantity and name. */
const facts = ({ readings }: OpenedFile, quantity: Quantity, name: string) =>
  readings!.facts
    .filter((fact) => fact.quantity === quantity && fact.name === name)
    .map(({ device, process, bytes }) => [device, process, bytes]);

const series = ({ readings }: OpenedFile, quantity: Quantity, device = -1, label = "") =>
  readings!.series.find(
    (one) => one.quantity === quantity && one.device === device && (one.label === label || one.process >= 0),
  )!;
const bytesOf = (opened: OpenedFile, quantity: Quantity, device = -1, label = "") => [
  ...series(opened, quantity, device, label).bytes,
];
const notes = ({ readings }: OpenedFile) => Object.fromEntries(readings!.notes.map(({ name, value }) => [name, value]));
const codes = ({ notes: remarks }: OpenedFile) => remarks.map(({ code }) => code);

function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostic.code;
    throw error;
  }
  return "read";
}

/** Which format each sample is. */
const SAMPLES: Readonly<Record<string, string>> = {
  "deepspeed.log": "training-log",
  "gpustat.json": "gpustat-json",
  "gpustat.txt": "gpustat",
  "gputil.txt": "gpustat",
  "llama-cpp-2024.log": "llama-cpp-log",
  "llama-cpp.log": "llama-cpp-log",
  "megatron.log": "training-log",
  "memory-profiler.txt": "memory-profiler",
  "memory-timeline.html": "torch-memory-timeline-page",
  "memory-timeline.json": "torch-memory-timeline",
  "memory-timeline.raw.json": "torch-memory-timeline-raw",
  "mprofile_20250314092653.dat": "mprof",
  "nsys-memory-events.csv": "nsys-memory-events",
  "nsys-stats.csv": "profiler-csv",
  "nvidia-smi-compute-apps.csv": "nvidia-smi-csv",
  "nvidia-smi-dmon.txt": "nvidia-smi-monitor",
  "nvidia-smi-noheader.csv": "nvidia-smi-csv",
  "nvidia-smi-nounits.csv": "nvidia-smi-csv",
  "nvidia-smi-pmon.txt": "nvidia-smi-monitor",
  "nvidia-smi-q.txt": "nvidia-smi-query",
  "nvidia-smi-q.xml": "nvidia-smi-xml",
  "nvidia-smi-query-gpu.csv": "nvidia-smi-csv",
  "nvidia-smi-table-2017.txt": "nvidia-smi-table",
  "nvidia-smi-table-mig.txt": "nvidia-smi-table",
  "nvidia-smi-table-windows.txt": "nvidia-smi-table",
  "nvidia-smi-table.txt": "nvidia-smi-table",
  "nvprof-gpu-trace.csv": "profiler-csv",
  "ollama-2024.log": "ollama-log",
  "ollama-2025.log": "ollama-log",
  "pytorch-memlab.txt": "pytorch-memlab",
  "sglang.log": "sglang-log",
  "tensorflow-oom.log": "tensorflow-bfc",
  "tensorflow-records.jsonl": "tensorflow-memory-info",
  "tensorflow-records.txt": "tensorflow-memory-info",
  "tensorrt-llm-torch.log": "tensorrt-llm-log",
  "tensorrt-llm.log": "tensorrt-llm-log",
  "torch-profile-small.json": "torch-profile",
  "torch-profile.json": "torch-profile",
  "trainer.log": "training-log",
  "vllm-v0.log": "vllm-log",
  "vllm-v1-2026.log": "vllm-log",
  "vllm-v1.log": "vllm-log",
};

describe("samples", () => {
  it.each(Object.entries(SAMPLES))("%s is %s, whatever its name", (name, format) => {
    expect(sniffFormat(bytesReader(sample(name)), "file")?.id).toBe(format);
  });

  it("are read with remarks that have wording, and series whose columns are of one length", () => {
    for (const name of Object.keys(SAMPLES)) {
      if (name.endsWith(".html")) continue;
      const opened = open(name);
      expect(opened.notes.filter(({ code }) => !isMessageCode(code))).toEqual([]);
      for (const { bytes, seconds, lines } of opened.readings!.series) {
        expect(bytes.length).toBeGreaterThan(0);
        expect([seconds?.length ?? bytes.length, lines?.length ?? bytes.length]).toEqual([bytes.length, bytes.length]);
      }
    }
  });

  // A terminal's colours, line ends of Windows, what PowerShell's > writes, a byte order mark, a prefix by a log collector.
  const disguises: readonly (readonly [string, (text: string) => Uint8Array])[] = [
    ["CRLF", (text) => new TextEncoder().encode(text.replaceAll("\n", "\r\n"))],
    ["a byte order mark", (text) => new TextEncoder().encode(`\uFEFF${text}`)],
    [
      "UTF-16",
      (text) => new Uint8Array([0xff, 0xfe, ...new Uint8Array(Uint16Array.from(text, (c) => c.charCodeAt(0)).buffer)]),
    ],
    ["colours", (text) => new TextEncoder().encode(text.replaceAll(/^(?=.)/gm, "\u001b[32m\u001b[0m"))],
  ];
  it.each(disguises)("say the same with %s", (_what, disguise) => {
    for (const name of [
      "vllm-v1.log",
      "nvidia-smi-query-gpu.csv",
      "nvidia-smi-table.txt",
      "megatron.log",
      "sglang.log",
    ]) {
      const text = new TextDecoder().decode(sample(name));
      const plain = open(name);
      const opened = openFile(bytesReader(disguise(text)), { name });
      expect(opened.format).toBe(plain.format);
      expect(opened.readings).toEqual(plain.readings);
    }
  });

  it("of serving engines are read behind a collector's prefix", () => {
    for (const name of ["vllm-v1.log", "llama-cpp.log", "tensorrt-llm.log", "ollama-2025.log"]) {
      const text = new TextDecoder().decode(sample(name));
      const opened = openText(text.replaceAll(/^(?=.)/gm, "worker-0  | "));
      expect(opened.format).toBe(SAMPLES[name]);
      expect(opened.readings!.facts.map(({ bytes }) => bytes)).toEqual(
        open(name).readings!.facts.map(({ bytes }) => bytes),
      );
    }
  });
});

describe("nvidia-smi", () => {
  it("has devices, times and missing values of a query in a loop", () => {
    const opened = open("nvidia-smi-query-gpu.csv");
    expect(bytesOf(opened, "device_used", 0)).toEqual([612 * MIB, 9874 * MIB, 18730 * MIB]);
    expect(bytesOf(opened, "device_used", 1)).toEqual([11 * MIB, 11 * MIB]);
    expect(bytesOf(opened, "other", 0, "memory.reserved")).toEqual([425 * MIB, 425 * MIB, 425 * MIB]);
    expect([...series(opened, "device_used", 0).seconds!].map((time) => time.toFixed(3))).toEqual([
      "0.000",
      "1.000",
      "2.001",
    ]);
    expect([...series(opened, "device_used", 0).lines!]).toEqual([2, 4, 6]);
    expect(series(opened, "device_used", 0).roundingBytes).toBe(MIB / 2);
    expect(facts(opened, "device_total", "memory.total")).toEqual([
      [0, -1, 24564 * MIB],
      [1, -1, 24564 * MIB],
    ]);
    expect(notes(opened)).toEqual({ "GPU 0": "NVIDIA GeForce RTX 4090", "GPU 1": "NVIDIA GeForce RTX 4090" });
    expect(codes(opened)).toEqual(["smi_not_available", "smi_not_available"]);
  });

  it("tells devices apart by UUID, and takes plain numbers as MiB", () => {
    const opened = open("nvidia-smi-nounits.csv");
    expect(bytesOf(opened, "device_used", 0)).toEqual([2048 * MIB, 4096 * MIB]);
    expect(bytesOf(opened, "device_used", 1)).toEqual([512 * MIB, 513 * MIB]);
  });

  it("says which columns it took a table without header to have", () => {
    const opened = open("nvidia-smi-noheader.csv");
    expect(bytesOf(opened, "device_used", 0)).toEqual([1834 * MIB, 1902 * MIB, 7310 * MIB]);
    expect(facts(opened, "device_total", "memory.total")).toEqual([[0, -1, 40960 * MIB]]);
    expect(opened.notes[0]).toMatchObject({
      code: "smi_columns_guessed",
      args: { columns: "timestamp, index, memory.used, memory.total" },
    });
    const one = openText("1834 MiB\n1902 MiB\n");
    expect(bytesOf(one, "device_used")).toEqual([1834 * MIB, 1902 * MIB]);
    const app = openText("4021, python, 3318 MiB\n");
    expect(app.readings!.series[0]).toMatchObject({ quantity: "process", process: 4021, label: "python" });
  });

  it("asks for a header where columns cannot be told", () => {
    expect(codeOf(() => openText("2025/03/14 09:26:53.100, 3, 1834, 40960, 12\n"))).toBe("smi_no_columns");
  });

  it("has processes of a query, with commas in their names", () => {
    const opened = open("nvidia-smi-compute-apps.csv");
    expect(
      opened.readings!.series.map(({ device, process, label, bytes }) => [device, process, label, ...bytes]),
    ).toEqual([
      [0, 4021, "python", 3318 * MIB, 3320 * MIB],
      [1, 4190, "/opt/tools/serve --names a,b", 21044 * MIB],
    ]);
  });

  it("reads tables of all generations", () => {
    const now = open("nvidia-smi-table.txt");
    expect(bytesOf(now, "device_used", 0)).toEqual([15342 * MIB]);
    expect(bytesOf(now, "device_used", 1)).toEqual([4 * MIB]);
    expect(facts(now, "device_total", "total")).toEqual([
      [0, -1, 81559 * MIB],
      [1, -1, 81559 * MIB],
    ]);
    expect(series(now, "process", 0)).toMatchObject({ process: 51007, label: "python train.py" });
    expect(notes(now)).toMatchObject({
      "driver version": "550.90.07",
      "CUDA version": "12.4",
      "GPU 1": "NVIDIA H100 80GB HBM3",
    });

    const old = open("nvidia-smi-table-2017.txt");
    expect(bytesOf(old, "device_used", 0)).toEqual([8911 * MIB]);
    expect(
      old
        .readings!.series.filter(({ process }) => process >= 0)
        .map(({ process, label, bytes }) => [process, label, bytes[0]]),
    ).toEqual([
      [1203, "/usr/lib/xorg/Xorg", 164 * MIB],
      [20411, "python", 8735 * MIB],
    ]);

    const mig = open("nvidia-smi-table-mig.txt");
    expect(bytesOf(mig, "device_used", 0)).toEqual([3127 * MIB]);
    expect(bytesOf(mig, "device_used", 0, "MIG 1/0")).toEqual([3090 * MIB]);
    expect(bytesOf(mig, "device_used", 0, "MIG 2/0")).toEqual([37 * MIB]);
    expect(series(mig, "process", 0)).toMatchObject({ process: 77120, label: "python3" });

    const windows = open("nvidia-smi-table-windows.txt");
    expect(bytesOf(windows, "device_used", 0)).toEqual([1187 * MIB]);
    expect(windows.readings!.series).toHaveLength(1);
    expect(codes(windows)).toEqual(["smi_not_available"]);
  });

  it("reads an indented table, and the banner of drivers since 610", () => {
    const text = new TextDecoder()
      .decode(sample("nvidia-smi-table.txt"))
      .replace(
        "Driver Version: 550.90.07      CUDA Version: 12.4 ",
        "KMD Version: 610.43.02     CUDA UMD Version: 13.3 ",
      );
    const opened = openText(text.replaceAll(/^(?=.)/gm, "    "));
    expect(bytesOf(opened, "device_used", 0)).toEqual([15342 * MIB]);
    expect(series(opened, "process", 0).label).toBe("python train.py");
    expect(notes(opened)).toMatchObject({ "driver version": "610.43.02", "CUDA version": "13.3" });
  });

  it("reads tables that a loop repeats", () => {
    const text = new TextDecoder().decode(sample("nvidia-smi-table.txt"));
    const later = text.replace("09:26:53", "09:26:58").replace("15342MiB", "20000MiB");
    const opened = openText(text + later);
    expect(bytesOf(opened, "device_used", 0)).toEqual([15342 * MIB, 20000 * MIB]);
    expect([...series(opened, "device_used", 0).seconds!]).toEqual([0, 5]);
  });

  it("reads dmon and pmon", () => {
    const dmon = open("nvidia-smi-dmon.txt");
    expect(bytesOf(dmon, "device_used", 0)).toEqual([1520 * MIB, 33890 * MIB]);
    expect(bytesOf(dmon, "device_used", 1)).toEqual([4 * MIB]);
    expect(bytesOf(dmon, "other", 0, "bar1")).toEqual([2 * MIB, 4 * MIB]);
    expect([...series(dmon, "device_used", 0).seconds!]).toEqual([0, 1]);
    const pmon = open("nvidia-smi-pmon.txt");
    expect(
      pmon.readings!.series.map(({ device, process, label, bytes }) => [device, process, label, ...bytes]),
    ).toEqual([
      [0, 31337, "python", 2210 * MIB, 6120 * MIB],
      [1, 31400, "trtexec", 410 * MIB],
    ]);
  });

  it("reads -q as text and as XML", () => {
    const text = open("nvidia-smi-q.txt");
    expect(bytesOf(text, "device_used", 0)).toEqual([15342 * MIB]);
    expect(bytesOf(text, "device_free", 1)).toEqual([81004 * MIB]);
    expect(series(text, "process", 0)).toMatchObject({ process: 51007, label: "python" });
    const xml = open("nvidia-smi-q.xml");
    expect(bytesOf(xml, "device_used", 0)).toEqual([15342 * MIB]);
    expect(facts(xml, "device_total", "total")).toEqual([[0, -1, 81559 * MIB]]);
    expect(series(xml, "process", 0)).toMatchObject({ process: 51007, label: "python & more" });
    expect(notes(xml)).toMatchObject({ "GPU 0": "NVIDIA H100 80GB HBM3" });
  });

  it("has gpustat's and GPUtil's devices and processes", () => {
    const opened = open("gpustat.txt");
    expect(bytesOf(opened, "device_used", 0)).toEqual([33890 * MIB]);
    expect(
      opened
        .readings!.series.filter(({ quantity }) => quantity === "process")
        .map(({ process, label, bytes }) => [process, label, bytes[0]]),
    ).toEqual([
      [31337, "ann:python", 33120 * MIB],
      [-1, "bob", 412 * MIB],
    ]);
    const json = open("gpustat.json");
    expect(bytesOf(json, "device_used", 0)).toEqual([33890 * MIB]);
    expect(json.readings!.series[1]).toMatchObject({ quantity: "process", process: 31337, label: "ann:python" });
    const accounted = openText("pid, max_memory_usage [MiB]\n4021, 3318 MiB\n", "x.csv");
    expect(accounted.readings!.series[0]).toMatchObject({ quantity: "process", process: 4021 });
    const util = open("gputil.txt");
    expect(bytesOf(util, "device_used", 0)).toEqual([7301 * MIB]);
    expect(facts(util, "device_total", "total")).toEqual([[0, -1, 16160 * MIB]]);
  });
});

const gib = (value: number): number => Math.round(value * GIB);

describe("serving engines", () => {
  it("vLLM V1: ranks, cache, graphs", () => {
    const opened = open("vllm-v1.log");
    expect(facts(opened, "weights", "model weights")).toEqual([
      [0, 811, gib(7.5123)],
      [1, 812, gib(7.5123)],
    ]);
    expect(facts(opened, "kv_cache", "KV cache")).toEqual([
      [0, 811, gib(12.61)],
      [1, 812, gib(12.58)],
    ]);
    expect(facts(opened, "graphs", "CUDA graphs")).toEqual([[0, 811, gib(0.48)]]);
    expect(notes(opened)).toEqual({
      "vLLM version": "0.8.5",
      model: "example-org/decoder-8b",
      "GPU KV cache tokens": 201328,
      "sequences of 8192 tokens at once": 24.58,
      "seconds to start the engine": 63.9,
    });
  });

  it("vLLM since 0.10: the whole account in one line", () => {
    const opened = open("vllm-v1-2026.log");
    expect(facts(opened, "weights", "model weights")).toEqual([[-1, 431, gib(7.61)]]);
    expect(facts(opened, "activations", "peak activation")).toEqual([[-1, 431, gib(2.31)]]);
    expect(facts(opened, "context", "non-torch memory")).toEqual([[-1, 431, gib(0.23)]]);
    expect(facts(opened, "device_total", "total GPU memory")).toEqual([[-1, 431, gib(23.52)]]);
    expect(facts(opened, "kv_cache", "KV cache")).toEqual([[-1, 431, gib(11.02)]]);
    expect(notes(opened)).toMatchObject({ "GPU KV cache tokens": 80256, "sequences of 32768 tokens at once": 2.45 });
    const newest = openText(
      "(EngineCore pid=7) INFO 10-06 17:00:41 [gpu_worker.py:955] Free memory on device (78.84/79.25 GiB) on startup. Desired GPU memory utilization is (0.92, 72.91 GiB). Actual usage is 15.26 GiB for consumed memory (weights + non-torch), 1.44 GiB for peak activation, and 0.23 GiB for CUDAGraph memory.\n",
    );
    expect(facts(newest, "activations", "peak activation")).toEqual([[-1, 7, gib(1.44)]]);
    expect(facts(newest, "graphs", "CUDA graphs")).toEqual([[-1, 7, gib(0.23)]]);
  });

  it("vLLM V0", () => {
    const opened = open("vllm-v0.log");
    expect(facts(opened, "weights", "model weights").map(([, , bytes]) => bytes)).toEqual([gib(13.4966)]);
    expect(facts(opened, "context", "non-torch memory")).toEqual([[-1, -1, gib(0.12)]]);
    expect(facts(opened, "kv_cache", "KV cache")).toEqual([[-1, -1, gib(20.41)]]);
    expect(notes(opened)).toMatchObject({ "GPU blocks": 2612, "CPU blocks": 512, gpu_memory_utilization: 0.9 });
  });

  it("SGLang: by rank", () => {
    const opened = open("sglang.log");
    expect(facts(opened, "weights", "weights")).toEqual([
      [0, -1, gib(7.58)],
      [1, -1, gib(7.58)],
    ]);
    expect(facts(opened, "kv_cache", "K")).toEqual([[0, -1, gib(27.84)]]);
    expect(facts(opened, "graphs", "CUDA graphs")).toEqual([[0, -1, gib(1.34)]]);
    expect(facts(opened, "device_free", "available when ready")).toEqual([[0, -1, gib(11.76)]]);
    expect(notes(opened)).toMatchObject({
      "KV cache tokens": 912345,
      "max running requests": 4097,
      "context length": 131072,
    });
  });

  it("llama.cpp: buffers of devices and of the host, and the breakdown", () => {
    const opened = open("llama-cpp.log");
    expect(facts(opened, "weights", "CUDA0 model buffer size")).toEqual([[0, -1, 4403.5 * MIB]]);
    expect(facts(opened, "host", "CPU_Mapped model buffer size")).toEqual([[-1, -1, Math.round(281.81 * MIB)]]);
    expect(facts(opened, "kv_cache", "CUDA0 KV buffer size")).toEqual([[0, -1, GIB]]);
    expect(facts(opened, "compute_buffer", "CUDA0 compute buffer size")).toEqual([[0, -1, 560 * MIB]]);
    expect(facts(opened, "host", "CUDA_Host compute buffer size")).toEqual([[-1, -1, Math.round(24.01 * MIB)]]);
    expect(facts(opened, "reserved", "CUDA0: self")).toEqual([[0, -1, 5987 * MIB]]);
    expect(facts(opened, "other", "CUDA0: unaccounted")).toEqual([[0, -1, 827 * MIB]]);
    expect(facts(opened, "other", "Host: compute")).toEqual([[-1, -1, 24 * MIB]]);
    expect(notes(opened)).toMatchObject({
      device: "NVIDIA GeForce RTX 3090",
      "KV cache cells": 8192,
      "layers on the GPU": "33/33",
    });
    const hybrid = openText(
      "llama_memory_recurrent:      CUDA0 RS buffer size =    41.88 MiB\nllama_memory_recurrent: size =  201.00 MiB (     4 cells,  32 layers,  4 seqs), R (f32):    9.00 MiB, S (f32):  192.00 MiB\n",
    );
    expect(hybrid.readings!.facts.map(({ quantity, device, bytes }) => [quantity, device, bytes])).toEqual([
      ["kv_cache", 0, Math.round(41.88 * MIB)],
      ["other", -1, 9 * MIB],
      ["other", -1, 192 * MIB],
    ]);
    const old = open("llama-cpp-2024.log");
    expect(facts(old, "weights", "CUDA1 buffer size")).toEqual([[1, -1, 1402.5 * MIB]]);
    expect(facts(old, "other", "KV cache, all devices")).toEqual([[-1, -1, 256 * MIB]]);
    expect(facts(old, "host", "CUDA_Host KV buffer size")).toEqual([[-1, -1, 96 * MIB]]);
  });

  it("Ollama: the plan in one line, and one line for each part", () => {
    const old = open("ollama-2024.log");
    expect(facts(old, "other", "memory.required.full")).toEqual([[-1, -1, gib(6.3)]]);
    expect(facts(old, "other", "memory.weights.nonrepeating")).toEqual([[-1, -1, 411 * MIB]]);
    expect(facts(old, "process", "memory.required.allocations")).toEqual([[0, -1, gib(6.3)]]);
    expect(facts(old, "weights", "CUDA0 buffer size")).toEqual([[0, -1, Math.round(4155.99 * MIB)]]);
    const now = open("ollama-2025.log");
    expect(facts(now, "weights", "CUDA0 model weights")).toEqual([[0, -1, gib(4.2)]]);
    expect(facts(now, "host", "CPU model weights")).toEqual([[-1, -1, 303.5 * MIB]]);
    expect(facts(now, "device_total", "NVIDIA GeForce RTX 4070 total")).toEqual([[-1, -1, gib(12)]]);
    expect(bytesOf(now, "host", -1, "free")).toEqual([gib(24.7)]);
  });

  it("TensorRT-LLM: its C++ runtime and its PyTorch one", () => {
    const opened = open("tensorrt-llm.log");
    expect(facts(opened, "weights", "engine")).toEqual([[-1, -1, 7702 * MIB]]);
    expect(facts(opened, "kv_cache", "paged KV cache")).toEqual([[-1, -1, gib(31.43)]]);
    expect(facts(opened, "compute_buffer", "execution context memory")).toEqual([[-1, -1, Math.round(1178.01 * MIB)]]);
    expect(facts(opened, "compute_buffer", "runtime buffers")).toEqual([[-1, -1, gib(3.26)]]);
    expect(bytesOf(opened, "device_used")).toEqual([9405 * MIB]);
    expect(bytesOf(opened, "allocated", -1, "TensorRT-managed")).toEqual([7695 * MIB]);
    expect(notes(opened)).toMatchObject({ "KV cache tokens": 257472, "tokens per block": 64 });
    const torch = open("tensorrt-llm-torch.log");
    expect(facts(torch, "activations", "allocated during inference")).toEqual([[0, -1, gib(2.05)]]);
    expect(facts(torch, "device_total", "total")).toEqual([[0, -1, gib(79.11)]]);
  });
});

describe("other wordings of serving engines", () => {
  it.each([
    [
      "vllm-log",
      "INFO 10-01 10:00:00 worker.py:232] Memory profiling results: total_gpu_memory=22.05GiB initial_memory_usage=0.51GiB peak_torch_memory=15.02GiB memory_usage_post_profile=0.61GiB non_torch_memory=0.10GiB kv_cache_size=4.72GiB gpu_memory_utilization=0.90",
      "kv_cache",
      "KV cache",
      -1,
      gib(4.72),
    ],
    [
      "vllm-log",
      "ValueError: Free memory on device cuda:0 (3.21/23.64 GiB) on startup is less than desired GPU memory utilization (0.9, 21.27 GiB). Decrease GPU memory utilization",
      "device_free",
      "free on startup",
      -1,
      gib(3.21),
    ],
    [
      "vllm-log",
      "ValueError: To serve at least one request with the models's max seq len (32768), (4.00 GiB KV cache is needed, which is larger than the available KV cache memory (2.10 GiB).",
      "kv_cache",
      "KV cache",
      -1,
      gib(2.1),
    ],
    [
      "vllm-log",
      "INFO 08-01 10:00:00 [gpu_worker.py:98] Sleep mode freed 70.12 GiB memory, 1.53 GiB memory is still in use.",
      "device_used",
      "still in use while asleep",
      -1,
      gib(1.53),
    ],
    [
      "vllm-log",
      "(EngineCore_DP0 pid=42) INFO 08-01 10:00:00 [gpu_model_runner.py:2338] Model loading took 3.2152 GiB and 1.42 seconds",
      "weights",
      "model weights",
      -1,
      gib(3.2152),
    ],
    [
      "sglang-log",
      "[2026-03-01 10:00:00 TP3] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 76416, KV size: 5.01 GB",
      "kv_cache",
      "KV",
      3,
      gib(5.01),
    ],
    [
      "sglang-log",
      "[2026-03-01 10:00:00] Capture target decode CUDA graph end. elapsed=22.18 s, mem usage=1.91 GB, avail mem=14.18 GB",
      "graphs",
      "CUDA graphs",
      -1,
      gib(1.91),
    ],
    [
      "sglang-log",
      "[2026-03-01 10:00:00 TP0] Mamba Cache is allocated. max_mamba_cache_size: 100, conv_state size: 0.31GB, ssm_state size: 5.17GB",
      "kv_cache",
      "recurrent states",
      0,
      gib(5.17),
    ],
    [
      "llama-cpp-log",
      "load_tensors:      Vulkan0 model buffer size =  4096.50 MiB",
      "weights",
      "Vulkan0 model buffer size",
      0,
      4096.5 * MIB,
    ],
    [
      "llama-cpp-log",
      "0.00.332.397 I load_tensors:        ROCm1 model buffer size =    40.75 MiB",
      "weights",
      "ROCm1 model buffer size",
      1,
      40.75 * MIB,
    ],
    [
      "llama-cpp-log",
      "llama_kv_cache_unified:      CUDA0 KV buffer size =   896.00 MiB",
      "kv_cache",
      "CUDA0 KV buffer size",
      0,
      896 * MIB,
    ],
    [
      "llama-cpp-log",
      "0.01.236.047 I sched_reserve:      CUDA0 compute buffer size =    42.50 MiB",
      "compute_buffer",
      "CUDA0 compute buffer size",
      0,
      42.5 * MIB,
    ],
    [
      "llama-cpp-log",
      "llama_new_context_with_model: total VRAM used: 5012.00 MiB (model: 3820.00 MiB, context: 1192.00 MiB)",
      "process",
      "VRAM used",
      -1,
      5012 * MIB,
    ],
    [
      "llama-cpp-log",
      "common_memory_breakdown_print: |   - CUDA0 (RTX 5060 Ti) | 15841 = 15630 + (15302 = 14736 +      72 +     493) + 17592186029324 |",
      "weights",
      "CUDA0: model",
      0,
      14736 * MIB,
    ],
    [
      "ollama-log",
      'time=2025-03-02T10:00:00.000Z level=INFO source=server.go:105 msg=offload library=cuda layers.requested=-1 layers.model=29 layers.offload=29 layers.split="" memory.available="[22.9 GiB 21.0 GiB]" memory.required.full="6.3 GiB" memory.required.allocations="[3.2 GiB 3.1 GiB]" memory.weights.total="4.4 GiB"',
      "process",
      "memory.required.allocations",
      1,
      gib(3.1),
    ],
    [
      "tensorrt-llm-log",
      "[03/01/2025-10:00:00] [TRT] [I] [MemUsageStats] Peak memory usage of TRT CPU/GPU memory allocators: CPU 512 MiB, GPU 2048 MiB",
      "allocated",
      "peak while building",
      -1,
      2048 * MIB,
    ],
  ] as const)("%s: %s", (format, line, quantity, name, device, bytes) => {
    const opened = openText(`${line}\n`);
    expect(opened.format).toBe(format);
    expect(
      facts(opened, quantity, name)
        .filter(([on]) => on === device)
        .map(([, , value]) => value),
    ).toEqual([bytes]);
  });
});

describe("training", () => {
  it("Megatron's report, by rank", () => {
    const opened = open("megatron.log");
    expect(bytesOf(opened, "allocated", 1, "max")).toEqual([Math.round(30115.02 * MIB)]);
    expect(bytesOf(opened, "reserved", 0)).toEqual([33210 * MIB]);
  });

  it("DeepSpeed's see_memory_usage, with times", () => {
    const opened = open("deepspeed.log");
    expect(bytesOf(opened, "allocated")).toEqual([gib(12.58), gib(37.74)]);
    expect(series(opened, "allocated").seconds![1]).toBeCloseTo(4.685, 6);
    expect(bytesOf(opened, "host", -1, "used")).toEqual([gib(31.07)]);
  });

  it("the Trainer's metrics, which are rounded down to MiB, and its dictionaries", () => {
    const opened = open("trainer.log");
    expect(facts(opened, "allocated", "train_mem_gpu_peaked_delta")).toEqual([[-1, -1, 4120 * MIB]]);
    expect(opened.readings!.facts.find(({ name }) => name === "train_mem_gpu_peaked_delta")).toMatchObject({
      peak: true,
      roundingBytes: MIB,
    });
    expect(facts(opened, "host", "init_mem_cpu_alloc_delta")).toEqual([[-1, -1, 1301 * MIB]]);
    expect(bytesOf(opened, "allocated", -1, "max")).toEqual([gib(13.14), gib(13.2)]);
  });

  it("the Trainer's metrics in JSON, which are bytes", () => {
    const saved = openText(
      JSON.stringify({ epoch: 1, train_mem_gpu_alloc_delta: 969080832, train_mem_cpu_peaked_delta: 0 }, null, 4),
      "all_results.json",
    );
    expect(facts(saved, "allocated", "train_mem_gpu_alloc_delta")).toEqual([[-1, -1, 969080832]]);
    expect(saved.readings!.facts[0]!.roundingBytes).toBe(0);
  });

  // One line of each of the others; the unit is what their sources divide by.
  it.each([
    [
      "06/15 14:02:11 - mmengine - INFO - Epoch(train) [1][50/1875] lr: 1.0e-02 eta: 1:02:03 time: 0.41 data_time: 0.02 memory: 5123 loss: 6.9",
      "allocated",
      "max",
      5123 * MIB,
    ],
    [
      "[06/15 14:02:11 d2.utils.events]:  eta: 0:11:02  iter: 19  total_loss: 1.93  lr: 0.0005  max_mem: 7411M",
      "allocated",
      "max",
      7411 * MIB,
    ],
    [
      "Epoch: [0]  [ 10/500]  eta: 0:05:12  lr: 0.02  loss: 1.3  time: 0.62  data: 0.01  max mem: 4302",
      "allocated",
      "max",
      4302 * MIB,
    ],
    ["[titan] step: 10  loss:  7.91  memory: 39.47GiB(49.94%)  tps: 8,211", "reserved", "max", gib(39.47)],
    [
      "2025-06-15 14:02:11 | INFO | train_inner | epoch 001: 20 / 500 loss=9.1, gb_free=11.2, wall=30",
      "device_free",
      "",
      gib(11.2),
    ],
    [
      "INFO:torchtune.utils._logging:Memory stats after model init:\n\tGPU peak memory active: 8.31 GiB",
      "allocated",
      "max active",
      gib(8.31),
    ],
    ["Peak reserved memory = 14.605 GB.", "reserved", "max", gib(14.605)],
    ["5.752 GB of memory reserved.", "reserved", "", gib(5.752)],
    [
      "[2024-02-01 10:00:00,512] [INFO] [axolotl.load_model:412] GPU memory usage after model load: 3.749GB (+0.168GB cache, +0.721GB misc)",
      "context",
      "",
      gib(0.721),
    ],
    ['  "reserved_bytes.all.peak": 2097152,', "reserved", "max", 2097152],
    ["step 5 max_memory_allocated: 1.25 GB", "allocated", "max", gib(1.25)],
  ] as const)("%s", (line, quantity, label, bytes) => {
    const opened = openText(`${line}\n`);
    expect(opened.format).toBe("training-log");
    expect(bytesOf(opened, quantity, -1, label)).toEqual([bytes]);
  });
});

describe("line profilers", () => {
  it("memory_profiler: memory of the host by line of the program", () => {
    const opened = open("memory-profiler.txt");
    const usage = series(opened, "host", -1, "/home/ann/prepare.py");
    expect([...usage.lines!]).toEqual([4, 6, 7, 8, 9]);
    expect([...usage.bytes]).toEqual([41.125, 117.5, 193.75, 117.375, 117.375].map((value) => value * MIB));
    expect(bytesOf(opened, "other", -1, "/home/ann/prepare.py increment")[3]).toBe(-76.375 * MIB);
  });

  it("mprof: samples, children and functions", () => {
    const opened = open("mprofile_20250314092653.dat");
    expect(bytesOf(opened, "host")).toEqual([9.3125, 41.125, 193.75, 117.375].map((value) => value * MIB));
    expect(series(opened, "host").seconds![3]).toBeCloseTo(0.4017, 3);
    expect(bytesOf(opened, "host", -1, "child 0")).toEqual([12 * MIB]);
    expect(facts(opened, "other", "__main__.prepare: grown by")).toEqual([[-1, -1, 76.25 * MIB]]);
  });

  it("pytorch_memlab: the allocator's statistics by line", () => {
    const opened = open("pytorch-memlab.txt");
    const active = series(opened, "allocated", 0, "Net.forward active_bytes peak");
    expect([...active.lines!]).toEqual([13, 14, 15]);
    expect([...active.bytes]).toEqual([5.5, 9.51, 9.51].map((value) => Math.round(value * MIB)));
    expect(bytesOf(opened, "reserved", 0, "Net.forward reserved_bytes peak")).toEqual([22 * MIB, 22 * MIB, 22 * MIB]);
  });
});

describe("TensorFlow", () => {
  it("get_memory_info, as Python prints it, as JSON lines and as indented JSON", () => {
    const python = open("tensorflow-records.txt");
    expect(bytesOf(python, "allocated", 0)).toEqual([104857600, 209715200, 209715456]);
    expect(bytesOf(python, "allocated", 0, "peak")).toEqual([734003200, 943718400, 943718400]);
    expect(bytesOf(open("tensorflow-records.jsonl"), "allocated", 1, "peak")).toEqual([4096, 8192]);
    const indented = openText(
      JSON.stringify(
        [
          { current: 256, peak: 512 },
          { current: 128, peak: 512 },
        ],
        null,
        2,
      ),
      "x.json",
    );
    expect(bytesOf(indented, "allocated")).toEqual([256, 128]);
    expect(bytesOf(indented, "allocated", -1, "peak")).toEqual([512, 512]);
  });

  it("the dump of the BFC allocator", () => {
    const opened = open("tensorflow-oom.log");
    expect(facts(opened, "requested", "tried to allocate")).toEqual([[-1, -1, 536870912]]);
    expect(facts(opened, "allocated", "in use")).toEqual([[-1, -1, 1342177792]]);
    expect(facts(opened, "allocated", "most in use")).toEqual([[-1, -1, 1610000128]]);
    expect(facts(opened, "reserved", "in the pool")).toEqual([[-1, -1, 1610612736]]);
    expect(facts(opened, "other", "2 × 256 bytes")).toEqual([[-1, -1, 512]]);
    expect(facts(opened, "other", "chunks free")).toEqual([[-1, -1, 256 + 268434688]]);
    expect(notes(opened)).toMatchObject({
      operator: "model/dense_3/MatMul",
      allocator: "GPU_0_bfc",
      allocations: 4711,
    });
  });
});

describe("profilers' tables", () => {
  it("nvprof counts in powers of 1024, Nsight Systems of 1000", () => {
    const nvprof = open("nvprof-gpu-trace.csv");
    expect(bytesOf(nvprof, "other", 0, "[CUDA memcpy HtoD]")).toEqual([200000]);
    const nsys = open("nsys-stats.csv");
    expect(facts(nsys, "other", "[CUDA memcpy Host-to-Device]")).toEqual([[-1, -1, 402653000]]);
    expect(bytesOf(nsys, "other", 0, "[CUDA memcpy Host-to-Device]")).toEqual([8389000]);
    expect(codes(nsys)).toContain("profile_copies_only");
  });

  it("are named where they are not read", () => {
    expect(codeOf(() => open("memory-timeline.html"))).toBe("profile_is_page");
    expect(codeOf(() => openText('{"Type":80,"CudaEvent":{"startNs":"12"}}\n', "r.json"))).toBe("tool_nsys_json");
    expect(codeOf(() => openText('{"alloc_samples": 12, "args": {}, "max_footprint_mb": 91.5}', "p.json"))).toBe(
      "tool_scalene",
    );
    expect(codeOf(() => openFile(bytesReader(new TextEncoder().encode("memray\0\u0001\0\0")), { name: "m.bin" }))).toBe(
      "tool_memray",
    );
  });
});

describe("a log without figures", () => {
  it("says what it looks like", () => {
    const text = "INFO 03-14 09:20:01 [api_server.py:1081] vLLM API server version 0.8.5\nINFO ready\n";
    expect(codeOf(() => openText(text))).toBe("log_no_figures");
  });
});
