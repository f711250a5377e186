/** English wording of what is said about other tools' logs and profiles; see `en.ts` for the rules. */

export const enLogs = {
  log_no_figures: "it looks like this: {title}; but it holds no figures of memory",
  log_lines_skipped: "{lines} other {lines#line#lines} passed over",
  log_lines_cut: "{lines} very long {lines#line was#lines were} cut",
  log_thinned: "so many samples that neighbours were merged; of each group the highest is kept",
  log_left_out: "{figures} {figures#figure#figures} beyond what one report holds left out",
  log_rank_is_device: "ranks are shown as device numbers",

  smi_no_columns:
    "its columns have no names that say what they count; record with a header and units (--format=csv), or with memory.used among the columns",
  smi_columns_guessed: "there is no header; the columns were taken to be {columns}",
  smi_not_available: "{column}: the driver gave no value",

  gpustat_bad_json: "it is no whole JSON document: {reason}",

  profile_copies_only:
    "these are sizes of copies and fills, not memory in use; for that, record with nsys profile --cuda-memory-usage=true",
  profile_no_memory:
    "it is a profile without memory events; record with profile_memory=True (and with_stack=True for lines)",
  profile_bad_json: "it is no whole JSON document: it stops making sense at byte {offset}",
  profile_too_many: "it has more than {most} events; record fewer steps",
  profile_no_device: "it has no memory events of device {device}; there are some of {known}",
  profile_host_only: "it has memory events of the host only; none of a GPU",
  profile_lines_are_functions:
    "the profiler records where a function begins, so lines are those of functions, not of statements",
  profile_lines_are_calls:
    "lines are those of the last call in a function; what runs after it without calling anything is shown there, too",
  profile_without_stacks: "no Python stacks were recorded; with_stack=True adds them",
  profile_allocated_before: "{bytesBytes} were allocated before recording began, by blocks that are not in it",
  profile_totals_jump:
    "between two events the totals changed by more than what is recorded; {count} {count#step was#steps were} filled in",
  profile_unmatched_frees: "{count} {count#block was#blocks were} freed whose allocation is not in it",
  profile_other_devices: "device {device} is shown; there are events of {others}, too (--device)",
  profile_is_page: "the figure in it is a picture; export the same timeline as .json to have it read",
  profile_sizes_are_blocks: "sizes are those of the allocator's blocks; what was asked for is not recorded",
  timeline_no_device: "it does not say of which device",
  nsys_no_device_memory: "it has memory events, but none of device memory",

  note_allocated_before_recording: "blocks allocated before recording",
  note_not_recorded: "allocations that the tool did not record",

  tool_scalene: "it is a profile of Scalene, which is not read; its report shows memory of the host by line",
  tool_memray:
    "it is a recording of memray (memory of the host), which is not read; 'memray stats' and 'memray table' show it",
  tool_nsys_json:
    "these are the events of an Nsight Systems recording as JSON, which is not read; nsys export --type sqlite, then sqlite3 -header -csv FILE.sqlite 'SELECT * FROM CUDA_GPU_MEMORY_USAGE_EVENTS' gives a table that can be read",
  tool_nsys_report:
    "it is a recording of Nsight Systems, which only its own programs read; nsys export --type sqlite, then sqlite3 -header -csv FILE.sqlite 'SELECT * FROM CUDA_GPU_MEMORY_USAGE_EVENTS' gives a table that can be read",
};
