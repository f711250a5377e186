/** Configurations of other projects: each format's own words, keys that nobody knows, and what contradicts itself. */

import { describe, expect, it } from "vitest";
import { readConfiguration, readSwiftCommand } from "../../src/estimate/configs/index.ts";
import { ReadingError } from "../../src/estimate/layout/index.ts";

const read = (text: string, gpus: number | null = null) => readConfiguration(text, gpus)!;
const failure = (text: string, gpus: number | null = null): string => {
  try {
    readConfiguration(text, gpus);
  } catch (error) {
    if (error instanceof ReadingError) return error.code;
    throw error;
  }
  return "none";
};

describe("a configuration", () => {
  it("of DeepSpeed: stage, buckets, offload; what the Trainer fills in stays open", () => {
    const { run, format, unknown } = read(
      JSON.stringify({
        bf16: { enabled: "auto" },
        train_micro_batch_size_per_gpu: 4,
        zero_optimization: {
          stage: 3,
          offload_optimizer: { device: "cpu", pin_memory: true },
          offload_param: { device: "nvme" },
          reduce_bucket_size: 5e7,
          overlap_comm: true,
          mystery: 1,
        },
      }),
      16,
    );
    expect(format).toBe("DeepSpeed");
    expect(run).toMatchObject({
      framework: "deepspeed",
      recipe: { batch: 4, precision: "bf16" },
      layout: { gpus: 16 },
    });
    expect(run.sharding).toMatchObject({
      zero: 3,
      offload: "nvme",
      deepspeed: { reduce_bucket_size: 5e7, overlap_comm: true },
    });
    expect(unknown).toEqual(["zero_optimization.mystery"]);
  });

  it("over several lines: values below their keys, lists, figures with marks, and what is switched off", () => {
    const { run, model, unknown, unmodelled, without } = read(`base_model:
  meta-llama/Llama-3.1-8B
sequence_len: 16_384
lora_target_modules: [q_proj,
  v_proj]  # two of them
fsdp_config: {}
notes: |
  a list [ that never ends
liger_rope: false
compression_training.weight_quantization.shared_parameters.enabled: false
compression_training.weight_quantization.different_groups.bits: 8
qat:
  weight_dtype: int8
`);
    expect(model).toBe("meta-llama/Llama-3.1-8B");
    expect(run.recipe).toMatchObject({ seq: 16_384, loraTargets: ["q_proj", "v_proj"] });
    expect({ unmodelled, unknown }).toEqual({ unmodelled: ["qat.*"], unknown: [] });
    expect(without).toEqual([
      "compression_training.weight_quantization.shared_parameters.enabled",
      "compression_training.weight_quantization.different_groups.bits",
    ]);
  });

  it("with Liger's kernels, each by its name", () => {
    const alone = read("base_model: a/b-7b\nliger_rope: true\nliger_rms_norm: true\nliger_glu_activation: false\n");
    expect(alone.run.recipe.loss).toBe("liger");
    expect(alone.run.sharding.ligerParts).toEqual(["rope", "rms_norm"]);
    expect(alone.unmodelled).toEqual([]);
    expect(read("base_model: a/b-7b\nuse_liger_kernel: true\n").run.sharding.ligerParts).toBeUndefined();
  });

  it("with weights in 8 bits, states in 16, a larger batch that is evaluated, and optimizers taken for others", () => {
    const run = (text: string) => read(`base_model: a/b-7b\nadapter: lora\n${text}`).run;
    expect(run("load_in_8bit: true\n")).toMatchObject({ recipe: { method: "qlora" }, sharding: { heldAs: "int8" } });
    expect(run("load_in_4bit: true\n").sharding.heldAs).toBeUndefined();
    expect(failure("base_model: x\nadapter: lora\nload_in_4bit: true\nload_in_8bit: true\n")).toBe(
      "launch_contradiction",
    );
    expect(run("micro_batch_size: 2\neval_batch_size: 8\n").sharding.evalBatch).toBe(8);
    expect(run("micro_batch_size: 2\neval_batch_size: 2\n").sharding.evalBatch).toBeUndefined();
    expect(run("optimizer: adamw_torch_4bit\n").assumed.map(([name]) => name)).toContain("adamw_torch_4bit");
    expect(run("reward_model: true\n").sharding.labels).toBe(1);
    expect(failure("base_model: x\nexpert_parallel_size: 4\n")).toBe("launch_other_program");
    const narrow = '{"bf16": {"enabled": true, "bf16_master_weights_and_grads": true, "bf16_optimizer_states": true}}';
    expect(read(narrow).run.sharding.narrowStates).toBe(true);
  });

  it("of torchtitan, of older ones too: what a compiler or 8-bit products save is named", () => {
    const { run, unmodelled, unknown } = read(`[model]
name = "llama3"
flavor = "8B"
converters = ["float8"]
[training]
compile = true
data_parallel_shard_degree = 4
[quantize.linear.float8]
filter_fqns = [
  "output",
]
`);
    expect(run.sharding).toMatchObject({ zero: 3, hybridRanks: 0 });
    expect(run.layout.gpus).toBe(4);
    expect({ unmodelled, unknown }).toEqual({ unmodelled: ["model.converters", "training.compile"], unknown: [] });
    const again = (lines: string) =>
      read(`[model]\nname = "llama3"\nflavor = "8B"\n[activation_checkpoint]\n${lines}`).run.recipe.checkpointing;
    expect(again('mode = "selective"\nselective_ac_option = "op"\n')).toBe("operators");
    expect(again('selective_ac_option = "op"\nmode = "selective"\n')).toBe("operators");
    expect(again('mode = "full"\nselective_ac_option = "op"\n')).toBe("blocks");
    expect(again('mode = "selective"\n')).toBe("every-2");
    const cut = (lines: string) =>
      read(`[model]\nname = "llama3"\nflavor = "8B"\n[training]\nlocal_batch_size = 4\n[parallelism]\n${lines}\n`).run;
    // a stage takes one sequence at a time; shares of the vocabulary stay where they are, unless that is switched off
    expect(cut("pipeline_parallel_degree = 2").recipe).toMatchObject({ batch: 1, accumulate: 4 });
    expect(cut("tensor_parallel_degree = 2").sharding.cutsLoss).toBe(true);
    expect(cut("tensor_parallel_degree = 2\ndisable_loss_parallel = true").sharding.cutsLoss).toBeUndefined();
    expect(failure('[model]\nname = "x"\nflavor = "y"\n[parallelism]\nexpert_parallel_degree = 8\n')).toBe(
      "launch_other_program",
    );
  });

  it("of accelerate: FSDP with its groups", () => {
    const { run, format } = read(`compute_environment: LOCAL_MACHINE
distributed_type: FSDP
mixed_precision: bf16
num_processes: 4
fsdp_config:
  fsdp_version: 2
  fsdp_reshard_after_forward: false  # parameters stay
  fsdp_offload_params: true
`);
    expect(format).toBe("accelerate");
    expect(run).toMatchObject({ framework: "torch", recipe: { precision: "autocast-bf16" }, layout: { gpus: 4 } });
    expect(run.sharding).toMatchObject({ zero: 2, offload: "all" });
  });

  it("of torchtitan: sections of TOML", () => {
    const { run, model, unknown } = read(`[model]
name = "llama3"
flavor = "8B"
[training]
local_batch_size = 2
seq_len = 8_192
[parallelism]
tensor_parallel_degree = 2
data_parallel_shard_degree = -1
[activation_checkpoint]
mode = "full"
`);
    expect(model).toBe("llama3-8B");
    expect(run).toMatchObject({
      recipe: { batch: 2, seq: 8192, checkpointing: "blocks", optimizer: "adamw-fused" },
      layout: { gpus: 8, tp: 2 },
      sharding: { zero: 3, hybridRanks: 0 },
    });
    expect(unknown).toEqual([]);
  });

  it("of axolotl: lists, adapters in 4 bits, keys nobody knows with the nearest", () => {
    const { run, model, unknown, unmodelled } = read(`base_model: NousResearch/Meta-Llama-3-8B
load_in_4bit: true
adapter: qlora
lora_r: 32
lora_target_modules:
  - q_proj
  - v_proj
sequence_len: 4096
sample_packing: true
micro_batch_size: 2
optimizer: paged_adamw_8bit
flash_attention: true
gradient_checkpointng: true
datasets:
  - path: somebody/something
    type: alpaca
`);
    expect(model).toBe("NousResearch/Meta-Llama-3-8B");
    expect(run.recipe).toMatchObject({ method: "qlora", loraRank: 32, loraTargets: ["q_proj", "v_proj"], seq: 4096 });
    expect(run.recipe).toMatchObject({ optimizer: "adamw-paged-8bit", attention: "flash" });
    expect(unmodelled).toEqual([]);
    expect(run.upToLength).toBe(false);
    expect(unknown).toEqual(["gradient_checkpointng (gradient_checkpointing?)"]);
  });

  it("of LLaMA-Factory and TRL, with the file of DeepSpeed that they name", () => {
    const factory = read(`### model
model_name_or_path: Qwen/Qwen2.5-7B-Instruct
stage: sft
finetuning_type: full
template: qwen
cutoff_len: 2048
deepspeed: examples/deepspeed/ds_z3_offload_config.json
per_device_train_batch_size: 1
gradient_accumulation_steps: 2
bf16: true
`);
    expect(factory.format).toBe("LLaMA-Factory");
    expect(factory.run).toMatchObject({
      framework: "deepspeed",
      sharding: { zero: 3, offload: "all" },
      recipe: { method: "full" },
    });
    const trl = read("model_name_or_path: Qwen/Qwen2.5-0.5B\nuse_peft: true\nlora_r: 16\nmax_length: 4096\n");
    expect(trl).toMatchObject({
      format: "TRL",
      run: { recipe: { method: "lora", seq: 4096, batch: 8, checkpointing: "blocks" } },
    });
    expect(trl.run.assumed).toContainEqual(["GPUs", "1"]);
  });

  it("of ms-swift is a command: its processes, and the buckets that the Trainer fills in", () => {
    const text =
      "PYTORCH_CUDA_ALLOC_CONF='expandable_segments:True' NPROC_PER_NODE=4 CUDA_VISIBLE_DEVICES=0,1,2,3 swift sft --model Qwen/Qwen2.5-7B-Instruct --tuner_type full " +
      "--torch_dtype bfloat16 --per_device_train_batch_size 1 --deepspeed zero3 --max_length 4096 --attn_impl flash_attn --odd 1";
    const { model, run, unknown, env } = readSwiftCommand(text, null)!;
    expect(env).toEqual({ PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True" });
    expect(model).toBe("Qwen/Qwen2.5-7B-Instruct");
    expect(run).toMatchObject({
      framework: "deepspeed",
      layout: { gpus: 4 },
      recipe: { method: "full", attention: "flash" },
    });
    expect(run.sharding).toMatchObject({ zero: 3, deepspeed: { reduce_bucket_size: "auto" } });
    expect(unknown).toEqual(["odd"]);
    expect(readSwiftCommand("megatron sft --model x", null)).toBeNull();
    expect(() => readSwiftCommand("CUDA_VISIBLE_DEVICES=0,1 swift sft --model x", null)).toThrow(ReadingError);
  });

  it("is refused in one line where it is broken or contradicts itself, and is none where it is another text", () => {
    expect(failure('{"zero_optimization": {"stage": 2}')).toBe("launch_bad_value");
    expect(failure('{"bf16": {"enabled": true}, "fp16": {"enabled": true}, "zero_optimization": {}}')).toBe(
      "launch_contradiction",
    );
    expect(
      failure('{"train_batch_size": 30, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 1}', 8),
    ).toBe("launch_contradiction");
    expect(failure("base_model: x\nmicro_batch_size: many\n")).toBe("launch_bad_value");
    expect(failure("base_model: x\nload_in_4bit: true\n")).toBe("launch_contradiction");
    expect(failure("model_name_or_path: x\nfinetuning_type: lora\nstage: ppo\n")).toBe("launch_other_program");
    // LLaMA-Factory's configurations of other commands: `llamafactory-cli chat` and `export`
    expect(failure("model_name_or_path: x\ntemplate: y\ninfer_backend: vllm\n")).toBe("launch_other_program");
    expect(failure("model_name_or_path: x\ntemplate: y\nexport_dir: z\n")).toBe("launch_other_program");
    expect(readConfiguration("name: something\nother: 1\n", null)).toBeNull();
  });
});
