/** How vLLM divides a GPU, by release. Later entries change earlier ones; figures that were measured say where. */

import { GIB, MIB } from "../base/bytes.ts";

export interface VllmRules {
  /** `--gpu-memory-utilization` where it is not given. */
  readonly utilization: number;
  /** Bytes per value of the logits that the profile run's sampler makes, above those of the computation's own type. */
  readonly samplerBytes: number;
  /** The pool of CUDA graphs is estimated and taken off what the cache gets. */
  readonly takesGraphsOff: boolean;
  /** The sampler's kernel keeps a float32 row of the vocabulary for each multiprocessor. */
  readonly samplerWorkers: boolean;
  /** Parts in which attention under a CUDA graph computes one sequence; 0: attention is in no graph. */
  readonly graphSplits: number;
  /** Fixed part of the profile run's activations. */
  readonly activationBaseBytes: number;
  /** `--max-num-seqs` on a large card where it is not given. */
  readonly largeSequences: number;
  /** A step takes as many tokens as the longest sequence has; later releases take a number of their own. */
  readonly batchesWholeLength: boolean;
  /** What the process had taken before it loaded is counted into its share, too. */
  readonly countsContext: boolean;
}

const LOGS = "start-up logs of vLLM 0.19.0 on an H100, llm-d-planner PR 205";

export const VLLM_RULES: readonly {
  readonly from: string;
  readonly changes: Partial<VllmRules>;
  readonly source: string;
}[] = [
  {
    from: "0.4",
    changes: {
      utilization: 0.9,
      samplerBytes: 35.4,
      samplerWorkers: false,
      graphSplits: 0,
      takesGraphsOff: false,
      activationBaseBytes: 0.05 * GIB,
      largeSequences: 256,
      batchesWholeLength: true,
      countsContext: true,
    },
    source:
      "the first engine, 256 sequences: 1.26 GiB of activations for Llama 3 8B (vllm-project/vllm#10511), 1.42 GiB for Qwen2.5 7B (#13882)",
  },
  {
    from: "0.6.5",
    changes: { countsContext: false },
    source: "memory is compared with what was there before the engine: vllm-project/vllm#10511",
  },
  {
    from: "0.8",
    changes: { activationBaseBytes: 0.12 * GIB, largeSequences: 1024, batchesWholeLength: false },
    source:
      "the second engine; top-k and top-p by sorting: 5.56 to 5.64 GiB of activations for Qwen3 (vocabulary 151,936), 0.16.0 and an earlier release; the fixed part as in 0.19",
  },
  {
    from: "0.11",
    changes: { graphSplits: 32 },
    source:
      "graphs of whole decoding steps became the default; flash_attn_max_num_splits_for_cuda_graph in vllm/config/attention.py of 0.19",
  },
  {
    from: "0.17",
    changes: { samplerBytes: 12, samplerWorkers: true, activationBaseBytes: 0.05 * GIB },
    source: `logits, probabilities and noise in float32, vllm/v1/sample/ops/topk_topp_triton.py of 0.19 and ${LOGS}; 0.18.0 has the same non-cache total`,
  },
  {
    from: "0.21",
    changes: { takesGraphsOff: true },
    source: "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS became the default",
  },
  { from: "0.25", changes: { utilization: 0.92 }, source: "vllm/config/cache.py" },
];

export const NEWEST_VLLM = "0.25";
/** The release whose figures were compared with published start-ups. */
export const COMPARED_VLLM = "0.19";

function before(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => text.split(".").map(Number));
  for (let place = 0; place < 3; place++) {
    const difference = (left![place] ?? 0) - (right![place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Rules of a release; those of the oldest known one for what came before. */
export function vllmRules(version: string): VllmRules {
  let rules = {} as VllmRules;
  VLLM_RULES.forEach(({ from, changes }, index) => {
    if (index === 0 || !before(version, from)) rules = { ...rules, ...changes };
  });
  return rules;
}

/**
 * Memory outside PyTorch that appears while the model is loaded and profiled, by tensor-parallel size: NCCL and its buffers. The lower
 * end is that of a table of early 2026, whose release is not stated.
 */
export const NON_TORCH: readonly { readonly ranks: number; readonly lowBytes: number; readonly bytes: number }[] = [
  { ranks: 1, lowBytes: 0.13 * GIB, bytes: 0.25 * GIB },
  { ranks: 2, lowBytes: 0.5 * GIB, bytes: 2.08 * GIB },
  { ranks: 4, lowBytes: 0.5 * GIB, bytes: 2.15 * GIB },
  { ranks: 8, lowBytes: 0.5 * GIB, bytes: 2.3 * GIB },
];
/** Above the expected bytes, as a share: logs of 0.19 differ by as much. */
export const NON_TORCH_ABOVE = 0.1;
/** With pipeline stages and no tensor parallelism. */
export const NON_TORCH_STAGES = 0.07 * GIB;
/** What releases that count it find before they load: a context, and what else is on the card. 1.79 GiB in all in #10511. */
export const COUNTED_CONTEXT = { lowBytes: 0.4 * GIB, bytes: 0.5 * GIB, highBytes: 1.55 * GIB };
export const NON_TORCH_SOURCE = `${LOGS}; eight ranks by continuation`;

/** Beside the encoder's cache, where a model's largest picture is not known. */
export const OTHER_TOWER_BYTES = 0.2 * GIB;

/**
 * What the driver keeps of the graphs of one layer, 51 sizes in pieces and 35 in whole; of its experts; and of a shared expert beside them,
 * which runs on a stream of its own. Once for all: the rest.
 */
export const GRAPH_BASE_BYTES = 0.12 * GIB;
export const GRAPH_LAYER_BYTES = 17.5 * MIB;
export const GRAPH_EXPERTS_BYTES = 4.2 * MIB;
export const GRAPH_SHARED_BYTES = 14 * MIB;
/** Tokens of the largest graph: twice the sequences, at most this. */
export const LARGEST_GRAPH = 512;
/** Cards with the attention kernel that is told in how many parts to compute, and the widest heads it takes. */
export const SPLIT_ARCHITECTURE = "Hopper";
export const SPLIT_WIDTH = 256;
/** Types of language models whose tokens of one picture see each other: another kernel computes them. ModelConfig.is_mm_prefix_lm */
export const SEES_PICTURES_WHOLE: ReadonlySet<string> = new Set(["gemma3_text", "gemma", "gemma2", "molmo2_text"]);
/** Logs of 0.19 lie within 16 % of the expected bytes. */
export const GRAPH_SHARE = 0.3;
export const GRAPH_SOURCE = `buffers of attention by vLLM's rule, the driver's part from ${LOGS}: experts by three models, a shared one by one`;
export const ACTIVATION_SOURCE = `logits of max_num_seqs rows, or the widest layer, whichever is more, and pictures; fixed part from ${LOGS}`;
