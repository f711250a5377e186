/** Chinese wording of what stands beside a verdict. */

export const zhCNVerdict = {
  verdict_unused: "未使用 GPU",
  unused_text: '所有张量都在 CPU 上，最多 {hostBytes}；是否漏了 .cuda() 或 .to("cuda")？',
  unused_option_text: "所有张量都在 CPU 上，最多 {hostBytes}；程序自己的选项 {option} 可能会把它们放到 GPU 上",
  unused_gpu: "所有张量都在 CPU 上（最多 {hostBytes}）；其中最大的在此产生。GPU 上什么也没有",
  unstepped_text: "程序创建了优化器但从未执行 step：这些数字不包含训练（剩余 {headroomBytes}，共 {capacityBytes}）",
  optimizer_unstepped: "此处创建的优化器从未执行 step，而程序的数据是占位数据：可用 --data NAME=SPEC 更准确地描述",
  error_printed_text:
    "程序捕获了一个错误并跳过了相应的工作，这些数字不包含它：{error}（剩余 {headroomBytes}，共 {capacityBytes}）",
  error_printed: "程序捕获并打印了这个错误，然后继续运行：{error}",
  card_why: "原因",
  card_unusable: "闲置",
  card_growth: "增长",
  card_help: "对策",
  cause_whole: "{category}：{ofBytes} 中的 {partBytes}，{percent}%",
  cause_one_line: "{category}：{ofBytes} 中的 {partBytes}，{percent}%；产生于 {where}",
  cause_line: "{category}：{ofBytes} 中的 {partBytes}，{percent}%；其中 {whereBytes} 产生于 {where}",
  unusable_text:
    "已保留的 {reservedBytes} 中有 {freeBytes} 由 PyTorch 持有而没有张量使用，共 {pieces} 块，最大 {largestBytes}：碎片",
  growth_text: "每一轮多出 {eachBytes}，{passes} 轮后共 {totalBytes}；产生于 {where}",
  recording_peak: "峰值为 {peakBytes}。",
  recording_peak_at: "峰值为 {peakBytes}，在 {where}。",
  recording_end_empty: "结束时剩余 {endBytes}。",
  recording_end: "结束时仍有 {endBytes} 存活。",
  recording_end_line: "结束时仍有 {endBytes} 存活，其中 {lineBytes} 由 {where} 分配。",
  recording_no_growth: "没有发现逐次增长。",
  recording_no_fragments: "保留最多时，其中空闲的很少。",
  remedy_may_fit: "{change}也许放得下：保留 {reservedBytes}（实测）",
  remedy_fits: "{change}即可放得下：保留 {reservedBytes}（实测）",
  remedy_saves: "{change}可节省 {savedBytes}：保留 {reservedBytes}（实测）",
  remedy_not_enough: "{change}节省最多，但仍放不下：保留 {reservedBytes}（实测）",
  some_operator: "某个算子",
  workspace_times: "如此共 {count} 次，合计 {totalBytes}。",
  grows_each_pass:
    "{where}：每一轮留下 {eachBytes} 无人释放，{passes} 轮后共 {totalBytes}；其中大部分由 {op} 在此产生。是列表、全局变量或计算图持有它：请保存数值（.item()）或 .detach().cpu()。",
  findings_small: "另有 {count} 项较小，每项低于 {leastBytes}：{codes}",
} as const;
