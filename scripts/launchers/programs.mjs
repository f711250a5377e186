/** Public programs for several GPUs with the launcher's line that their own page gives; `page` is a tutorial whose blocks of code make programs. */

const EXAMPLES = "pytorch/examples";
const TUTORIALS = "pytorch/tutorials";
const DEEPSPEED = "deepspeedai/DeepSpeedExamples";
const example = (folder, line, rest = {}) => ({
  repository: EXAMPLES,
  folder: `distributed/${folder}`,
  line,
  ...rest,
});
const tutorial = (page, part, line, rest = {}) => ({
  repository: TUTORIALS,
  folder: ".",
  page,
  part,
  line,
  ...rest,
});

export const PROGRAMS = [
  example("ddp", "torchrun --nnodes=1 --nproc_per_node=8 example.py"),
  example("ddp-tutorial-series", "run --nproc-per-node 8 multigpu.py 50 10"),
  example("ddp-tutorial-series", "torchrun --standalone --nproc_per_node=8 multigpu_torchrun.py 50 10"),
  example(
    "ddp-tutorial-series",
    "torchrun --nproc_per_node=4 --nnodes=2 --rdzv_id=456 --rdzv_backend=c10d --rdzv_endpoint=node:29603 multinode.py 50 10",
  ),
  example("FSDP2", "torchrun --nproc_per_node 2 example.py"),
  example("FSDP2", "torchrun --nproc_per_node 2 example.py --explicit-prefetch"),
  example("FSDP2", "torchrun --nproc_per_node 2 example.py --mixed-precision"),
  example("FSDP2", "torchrun --nproc_per_node 2 example.py --dcp-api"),
  example("tensor_parallelism", "torchrun --nnodes=1 --nproc_per_node=4 tensor_parallel_example.py"),
  example("tensor_parallelism", "torchrun --nnodes=1 --nproc_per_node=4 sequence_parallel_example.py"),
  example("tensor_parallelism", "torchrun --nnodes=1 --nproc_per_node=4 fsdp_tp_example.py"),
  example("minGPT-ddp/mingpt", "torchrun --standalone --nproc_per_node=2 main.py", { packages: true }),
  example("FSDP", "torchrun --nnodes 1 --nproc_per_node 4 T5_training.py", { packages: true }),
  example("rpc/ddp_rpc", "run --nproc-per-node 4 main.py"),
  tutorial("intermediate_source/ddp_tutorial.rst", 1, "run --nproc-per-node 8 PAGE"),
  tutorial("intermediate_source/ddp_tutorial.rst", 2, "torchrun --nnodes=2 --nproc_per_node=8 --rdzv_id=100 PAGE"),
  tutorial("intermediate_source/pipelining_tutorial.rst", 1, "torchrun --nnodes 1 --nproc_per_node 2 PAGE"),
  tutorial("recipes_source/distributed_device_mesh.rst", 1, "torchrun --nproc_per_node=8 --rdzv_id=100 PAGE"),
  tutorial("recipes_source/distributed_device_mesh.rst", 2, "torchrun --nproc_per_node=8 PAGE"),
  tutorial("recipes_source/distributed_device_mesh.rst", 3, "torchrun --nproc_per_node=8 PAGE"),
  tutorial("recipes_source/distributed_checkpoint_recipe.rst", 1, "run --nproc-per-node 8 PAGE"),
  tutorial("recipes_source/distributed_checkpoint_recipe.rst", 2, "run --nproc-per-node 8 PAGE"),
  tutorial("recipes_source/distributed_async_checkpoint_recipe.rst", 1, "run --nproc-per-node 8 PAGE"),
  tutorial("recipes_source/zero_redundancy_optimizer.rst", 1, "run --nproc-per-node 2 PAGE"),
  { repository: "karpathy/nanoGPT", folder: ".", line: "torchrun --standalone --nproc_per_node=8 train.py" },
  {
    repository: DEEPSPEED,
    folder: "training/cifar",
    line: "torchrun --rank 0 --nproc_per_node=2 cifar10_deepspeed.py --deepspeed --stage 3 --dtype bf16",
    packages: true,
  },
  {
    repository: DEEPSPEED,
    folder: "training/bf16_master_weight",
    line:
      "torchrun --gpu h100 --rank 0 --nproc_per_node=4 train.py --deepspeed_config configs/baseline.json --num_layers 32 " +
      "--hidden_dim 4096 --num_heads 32 --batch_size 1 --num_steps 1000 --activation_checkpointing --seed 42",
    packages: true,
  },
  {
    repository: "huggingface/accelerate",
    folder: "examples",
    line:
      "accelerate launch --rank 0 --use_fsdp --fsdp_version 2 --fsdp_auto_wrap_policy TRANSFORMER_BASED_WRAP " +
      "--fsdp_transformer_layer_cls_to_wrap BertLayer --num_processes 2 nlp_example.py --mixed_precision bf16",
    packages: true,
  },
];
