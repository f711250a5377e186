/**
 * English wording of everything that VRAMScope says. `{name}` is an argument (a byte count when the name ends in `Bytes`),
 * `{count#line#lines}` one of two words by a number. Every other language has exactly these keys.
 */

import { enCompare } from "./en-compare.ts";
import { enEstimate } from "./en-estimate.ts";
import { enExplain } from "./en-explain.ts";
import { enFindings } from "./en-findings.ts";
import { enFiles } from "./en-files.ts";
import { enHints } from "./en-hints.ts";
import { enFormats } from "./en-formats.ts";
import { enFormulas } from "./en-formulas.ts";
import { enAlignment } from "./en-alignment.ts";
import { enLayout } from "./en-layout.ts";
import { enLaunchers } from "./en-launchers.ts";
import { enNotes } from "./en-notes.ts";
import { enRanks } from "./en-ranks.ts";
import { enServing } from "./en-serving.ts";
import { enPackages } from "./en-packages.ts";
import { enTerminal } from "./en-terminal.ts";
import { enPrograms } from "./en-programs.ts";
import { enTrace } from "./en-trace.ts";
import { enVerdict } from "./en-verdict.ts";
import { enWatch } from "./en-watch.ts";
import { enWeb } from "./en-web.ts";

export const en = {
  // Report: head
  report_title: "{program} on {gpu} · PyTorch {torch} rules",
  verdict_fits: "fits",
  verdict_tight: "may fit",
  verdict_does_not_fit: "does not fit",
  verdict_not_finished: "not finished",
  fits_text: "{headroomBytes} of {capacityBytes} left",
  tight_text: "{headroomBytes} of {capacityBytes} left, less than context and libraries may take",
  does_not_fit_text: "{missingBytes} more than {capacityBytes}",
  does_not_fit_request_text: "{requestedBytes} more asked for; {reservedBytes} of {capacityBytes} reserved",
  not_finished_text: "{reason}; the figures go up to there",
  not_finished_empty_text: "{reason}; no memory was recorded before that",
  not_finished_lost_text: "{reason}; the figures up to there were lost",
  stopped_at_text: "stopped at line {line} of {file}: {text}",
  stopped_after_text: "stopped at line {line} of {file} or after it: {text}",
  reason_python_error: "a Python error ended the program",
  reason_unsupported_op: "an operator is not known",
  reason_timeout: "the time limit was reached",
  reason_interrupted: "interrupted",
  reason_system_exit: "the program ended with status {exitStatus}",
  reason_internal_error: "VRAMScope failed",
  reason_host_fault: "this machine ended what ran it (the last moments before that may be missing)",
  reason_host_out_of_memory: "the simulation took more memory than this machine gives it",
  over_limit_text: "over the limit: {reservedBytes} reserved, {limitBytes} allowed",
  label_allocated: "allocated",
  label_reserved: "reserved",
  label_driver: "nvidia-smi",
  legend_allocated: "peak of memory_allocated(); {endBytes} at the end",
  legend_reserved: "peak of memory_reserved(); {endBytes} at the end",
  legend_driver: "reserved + context and libraries ({lowBytes} to {highBytes}, {mark})",
  label_peak: "peak",
  peak_before_any_line: "before any line of the program",
  in_module: "in {module}",
  mark_source: "published",
  mark_derived: "from published messages",
  mark_recalled: "estimate",
  mark_measured: "from your profile '{name}', {count} {count#measurement#measurements}",
  nothing_allocated: "The program put nothing on the GPU.",

  // Report: sections
  section_categories: "At the peak",
  section_phases: "Peak by phase",
  section_lines: "By line, in {unit}",
  section_findings: "Why",
  section_assumed: "Assumed",
  section_unverified: "Not verified",
  section_error: "Error",
  column_line: "line",
  column_allocated: "allocated",
  column_change: "change",
  column_peak: "peak in it",
  column_source: "source",
  column_module: "module",
  lines_left_out: "{count} {count#line#lines} that moved less {count#is#are} left out; --json has all",
  stopped_before_files: "interrupted before these were written, so they are as they were: {files}",
  output_left_out: "the first {count} characters of the program's {stream} are not kept",
  items_left_out: "and {count} more; --json has all",
  line_names_explained: "after the line; what it changed each time it ran; highest while it ran, with what it called",

  // Findings
  oom_request:
    "{where}: {op} asked for {requestedBytes} when {allocatedBytes} were allocated and {reservedBytes} of {capacityBytes} reserved.",
  reserved_ahead:
    "{where}: {op} asked for {requestedBytes}. {freeBytes} of the {reservedBytes} reserved were free, but no free block was large enough, so the driver was asked for more.{times}",
  reserved_ahead_expandable:
    "{where}: {op} asked for {requestedBytes}. {freeBytes} of the {reservedBytes} reserved were free, but no free block was large enough, so the driver was asked for more.{times} PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True may avoid that; --try expandable_segments measures it.",
  unsplit_reused:
    "{where}: {op} needs {requestedBytes} and counts {blockBytes}. It took a free block of {blockBytes}, the best fit; a remainder of at most 1 MiB (here {remainderBytes}) is not split off.{times}",
  unsplit_fresh:
    "{where}: {op} needs {requestedBytes} and counts {blockBytes}. Its new segment is a multiple of 2 MiB, and a remainder of at most 1 MiB (here {remainderBytes}) is not split off.{times}",
  coarse_rounding:
    "{where}: {op} needs {requestedBytes} and counts {blockBytes}: the allocator's options keep {remainderBytes} with the block.{times}",
  finding_times: " {count} such blocks hold {totalBytes} of remainders in all.",
  ahead_times: " This happened {count} times, for {totalBytes} in all.",
  unsplit_total: "At the peak, {count} blocks hold {totalBytes} of such remainders.",
  workspace_first:
    "{where}: {op} is the first product of the forward thread, so it takes the {note} of that thread's handle, {blockBytes}. It is never given back: memory_allocated() stays higher by it.",
  workspace_backward:
    "{where}: backward runs on a thread with its own handle, whose first product ({op}) takes a second {note}, {blockBytes}, and keeps it.",
  workspace_more: "{where}: {op} takes another {note}, {blockBytes}, and keeps it.{times}",
  change_parts: "{where} changes what is allocated by {changeBytes} = {parts}.",
  peak_scratch: "{where}: the peak of {peakBytes} = {afterBytes} after {op} + {parts} that it took and gave back.",
  peak_scratch_share: "{where}: of the peak of {peakBytes}, {op} took {parts} and gave them back before it returned.",

  // Assumptions
  unverified_op: "{op}: no recorded case proves its memory yet",
  release_not_recorded:
    "PyTorch {torch}: nothing was recorded with it; where its Python sources show no change, the rules are those of {recorded}",
  unknown_op: "{op}: no rule; taken as an allocation of its result",
  unknown_value: "the program read a value from the GPU; it got a placeholder (0 or True)",
  likely_value:
    "the program asked what nobody knows: whether a value equals another (told: they differ, as most do), whether a factorization went wrong (told: no), or whether data are as they must be (told: yes)",
  search_goes_on:
    "L-BFGS: whether it is at its end is read from the GPU; it was taken to go on, so that its history fills up as far as its rounds do (max_iter, history_size)",
  drawn_value: "the program read a number drawn at random; on a GPU machine it draws others",
  data_dependent_size: "{op}: the size of the result depends on data; the largest possible was taken",
  convolution_workspace:
    "{op}: {library} chooses a workspace at run time, {lowBytes} to {highBytes} while the call runs; {workspaceBytes} were taken, by what one card did (H100, cuDNN 9.19). The upper end is the unfolded input or copies in another layout",
  cudnn_benchmark:
    "cudnn.benchmark: at the first call of each shape {library} tries algorithms, whose workspaces may be far larger than what is counted (ResNet-50 on an H100: 10.92 GB at the first step's peak, 5.86 later); the cache is emptied in between",
  recurrent_workspace:
    "{op}: {library} chooses a workspace at run time, {lowBytes} to {highBytes} while the call runs; {workspaceBytes} were taken, by what one card did (H100, cuDNN 9.19)",
  attention_workspace:
    "{op}: {library} chooses a workspace at run time, {lowBytes} to {highBytes} for a single query; {workspaceBytes} were taken, by what one card did with seven shapes (H100, cuDNN 9.19)",
  library_workspace: "{op}: {library} chooses its own workspace, which is not counted",
  library_scratch: "{op}: scratch memory of {library} is not counted",
  compile_by_rule:
    "torch.compile: the memory of inductor's code by its rules (what the partitioner keeps, what the scheduler fuses); not counted: trials of kernels in the first call, CUDA graphs",
  compile_runs_eager: "torch.compile: the function runs eagerly",
  tensorboard_not_written: "SummaryWriter.{method}: nothing is written; it depends on values",
  graphviz_not_run: "torchviz: Graphviz does not run here; its input is written instead of a picture",
  experts_even: "experts: which tokens each one gets depends on data; all {experts} were taken to get as many",
  library_kernels:
    "kernels of {library} lie outside the allocator: up to {libraryHighBytes} more than the context in what nvidia-smi shows (an A100 with PyTorch 2.1 and CUDA 11.8; 0.1 GiB with CUDA 12.1)",
  layers_not_quantized:
    "quantized weights: {parameters} parameters stay as they are, because transformers {release} replaces nn.Linear itself and no class derived from it; releases before 5 did",
  experts_not_quantized:
    "experts: {parameters} parameters stay as they are, because {library} packs linear layers and these experts are one tensor for all; prepare_model_for_kbit_training makes them float32",
  checkpoint_not_quantized:
    "weights of quant_method {method} are taken in the type that the model is computed in: this GPU or vramscope does not run them as they are",
  family_of_today:
    "{family}: computed as the newest transformers does; what release {release} did otherwise is not known here",
  image_tokens:
    "images: which tokens are places of images depends on data; {tokens} were taken, as many as there are features",
  jit_runs_eager: "torch.jit: modules and functions run as they are",
  sparse_library_buffer: "{op}: the buffer that cuSPARSE takes is not counted",
  cuda_graph_runs_eager: "CUDA graph: the captured work runs eagerly, in the graph's own memory pool",
  outliers_unknown: "{op}: which columns have outliers depends on data; none was assumed to have any",
  outside_allocator:
    "{library}: memory that the driver moves between host and GPU is not in the allocator and is not counted",
  drawing_skipped: "{library}: nothing is drawn",
  logging_skipped: "{library}: nothing is sent or stored",
  subclass_not_dispatched:
    "{name}: PyTorch hands every call on such tensors to its __torch_function__, which makes results of that class; here results are plain tensors",
  function_mode_not_dispatched:
    "{name}: PyTorch hands every call within it to its __torch_function__; here the calls run as if it were not there",
  gym_interface:
    "{library}: step gave an observation, a reward, whether it ended and more, as releases before 0.26 did and the program takes them",
  placeholder_data: "{library}: data sets have their shapes and lengths, but no content",
  weights_placeholder: "{library}: weights read from files have their shapes, but no values",
  tokens_by_pieces:
    "{library}: texts were split into the longest pieces of the vocabulary, so that their numbers of tokens are close and not exact",
  vocabulary_assumed:
    "{library}: the vocabulary of {name} is not here; {tokens} tokens were taken, and one for about four letters of text",
  kernel_launch_free:
    "{library}: kernels of a program's own do not run, and what a launch itself allocates (nothing, as a rule) is not counted",
  dataset_rows: "datasets: the rows of {name} are not here; rows of its columns stand in ({columns})",
  dataset_guessed: "datasets: {name} is not here and its columns are not known; rows of texts stand in ({columns})",
  hub_not_written: "the hub: nothing is pushed to {name}",
  dataset_not_written: "datasets: {name} is not written",
  rows_placeholder: "{library}: the rows of {name} are not here; {rows} of the right kind were taken",
  pretrained_weights: "{library}: pretrained weights have their shapes, but no values",
  numpy_placeholder:
    "{op}: NumPy arrays are kept by a stand-in; those with many elements, or whose values it cannot know, read as zeros",
  simulated_figures: "{library}: its figures are the simulated ones",
  assumption_times: " ({count} times)",

  // Command line: what is wrong
  unknown_command: "unknown command '{name}'",
  unknown_command_nearest: "unknown command '{name}'; did you mean '{nearest}'?",
  unknown_option: "unknown option '{name}'",
  unknown_option_nearest_after_script:
    "unknown option '{name}'; did you mean '{nearest}'? Options of the program itself come after --",
  option_of_whom:
    "'{name}' is no option of vramscope, and '{ours}' after it is one: put ours before the script, and -- before the program's own",
  words_of_script: "taken as the program's own, as if after --: {words}",
  unknown_option_nearest: "unknown option '{name}'; did you mean '{nearest}'?",
  option_needs_value: "option '{name}' needs a value ({value})",
  option_takes_no_value: "option '{name}' takes no value",
  bad_choice: "{name} cannot be '{value}'; choose {choices}",
  bad_choice_nearest: "{name} cannot be '{value}'; did you mean '{nearest}'?",
  bad_number: "{name} needs a number above 0, not '{value}'",
  too_large: "{name}: '{value}' is more than {most}, the most there can be",
  bad_size: "{name} needs a size such as 76GiB, 512MiB or 1000000, not '{value}'",
  bad_env: "--env needs NAME=VALUE, not '{value}'",
  missing_script: "no script given; usage: {usage}",
  too_many_arguments: "unexpected argument '{value}'",
  not_a_directory: "not a directory: {path}",
  unknown_export: "unknown export '{name}'; there are {known}",
  unknown_export_nearest: "unknown export '{name}'; did you mean '{nearest}'?",
  bad_export: "--export needs FORMAT=FILE, not '{value}'",
  missing_trace: "no trace given; usage: {usage}",
  missing_format: "--format is needed; there are {known}",
  missing_output: "--output is needed",
  export_needs_graph:
    "the autograd graph is not in a saved trace; 'vramscope run --export {name}=FILE script.py' records it",
  folder_not_empty: "{path} is not empty; --save-files only writes into a new folder",
  saved_files: "{count} {count#file#files} of the program saved in {path}",
  files_not_saved: "{count} {count#file#files} not saved: more than {mostFiles} files or {mostBytes}",
  graph_left_out: "the autograd graph has {count} more nodes than were exported",
  graph_none: "no backward ran, so there is no autograd graph to export",
  bad_gpu_memory: "'{name}': behind '@' stands the card's memory, such as 20GiB",
  several_gpus:
    "'{names}' names several GPUs, and an answer is for cards that are alike: give --gpu {first}, then ask again for the next",
  unknown_gpu: "unknown GPU '{name}'",
  unknown_gpu_nearest: "unknown GPU '{name}'; did you mean {nearest}?",
  gpu_not_simulated: "{name} of {vendor} is not simulated",
  unknown_torch: "unknown PyTorch version '{version}'; the newest known is {newest}",
  unknown_torch_nearest: "unknown PyTorch version '{version}'; the nearest known is {nearest}",
  see_help: "see '{command}'",
  see_help_gpus: "'vramscope gpus' lists them",
  bad_cublas_workspace_config: "CUBLAS_WORKSPACE_CONFIG '{value}' is not understood; the default size is used",
  bad_cublaslt_workspace_size: "CUBLASLT_WORKSPACE_SIZE '{value}' is not understood; the default size is used",
  alloc_conf_unknown_option: "allocator option '{option}' is not known to PyTorch {torch}",
  alloc_conf_unknown_option_nearest:
    "allocator option '{option}' is not known to PyTorch {torch}; did you mean '{nearest}'?",
  alloc_conf_option_too_new: "allocator option '{option}' exists since PyTorch {since}, not in {torch}",
  alloc_conf_option_removed: "allocator option '{option}' was removed in PyTorch {until}, so {torch} refuses it",
  alloc_conf_bad_value: "allocator option '{option}' cannot be '{value}'; expected {expected}",
  alloc_conf_syntax: "allocator options: expected {expected}, found '{found}'",
  machine_failed: "this machine refuses: {reason}",
  internal_error: "VRAMScope itself failed: {reason}. Please report this; VRAMSCOPE_DEBUG=1 shows where.",

  // Command line: progress
  progress_load: "starting Python",
  progress_run: "running {script}",
  progress_report: "reading the trace",

  // Help
  help_intro: "GPU memory of PyTorch programs to the byte, line by line, without a GPU and without PyTorch.",
  help_usage: "Usage",
  help_commands: "Commands",
  help_examples: "Examples",
  help_options: "Options",
  help_arguments: "Arguments",
  help_exit_codes: "Exit codes",
  help_default: "default {value}",
  help_more: "'vramscope help COMMAND' or 'vramscope COMMAND --help' tells more",
  help_exit_0: "the program fits (or the command did what it should)",
  help_exit_1: "out of memory, or over --limit",
  help_exit_2: "wrong usage",
  help_exit_3: "the program or its input failed",
  help_exit_4: "VRAMScope failed",
  help_exit_130: "interrupted",
  command_run: "run a Python script on a simulated GPU and explain its memory",
  command_gpus: "list the GPUs that can be simulated",
  command_export: "write a saved trace in the format of another tool",
  command_help: "explain a command",
  command_version: "print the version",
  option_help: "show this help",
  option_lang: "language of reports and messages; default by LANG",
  option_color: "colour in the report",
  option_ascii: "no characters outside ASCII in the report",
  option_gpu: "GPU by id or name, NAME@20GiB for another size; 'vramscope gpus' lists them",
  option_torch: "rules of this PyTorch, {oldest} to {newest}",
  option_kernel_temporaries: "count scratch memory inside kernels",
  option_attention: "attention kernel: as PyTorch chooses, or its separate operators",
  option_report: "how much to print after the program's output",
  option_json: "print one JSON document with everything; the program's output is inside",
  option_output: "write the trace to FILE",
  option_export: "write an export to FILE; repeatable. FORMAT: {formats}",
  option_save_files: "copy the files that the program writes into the new folder DIR",
  option_export_format: "format: {formats}",
  option_export_output: "the file to write",
  option_timeout: "stop the program after this many seconds",
  option_env: "set a variable of the program's environment; repeatable",
  option_limit: "exit with 1 when more than SIZE is reserved at the peak (76GiB)",
  option_gpus_json: "print the table as JSON",
  argument_script: "the script to run; what comes after -- goes to it",
  argument_command: "a command",
  argument_filter: "only GPUs whose name contains this",
  argument_trace: "a trace that 'vramscope run -o' wrote",
  example_run: "where does the memory go",
  example_gpu: "on another GPU, with older rules",
  example_limit: "in CI: fail when it grows",
  example_json: "for other programs",
  example_args: "arguments for the program",
  example_export: "open it in PyTorch's memory viewer, and as a page of its own",
  example_export_saved: "from a saved trace",

  // Exports
  export_snapshot: "PyTorch memory snapshot, for pytorch.org/memory_viz",
  export_html: "the report as one HTML file",
  export_chrome: "Chrome trace, for ui.perfetto.dev",
  export_speedscope: "for speedscope.app",
  export_folded: "folded stacks at the peak, for flame graphs",
  export_folded_all: "folded stacks of all allocations",
  export_csv_blocks: "table of all blocks",
  export_csv_lines: "table of all lines",
  export_graph: "autograd graph at the first backward, for Graphviz",
  export_graph_svg: "autograd graph at the first backward, as a picture",
  html_section_timeline: "Memory over the run",
  html_section_blocks: "Largest blocks at the peak",
  html_column_category: "what",
  html_column_bytes: "size",
  html_column_blocks: "blocks",
  html_column_tensor: "tensor",
  html_column_op: "operator",
  html_events: "{count} events; not time",
  html_at_most: "at most {bytesBytes}",
  html_lines_left_out: "{count} {count#line#lines} that moved less {count#is#are} left out",
  html_footer: "simulated without a GPU; the horizontal axis counts events of the allocator",

  // GPU table
  gpus_column_id: "id",
  gpus_column_name: "name",
  gpus_column_capability: "capability",
  gpus_column_total: "PyTorch sees",
  gpus_column_smi: "nvidia-smi",
  gpus_column_aliases: "also",
  gpus_legend: "* from memory, not from published output",

  // Trace files
  trace_not_json: "not a trace file: {reason}",
  trace_not_a_trace: "not a VRAMScope trace",
  trace_newer_schema: "trace of schema {version}; this version reads up to {known}",
  trace_bad_field: "trace file: bad value at {field}",
  trace_too_large: "trace file: {field} has {length} entries, at most {limit} are read",
  trace_column_length: "trace: column {column} has {length} rows, {expected} expected",
  trace_bad_index: "trace: event {event} has {column} {value}",
  trace_bad_number: "trace: bad number {value} in {column}, row {event}",
  trace_frame_order: "trace: frame {frame} comes before its caller {parent}",
  trace_allocated_total: "trace: event {event} leaves {value} allocated, {expected} expected",
  trace_reserved_total: "trace: event {event} leaves {value} reserved, {expected} expected",
  trace_block_events: "trace: block {block} and its events do not match",
  trace_overlap: "trace: blocks {block} and {other} overlap",
  trace_over_reserved: "trace: more allocated than reserved at event {event}",

  ...enEstimate,
  ...enNotes,
  ...enRanks,
  ...enLaunchers,
  ...enLayout,
  ...enAlignment,
  ...enServing,
  ...enExplain,
  ...enFindings,
  ...enFiles,
  ...enHints,
  ...enFormats,
  ...enFormulas,
  ...enCompare,
  ...enPackages,
  ...enTerminal,
  ...enPrograms,
  ...enTrace,
  ...enVerdict,
  ...enWatch,
  ...enWeb,
};
