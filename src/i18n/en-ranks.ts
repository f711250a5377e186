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
  note_ddp_bucket: "bucket of DistributedDataParallel",
  option_ignored: "{callee}: the option {option} is not modelled, the run goes on as without it",
  store_key_of_other_rank: "the store key {key} comes from another rank; a rank that runs alone got nothing for it",
  gpus_title: "{gpus} GPUs of one process: {verdict}; GPU {gpu} is the fullest, its report follows",
  label_gpus: "GPU",
  label_ranks: "ranks",
  label_outside_short: "NCCL",
  ranks_title: "{worldSize} ranks: {verdict}; rank {rank} needs most, its report follows",
  ranks_taken:
    "not run, taken as equal to rank {rank}: {taken}. First, middle, last and all ranks that the script names made the same allocations (--rank all runs every one)",
  ranks_proven:
    "not run: {proven}. Nothing that the program did on rank {rank} depends on which of these it is (--rank all runs every one)",
  ranks_drawn:
    "not run, taken as equal to rank {rank}: {drawn}. They get other samples or random numbers, and one more rank that does made the same allocations (--rank all runs every one)",
  ranks_unknown: "nothing is known of ranks {unknown}: they were not run or were ended with another rank",
};
