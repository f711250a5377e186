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
  rank_without_world: "--rank needs --nproc-per-node, which says how many ranks there are",
  bad_rank: "'{value}' is no rank: they are numbered from 0 to {last}",
  option_nproc: "run one rank of a program for several GPUs: processes, each with a GPU, on a node, as torchrun's",
  option_nnodes: "nodes with so many processes each",
  option_rank: "the ranks to simulate: numbers, all, or auto (some, and all where those differ)",
  option_process_gpus:
    "how many such GPUs one process sees; default 1, or as many as CUDA_VISIBLE_DEVICES of --env names",
  gpus_title: "{gpus} GPUs of one process: {verdict}; GPU {gpu} is the fullest, its report follows",
  label_gpus: "GPU",
  label_ranks: "ranks",
  label_outside_short: "NCCL",
  ranks_title: "{worldSize} ranks: {verdict}; rank {rank} needs most, its report follows",
  ranks_line: "{worldSize} ranks: {verdict}; rank {rank} needs most",
  ranks_taken:
    "not run, taken as equal to rank {rank}: {taken}. First, middle, last and all ranks that the script names made the same allocations (--rank all runs every one)",
  ranks_proven:
    "not run: {proven}. Nothing that the program did on rank {rank} depends on which of these it is (--rank all runs every one)",
  ranks_drawn:
    "not run, taken as equal to rank {rank}: {drawn}. They get other samples or random numbers, and one more rank that does made the same allocations (--rank all runs every one)",
  ranks_unknown: "nothing is known of ranks {unknown}: they were not run or were ended with another rank",
  ranks_deadlock: "no rank can go on: each waits for what no other will do",
  ranks_wait: "  rank {rank} waits in {what}{place} for rank {others}",
  ranks_ended: "  at the end of the program: rank {ended}",
  ranks_mismatch: "ranks of one group must make the same calls with tensors of the same size; these meet each other:",
  ranks_call: "  rank {rank}: {what}{place}",
  ranks_at_line: " at {line}",
  needs_one_rank: "{name} looks into one rank: say which with --rank R",
  rank_not_alone:
    "rank {rank} does not do alone what it did beside the others, so nothing was tried with it and nobody looked who holds what",
  launch_without_program: "the launcher's command line names no script",
  launch_not_python: "--{name} is not simulated: the program must be a Python script or, with -m, a module",
  launch_cpu_processes: "--nproc-per-node=cpu starts a process per CPU core; say how many processes with a number",
  launch_assumed_gpus: "a node is taken to have {count} GPUs; a number for the processes per node says otherwise",
  launch_visible_gpus: "CUDA_VISIBLE_DEVICES names {count} GPUs: so many processes on a node",
  launch_elastic: "from {least} to {most} nodes: {least} are simulated, with which each rank holds most",
  launch_only_launch: "vramscope accelerate knows one command: accelerate launch",
  launch_config_ignored: "{name} is taken from the configuration and not simulated",
  launch_config_unsupported:
    "{name} is not simulated: the ranks would run without it, and their memory would be another",
  launch_config_empty: "{path} is empty; 'accelerate config' writes a configuration",
  launch_config_bad: "{path}:{line}: this line of the configuration cannot be read",
  launch_bad_choice: "'{value}' is not a {name}: {choices}",
  command_torchrun: "simulate the ranks that a torchrun command would start",
  command_accelerate: "simulate the ranks that an accelerate launch command would start",
  example_torchrun: "the words of torchrun, options of run before the script",
  example_torchrun_all: "every rank of a module",
  example_accelerate: "with the configuration of accelerate",
};
