/** Start-up logs of vLLM: V0 (to 0.10) and V1 (since 0.8), what each part of a GPU's memory was set aside for. */

import { GIB } from "../../base/bytes.ts";
import { numberOf } from "./figures.ts";
import { lineLog, type Gives } from "./line-log.ts";
import type { DeviceProcess, ReadingsBuilder } from "./readings-builder.ts";

// Wording: vllm/v1/worker/gpu_worker.py, vllm/v1/worker/gpu_model_runner.py, vllm/v1/core/kv_cache_utils.py; before V1
// vllm/worker/worker.py, vllm/worker/model_runner.py. Every "GB" and "GiB" there is divided by 2**30.

const weights: Gives = { fact: "weights", name: "model weights", unit: GIB };
const activations: Gives = { fact: "activations", name: "peak activation", unit: GIB, peak: true };
const nonTorch: Gives = { fact: "context", name: "non-torch memory", unit: GIB };
const graphs: Gives = { fact: "graphs", name: "CUDA graphs", unit: GIB };
const cache: Gives = { fact: "kv_cache", name: "KV cache", unit: GIB };
const total: Gives = { fact: "device_total", name: "total GPU memory", unit: GIB };
const free: Gives = { fact: "device_free", name: "free on startup", unit: GIB };
const budget: Gives = { fact: "other", name: "requested memory", unit: GIB };
const utilization: Gives = { note: "gpu_memory_utilization" };
const tokens: Gives = { note: "GPU KV cache tokens" };

