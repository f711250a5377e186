/** Configurations that their own programs refuse or that contradict themselves: one clear error each, and nothing that is told wrongly. */

import { describe, expect, it } from "vitest";
import { readConfiguration, readSwiftCommand, type ConfigReading } from "../../src/estimate/configs/index.ts";
import { readCommand, ReadingError } from "../../src/estimate/layout/index.ts";

const refusal = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof ReadingError) return `${error.code} ${JSON.stringify(error.args)}`;
    throw error;
  }
  return "read";
};
const read = (text: string, gpus: number | null = null): ConfigReading => readConfiguration(text, gpus)!;

describe("DeepSpeed's JSON", () => {
  const json = (zero: object): string => JSON.stringify({ train_micro_batch_size_per_gpu: 1, zero_optimization: zero });

  it("knows stages up to 3 (runtime/zero/config.py, ZeroStageEnum)", () => {
    expect(refusal(() => read(json({ stage: 5 })))).toContain('"value":"5"');
    expect(refusal(() => read(json({ stage: 2, offload_optimizer: { device: "gpu" } })))).toContain("gpu");
  });

  it("moves parameters under stage 3 and with the optimizer's states; what has no effect is said", () => {
    const host = { device: "cpu" };
    const of = (zero: object) => read(json(zero)).run;
    expect(of({ stage: 3, offload_param: host, offload_optimizer: host }).sharding.offload).toBe("all");
    const below = of({ stage: 2, offload_param: host });
    expect(below.sharding.offload).toBe("none");
    expect(below.assumed).toContainEqual(["offload_param", "nothing below stage 3"]);
    expect(of({ stage: 2, offload_param: host, offload_optimizer: host }).sharding.offload).toBe("optimizer");
    expect(of({ stage: 3, offload_param: host }).sharding.offload).toBe("none");
    expect(of({ stage: 3, offload_param: { device: "nvme" }, offload_optimizer: host }).sharding.offload).toBe("nvme");
  });
});

describe("accelerate's YAML", () => {
  it("counts the section that distributed_type names (commands/launch.py)", () => {
    const text = "distributed_type: MULTI_GPU\nfsdp_config:\n  fsdp_sharding_strategy: FULL_SHARD\nnum_processes: 4\n";
    const { run, without, understood } = read(text);
    expect(run.sharding.zero).toBe(0);
    expect(run.assumed).toContainEqual(["fsdp_config.*", "not used, as distributed_type is MULTI_GPU"]);
    expect(without).toContain("fsdp_config.fsdp_sharding_strategy");
    expect(understood).not.toContain("fsdp_config.fsdp_sharding_strategy");
    expect(read(text.replace("MULTI_GPU", "FSDP")).run.sharding.zero).toBe(3);
  });

  it("has nothing under a value", () => {
    expect(refusal(() => read("distributed_type: FSDP\n  fsdp_config:\n    fsdp_version: 2\n"))).toContain("line 2");
  });
});

describe("torchtitan's TOML", () => {
  const toml = (parallelism: string, more = ""): string =>
    `[model]\nname = "llama3"\nflavor = "8B"\n[training]\nlocal_batch_size = 1\n[parallelism]\n${parallelism}\n${more}`;

  it("counts ranks by axis (distributed/parallel_dims.py)", () => {
    const text = toml("data_parallel_shard_degree = 4\ndata_parallel_replicate_degree = 4\ntensor_parallel_degree = 2");
    const { run } = read(text);
    expect(run.layout.gpus).toBe(32);
    expect(run.sharding).toMatchObject({ zero: 3, hybridRanks: 4 });
    expect(refusal(() => read(text, 8))).toContain("launch_contradiction");
    expect(refusal(() => read(toml("data_parallel_replicate_degree = 3"), 8))).toContain("launch_contradiction");
    expect(read(toml("data_parallel_replicate_degree = 2"), 8).run.sharding).toMatchObject({ zero: 3, hybridRanks: 4 });
    const copies = toml("data_parallel_shard_degree = 1\ndata_parallel_replicate_degree = 8");
    expect(read(copies).run.sharding).toMatchObject({ zero: 0, hybridRanks: 0 });
    expect(read(toml("data_parallel_shard_degree = -1"), 16).run.sharding).toMatchObject({ zero: 3, hybridRanks: 0 });
    expect(refusal(() => read(toml("data_parallel_shard_degree = 0")))).toContain('"value":"0"');
  });

  it("computes every second block again where it says nothing (config_manager.py)", () => {
    expect(read(toml("")).run.recipe.checkpointing).toBe("every-2");
    expect(read(toml("", '[activation_checkpoint]\nmode = "none"\n')).run.recipe.checkpointing).toBe("none");
  });
});

describe("an optimizer that nobody names", () => {
  it("is fused from PyTorch 2.8 on in transformers' Trainer (training_args.py), and always in torchtitan", () => {
    const swift = "swift sft --model Qwen/Qwen2.5-7B --tuner_type full";
    const of = (torch: "2.7" | "2.8") => readSwiftCommand(swift, 1, torch)!.run;
    expect(of("2.7").recipe.optimizer).toBe("adamw");
    expect(of("2.8").recipe.optimizer).toBe("adamw-fused");
    expect(of("2.7").assumed).toContainEqual(["optimizer", "adamw"]);
    expect(readSwiftCommand(`${swift} --optim adamw_torch_fused`, 1, "2.7")!.run.recipe.optimizer).toBe("adamw-fused");
    const titan = '[model]\nname = "llama3"\nflavor = "8B"\n';
    expect(readConfiguration(titan, 1, "2.6")!.run.recipe.optimizer).toBe("adamw-fused");
  });
});

describe("sequences that nobody bounds", () => {
  it("are as long as the model allows in ms-swift (arguments/base_args/base_args.py), which is said", () => {
    const of = (more: string) => readSwiftCommand(`swift sft --model Qwen/Qwen2.5-7B ${more}`, 1)!.run.assumed;
    expect(of("").map(([name]) => name)).toContain("longest sequence");
    expect(of("--max_length 2048").map(([name]) => name)).not.toContain("longest sequence");
  });
});

describe("a command", () => {
  it("does not shard in two ways at once (ms-swift, arguments/sft_args.py)", () => {
    const swift = "NPROC_PER_NODE=8 swift sft --model Qwen/Qwen2.5-7B";
    expect(refusal(() => readSwiftCommand(`${swift} --deepspeed zero3 --fsdp fsdp2`, null))).toContain("contradiction");
    expect(refusal(() => readSwiftCommand(`${swift} --fsdp fsdp2 --deepspeed zero3`, null))).toContain("contradiction");
  });

  it("ends its quotations", () => {
    expect(refusal(() => readSwiftCommand("swift sft --model 'Qwen/Qwen2.5-7B", null))).toContain("without an end");
  });

  it("of Megatron-LM has positions for its tokens, and a method of full recomputation", () => {
    const megatron =
      "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 4096 --micro-batch-size 1 --bf16";
    expect(refusal(() => readCommand(`${megatron} --max-position-embeddings 2048`, null))).toContain("contradiction");
    const full = `${megatron} --max-position-embeddings 4096 --recompute-granularity full`;
    expect(refusal(() => readCommand(full, null))).toContain("contradiction");
    expect(refusal(() => readCommand(`${full} --recompute-method uniform`, null))).toBe("read");
  });
});
