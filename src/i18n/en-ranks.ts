/** English wording of programs for several GPUs; see `en.ts` for the rules. */

export const enRanks = {
  collectives_keep_values:
    "collectives between ranks move nothing: each rank keeps its own values, and other ranks' values are not known",
  dtensor_op_replicated:
    "{op} on distributed tensors has no sharding rule here: its inputs were gathered on every rank",
  label_outside: "of it NCCL",
  legend_outside:
    "buffers between GPUs, outside of PyTorch's allocator ({lowBytes} to {highBytes}, depends on their links)",
  nccl_buffers:
    "NCCL's buffers of {groups} group(s) are about {outsideExpectedBytes} ({outsideLowBytes} to {outsideHighBytes}) by a closed form with an assumed number of channels; they are in what nvidia-smi shows, not in allocated or reserved. Buffers that a program registers with NCCL itself, and those of other libraries (NVSHMEM, DeepEP), are not counted",
  option_ignored: "{callee}: the option {option} is not modelled, the run goes on as without it",
  another_device: "a tensor was put on {device}; its memory is counted on the one GPU that is simulated",
  store_key_of_other_rank: "the store key {key} comes from another rank; a rank that runs alone got nothing for it",
  rank_without_world: "--rank needs --nproc-per-node, which says how many ranks there are",
  several_ranks: "one rank at a time is simulated: --rank cannot be '{value}'",
  bad_rank: "'{value}' is no rank: they are numbered from 0 to {last}",
  option_nproc: "run one rank of a program for several GPUs: processes, each with a GPU, on a node, as torchrun's",
  option_nnodes: "nodes with so many processes each",
  option_rank: "the rank to simulate (0 when not said)",
};
