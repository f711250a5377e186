/** Logs of serving engines: what each wording says, to the byte. */

import { describe, expect, it } from "vitest";
import { MIB, GIB, open, openText, facts, bytesOf, notes, gib } from "./read-logs.ts";

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
