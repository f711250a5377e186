/** Words for what a block is for, and when it was made, in Chinese. */

export const zhCNTrace = {
  category_parameter: "参数",
  category_gathered_parameter: "聚合的参数",
  category_gradient: "梯度",
  category_optimizer_state: "优化器状态",
  category_communication: "通信缓冲区",
  category_activation: "激活",
  category_temporary: "临时张量",
  category_kv_cache: "KV 缓存",
  category_buffer: "缓冲区",
  category_input: "输入",
  category_workspace: "工作区",
  category_unknown: "未知",
  phase_forward: "前向",
  phase_backward: "反向",
  phase_optimizer: "优化器",
  phase_other: "其他",
};
