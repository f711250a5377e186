/** Start-up logs of SGLang: weights, memory pools and CUDA graphs, and what was left at each step. */

import { GIB } from "../../base/bytes.ts";
import { lineLog, type Gives } from "./line-log.ts";
import { NOWHERE, type DeviceProcess, type ReadingsBuilder } from "./readings-builder.ts";

// Wording: sglang/srt/model_executor/model_runner.py, sglang/srt/mem_cache/memory_pool.py; "GB" is divided by 1 << 30
// (get_available_gpu_memory of sglang/srt/utils.py, GB of memory_pool.py).

const left = (label: string): Gives => ({ fact: "device_free", name: `available ${label}`, unit: GIB });

// `[2025-05-01 10:00:00 TP0]`, `[2025-05-01 10:00:00 DP1 TP3 EP3]`
const RANK = /^\[[^\]]{0,60}\bTP(\d{1,4})\b/;

function placeOf(text: string, out: ReadingsBuilder): DeviceProcess {
  const match = RANK.exec(text.slice(0, 120));
  if (match === null) return NOWHERE;
  out.once("log_rank_is_device");
  return { device: Number(match[1]), process: -1 };
}

export const sglangLog = lineLog({
  id: "sglang-log",
  title: "SGLang log",
  claim: 0.93,
  signs: ["server_args=ServerArgs(", "The server is fired up and ready to roll"],
  place: placeOf,
  rows: [
    {
      mark: "server_args=ServerArgs(",
      form: /server_args=ServerArgs\(model_path='([^']{1,200})'/y,
      gives: [{ note: "model" }],
      common: true,
    },
    {
      mark: "Init torch distributed ends.",
      form: /Init torch distributed ends\.(?: elapsed=[\d.]+ s,)? mem usage=(-?[\d.]+) GB/y,
      gives: [{ fact: "context", name: "torch.distributed", unit: GIB }],
    },
    {
      mark: "Load weight begin. avail mem=",
      form: /Load weight begin\. avail mem=([\d.]+) GB/y,
      gives: [left("before the weights")],
    },
    {
      mark: "Load weight end.",
      form: /Load weight end\.[^=]{0,20}(?:=[^=]{1,60}){0,8}avail mem=([\d.]+) GB, mem usage=([\d.]+) GB/y,
      gives: [left("after the weights"), { fact: "weights", name: "weights", unit: GIB }],
    },
    {
      mark: "KV Cache is allocated.",
      form: /KV Cache is allocated\.(?: dtype: [\w.]{1,40},)?(?: #tokens: (\d+),)? K size: ([\d.]+) GB, V size: ([\d.]+) GB/y,
      gives: [
        { note: "KV cache tokens" },
        { fact: "kv_cache", name: "K", unit: GIB },
        { fact: "kv_cache", name: "V", unit: GIB },
      ],
    },
    {
      // latent attention keeps one tensor
      mark: "KV Cache is allocated.",
      form: /KV Cache is allocated\.(?: dtype: [\w.]{1,40},)?(?: #tokens: (\d+),)? KV size: ([\d.]+) GB/y,
      gives: [{ note: "KV cache tokens" }, { fact: "kv_cache", name: "KV", unit: GIB }],
    },
    {
      mark: "SWAKVPool mem usage: ",
      form: /SWAKVPool mem usage: ([\d.]+) GB, swa size: (\d+), full size: (\d+)/y,
      gives: [
        { fact: "kv_cache", name: "KV, sliding window and full", unit: GIB },
        { note: "tokens in the sliding window's cache" },
        { note: "tokens in the full cache" },
      ],
    },
    {
      mark: "conv_state size: ",
      form: /conv_state size: ([\d.]+) ?GB, ssm_state size: ([\d.]+) ?GB/y,
      gives: [
        { fact: "kv_cache", name: "convolution states", unit: GIB },
        { fact: "kv_cache", name: "recurrent states", unit: GIB },
      ],
    },
    {
      mark: "Memory pool end. avail mem=",
      form: /Memory pool end\. avail mem=([\d.]+) GB/y,
      gives: [left("after the memory pools")],
    },
    {
      mark: "uda graph begin.",
      form: /uda graph begin\.[^=]{0,60}avail mem=([\d.]+) GB/iy,
      gives: [left("before the CUDA graphs")],
    },
    {
      mark: "graph end.",
      form: /graph end\.[^=]{0,40}(?:=[\d.]+ s[.,])?(?: Time elapsed: [\d.]+ s\.)? mem usage=(-?[\d.]+) GB[.,] avail mem=([\d.]+) GB/y,
      gives: [{ fact: "graphs", name: "CUDA graphs", unit: GIB }, left("after the CUDA graphs")],
    },
    {
      mark: "max_total_num_tokens=",
      form: /max_total_num_tokens=(\d+)(?:, chunked_prefill_size=-?\d+)?(?:, max_prefill_tokens=\d+)?(?:, max_running_requests=(\d+))?(?:, context_len=(\d+))?(?:, available_gpu_mem=([\d.]+) GB)?/y,
      gives: [
        { note: "KV cache tokens" },
        { note: "max running requests" },
        { note: "context length" },
        left("when ready"),
      ],
    },
  ],
});
