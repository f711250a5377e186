/** English wording of the commands that start programs for several GPUs; see `en.ts` for the rules. */

export const enLaunchers = {
  rank_without_world: "--rank needs --nproc-per-node, which says how many ranks there are",
  bad_rank: "'{value}' is no rank: they are numbered from 0 to {last}",
  option_nproc: "run one rank of a program for several GPUs: processes, each with a GPU, on a node, as torchrun's",
  option_nnodes: "nodes with so many processes each",
  option_rank: "the ranks to simulate: numbers, all, or auto (some, and all where those differ)",
  option_process_gpus:
    "how many such GPUs one process sees; default 1, or as many as CUDA_VISIBLE_DEVICES of --env names",
  ranks_line: "{worldSize} ranks: {verdict}; rank {rank} needs most",
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
