/** English wording of layouts: training on several GPUs, and what was read of somebody's configuration. */

export const enLayout = {
  option_gpus: "GPUs of a training run: one rank of each kind is simulated",
  option_layout: "how they are used: tp=, pp=, cp=, ep=, etp=, dp=, vpp= with commas",
  option_framework: "whose ranks are simulated",
  option_zero:
    "what is sharded over data-parallel ranks: 0 nothing, 1 optimizer states, 2 gradients too, 3 parameters too",
  option_fsdp: "how torch shards: full, grad-op (parameters stay gathered), hsdp=N (groups of N ranks)",
  option_offload: "what lies on the host: optimizer states, all, or on disk (nvme)",
  option_global_batch: "sequences of one optimizer step over all ranks",
  option_recompute: "activations computed again in backward: none, selective or full",
  option_from: "read the training run from a file: a configuration or a launch script",
  option_megatron_core: "release of Megatron-Core",
  option_from_command: "read the training run from a command line",
  example_estimate_layout: "one rank of each stage, on 64 GPUs",
  example_estimate_from: "the run that a command starts",
  layout_title: "{model} on {gpus} × {gpu}",
  layout_line: "{framework} · {layout} · micro-batch {batch} of {global} · {seq} tokens · {more}",
  layout_recompute_none: "nothing recomputed",
  layout_recompute_selective: "selective recomputation",
  layout_recompute_full: "full recomputation",
  layout_zero: "ZeRO {stage}",
  layout_fits: "every rank fits",
  layout_does_not_fit: "does not fit",
  layout_tight: "may fit",
  layout_released: "may fit, if the allocator gives cached memory back",
  layout_shorter: "may fit: sequences of {seq} tokens do not, those of the data may be shorter",
  layout_pictures: "may fit: sequences full of pictures do not, those of the data may have fewer",
  layout_towers: "may fit: what towers for pictures or sound keep during a step is not counted",
  layout_uneven: "may fit: with equal shares of tokens for experts it does, with many more on one rank it does not",
  layout_uneven_needs:
    "Tokens choose their experts: where one rank of stage {stage} gets {load} times its share, it needs {used}.",
  layout_up_to_length:
    "Nothing is packed: data decide how long sequences are, {seq} tokens at most. What is needed lies between the steps' figure and the peak.",
  layout_full_of_pictures: "Sequences are taken as full of pictures; those of the data may have fewer.",
  layout_beside: "Models that only answer, beside the one that trains: {count}.",
  layout_engine_awake:
    'An engine on the same card takes {percent} % of it, also while the model trains; "with context" counts it.',
  layout_engine_sleeps:
    'An engine on the same card takes {percent} % of it while it writes, and up to 3 GiB asleep; "with context" counts the larger of both phases.',
  layout_worst: "stage {stage} needs most: {used} of {capacity}",
  layout_column_stage: "stage",
  layout_column_layers: "layers",
  layout_column_states: "between steps",
  layout_column_allocated: "peak allocated",
  layout_column_reserved: "reserved",
  layout_column_process: "with context",
  layout_column_left: "left",
  layout_bounded:
    "Stages {stages} hold as many layers as the one before them and fewer micro-batches at a time; they were not run.",
  layout_rules_torch:
    "The program ran as the first rank of each stage, which holds the largest part of everything that is cut (--show-program prints it; vramscope torchrun runs it). Nothing is exchanged between ranks. Context and NCCL's buffers are an interval.",
  layout_rules_deepspeed:
    "The program ran as rank 0, with DeepSpeed's buffers and buckets by its source (--show-program prints it). Nothing is exchanged between ranks; host memory is not counted. Context and NCCL's buffers are an interval.",
  layout_rules:
    "Each stage ran as a program with one rank's layers, buffers, optimizer and schedule of {framework}. By rule, not from its code: what Transformer Engine's kernels keep, buffers of collectives. Context and NCCL's buffers are an interval; the verdict is that of its upper end. Experts get equal shares of the tokens.",
  layout_not_divisible: "{what} ({value}) cannot be split by {by} = {divisor}",
  layout_batch_not_divisible:
    "a global batch of {value} is no multiple of micro-batch × data-parallel ranks = {divisor}",
  layout_too_few_layers: "{layers} layers cannot fill {chunks} pipeline stages",
  layout_needs: "{option} needs {needs}",
  layout_empty: "--layout names how many ranks do what, such as tp=2,pp=4",
  layout_bad_number: "{name} = {value} is not a whole number above 0",
  layout_option_needs: "{name} needs {needs}",
  launch_not_understood: "'{what}' is no training command that is understood here",
  launch_missing: "{name} is missing, and nothing can be taken in its place",
  launch_bad_value: "{name}: '{value}' is not understood",
  layout_deepspeed_whole:
    "DeepSpeed's stage 0 is not modelled: stages 1 to 3 are, and without DeepSpeed (--framework torch --zero 0) each GPU holds all as in DDP",
  launch_other_program: "{name}: {what} is not modelled as a layout",
  launch_contradiction: "{a} contradicts {b}",
  launch_understood: "Read as {format}: {count} options understood",
  launch_assumed: "taken, because nothing was said: {list}",
  launch_without: "{count} options change no memory",
  launch_unmodelled: "not modelled, so the figure may be off: {list}",
  launch_unknown: "unknown: {list}",
  gpus_none: "no GPU is called '{filter}'; 'vramscope gpus' lists all",
  gpu_hip:
    "AMD: ROCm's caching allocator is the same code, so allocated and reserved follow the same rules; hipBLAS workspaces as PyTorch sets them; context, hipBLASLt's workspace and attention kernels are assumed",
  gpu_mps:
    "Apple: bytes of tensors, against the memory that Metal recommends; the heaps and rounding of PyTorch's MPS allocator are not simulated, so reserved is CUDA's",
  gpu_capacity:
    "this vendor's allocator is not simulated: bytes of tensors by CUDA's rules against the card's capacity",
  command_plan: "search the layouts of a training run on several GPUs for the ones that fit",
  option_plan_gpu: "the card; 'vramscope gpus' lists them",
  option_plan_top: "layouts to show",
  option_plan_torch: "rules of this PyTorch",
  option_plan_json: "print everything as JSON, in bytes",
  example_plan: "where a 70B model fits on eight nodes, cheapest first",
  plan_title: "{model} on {gpus} × {gpu}: layouts that fit, cheapest first",
  plan_asked:
    "{seq} tokens, {global} sequences a step. Of {started} layouts that can be started, a lower bound excluded {excluded}; {simulated} were simulated.",
  plan_none: "No layout fits.",
  plan_nearest: "The nearest one misses {missing}:",
  plan_cheaper: "Cheaper, but too large, or too tight for what NCCL may take:",
  plan_column_layout: "layout",
  plan_column_micro: "batch",
  plan_column_recompute: "recompute",
  plan_column_cost: "cost",
  plan_column_again: "again",
  plan_column_bubble: "bubble",
  plan_column_node: "node",
  plan_column_network: "network",
  plan_column_needs: "needs",
  plan_column_left: "left",
  plan_why:
    "First: {layout}. Each GPU sends {node} in a step inside its node and {network} between nodes; stage {stage} needs most memory. The ends of its pipeline ran with all their layers, other layouts with a few of each stage along a line.",
  plan_cost:
    "Cost: 1 is the useful work alone; products done again, the pipeline's bubble with uneven stages, and bytes over links as if nothing overlapped are shares of it. At {flops} TFLOPS, {node} GB/s in a node of {ranks} and {network} GB/s between nodes ({source}). It ranks layouts and promises no time.",
  plan_rules:
    "Megatron-Core's ranks with the distributed optimizer and float32 gradients. A layout fits if it does with the upper end of what context and NCCL may take; experts get equal shares of the tokens.",
};
