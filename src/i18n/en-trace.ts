/** Words for what a block is for, and when it was made, in English: reports and the page say the same. */

export const enTrace = {
  category_parameter: "parameters",
  category_gathered_parameter: "gathered parameters",
  category_gradient: "gradients",
  category_optimizer_state: "optimizer state",
  category_communication: "communication buffers",
  category_activation: "activations",
  category_temporary: "temporaries",
  category_kv_cache: "KV cache",
  category_buffer: "buffers",
  category_input: "inputs",
  category_workspace: "workspaces",
  category_unknown: "unknown",
  phase_forward: "forward",
  phase_backward: "backward",
  phase_optimizer: "optimizer",
  phase_other: "other",
};
