/** Layouts: how a command line is read, what contradicts itself, which layers a stage gets, and published figures of real runs. */

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  contradiction,
  distinctStages,
  layoutOf,
  readCommand,
  ReadingError,
  underMegatron,
} from "../../src/estimate/layout/index.ts";
import { layersOfChunks } from "../../src/estimate/layout/rank-program.ts";
import { commandWords, optionsOf } from "../../src/estimate/layout/shell-words.ts";

const COMMAND =
  "torchrun --nproc_per_node 8 --nnodes=2 pretrain_gpt.py --num-layers 12 --hidden-size 512 --num-attention-heads 8 " +
  "--seq-length 1024 --max-position-embeddings 1024 --micro-batch-size 4 --global-batch-size 32 --bf16 " +
  "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2";

const failure = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof ReadingError) return error.code;
    throw error;
  }
  return "none";
};

describe("a command line", () => {
  it("is split as a shell splits it", () => {
    const { env, words } = commandWords("A=1 B='x y' torchrun \\\n --a \"b c\" # end\n --d");
    expect(env).toEqual({ A: "1", B: "x y" });
    expect(words).toEqual(["torchrun", "--a", "b c", "--d"]);
    expect(optionsOf(["--a=1", "--b", "2", "3", "--c"])).toEqual(
      new Map([
        ["a", "1"],
        ["b", "2 3"],
        ["c", ""],
      ]),
    );
  });

  it("becomes a job, and every option is accounted for", () => {
    const { job, unknown, unmodelled, without } = readCommand(
      `${COMMAND} --lr 1e-4 --fp8-format hybrid --no-such-thing 3`,
      null,
    );
    expect(job.layout).toMatchObject({ gpus: 16, tp: 2, pp: 2, cp: 1 });
    expect(job.model).toMatchObject({ hidden: 512, ffn: 2048, headDim: 64, vocab: 50257, tied: true });
    expect({ unknown, unmodelled, without }).toEqual({
      unknown: ["no-such-thing"],
      unmodelled: ["fp8-format"],
      without: ["lr"],
    });
    expect(contradiction(job)).toBeNull();
  });

  it("says how context ranks talk, what experts take and which parts are computed again", () => {
    const job = (more: string) => readCommand(`${COMMAND} ${more}`, null);
    const moe = "--num-experts 8 --expert-model-parallel-size 2 --moe-expert-capacity-factor 1.5";
    expect(job("--context-parallel-size 2 --cp-comm-type a2a").job.layout.exchangesHeads).toBe(true);
    expect(job("--context-parallel-size 2 --cp-comm-type p2p").job.layout.exchangesHeads).toBeUndefined();
    expect(job("--context-parallel-size 2 --cp-comm-type all_gather").unmodelled).toEqual(["cp-comm-type"]);
    expect(contradiction(job("--context-parallel-size 8 --cp-comm-type a2a").job)?.code).toBe("layout_not_divisible");
    // what is beyond the capacity is dropped; padded, every expert takes it
    expect(job(moe).job.model.experts?.capacity).toBeUndefined();
    expect(job(`${moe} --moe-pad-expert-input-to-capacity`).job.model.experts?.capacity).toBe(1.5);
    expect(job("--recompute-granularity selective --recompute-modules shared_experts moe_act").unknown).toEqual([]);
    expect(failure(() => job("--recompute-granularity selective --recompute-modules everything"))).toBe(
      "launch_bad_value",
    );
    expect(failure(() => job("--context-parallel-size 2 --cp-comm-type pigeon"))).toBe("launch_bad_value");
  });

  it("is run as a release of Megatron-Core runs it", () => {
    const { job } = readCommand(COMMAND, null);
    const never = readCommand(`${COMMAND} --rerun-mode disabled`, null).job;
    const bert = readCommand(COMMAND.replace("pretrain_gpt", "pretrain_bert"), null).job;
    expect(underMegatron(job, "0.19")).toEqual(job);
    expect(underMegatron(job, "0.13")).toMatchObject({ dropsPlaceholders: true });
    expect(underMegatron(job, "0.18")).toMatchObject({ keepsBatches: true });
    expect(underMegatron(never, "0.18").keepsBatches).toBeUndefined();
    expect(underMegatron(bert, "0.18").keepsBatches).toBeUndefined();
  });

  it("of BERT or T5 has that script's model", () => {
    const bert = readCommand(COMMAND.replace("pretrain_gpt", "pretrain_bert"), null).job;
    expect(bert.model).toMatchObject({ kind: { kind: "encoder" }, vocab: 30524 });
    const t5 = COMMAND.replace("pretrain_gpt", "pretrain_t5").replace("--num-layers 12", "--encoder-num-layers 12");
    const read = (text: string) => readCommand(text.replace("--seq-length", "--encoder-seq-length"), null).job;
    const job = read(`${t5} --decoder-num-layers 6 --decoder-seq-length 128 --vocab-extra-ids 100`);
    expect(job.model).toMatchObject({
      kind: { kind: "encoder-decoder", encoderLayers: 12, decoderSeq: 128 },
      layers: 6,
      vocab: 29098,
    });
    expect(contradiction(job)?.code).toBe("layout_needs");
    expect(contradiction(read(t5.replace("pipeline-model-parallel-size 2", "pipeline-model-parallel-size 1")))).toBe(
      null,
    );
  });

  it("of a hybrid has a letter for each layer, stages and depths of prediction", () => {
    const hybrid = (pattern: string) =>
      readCommand(
        COMMAND.replace("--num-layers 12 ", `--num-experts 4 --hybrid-layer-pattern '${pattern}' `).replace(
          "gpt",
          "hybrid",
        ),
        null,
      ).job;
    const { model, layout } = hybrid("M-M*|EM-M/*E/*E");
    expect(model).toMatchObject({ layers: 8, expertLayers: [4], extraPredictions: 2 });
    expect(model.kind).toMatchObject({
      pattern: "M-M*EM-M*E",
      predicted: 2,
      mamba: { heads: 16, headDim: 64, state: 128, groups: 8 },
    });
    expect(layout.layersOfChunks).toEqual([4, 4]);
    expect(failure(() => hybrid("MXM"))).toBe("launch_bad_value");
    expect(failure(() => hybrid("M-|M*|M-"))).toBe("launch_bad_value");
  });

  it("is refused in one line where it contradicts itself or says too little", () => {
    expect(failure(() => readCommand(`${COMMAND} --fp16`, null))).toBe("launch_contradiction");
    expect(failure(() => readCommand("python pretrain_gpt.py --num-layers 4 --hidden-size 8", null))).toBe(
      "launch_missing",
    );
    expect(failure(() => readCommand(`${COMMAND} --micro-batch-size many`, null))).toBe("launch_bad_value");
    expect(failure(() => readCommand(COMMAND.replace("size 512", "size 513"), null))).toBe("launch_contradiction");
    const flat = COMMAND.replace("pipeline-model-parallel-size 2", "num-layers-per-virtual-pipeline-stage 2");
    expect(failure(() => readCommand(flat, null))).toBe("launch_contradiction");
    expect(failure(() => readCommand(`${COMMAND} --optimizer-offload-fraction 7`, null))).toBe("launch_bad_value");
    expect(failure(() => readCommand("ls -l", null))).toBe("launch_not_understood");
    expect(failure(() => readCommand(`${COMMAND} --use-megatron-fsdp`, null))).toBe("launch_other_program");
    expect(contradiction(readCommand(COMMAND, 6).job)?.code).toBe("layout_not_divisible");
    expect(contradiction(readCommand(COMMAND.replace("size 32", "size 30"), null).job)?.code).toBe(
      "layout_batch_not_divisible",
    );
  });
});

