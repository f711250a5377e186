/** How vLLM divides a GPU, by release. Later entries change earlier ones; figures that were measured say where. */

import { GIB, MIB } from "../base/bytes.ts";

export interface VllmRules {
  /** `--gpu-memory-utilization` where it is not given. */
  readonly utilization: number;
  /** Bytes per value of the logits that the profile run's sampler makes, above those of the computation's own type. */
  readonly samplerBytes: number;
  /** The pool of CUDA graphs is estimated and taken off what the cache gets. */
  readonly takesGraphsOff: boolean;
  /** Fixed part of the profile run's activations. */
  readonly activationBaseBytes: number;
}

const LOGS = "start-up logs of vLLM 0.19.0 on an H100, llm-d-planner PR 205";

export const VLLM_RULES: readonly {
  readonly from: string;
  readonly changes: Partial<VllmRules>;
  readonly source: string;
}[] = [
  {
    from: "0.10",
    changes: { utilization: 0.9, samplerBytes: 35.4, takesGraphsOff: false, activationBaseBytes: 0.12 * GIB },
    source:
      "top-k and top-p by sorting: 5.56 to 5.64 GiB of activations for Qwen3 (vocabulary 151,936), 0.16.0 and an earlier release; the fixed part as in 0.19",
  },
  {
    from: "0.17",
    changes: { samplerBytes: 12 },
    source: `two copies in float32 and one more for sampling: ${LOGS}; 0.18.0 has the same non-cache total`,
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
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA < majorB || (majorA === majorB && minorA < minorB);
}

/** Rules of a release; those of the oldest known one for what came before. */
export function vllmRules(version: string): VllmRules {
  let rules: VllmRules = { utilization: 0.9, samplerBytes: 12, takesGraphsOff: false, activationBaseBytes: 0 };
  VLLM_RULES.forEach(({ from, changes }, index) => {
    if (index === 0 || !before(version, from)) rules = { ...rules, ...changes };
  });
  return rules;
}

/** Memory outside PyTorch that appears while the model is loaded and profiled, by tensor-parallel size: NCCL and its buffers. */
export const NON_TORCH: readonly { readonly ranks: number; readonly bytes: number }[] = [
  { ranks: 1, bytes: 0.25 * GIB },
  { ranks: 2, bytes: 2.08 * GIB },
  { ranks: 4, bytes: 2.15 * GIB },
  { ranks: 8, bytes: 2.3 * GIB },
];
/** With pipeline stages and no tensor parallelism. */
export const NON_TORCH_STAGES = 0.07 * GIB;
export const NON_TORCH_SOURCE = `${LOGS}; eight ranks by continuation`;

/** Images go through the profile run, too: besides the encoder's cache. */
export const TOWER_BYTES = 0.2 * GIB;
export const TOWER_SOURCE = "Gemma 3 in the same logs; other towers need more or less";

/** Pool of CUDA graphs: per layer, and once. 51 sizes, full and piecewise. */
export const GRAPH_LAYER_BYTES = 17 * MIB;
export const GRAPH_BASE_BYTES = 0.25 * GIB;
export const GRAPH_SOURCE = `${LOGS}: 0.5 to 1.8 GiB, not determined by the model alone`;
export const ACTIVATION_SOURCE = `logits of max_num_seqs rows, or the widest layer, whichever is more; fixed part from ${LOGS}`;