// `(EngineCore_0 pid=12)`, `(VllmWorkerProcess pid=12)`, `(Worker_TP1 pid=12)`, `(Worker_TP0_EP0 pid=12)`
const PROCESS =
  /\((?:EngineCore|Worker|VllmWorker|RayWorker|APIServer)[A-Za-z]{0,20}(?:_[A-Z]{0,4}(\d{1,4}))?[^()]{0,40}pid=(\d{1,9})/;

function placeOf(text: string, out: ReadingsBuilder): DeviceProcess {
  const match = PROCESS.exec(text.slice(0, 400));
  if (match === null) return { device: -1, process: -1 };
  const isWorker = match[0].startsWith("(Worker") && match[1] !== undefined;
  if (isWorker) out.once("log_rank_is_device");
  return { device: isWorker ? Number(match[1]) : -1, process: Number(match[2]) };
}

export const vllmLog = lineLog({
  id: "vllm-log",
  title: "vLLM log",
  claim: 0.92,
  signs: ["vLLM API server version", "vllm.entrypoints", "Initializing a V1 LLM engine", "Initializing an LLM engine"],
  place: placeOf,
  rows: [
    {
      mark: "LLM engine (v",
      form: /LLM engine \(v([\w.+-]{1,60})\)(?: with config: model='([^']{1,200})')?/y,
      gives: [{ note: "vLLM version" }, { note: "model" }],
    },
    {
      mark: "vLLM API server version ",
      form: /vLLM API server version ([\w.+-]{1,60})/y,
      gives: [{ note: "vLLM version" }],
      common: true,
    },
    // V1; without a unit after the figure, other programs say it of seconds.
    { mark: "Model loading took ", form: /Model loading took ([\d.]+) Gi?B/y, gives: [weights] },
    { mark: "Loading model weights took ", form: /Loading model weights took ([\d.]+) Gi?B/y, gives: [weights] },
    {
      mark: "model weights take ",
      form: /model weights take ([\d.]+)Gi?B; non_torch_memory takes (-?[\d.]+)Gi?B; PyTorch activation peak memory takes ([\d.]+)Gi?B; the rest of the memory reserved for KV Cache is (-?[\d.]+)Gi?B/y,
      gives: [weights, nonTorch, activations, cache],
    },
    {
      mark: "total_gpu_memory (",
      form: /total_gpu_memory \(([\d.]+)Gi?B\) x gpu_memory_utilization \(([\d.]+)\) = ([\d.]+)Gi?B/y,
      gives: [total, utilization, budget],
    },
    {
      // 0.6.2 and 0.6.3
      mark: "Memory profiling results: ",
      form: /Memory profiling results: total_gpu_memory=([\d.]+)Gi?B initial_memory_usage=([\d.]+)Gi?B peak_torch_memory=([\d.]+)Gi?B (?:memory_usage_post_profile=[\d.]+Gi?B )?non_torch_memory=(-?[\d.]+)Gi?B kv_cache_size=(-?[\d.]+)Gi?B gpu_memory_utilization=([\d.]+)/y,
      gives: [
        total,
        { fact: "device_used", name: "initial memory usage", unit: GIB },
        { fact: "allocated", name: "peak torch memory", unit: GIB, peak: true },
        nonTorch,
        cache,
        utilization,
      ],
    },
    {
      // MemoryProfilingResult of vllm/utils
      mark: "torch peak memory increase: ",
      form: /torch peak memory increase: ([\d.]+)Gi?B; non-torch forward increase memory: (-?[\d.]+)Gi?B; weights memory: ([\d.]+)Gi?B/y,
      gives: [activations, nonTorch, weights],
    },
    {
      mark: "Free memory on device ",
      form: /Free memory on device (?:cuda:\d+ )?\(([\d.]+)\/([\d.]+) GiB\) on startup/y,
      gives: [free, total],
    },
    {
      mark: "GPU memory utilization ",
      form: /GPU memory utilization (?:is )?\(([\d.]+), ([\d.]+) GiB\)/y,
      gives: [utilization, budget],
    },
    {
      mark: "Actual usage",
      form: /Actual usage(?: is|:) ([\d.]+) GiB for weights?, ([\d.]+) GiB for peak activation, (-?[\d.]+) GiB for non-torch memory, (?:and )?([\d.]+) GiB for \w+ ?\w* ?memory/y,
      gives: [weights, activations, nonTorch, graphs],
    },
    {
      // since 0.20
      mark: "Actual usage is ",
      form: /Actual usage is ([\d.]+) GiB for consumed memory \(weights \+ non-torch\), ([\d.]+) GiB for peak activation, and ([\d.]+) GiB for CUDAGraph memory/y,
      gives: [{ fact: "other", name: "consumed memory (weights + non-torch)", unit: GIB }, activations, graphs],
    },
    {
      mark: "urrent kv cache memory in use is ",
      form: /urrent kv cache memory in use is ([\d.]+) GiB/y,
      gives: [cache],
    },
    { mark: "Available KV cache memory: ", form: /Available KV cache memory: (-?[\d.]+) GiB/y, gives: [cache] },
    { mark: "GPU KV cache size: ", form: /GPU KV cache size: ([\d,]+) tokens/y, gives: [tokens] },
    {
      mark: "Maximum concurrency for ",
      form: /Maximum concurrency for ([\d,]+) tokens per request: ([\d.]+)x/y,
      read: (match, { out, line }) =>
        out.note(`sequences of ${numberOf(match[1]!) ?? match[1]} tokens at once`, Number(match[2]), line),
    },
    {
      mark: " blocks: ",
      form: / blocks: (\d+), # CPU blocks: (\d+)/y,
      gives: [{ note: "GPU blocks" }, { note: "CPU blocks" }],
    },
    {
      mark: "Graph capturing finished in ",
      form: /Graph capturing finished in [\d.]+ secs?\.?,? took ([\d.]+) GiB/y,
      gives: [graphs],
    },
    {
      mark: "CUDA graph pool memory: ",
      form: /CUDA graph pool memory: ([\d.]+) GiB \(actual\), ([\d.]+) GiB \(estimated\)/y,
      gives: [graphs, { fact: "other", name: "CUDA graphs, estimated", unit: GIB }],
    },
    {
      mark: "Estimated CUDA graph memory: ",
      form: /Estimated CUDA graph memory: ([\d.]+) GiB/y,
      gives: [{ fact: "other", name: "CUDA graphs, estimated", unit: GIB }],
    },
    {
      mark: "Sleep mode freed ",
      form: /Sleep mode freed ([\d.]+) GiB memory, ([\d.]+) GiB memory is still in use/y,
      gives: [
        { fact: "other", name: "freed by sleep mode", unit: GIB },
        { fact: "device_used", name: "still in use while asleep", unit: GIB },
      ],
    },
    {
      // the start fails
      mark: "GiB KV cache is needed",
      form: /GiB KV cache is needed, which is larger than the available KV cache memory \(([\d.]+) GiB\)/y,
      gives: [cache],
    },
    {
      mark: "To serve at least one request",
      form: /To serve at least one request with the models?'s max seq len \((\d+)\), \(?([\d.]+) GiB/y,
      gives: [{ note: "max seq len" }, { fact: "other", name: "KV cache needed for one sequence", unit: GIB }],
    },
    {
      mark: "init engine (",
      form: /init engine \([^()]{1,80}\) took ([\d.]+) s/y,
      gives: [{ note: "seconds to start the engine" }],
    },
    {
      mark: "Setting attention block size to ",
      form: /Setting attention block size to (\d+) tokens/y,
      gives: [{ note: "tokens per block" }],
    },
  ],
});