describe("a script", () => {
  it("may keep options in lists and variables", () => {
    const text = `#!/bin/bash
set -e
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NUM_NODES=2
DISTRIBUTED_ARGS=(
    --nproc_per_node $GPUS_PER_NODE
    --master_port 6000
)
MODEL_ARGS=(
    --num-layers 12
    --hidden-size 512 # width
    --num-attention-heads 8
    --seq-length 1024 --max-position-embeddings 1024
    --micro-batch-size 4 --bf16
)
torchrun \${DISTRIBUTED_ARGS[@]} pretrain_gpt.py \${MODEL_ARGS[@]} --global-batch-size 64
`;
    const { job, unknown } = readCommand(text, null);
    expect(job).toMatchObject({ layout: { gpus: 16 }, globalBatch: 64, seq: 1024, dtype: "bfloat16" });
    expect(unknown).toEqual([]);
  });

  it("names what only the shell knows, and fills in what the text assigns", () => {
    const sizes = "--num-layers $N --hidden-size 1024 --num-attention-heads 16 --seq-length 512 --micro-batch-size 1";
    const read = (rest: string) =>
      readCommand(`N=6\ntorchrun --nproc_per_node 2 pretrain_gpt.py ${sizes} ${rest}`, null);
    const { job, unknown } = read("--load $CHECKPOINT --bf16 $EXTRA ${MORE[@]}");
    expect([job.model.layers, unknown]).toEqual([6, ["${MORE[@]}", "$EXTRA"]]);
    for (const option of ["--micro-batch-size $MBS", "--optimizer $OPT", '--optimizer ""', "--recompute-num-layers"])
      expect(() => read(option)).toThrow(ReadingError);
  });

  it("of Megatron-SWIFT names its model, and has that project's defaults", () => {
    const text = `PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True' \\
NPROC_PER_NODE=8 CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 \\
megatron sft --model Qwen/Qwen3-30B-A3B --tuner_type full --tensor_model_parallel_size 2 --expert_model_parallel_size 8 \\
  --sequence_parallel true --micro_batch_size 1 --global_batch_size 16 --recompute_granularity full --max_length 8192 --odd 1`;
    const { job, unknown, understood } = readCommand(text, null);
    expect(job.layout).toMatchObject({ gpus: 8, tp: 2, ep: 8, etp: 1, sequenceParallel: true });
    expect(job).toMatchObject({ zero: 1, recompute: "full", seq: 8192, model: { hidden: 2048, layers: 48 } });
    expect(job.env).toEqual({ PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True" });
    expect(unknown).toEqual(["odd"]);
    expect(understood).toContain("model");
    expect(failure(() => readCommand("megatron sft --model Qwen/Qwen3-30B-A3B --tuner_type longlora", 8))).toBe(
      "launch_other_program",
    );
    expect(failure(() => readCommand("megatron sft --model no/such-model", 8))).toBe("launch_bad_value");
    const own = { name: "own", sizes: job.model };
    expect(readCommand("megatron sft --model no/such-model", 8, own).job.model.hidden).toBe(2048);
    expect(failure(() => readCommand(COMMAND, 8, own))).toBe("launch_contradiction");
  });
});

describe("adapters of Megatron-SWIFT", () => {
  const LORA = "megatron sft --model Qwen/Qwen2.5-7B-Instruct --tuner_type lora --lora_rank 4";

  it("have a rank and targets; embedding and head may train whole", () => {
    expect(readCommand(LORA, 2).job.lora).toEqual({ rank: 4, targets: ["all-linear"], saved: [], dropout: 0.05 });
    const { job, unmodelled } = readCommand(
      `${LORA} --target_modules linear_qkv linear_proj --modules_to_save word_embeddings output_layer`,
      2,
    );
    expect(job.lora).toEqual({
      rank: 4,
      targets: ["linear_qkv", "linear_proj"],
      saved: ["word_embeddings", "output_layer"],
      dropout: 0.05,
    });
    expect(unmodelled).toEqual([]);
    expect(failure(() => readCommand(`${LORA} --modules_to_save everything`, 2))).toBe("launch_bad_value");
  });

  it("stand beside its optimizer and its router's type; a date in a name is a training, not a shape", () => {
    const { job, unknown } = readCommand(
      "megatron sft --model Qwen/Qwen3-30B-A3B-Instruct-2507 --optimizer dist_muon --moe_router_dtype bf16",
      2,
    );
    expect(job).toMatchObject({ optimizer: "muon", model: { hidden: 2048, experts: { wideRouter: false } } });
    expect(unknown).toEqual([]);
    expect(failure(() => readCommand(`${LORA} --optimizer best`, 2))).toBe("launch_bad_value");
  });
});

describe("a layout", () => {
  it("is read by names, and GPUs must agree with it", () => {
    expect(layoutOf("tp=4,pp=2,dp=8", null)).toMatchObject({ gpus: 64, tp: 4, pp: 2, sequenceParallel: true });
    expect(failure(() => layoutOf("tp=4,dp=3", 16))).toBe("launch_contradiction");
    expect(failure(() => layoutOf("tq=4", 16))).toBe("launch_bad_value");
  });

  it("gives stages their layers: evenly, without those of embedding and loss, or as written", () => {
    const counts = (more: string): number[] =>
      layersOfChunks(readCommand(`${COMMAND} ${more}`, null).job).map((layers) => layers.length);
    expect(counts("")).toEqual([6, 6]);
    expect(counts("--num-layers-per-virtual-pipeline-stage 2")).toEqual([2, 2, 2, 2, 2, 2]);
    expect(counts("--decoder-first-pipeline-num-layers 4")).toEqual([4, 8]);
    expect(
      counts("--num-layers 14 --account-for-embedding-in-pipeline-split --account-for-loss-in-pipeline-split"),
    ).toEqual([7, 7]);
    expect(counts("--pipeline-model-parallel-layout 'Et*2|(tt|)*2t*6L'")).toEqual([2, 2, 2, 6]);
  });

  it("lets go of what is moved to the host, and names what it cannot", () => {
    const read = (modules: string) =>
      readCommand(`${COMMAND} --fine-grained-activation-offloading --offload-modules '${modules}'`, null);
    expect(read("[core_attn]").job).toMatchObject({ recompute: "selective", recomputeModules: ["core_attn"] });
    expect(read("[core_attn]").unmodelled).toEqual([]);
    expect(read("[core_attn attn_norm]").unmodelled).toEqual(["offload-modules"]);
  });

  it("of many stages is run where stages differ", () => {
    const { job } = readCommand(COMMAND.replace("parallel-size 2 --pipe", "parallel-size 1 --pipe"), 48);
    const many = { ...job, layout: { ...job.layout, pp: 12 } };
    expect(distinctStages(many)).toEqual([0, 1, 11]);
  });
});

const rows = new URL("../../../shared/distributed/published.jsonl", import.meta.url).pathname;

describe.skipIf(!existsSync(rows))("published figures of Megatron-LM", () => {
  /** A sample with tensor, pipeline and data parallelism, the distributed optimizer and recomputation. */
  const SAMPLE = [
    ["te_tp1_pp1_dist_optimizer_fim_dataset_1node/dev_dgx_gb200", 0.0005, 0.0005],
    ["te_tp1_pp1_resume_torch_dist_uniform_full_recompute/dev_dgx_gb200", 0.005, 0.005],
    // a release that keeps a step's batches
    ["te_tp1_pp4_vp1/dev_dgx_gb200", 0.0005, 0.005],
    ["te_tp2_pp1_resume_torch_dist_multi_dist_optimizer_instances/lts", 0.005, 0.005],
    ["te_tp2_pp2_ep4_etp1_memory_speed/dev_dgxh100_dgxc", 0.01, 0.01],
    // placeholders of weight gradients; a softmax in float32; projections that are computed again
    ["te_tp2_pp2_resume_torch_dist_defer_embedding_wgrad_compute/dev_dgx_h100", 0.0005, 0.005],
    ["gpt3_mcore_tp2_pp2_uninstall_te/dev_dgx_a100", 0.002, 0.001],
    ["te_tp2_pp2_ep4_etp1_selective_recompute_experimental/dev_dgx_h100", 0.01, 0.005],
    // BERT's head and pooler; T5's cross attention
    ["bert_mcore_tp2_pp2/dev_dgx_h100", 0.0005, 0.02],
    ["t5_11b_mcore_tp4_pp1/dev_dgx_h100", 0.0005, 0.0005],
    ["t5_mcore_te_tp2_pp1_vp1/dev_dgx_a100", 0.005, 0.005],
    // mixers of Mamba over context-parallel ranks
    ["hybrid_mr_mcore_te_tp2_pp1_cp4_dgx_a100_1N8G/dev_dgx_h100", 0.0005, 0.0005],
  ] as const;

  it.each(SAMPLE)("%s", async (id, states, peak) => {
    const { rowsOf, answers } = (await import(new URL("../../scripts/layouts/answers.mjs", import.meta.url).href)) as {
      rowsOf: (path: string, only: string) => { figures: Record<string, number> }[];
      answers: (rows: unknown[]) => Promise<{ states: number; peak: number }[]>;
    };
    const [row] = rowsOf(rows, id);
    const [answer] = await answers([row]);
    const { memory_allocated_after_last_step: after, max_memory_allocated: most } = row!.figures;
    expect(Math.abs(answer!.states / after! - 1)).toBeLessThan(states);
    expect(Math.abs(answer!.peak / most! - 1)).toBeLessThan(peak);
  });
});
