/** Commands of ms-swift: preferences, tasks, what a shell computes, and verdicts where data decide how long sequences are. */

import { describe, expect, it } from "vitest";
import { readSwiftCommand } from "../../src/estimate/configs/index.ts";
import {
  defaultJob,
  estimateRanks,
  layoutOf,
  layoutVerdict,
  modelSizes,
  readCommand,
  ReadingError,
  type LayoutEstimate,
} from "../../src/estimate/layout/index.ts";
import { shellValue } from "../../src/estimate/layout/shell-arithmetic.ts";
import { readModelConfig } from "../../src/formats/model-config.ts";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { findModel } from "../../src/models/catalogue.ts";
import { GIB } from "../../src/base/bytes.ts";

const gpu = (() => {
  const found = findGpu("a100-80gb");
  if (!found.ok) throw new Error("a100-80gb");
  return found.value;
})();

describe("Megatron-SWIFT", () => {
  const read = (options: string) => readCommand(`NPROC_PER_NODE=4 megatron ${options} --model Qwen/Qwen2.5-7B`, null);

  it("compares with a copy of the model, or with the model without its adapters", () => {
    // one pair may be as long as two packs
    expect(read("rlhf --rlhf_type dpo --packing true").job).toMatchObject({
      reference: "copy",
      sequencesOfSample: 2,
      packed: true,
      upToLength: true,
    });
    expect(read("sft --packing true").job).toMatchObject({ sequencesOfSample: 1, packed: true, upToLength: false });
    expect(read("rlhf --rlhf_type dpo").job).toMatchObject({ sequencesOfSample: 2, upToLength: true });
    expect(read("rlhf --rlhf_type kto --tuner_type lora").job).toMatchObject({
      reference: "same",
      sequencesOfSample: 1,
    });
    expect(read("rlhf --rlhf_type rm").job).toMatchObject({ reference: null, labels: 1 });
    expect(() => read("rlhf --rlhf_type grpo")).toThrow(ReadingError);
  });

  it("has a few values per token, or none, in the place of the vocabulary", () => {
    expect(read("sft --task_type seq_cls --num_labels 3").job.labels).toBe(3);
    expect(read("sft --task_type embedding").job.labels).toBe(0);
    expect(read("sft --task_type generative_reranker").job.labels).toBeNull();
  });

  it("leaves a share of the optimizer's states on the host", () => {
    expect(read("sft --optimizer_cpu_offload true").job.offload).toBe(1);
    expect(read("sft --optimizer_cpu_offload true --optimizer_offload_fraction 0.4").job.offload).toBe(0.4);
    expect(() => read("sft --optimizer_cpu_offload true --optimizer_offload_fraction 4")).toThrow(ReadingError);
  });
});

describe("a tower for pictures", () => {
  it("is named where it cannot be run and its blocks are computed again, and leaves the verdict open", () => {
    const read = (model: string) => readCommand(`megatron sft --vit_gradient_checkpointing true --model ${model}`, 2);
    const unknown = read("meta-llama/Llama-4-Scout-17B-16E-Instruct");
    expect(unknown.unmodelled).toEqual(["vit_gradient_checkpointing"]);
    expect(unknown.job.leavesOutTowers).toBe(true);
    expect(read("Qwen/Qwen2.5-VL-7B-Instruct").unmodelled).toEqual([]);
    expect(read("Qwen/Qwen2.5-7B").unmodelled).toEqual([]);
  });
});

describe("a precision-aware optimizer", () => {
  const read = (options: string) => readCommand(`megatron sft --model Qwen/Qwen2.5-7B ${options}`, 2);
  const aware = "--use_precision_aware_optimizer true";

  it("keeps what a parameter lacks, and states of the types that are named", () => {
    const { job, unmodelled, unknown } = read(`${aware} --exp_avg_dtype bf16 --exp_avg_sq_dtype fp8`);
    expect(job.stateTypes).toEqual({ main: "remainder", first: "bfloat16", second: "uint8" });
    expect([unmodelled, unknown]).toEqual([[], []]);
    expect(read("").job.stateTypes).toBeNull();
    const eight = "--fp8_format e4m3 --fp8_recipe blockwise";
    expect(read(`${aware} ${eight}`).job.stateTypes?.main).toBe("float32");
    expect(read(`${aware} --fp8_format e4m3`).job.stateTypes?.main).toBe("remainder");
    expect(read(`${aware} --optimizer_cpu_offload true`).job.stateTypes).toBeNull();
    expect(read(`${aware} --main_grads_dtype bf16`).job.wideGradients).toBe(false);
    expect(() => read(`${aware} --exp_avg_dtype int3`)).toThrow(ReadingError);
    expect(() => read(`${aware} --use_distributed_optimizer false`)).toThrow(ReadingError);
  });
});

