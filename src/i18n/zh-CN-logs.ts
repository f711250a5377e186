/** Chinese wording of what is said about other tools' logs and profiles; the same keys as `en-logs.ts`. */

import type { enLogs } from "./en-logs.ts";

export const zhCNLogs: Readonly<Record<keyof typeof enLogs, string>> = {
  log_no_figures: "它看起来是 {title}，但没有内存数字",
  log_lines_skipped: "略过其余 {lines} 行",
  log_lines_cut: "{lines} 行过长，已截断",
  log_thinned: "样本太多，相邻样本已合并，每组保留最高值",
  log_left_out: "{figures} 个数字超出一份报告的容量，已省略",
  log_rank_is_device: "rank 按设备编号显示",

  smi_no_columns: "各列没有说明其含义的名称；请带表头和单位记录（--format=csv），并包含 memory.used 列",
  smi_columns_guessed: "没有表头；各列视为 {columns}",
  smi_not_available: "{column}：驱动没有给出数值",

  gpustat_bad_json: "它不是完整的 JSON 文档：{reason}",

  profile_copies_only:
    "这些是复制和填充的大小，不是占用的内存；要后者，请用 nsys profile --cuda-memory-usage=true 记录",
  profile_no_memory: "这份剖析没有内存事件；请用 profile_memory=True 记录（加 with_stack=True 可得到行）",
  profile_bad_json: "它不是完整的 JSON 文档：从第 {offset} 字节起无法解读",
  profile_too_many: "它有超过 {most} 个事件；请少记录几步",
  profile_no_device: "没有设备 {device} 的内存事件；有的是 {known}",
  profile_host_only: "只有主机的内存事件，没有 GPU 的",
  profile_lines_are_functions: "剖析器记录的是函数开始的位置，因此行是函数的行，不是语句的行",
  profile_lines_are_calls: "行是函数中最后一次调用的行；其后不经调用而运行的内容也显示在那一行",
  profile_without_stacks: "没有记录 Python 调用栈；with_stack=True 会加上",
  profile_allocated_before: "记录开始前已分配 {bytesBytes}，这些块不在其中",
  profile_totals_jump: "两个事件之间总量的变化多于记录的内容；补上了 {count} 处",
  profile_unmatched_frees: "释放了 {count} 个没有分配记录的块",
  profile_other_devices: "显示的是设备 {device}；另有 {others} 的事件（--device）",
  profile_is_page: "其中的图是图片；请把同一时间线导出为 .json 再读",
  profile_sizes_are_blocks: "大小是分配器的块的大小；请求的大小没有记录",
  timeline_no_device: "它没有说明是哪个设备",
  nsys_no_device_memory: "它有内存事件，但没有设备内存的",

  note_allocated_before_recording: "记录开始前已分配的块",
  note_not_recorded: "工具未记录的分配",

  tool_scalene: "这是 Scalene 的剖析，不能读取；它的报告按行显示主机内存",
  tool_memray: "这是 memray 的记录（主机内存），不能读取；可用 'memray stats' 和 'memray table' 查看",
  tool_nsys_json:
    "这是 Nsight Systems 记录的 JSON 事件，不能读取；先 nsys export --type sqlite，再 sqlite3 -header -csv FILE.sqlite 'SELECT * FROM CUDA_GPU_MEMORY_USAGE_EVENTS'，得到的表可以读取",
  tool_nsys_report:
    "这是 Nsight Systems 的记录，只有它自己的程序能读；先 nsys export --type sqlite，再 sqlite3 -header -csv FILE.sqlite 'SELECT * FROM CUDA_GPU_MEMORY_USAGE_EVENTS'，得到的表可以读取",
};
