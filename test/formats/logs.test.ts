/** Logs and tables of other tools: what each sample says, to the byte, and that the samples are told apart by their content. */

import { describe, expect, it } from "vitest";
import { openFile, sniffFormat } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { isMessageCode } from "../../src/i18n/index.ts";
import { MIB, sample, open, openText, facts, series, bytesOf, notes, codes, codeOf, gib } from "./read-logs.ts";

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