describe("ms-swift", () => {
  const read = (options: string) =>
    readSwiftCommand(`CUDA_VISIBLE_DEVICES=0,1 NPROC_PER_NODE=$nproc_per_node swift ${options} --model x`, null)!;

  it("trains preferences on two sequences of a sample; a kind that nobody knows is refused", () => {
    expect(read("rlhf --rlhf_type dpo --tuner_type lora --per_device_train_batch_size 3").run.recipe.batch).toBe(6);
    expect(read("rlhf --rlhf_type simpo --tuner_type full --deepspeed zero2").run.recipe.batch).toBe(2);
    expect(() => read("rlhf --rlhf_type dream")).toThrow(ReadingError);
  });

  it("cuts sequences over ranks, and says which adapters are taken for low-rank ones", () => {
    const { run } = read("sft --tuner_type boft --sequence_parallel_size 8 --max_length 65536 --packing true");
    expect(run.recipe).toMatchObject({ seq: 8192, method: "lora" });
    expect(run.upToLength).toBe(false);
    expect(run.assumed).toContainEqual(["tuner_type boft", "lora"]);
  });

  it("computes what the shell would, and says what only the shell knows", () => {
    expect(read("sft --gradient_accumulation_steps '$(expr 16 / $nproc_per_node)'").run.recipe.accumulate).toBe(8);
    const { run } = read("sft --max_length '$(expr $LENGTH / 2)'");
    expect(run.assumed).toContainEqual(["max_length", "not known here: $(expr $LENGTH / 2)"]);
    expect(shellValue("$((3 * n))", new Map([["n", 4]]))).toBe("12");
    expect(shellValue("$(expr 3 / 0)", new Map())).toBeNull();
  });

  it("evaluates larger batches", () => {
    const evaluated = (options: string) => read(`sft ${options}`).run.sharding.evalBatch;
    expect(evaluated("--per_device_eval_batch_size 8")).toBe(8);
    expect(evaluated("--per_device_train_batch_size 8 --per_device_eval_batch_size 8")).toBeUndefined();
  });
});

describe("a tower in front of Megatron-Core's first stage", () => {
  const config = readModelConfig(
    JSON.stringify({
      architectures: ["Qwen2_5_VLForConditionalGeneration"],
      model_type: "qwen2_5_vl",
      hidden_size: 512,
      intermediate_size: 1024,
      num_hidden_layers: 2,
      num_attention_heads: 8,
      num_key_value_heads: 4,
      vocab_size: 16000,
      vision_config: { depth: 4, hidden_size: 320, intermediate_size: 640, num_heads: 4, out_hidden_size: 512 },
    }),
  );
  const read = (options: string, env = "") =>
    readCommand(`${env} megatron sft --model x --packing true --max_length 4096 ${options}`, 1, {
      name: "x",
      sizes: modelSizes(config, "x"),
    });
  const seen = ({ assumed }: { assumed: readonly (readonly [string, string])[] }) =>
    assumed.find(([name]) => name === "pictures of each sequence")?.[1];

  it("is given as many pictures as a sequence holds", () => {
    expect(seen(read(""))).toMatch(/^1 of 1792 x 1792/);
    expect(seen(read("", "MAX_PIXELS=1003520"))).toMatch(/^3 of 980 x 980/);
    expect(seen(read("", "IMAGE_MAX_TOKEN_NUM=1024"))).toMatch(/^4 of 896 x 896/);
    expect(seen(read(`--model_kwargs '{"max_pixels": 1003520}'`))).toMatch(/^3 of 980 x 980/);
  });

  it("keeps its blocks' inputs where they are computed again, and everything where they are not", async () => {
    const { openEstimateRuns } = (await import(
      new URL("../../dist/python/estimate-runs.js", import.meta.url).href
    )) as typeof import("../../src/python/estimate-runs.ts");
    const runs = openEstimateRuns({ torch: "2.14", files: {} });
    const atEmbedding = async (options: string): Promise<number> => {
      const { job } = read(
        `--recompute_granularity full --recompute_method uniform --recompute_num_layers 1 ${options}`,
      );
      const { worst } = await estimateRanks(runs.run, { ...job, globalBatch: 1 }, gpu);
      return worst.digest.allocatedPeakBytes - worst.statesBytes;
    };
    try {
      const frozen = await atEmbedding("");
      const again = await atEmbedding("--vit_gradient_checkpointing true");
      const trains = await atEmbedding("--freeze_vit false --vit_gradient_checkpointing false");
      // 4 blocks of 4 x 4096 patches of 320 numbers
      const inputs = 4 * 4 * 4096 * 320 * 2;
      expect(again - frozen).toBeGreaterThan(0.7 * inputs);
      expect(trains - again).toBeGreaterThan(4 * inputs);
    } finally {
      runs.close();
    }
  });
});

