/** Layers that carry a state of fixed size instead of keys and values: Mamba, Mamba-2, gated delta nets. */

import { numberField, type ModelConfig } from "../formats/model-config.ts";
import { ModelFileError } from "../formats/model-file-error.ts";

export interface StateShape {
  readonly kind: "mamba" | "mamba2" | "delta";
  /** Width inside the block: channels of the scan, or value heads times their width. */
  readonly inner: number;
  /** Channels that the short convolution runs over. */
  readonly convChannels: number;
  /** Taps of the convolution. */
  readonly taps: number;
  /** Values of the recurrent state, per sequence. */
  readonly stateElements: number;
  readonly stateSize: number;
  readonly heads: number;
  readonly groups: number;
  /** Width of the low-rank projection of step sizes; Mamba only. */
  readonly rank: number;
  /** Norms of step sizes and of both projections: Jamba. */
  readonly innerNorms: boolean;
  /** Delta net only. */
  readonly keyHeads: number;
  readonly keyDim: number;
  readonly valueDim: number;
}

const NONE = { heads: 0, groups: 0, rank: 0, innerNorms: false, keyHeads: 0, keyDim: 0, valueDim: 0, stateSize: 0 };

/** Whether no layer has attention: state-space models whose blocks are all alike. */
export function isStateOnly(config: ModelConfig): boolean {
  return numberField(config, "state_size") !== undefined && numberField(config, "num_attention_heads") === undefined;
}

/** The state of one layer; throws {@link ModelFileError}. */
export function stateShape(config: ModelConfig, hidden: number): StateShape {
  const keyHeads = numberField(config, "linear_num_key_heads");
  const taps = numberField(config, "conv_kernel", "mamba_d_conv", "linear_conv_kernel_dim", "conv_kernel_size") ?? 4;
  if (keyHeads !== undefined) {
    const heads = numberField(config, "linear_num_value_heads") ?? keyHeads;
    const keyDim = numberField(config, "linear_key_head_dim") ?? 128;
    const valueDim = numberField(config, "linear_value_head_dim") ?? 128;
    const inner = heads * valueDim;
    const convChannels = 2 * keyHeads * keyDim + inner;
    return {
      ...NONE,
      kind: "delta",
      inner,
      convChannels,
      taps,
      stateElements: heads * keyDim * valueDim,
      heads,
      keyHeads,
      keyDim,
      valueDim,
    };
  }
  const stateSize = numberField(config, "state_size", "mamba_d_state", "ssm_state_size");
  if (stateSize === undefined) throw new ModelFileError("config-missing-field", { field: "state_size" });
  const heads = numberField(config, "mamba_n_heads", "mamba_num_heads", "num_heads");
  const headDim = numberField(config, "mamba_d_head", "mamba_head_dim", "head_dim");
  // where heads of the state are told apart from those of attention, they decide
  const own = numberField(config, "mamba_num_heads") === undefined ? undefined : (heads ?? 0) * (headDim ?? 0);
  const inner = own ?? (numberField(config, "expand", "mamba_expand") ?? 2) * hidden;
  const stateElements = inner * stateSize;
  if (heads !== undefined && headDim !== undefined && heads * headDim === inner) {
    const groups = numberField(config, "n_groups", "mamba_n_groups") ?? 1;
    const convChannels = inner + 2 * groups * stateSize;
    return { ...NONE, kind: "mamba2", inner, convChannels, taps, stateElements, stateSize, heads, groups };
  }
  const rank = numberField(config, "time_step_rank", "mamba_dt_rank") ?? Math.ceil(hidden / 16);
  const innerNorms = numberField(config, "mamba_dt_rank") !== undefined;
  return { ...NONE, kind: "mamba", inner, convChannels: inner, taps, stateElements, stateSize, rank, innerNorms };
}
