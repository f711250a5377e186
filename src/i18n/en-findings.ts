/** English wording of findings about programs, of trials and of differences; see `en.ts` for the rules. */

export const enFindings = {
  // Findings
  float32_logits:
    "{where}: {count} float32 tensors of the size of the logits {shape} live at once, {totalBytes} in all, {oneBytes} each.",
  float32_norm:
    "{where}: {count} {count#input of a normalisation was#inputs of normalisations were} cast to float32 and kept for backward: {totalBytes} at once.",
  attention_scores:
    "{where}: attention scores exist as tensors {shape}, one number for each pair of {queries} and {keys} positions; {count} of them live at once, {totalBytes}.",
  full_mask: "{where}: the mask {shape} is as large as the scores; with those derived from it, {totalBytes} at once.",
  autocast_weights:
    "{where}: autocast keeps {count} weights cast to its dtype until its block ends: {totalBytes} at once.",
  kept_gradients:
    "{where}: {count} gradients stay allocated from one step to the next, {totalBytes}: filled with zeros instead of let go, or never cleared.",
  graph_kept_by_loss:
    "{where}: this sum keeps the graphs of {graphs} forwards: {totalBytes} saved for a backward that never came.",
  evaluation_without_no_grad: "{where}: {totalBytes} in {count} tensors were saved for a backward that never came.",
  held_by_global:
    "{where}: {totalBytes} in {count} {count#tensor#tensors} are held by the global variable {name} alone.",
  held_by_exception:
    "{where}: {totalBytes} in {count} {count#tensor#tensors} are held by an exception's traceback alone.",
  held_by_cycle:
    "{where}: {totalBytes} in {count} {count#tensor#tensors} are held by a reference cycle; they go when Python's garbage collector runs.",
  foreach_copies:
    "{where}: at the peak, the optimizer works on all parameters at once and holds {totalBytes} of temporaries.",
  dropout_masks:
    "{where}: {count} masks of dropout are kept for backward, one byte for each element: {totalBytes} at once.",
  grows_by_cat:
    "{where}: a tensor grows by concatenation in {count} steps; at the last, the old one of {oldBytes} and the new one of {newBytes} live at once.",
  ddp_buckets:
    "DistributedDataParallel keeps gradients a second time in its buckets: {totalBytes}; gradient_as_bucket_view=True makes them one.",
  ddp_states:
    "{where}: under DistributedDataParallel each rank keeps the whole optimizer state, {totalBytes}; ZeroRedundancyOptimizer or fully_shard share it out.",
  fsdp_gathered:
    "FSDP holds {totalBytes} of parameters whole on this rank at the peak; smaller groups (each block by itself) and reshard_after_forward=True hold fewer at once.",
  activations_of_rank:
    "{where}: {totalBytes} of the peak are activations of this rank's own samples; neither DDP nor FSDP makes them fewer. Checkpointing, smaller micro-batches, and tensor, sequence or context parallelism do.",
  findings_more: "More about each: vramscope explain {codes}",

  // Trials
  section_trials: "What would help, by running the program again with one change",
  trial_column_change: "change",
  trial_column_outcome: "outcome",
  trial_as_it_is: "as it is",
  trial_before_oom: "out of memory",
  trial_fits: "fits",
  trial_may_fit: "may fit",
  trial_does_not_fit: "does not fit",
  trial_out_of_memory: "out of memory",
  trial_no_effect: "no effect",
  trial_no_time: "not tried to its end, for want of time (--try NAME has no limit)",
  trial_failed: "the program failed with it: {reason}",
  trial_nothing_to_change: "nothing here to change",
  trial_needs_code: "not tried: it needs other code",
  trial_smallest: "The smallest change with which it fits: {change}.",
  trial_none_fits: "With none of these does it fit.",
  trial_none_yet_fits: "With none of those that were tried to their end does it fit.",
  change_and: ", with ",
  change_expandable_segments: "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
  change_set_to_none: "zero_grad(set_to_none=True)",
  change_no_grad: "torch.no_grad() around models in evaluation mode",
  change_detach_loss: "loss.detach() where losses are summed",
  change_bucket_view: "DistributedDataParallel with gradient_as_bucket_view=True",
  change_reshard: "FSDP with reshard_after_forward=True (FULL_SHARD), the root as well",
  change_shard_blocks: "FSDP around each block, not around the whole model alone",
  change_zero_optimizer: "ZeroRedundancyOptimizer around the optimizer",
  change_fused: "optimizer with fused=True",
  change_foreach_off: "optimizer with foreach=False",
  change_chunked_loss: "cross-entropy in 8 chunks that overwrites the logits with their gradient",
  change_autocast: "autocast to bfloat16 around the model",
  change_adam_8bit: "Adam or AdamW in 8 bits (bitsandbytes)",
  change_checkpoint_blocks: "every block of the model checkpointed",
  change_bfloat16: "weights in bfloat16 (torch.set_default_dtype)",
  change_half_batch: "half the batch size",
  change_sdpa: "F.scaled_dot_product_attention instead of separate operators",
  option_try:
    "run again with changes and report what each saves: all, none, or names with commas ({changes}); a+b together; after running out of memory it is done by itself",
  progress_try: "running {script} again with {change}",
  unknown_change: "unknown change '{name}'; there are {known}",
  unknown_change_nearest: "unknown change '{name}'; did you mean '{nearest}'?",
  example_try: "what would help, measured",
  example_explain_code: "what a finding means and what helps",

  // Budgets and differences
  option_markdown: "append a report in Markdown to FILE, for example $GITHUB_STEP_SUMMARY",
  option_fail_if_not_fit: "exit with 1 also when it only may fit: context and libraries decide",
  command_diff: "compare two traces by line, module and category",
  option_diff_fail_over: "exit with 1 when the reserved peak grew by more than SIZE (64MiB)",
  option_diff_json: "print the difference as JSON",
  missing_traces: "two traces are needed; usage: {usage}",
  example_diff: "what a branch changes; fail when it needs more",
  diff_title: "{before} and {after}",
  diff_group: "At the peaks, {by}",
  diff_nothing: "no difference",
  diff_column_before: "before",
  diff_column_after: "after",
  diff_peakAllocatedBytes: "peak allocated",
  diff_peakReservedBytes: "peak reserved",
  diff_endAllocatedBytes: "allocated at the end",
  export_sarif: "findings as SARIF, for code scanning and editors",
};
