/** Configurations of small text models, one of each kind of layer and of memory that grows. */

const SIZES = {
  hidden_size: 256,
  intermediate_size: 512,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  vocab_size: 1000,
  max_position_embeddings: 4096,
};
export const CONFIGS = {
  "grouped queries": { model_type: "llama", architectures: ["LlamaForCausalLM"], ...SIZES },
  "a window that fills up": {
    model_type: "mistral",
    architectures: ["MistralForCausalLM"],
    ...SIZES,
    sliding_window: 60,
  },
  "two kinds of layers": {
    model_type: "gemma3_text",
    architectures: ["Gemma3ForCausalLM"],
    ...SIZES,
    head_dim: 64,
    sliding_window: 24,
  },
  "learned positions": {
    model_type: "gpt2",
    architectures: ["GPT2LMHeadModel"],
    n_embd: 256,
    n_layer: 2,
    n_head: 4,
    vocab_size: 1000,
    n_positions: 4096,
  },
  "masks that are padded": {
    model_type: "falcon",
    architectures: ["FalconForCausalLM"],
    hidden_size: 256,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    vocab_size: 1000,
    multi_query: true,
    parallel_attn: true,
    bias: false,
    alibi: false,
  },
  experts: { model_type: "mixtral", architectures: ["MixtralForCausalLM"], ...SIZES, num_local_experts: 4 },
  "states of fixed size": {
    model_type: "mamba",
    architectures: ["MambaForCausalLM"],
    hidden_size: 128,
    num_hidden_layers: 2,
    vocab_size: 1000,
  },
} as const;
