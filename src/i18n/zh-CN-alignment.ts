/** Chinese wording of training by preferences and by rewards. */

export const zhCNAlignment = {
  option_reference: "dpo、grpo、ppo：回答与什么比较：另一份副本（copy）、去掉适配器的模型（same），或不比较（none）",
  option_reward: "grpo、ppo：给出奖励的模型；没有它时 grpo 用函数",
  option_sleep: "grpo 配合 --engine vllm：1 在训练时把引擎的权重放到主机，2 丢弃权重",
  example_estimate_dpo: "用适配器做 DPO 时一步的各阶段",
  example_estimate_grpo: "GRPO 与同一块卡上的 vLLM，训练时让它休眠",
  alignment_needs_text: "{name}：偏好或奖励训练需要生成文本的解码器",
  alignment_title: "{model} · {task}，{gpu}",
  alignment_line: "{recipe} · {reference}",
  alignment_reference_copy: "参考模型：另一份副本",
  alignment_reference_same: "参考模型：去掉适配器的模型",
  alignment_reference_none: "没有参考模型",
  alignment_worst: "{phase}阶段需要最多：{used}，其中 {allocated} 由训练程序分配",
  alignment_column_phase: "阶段",
  alignment_column_allocated: "已分配",
  alignment_column_reserved: "保留",
  alignment_column_engine: "引擎",
  alignment_column_process: "含上下文",
  alignment_column_left: "剩余",
  alignment_phase_start: "模型已加载",
  alignment_phase_generate: "生成回答",
  alignment_phase_old: "回答的对数概率",
  alignment_phase_reference: "参考模型前向",
  alignment_phase_values: "价值",
  alignment_phase_reward: "奖励",
  alignment_phase_forward: "前向",
  alignment_phase_backward: "反向",
  alignment_phase_update: "优化器",
  alignment_phase_sync: "权重同步到引擎",
  alignment_rules:
    "一个含全部模型的程序按 TRL 训练器的做法运行了两步（--show-program 打印程序）；每行是一个阶段的最高点。保留是分配器到那时持有的内存：前一阶段留下的缓存算入后一阶段。每条序列都有全部 token。",
  alignment_sleep_0: "{engine} {version} 一直占用 {budget}（TRL 默认占显卡的 0.3，--memory-fraction）。",
  alignment_sleep_1:
    "{engine} {version} 生成时占用 {budget}。休眠时它释放缓存，权重放在主机上；图、缓冲区和缓存的激活留下。",
  alignment_sleep_2:
    "{engine} {version} 生成时占用 {budget}。休眠时它释放缓存和权重，权重由模型重新送来；图、缓冲区和缓存的激活留下。",
} as const;
