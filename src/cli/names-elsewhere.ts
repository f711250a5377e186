/** What other tools call options of ours, so that whoever types such a name is told the one here. */

import { table } from "../base/table.ts";

/** By the name here; with dashes, as all are compared. Of vLLM, SGLang, TensorRT-LLM, llama.cpp, Ollama, transformers, TRL, peft, DeepSpeed. */
export const ELSEWHERE = table<readonly string[]>({
  seq: [
    "max-length",
    "max-seq-length",
    "max-seq-len",
    "seq-length",
    "seq-len",
    "sequence-length",
    "block-size",
    "context",
  ],
  prompt: ["prompt-length", "prompt-len", "input-len", "input-length", "context"],
  new: ["max-new-tokens", "max-tokens", "output-len", "num-predict", "n-predict"],
  batch: ["batch-size", "bs", "per-device-train-batch-size", "micro-batch-size", "train-batch-size"],
  accumulate: ["gradient-accumulation-steps", "gradient-accumulation", "grad-accum"],
  checkpointing: ["gradient-checkpointing", "activation-checkpointing"],
  precision: ["dtype", "torch-dtype", "bf16", "fp16", "fp32", "mixed-precision"],
  weights: ["dtype", "torch-dtype", "load-in-4bit", "load-in-8bit", "quantization", "bits"],
  attention: ["attn-implementation", "attn", "flash-attn", "flash-attention"],
  optimizer: ["optim"],
  "lora-rank": ["lora-r", "rank", "r"],
  "lora-targets": ["target-modules", "lora-target-modules", "lora-target"],
  method: ["lora", "qlora", "tuner-type", "train-type", "finetuning-type"],
  gpu: ["card", "device", "gpu-type"],
  gpus: ["num-gpus", "n-gpus", "ngpus", "nproc-per-node", "world-size"],
  zero: ["zero-stage", "deepspeed"],
  quant: ["quantization", "quantize", "q"],
  tp: ["tensor-parallel-size", "tensor-parallel", "tp-size"],
  pp: ["pipeline-parallel-size", "pipeline-parallel", "pp-size"],
  "max-len": ["max-model-len", "context", "context-length", "context-size", "ctx-size", "ctx", "num-ctx", "n-ctx"],
  "max-seqs": ["max-num-seqs", "max-running-requests", "parallel", "num-parallel", "concurrency"],
  "batched-tokens": ["max-num-batched-tokens", "max-num-tokens", "ubatch-size"],
  "memory-fraction": ["gpu-memory-utilization", "mem-fraction-static", "kv-cache-free-gpu-mem-fraction"],
  "kv-cache": ["kv-cache-dtype", "cache-type-k", "kv-cache-type"],
  "gpu-layers": ["n-gpu-layers", "ngl", "num-gpu"],
  eager: ["enforce-eager", "disable-cuda-graph"],
  torch: ["torch-version", "pytorch"],
});

/** Names here of what somebody typed with dashes in front, among those that a command has. */
export function namesHere(typed: string, known: readonly string[]): string[] {
  const name = typed.replace(/^-+/, "").replaceAll("_", "-").toLowerCase();
  return known.filter((one) => ELSEWHERE[one]?.includes(name) === true);
}
