/** Commands that nobody could start: each gets one of the reader's errors or a contradiction, and no program with a size that is no number. */

import { describe, expect, it } from "vitest";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { contradiction, readCommand, ReadingError } from "../../src/estimate/layout/index.ts";
import { rankProgram } from "../../src/estimate/layout/rank-program.ts";
import { dataRanks } from "../../src/estimate/layout/training-job.ts";

const COMMANDS = [
  "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 12 --hidden-size 512 --num-attention-heads 8 --seq-length 1024 --bf16 " +
    "--max-position-embeddings 1024 --micro-batch-size 4 --global-batch-size 32 --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 " +
    "--num-experts 8 --expert-model-parallel-size 2 --moe-layer-freq ([0]*4+[1]*8) --use-distributed-optimizer --recompute-granularity selective " +
    "--recompute-modules core_attn,moe_act --context-parallel-size 2 --cp-comm-type a2a --num-virtual-stages-per-pipeline-rank 3",
  "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 13 --hidden-size 512 --num-attention-heads 8 --seq-length 1024 --fp16 " +
    "--max-position-embeddings 1024 --micro-batch-size 2 --pipeline-model-parallel-size 2 --pipeline-model-parallel-layout Et|(tt|)*6mL",
  "NPROC_PER_NODE=8 megatron rlhf --rlhf_type dpo --model Qwen/Qwen3-30B-A3B --tensor_model_parallel_size 4 --expert_model_parallel_size 4 " +
    "--pipeline_model_parallel_size 2 --decoder_first_pipeline_num_layers 25 --packing true --max_length 8192 --micro_batch_size 1 " +
    "--global_batch_size 4 --tuner_type lora --lora_dropout 0.1 --moe_expert_capacity_factor 2 --use_precision_aware_optimizer true",
];
const VALUES = [
  "0",
  "-1",
  "3",
  "1e9",
  "",
  "NaN",
  "99999999999",
  "2.5",
  "x",
  "[1",
  "false",
  "(t)*9999",
  "((t)*999)*999",
];

const gpu = (() => {
  const found = findGpu("h100-80gb");
  if (!found.ok) throw new Error("h100-80gb");
  return found.value;
})();

/** What becomes of a command, in one word. */
function outcome(command: string): string {
  try {
    const { job } = readCommand(command, null);
    const problem = contradiction(job);
    if (problem !== null) return problem.code;
    const program = rankProgram(job, job.layout.pp - 1, dataRanks(job) * job.layout.cp - 1, gpu);
    expect(program).not.toMatch(/NaN|undefined|Infinity|null/);
    return "starts";
  } catch (error) {
    if (error instanceof ReadingError) return error.code;
    throw error;
  }
}

describe("odd commands", () => {
  it("end in one of the known errors, whatever value an option has", () => {
    const found = new Map<string, number>();
    for (const command of COMMANDS) {
      const words = command.split(" ");
      expect(outcome(command)).toBe("starts");
      for (const [at, word] of words.entries()) {
        if (!word.startsWith("--") || words[at + 1]?.startsWith("--") !== false) continue;
        for (const value of VALUES) {
          const word = outcome([...words.slice(0, at + 1), value, ...words.slice(at + 2)].join(" "));
          found.set(word, (found.get(word) ?? 0) + 1);
        }
        outcome([...words.slice(0, at), ...words.slice(at + 2)].join(" "));
      }
    }
    expect([...found.keys()].filter((word) => !/^(starts|launch_|layout_)/.test(word))).toEqual([]);
    expect(found.get("launch_bad_value")).toBeGreaterThan(200);
  });

  it("are refused before they fill the memory", () => {
    expect(outcome(COMMANDS[0]!.replace("--num-layers 12", "--num-layers 1000000000"))).toBe("launch_bad_value");
    expect(outcome(COMMANDS[1]!.replace("(tt|)*6", "(((t)*9999)*9999)*9999"))).toBe("launch_bad_value");
    expect(outcome(COMMANDS[2]!.replace("size 2 ", "size 999999999 "))).toBe("launch_bad_value");
  });
});
