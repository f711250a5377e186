/** English wording of what stands beside a verdict: why, what is of no use, what grows, what helps; see `en.ts` for the rules. */

export const enVerdict = {
  verdict_unused: "GPU not used",
  unused_text: 'all tensors are on the CPU, {hostBytes} at most; is .cuda() or .to("cuda") missing?',
  unused_option_text:
    "all tensors are on the CPU, {hostBytes} at most; the program's own option {option} may put them on the GPU",
  unused_count_text: "no tensors were made, and the GPUs counted ({gpus}): --gpus N or --nproc-per-node N",
  unused_gpu_nothing: "no tensors were made, and the GPUs counted ({gpus})",
  unused_gpu: "all tensors are on the CPU ({hostBytes} at most); the largest is made here. The GPU got nothing",
  unstepped_text:
    "the program made an optimizer that never stepped: its training is not in these numbers ({headroomBytes} of {capacityBytes} left)",
  optimizer_unstepped:
    "an optimizer was made here and never stepped, and data of the program stood in: --data NAME=SPEC may describe them better",
  error_printed_text:
    "these numbers lack what a caught error left out: {error} ({headroomBytes} of {capacityBytes} left)",
  error_printed: "an error was caught and printed: {error}",
  card_why: "why",
  card_unusable: "unused",
  card_growth: "grows",
  card_help: "helps",
  cause_whole: "{category}: {partBytes} of {ofBytes}, {percent}%",
  cause_one_line: "{category}: {partBytes} of {ofBytes}, {percent}%; made at {where}",
  cause_line: "{category}: {partBytes} of {ofBytes}, {percent}%; {whereBytes} of it made at {where}",
  unusable_text:
    "{freeBytes} of {reservedBytes} reserved are held by PyTorch and used by no tensor, in {pieces} {pieces#piece#pieces}, the largest {largestBytes}: fragmentation",
  growth_text: "{eachBytes} more after every pass, {totalBytes} after {passes}; made at {where}",
  recording_peak: "The peak is {peakBytes}.",
  recording_peak_at: "The peak is {peakBytes}, at {where}.",
  recording_end_empty: "At the end {endBytes} are left.",
  recording_end: "At the end {endBytes} are alive.",
  recording_end_line: "At the end {endBytes} are alive; {lineBytes} of it made at {where}.",
  recording_no_growth: "No growth from pass to pass was found.",
  recording_no_fragments: "Where most is reserved, little of it is free.",
  remedy_may_fit: "{change} may make it fit: {reservedBytes} reserved (measured)",
  remedy_fits: "{change} makes it fit: {reservedBytes} reserved (measured)",
  remedy_saves: "{change} saves {savedBytes}: {reservedBytes} reserved (measured)",
  remedy_not_enough: "{change} saves most, and it still does not fit: {reservedBytes} reserved (measured)",
  some_operator: "an operator",
  workspace_times: " {count} times so, {totalBytes} in all.",
  grows_each_pass:
    "{where}: every pass leaves {eachBytes} that nobody lets go, {totalBytes} after {passes} passes; most of it is made here by {op}. A list, a global or a graph keeps it: keep numbers (.item()) or .detach().cpu().",
  findings_small: "{count} smaller {count#one#ones}, below {leastBytes} each: {codes}",
};