describe("a verdict", () => {
  const model = findModel("qwen2.5-7b");
  const made = (upToLength: boolean, fit: "fits" | "does_not_fit", statesBytes: number): LayoutEstimate => {
    if (!model.ok) throw new Error("qwen2.5-7b");
    const job = defaultJob({
      framework: "megatron",
      name: "x",
      model: modelSizes(model.value.config, "x"),
      layout: layoutOf("tp=1", 1),
      microBatch: 1,
      globalBatch: 1,
      seq: 8192,
      zero: 1,
      recompute: "none",
    });
    const rank = { fit, statesBytes } as LayoutEstimate["worst"];
    return { job: { ...job, upToLength }, gpu, ranks: [rank], worst: rank, bounded: [] };
  };

  it("stays open where only sequences of the greatest length do not fit", () => {
    expect(layoutVerdict(made(true, "does_not_fit", 40 * GIB))).toBe("shorter");
    expect(layoutVerdict(made(true, "does_not_fit", 90 * GIB))).toBe("does_not_fit");
    expect(layoutVerdict(made(false, "does_not_fit", 40 * GIB))).toBe("does_not_fit");
    expect(layoutVerdict(made(true, "fits", 40 * GIB))).toBe("fits");
  });

  it("stays open where towers are not counted", () => {
    const without = (fit: "fits" | "does_not_fit") => {
      const one = made(false, fit, 40 * GIB);
      return layoutVerdict({ ...one, job: { ...one.job, leavesOutTowers: true } });
    };
    expect(without("fits")).toBe("towers");
    expect(without("does_not_fit")).toBe("does_not_fit");
  });

  it("stays open where only sequences full of pictures do not fit", () => {
    const full = (statesBytes: number) => {
      const one = made(false, "does_not_fit", statesBytes);
      return layoutVerdict({ ...one, job: { ...one.job, fullOfPictures: true } });
    };
    expect(full(40 * GIB)).toBe("pictures");
    expect(full(90 * GIB)).toBe("does_not_fit");
  });
});

describe("a task of whole sequences", () => {
  const asked = (options: string) => readSwiftCommand(`swift sft --model Qwen/Qwen2.5-7B ${options}`, 1)!.run;

  it("has no logits of tokens", () => {
    expect(asked("--task_type seq_cls --num_labels 3").sharding.labels).toBe(3);
    expect(asked("--task_type reranker").sharding.labels).toBe(1);
    expect(asked("--task_type embedding")).toMatchObject({ sharding: { labels: 0 }, recipe: { batch: 2 } });
    expect(asked("--task_type generative_reranker").sharding.labels).toBeUndefined();
  });

  it("computes its loss by rows where ranks share sequences, unless the model does by itself", () => {
    const shared = "--sequence_parallel_size 8 --max_length 4096";
    const read = readSwiftCommand(`CELOSS_PARALLEL_SIZE=512 swift sft --model a/b ${shared}`, 8)!;
    expect(read.run).toMatchObject({ sharding: { lossRows: 512 }, recipe: { seq: 512 } });
    expect(asked(`${shared} --use_liger_kernel true`).sharding.lossRows).toBeUndefined();
    expect(asked("--max_length 4096").sharding.lossRows).toBeUndefined();
  });
});

describe("models beside the one that trains", () => {
  const read = (options: string) => readSwiftCommand(`swift rlhf --model Qwen/Qwen2.5-7B ${options}`, 4)!.run;
  const companions = (options: string) => read(options).sharding.companions;

  it("are a reference where all parameters train, and what rewards or teaches", () => {
    expect(companions("--rlhf_type dpo --tuner_type full")).toMatchObject({ answers: null, reference: true });
    expect(companions("--rlhf_type dpo --tuner_type lora")).toBeUndefined();
    expect(companions("--rlhf_type simpo --tuner_type full")).toBeUndefined();
    expect(companions("--rlhf_type grpo --tuner_type full --beta 0")?.reference).toBe(false);
    expect(companions("--rlhf_type grpo --tuner_type full --beta 0.04")?.reference).toBe(true);
    expect(companions("--rlhf_type ppo --reward_model x/y")?.others).toEqual(["x/y", "x/y"]);
    expect(companions("--rlhf_type gkd --teacher_model x/y")?.others).toEqual(["x/y"]);
    expect(read("--rlhf_type rm").sharding.labels).toBe(1);
    expect(() => read("--rlhf_type dream")).toThrow(ReadingError);
  });

  it("may be an engine on the same card", () => {
    const vllm = "--rlhf_type grpo --use_vllm true";
    expect(companions(`${vllm} --vllm_mode server`)?.engine).toBeNull();
    expect(
      companions(`${vllm} --vllm_mode colocate --vllm_gpu_memory_utilization 0.4 --sleep_level 1`)?.engine,
    ).toEqual({
      share: 0.4,
      sleeps: true,
      modelLeaves: false,
      statesLeave: false,
    });
    expect(read(`${vllm} --max_length 1000 --max_completion_length 200`).recipe.seq).toBe(1200);
  });
});
