/** English wording of opened files: their reports, and why a file was not read; see `en.ts` for the rules. */

import { enLogs } from "./en-logs.ts";

export const enFormats = {
  ...enLogs,

  // Command line
  command_open: "read a recorded file (memory snapshot, log, profile, error text) and explain it",
  argument_open_file: "recorded file; - reads standard input; several are told one after the other",
  option_open_device: "device of the file to look at, by its number",
  option_open_format: "read it as this format instead of looking at the content: {formats}",
  option_open_at: "moment to explain: peak, end, an event's number, line:12 or line:model.py:12",
  option_open_json: "print everything as one JSON document per file",
  option_open_output: "write the trace or the figures of the file as JSON",
  option_open_top: "how many of the largest blocks --at lists",
  example_open: "a memory snapshot of PyTorch",
  example_open_log: "the error text of a run that went out of memory",
  example_open_stdin: "whatever another program prints",
  missing_file: "no file given; usage: {usage}",
  bad_device: "--device needs the number of a device, not '{value}'",
  open_no_trace: "{name} has figures only, no single blocks, so there is nothing to {what}",

  // What a file is
  open_failed: "{name}: {reason}",
  open_no_such_format: "unknown format '{name}'; there are {known}",
  open_no_such_format_nearest: "unknown format '{name}'; did you mean '{nearest}'?",
  open_too_large: "it has {sizeBytes}; text is read up to {mostBytes}",
  open_unpacked_too_large: "unpacked, it is larger than {mostBytes}; unpack it first and keep the part that matters",
  open_bad_gzip: "it begins as a gzip file but cannot be unpacked: {reason}",
  open_is_empty: "it is empty",
  open_is_zip:
    "it is a ZIP archive, as torch.save writes; a memory snapshot is what torch.cuda.memory._dump_snapshot(FILE) writes",
  open_is_sqlite:
    "it is an SQLite database, as Nsight Systems and nvprof write; sqlite3 -header -csv FILE 'SELECT * FROM CUDA_GPU_MEMORY_USAGE_EVENTS' gives its memory events as a table that can be read",
  open_is_model: "it holds the weights of a model; 'vramscope estimate FILE' reads it",
  open_is_packed: "it is compressed; unpack it first",
  open_is_image: "it is a picture; the text of what it shows can be read",
  open_is_page: "it is a page for reading (HTML or PDF); the file that it was made from can be read",
  open_is_program: "it is a program; 'vramscope run FILE' runs it",
  open_is_binary: "its content is nothing known. {count} formats can be read: 'vramscope open --help' names them",
  open_is_text:
    "its content is nothing known; it begins with \"{line}\". {count} formats can be read: 'vramscope open --help' names them",
  report_not_json: "not a report: {reason}",
  report_newer_schema: "report of schema {version}; this version reads up to {known}",
  report_bad_field: "report: bad value at {field}",

  // Report
  verdict_recorded: "recorded",
  recorded_text: "as it was on the device; {endBytes} at the end",
  html_footer_recorded: "recorded on a device; the horizontal axis counts events of the allocator",
  recorded_title: "{program} · {gpu}",
  opened_title: "{name} · {format}",
  opened_title_device: "{name} · {format} · device {device}",
  opened_column_start: "start",
  opened_column_peak: "peak",
  opened_column_end: "end",
  opened_section_timeline: "Allocated, from the first event to the last",
  opened_section_facts: "What it says",
  opened_section_series: "Over time",
  opened_section_notes: "Also",
  opened_section_remarks: "About the file",
  opened_fact_peak: "{name} (highest)",
  opened_line: "line {line}",
  opened_device: "device {device}",
  opened_process: "process {process}",
  opened_first: "first",
  opened_lowest: "lowest",
  opened_highest: "highest",
  opened_last: "last",
  opened_throughout: "throughout",
  opened_samples: "{count} {count#sample#samples}",
  opened_samples_over: "{count} {count#sample#samples} in {seconds} s",
  opened_nothing: "It says nothing about memory.",
  opened_left_out: "{count} more in --json",
  quantity_allocated: "allocated",
  quantity_requested: "requested",
  quantity_reserved: "reserved",
  quantity_process: "process",
  quantity_device_used: "used on the device",
  quantity_device_total: "size of the device",
  quantity_device_free: "free on the device",
  quantity_context: "context and libraries",
  quantity_weights: "weights",
  quantity_kv_cache: "KV cache",
  quantity_activations: "activations",
  quantity_graphs: "CUDA graphs",
  quantity_compute_buffer: "compute buffer",
  quantity_host: "memory of the machine",
  quantity_other: "other",

  // Memory snapshots
  contradiction_overlap:
    "The file contradicts itself: {count#a block was#blocks were} handed out over others in use, first at {address} ({count} in all). Figures are as recorded.",
  contradiction_over_reserved:
    "The file contradicts itself: after {count} {count#event#events} more is allocated than reserved, by up to {overBytes}. Figures are as recorded.",
  contradiction_numbers:
    "The file contradicts itself: after {count} {count#event#events} a total or an address is no number of bytes. Figures are as recorded.",
  contradiction_requested:
    "The file contradicts itself: {count} {count#block has#blocks have} fewer bytes than were asked for. Figures are as recorded.",
  snapshot_no_such_device: "it has nothing of device {device}; there are {known}",
  snapshot_no_history:
    "It holds the state of one moment and no history: record with torch.cuda.memory._record_memory_history() before what you want to see.",
  snapshot_before:
    "{earlyBytes} in {count} {count#block was#blocks were} allocated before recording began, so no line is known for them; recording from the start of the program shows them, too.",
  snapshot_cut:
    "{count} {count#block has#blocks have} a stack but no entry: the history was full (max_entries) and its oldest entries are lost.",
  snapshot_guessed:
    "Of what was there before, {parameterBytes} are taken for parameters and {stateBytes} for optimizer state, because as many gradients of the same sizes were recorded.",
  snapshot_no_stacks: "No call stacks were recorded, so lines and phases are not known: record with context='all'.",
  snapshot_backward_thread:
    "{count} {count#allocation has#allocations have} no stack between forward and the optimizer: the thread of backward has no lines of Python; they count for the line that called backward().",
  snapshot_other_thread:
    "{count} {count#allocation has#allocations have} no stack: a thread without Python made them, or the recording was without stacks then.",
  snapshot_categories:
    "What blocks are for follows from their stacks and from how long they lived; a snapshot does not say it.",
  snapshot_gaps:
    "{count} {count#allocation or free is#allocations or frees are} missing from the history; they are put where they must have been.",
  snapshot_no_segments: "It lists no segments, so blocks from before the recording that lived on are not known.",
  snapshot_charged_otherwise:
    "{count} {count#block is#blocks are} charged otherwise than the allocator's rules say; the snapshot's own figures count.",
  snapshot_unknown_actions:
    "{count} {count#entry has#entries have} an action that is not known; no memory is counted for them.",
  snapshot_private_pools:
    "{poolBytes} in {count} {count#segment belongs#segments belong} to private pools (CUDA graphs), {usedBytes} of it in use; others cannot use the rest.",
  snapshot_expandable: "{mappedBytes} are mapped in expandable segments.",
  snapshot_settings: "The allocator ran with PYTORCH_CUDA_ALLOC_CONF={settings}.",
  snapshot_other_devices: "There is more in the file, of other devices: --device {devices}.",
  snapshot_failures: "{count} {count#request#requests} failed while this was recorded.",
  snapshot_not_a_snapshot: "it is a pickle, but not of a memory snapshot",
  snapshot_bad_field: "memory snapshot: {field} cannot be {value}",
  snapshot_inconsistent: "memory snapshot: blocks and segments do not fit together at address {address}",
  snapshot_too_repetitive: "memory snapshot: it repeats its parts far more often than its size explains",
  pickle_code_refused: "it is a pickle that asks to run code ({opcode} at byte {offset}); nothing of it was run",
  pickle_type_refused: "it is a pickle with values that no memory snapshot has ({opcode} at byte {offset})",
  pickle_opcode_unknown: "it is no pickle: byte {offset} is {opcode}",
  pickle_truncated: "the pickle ends too early, at byte {offset}",
  pickle_too_long: "the pickle has a value of {length} bytes at byte {offset}; no memory snapshot has one so long",
  pickle_bad_number: "the pickle has a bad number at byte {offset}",
  pickle_bad_text: "the pickle has a bad text at byte {offset}",
  pickle_bad_memo: "the pickle refers to something that is not there (byte {offset})",
  pickle_bad_stack: "the pickle is damaged at byte {offset}",
  pickle_protocol: "the pickle is of protocol {protocol}, which is not known",

  // Out-of-memory texts and the allocator's counters
  oom_says_missing: "The device lacked {missingBytes} for the segment that was asked for.",
  oom_says_enough_free:
    "{freeBytes} were free, more than was asked for: another limit refused it (a memory fraction, a container, or a driver without room for one piece so large).",
  oom_says_never:
    "The request of {triedBytes} is larger than the whole device ({totalBytes}): no clean-up can make it fit.",
  oom_says_small:
    "The failed request is small ({triedBytes}): the device was full already, and this line is not what filled it.",
  oom_says_limited: "This process was limited to {allowedBytes} (set_per_process_memory_fraction or a watermark).",
  oom_says_fragmented:
    "{unallocatedBytes} lay reserved but unallocated, more than the {triedBytes} asked for, but in pieces: expandable_segments:True lets them be used as one.",
  oom_says_some_unallocated:
    "{unallocatedBytes} lay reserved but unallocated, in pieces; expandable_segments:True would make most of it usable.",
  oom_says_not_fragmented:
    "Only {unallocatedBytes} lay reserved but unallocated, so expandable_segments:True would not have helped: less has to be allocated.",
  oom_says_outside:
    "{outsideBytes} of this process lie outside of PyTorch's allocator: CUDA context, kernels, libraries such as NCCL.",
  oom_says_others: "{count} other {count#process#processes} on the device {count#holds#hold} {otherBytes}.",
  oom_says_rest:
    "{restBytes} of the device are neither free nor PyTorch's: the CUDA context of this process, and other processes.",
  oom_says_times: "Memory ran out {count} times in this file; the same figures are listed once.",
  oom_says_nothing: "The text names no figures.",
  stats_say_split:
    "{splitBytes} are free pieces of segments that are partly in use: they cannot be given back, and only serve requests that fit into one of them.",
  stats_say_cached:
    "{cachedBytes} are whole free segments: torch.cuda.empty_cache() would give them back to the device.",
  stats_say_ahead:
    "At most {peakReservedBytes} were reserved for {peakAllocatedBytes} of tensors; the rest is the cost of caching.",
  stats_say_retries:
    "{count} {count#time#times} the device had nothing left and the cache was given back first, which stalls the program.",
  stats_say_ooms: "{count} {count#request#requests} failed for good.",

  // Our own Chrome traces
  chrome_not_json: "not a Chrome trace: {reason}",
  chrome_bad_field: "Chrome trace: bad value at {field}",
  chrome_carries:
    "A Chrome trace has no streams and nothing of what was saved for backward; a trace file (run -o) has all.",
};
