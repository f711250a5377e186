/** Simplified Chinese wording of findings about programs, of trials and of differences; see `en.ts` for the rules. */

import type { enFindings } from "./en-findings.ts";

export const zhCNFindings: Readonly<Record<keyof typeof enFindings, string>> = {
  // Findings
  float32_logits:
    "{where}：{count} 个与 logits {shape} 同样大小的 float32 张量同时存在，共 {totalBytes}，每个 {oneBytes}。",
  float32_norm: "{where}：{count} 个归一化的输入被转换为 float32 并保留到反向传播：同时存在 {totalBytes}。",
  attention_scores:
    "{where}：注意力分数以张量 {shape} 存在，{queries} 与 {keys} 个位置的每一对一个数；同时存在 {count} 个，{totalBytes}。",
  full_mask: "{where}：掩码 {shape} 与分数一样大；连同由它得到的，同时存在 {totalBytes}。",
  autocast_weights: "{where}：autocast 把转换后的 {count} 个权重保留到代码块结束：同时存在 {totalBytes}。",
  kept_gradients: "{where}：{count} 个梯度从一步保留到下一步，{totalBytes}：被填零而不是释放，或从未清除。",
  graph_kept_by_loss: "{where}：这个求和保留了 {graphs} 次前向的计算图：为从未到来的反向传播保存了 {totalBytes}。",
  evaluation_without_no_grad: "{where}：{count} 个张量共 {totalBytes} 为从未到来的反向传播而保存。",
  held_by_global: "{where}：{count} 个张量共 {totalBytes} 只由全局变量 {name} 持有。",
  held_by_exception: "{where}：{count} 个张量共 {totalBytes} 只由异常的回溯持有。",
  held_by_cycle: "{where}：{count} 个张量共 {totalBytes} 由引用环持有；Python 的垃圾回收运行时才释放。",
  foreach_copies: "{where}：峰值处优化器一次处理所有参数，占用 {totalBytes} 临时内存。",
  dropout_masks: "{where}：{count} 个 dropout 掩码保留到反向传播，每个元素一字节：同时存在 {totalBytes}。",
  grows_by_cat: "{where}：一个张量分 {count} 步通过拼接变大；最后一步时，旧的 {oldBytes} 与新的 {newBytes} 同时存在。",
  ddp_buckets:
    "DistributedDataParallel 在桶中又保存了一份梯度：{totalBytes}；gradient_as_bucket_view=True 使两者合一。",
  ddp_states:
    "{where}：在 DistributedDataParallel 下每个 rank 都保存完整的优化器状态，{totalBytes}；ZeroRedundancyOptimizer 或 fully_shard 会把它分开。",
  fsdp_gathered:
    "FSDP 在峰值处于此 rank 上完整地保存了 {totalBytes} 的参数；更小的组（每个块单独）和 reshard_after_forward=True 可减少同时存在的量。",
  activations_of_rank:
    "{where}：峰值中的 {totalBytes} 是此 rank 自己样本的激活；DDP 和 FSDP 都不会减少它。检查点、更小的微批次以及张量、序列或上下文并行可以减少。",
  findings_more: "详细说明：vramscope explain {codes}",

  // Trials
  section_trials: "什么有帮助：每次做一处改动重新运行程序",
  trial_column_change: "改动",
  trial_column_outcome: "结果",
  trial_as_it_is: "原样",
  trial_before_oom: "显存不足",
  trial_fits: "放得下",
  trial_may_fit: "也许放得下",
  trial_does_not_fit: "放不下",
  trial_out_of_memory: "显存不足",
  trial_no_effect: "没有效果",
  trial_no_time: "时间不够，未尝试到底（--try 加其名称则不限时间）",
  trial_failed: "改动后程序失败：{reason}",
  trial_nothing_to_change: "没有可改之处",
  trial_needs_code: "未尝试：需要改写代码",
  trial_smallest: "能放下的最小改动：{change}。",
  trial_none_fits: "这些改动都放不下。",
  trial_none_yet_fits: "已尝试到底的改动都放不下。",
  change_and: "，并且 ",
  change_expandable_segments: "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
  change_set_to_none: "zero_grad(set_to_none=True)",
  change_no_grad: "处于评估模式的模型外加 torch.no_grad()",
  change_detach_loss: "累加损失处用 loss.detach()",
  change_bucket_view: "DistributedDataParallel 使用 gradient_as_bucket_view=True",
  change_reshard: "FSDP 使用 reshard_after_forward=True（FULL_SHARD），根模块也如此",
  change_shard_blocks: "FSDP 包装每个块，而不只是整个模型",
  change_zero_optimizer: "优化器外加 ZeroRedundancyOptimizer",
  change_fused: "优化器用 fused=True",
  change_foreach_off: "优化器用 foreach=False",
  change_chunked_loss: "交叉熵分 8 块计算，并用梯度覆盖 logits",
  change_autocast: "模型外加 bfloat16 的 autocast",
  change_adam_8bit: "8 位的 Adam 或 AdamW（bitsandbytes）",
  change_checkpoint_blocks: "模型的每个块都用检查点重算",
  change_bfloat16: "权重用 bfloat16（torch.set_default_dtype）",
  change_half_batch: "批大小减半",
  change_sdpa: "用 F.scaled_dot_product_attention 代替分开的算子",
  option_try:
    "做改动后重新运行，报告各能省多少：all、none，或以逗号分隔的名称（{changes}）；a+b 表示一起做；显存不足后会自动进行",
  progress_try: "正在用 {change} 重新运行 {script}",
  unknown_change: "未知改动 '{name}'；可用的有 {known}",
  unknown_change_nearest: "未知改动 '{name}'；是否指 '{nearest}'？",
  example_try: "什么有帮助，实测",
  example_explain_code: "某项发现的含义和办法",

  // Budgets and differences
  option_markdown: "把 Markdown 报告追加到 FILE，例如 $GITHUB_STEP_SUMMARY",
  option_fail_if_not_fit: "只是可能放得下（取决于上下文和库）时也以 1 退出",
  command_diff: "按行、模块和类别比较两份轨迹",
  option_diff_fail_over: "保留峰值增长超过 SIZE（如 64MiB）时以 1 退出",
  option_diff_json: "以 JSON 打印差异",
  missing_traces: "需要两份轨迹；用法：{usage}",
  example_diff: "一个分支改变了什么；需要更多时失败",
  diff_title: "{before} 与 {after}",
  diff_group: "峰值处，{by}",
  diff_nothing: "没有差异",
  diff_column_before: "之前",
  diff_column_after: "之后",
  diff_peakAllocatedBytes: "已分配峰值",
  diff_peakReservedBytes: "保留峰值",
  diff_endAllocatedBytes: "结束时已分配",
  export_sarif: "以 SARIF 给出发现，供代码扫描和编辑器使用",
};
