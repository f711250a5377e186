/** Layers that are unlike one another by a pattern of the configuration's own: one part per layer, or parts of other widths. */

import { table } from "../base/table.ts";
import { field, isObject } from "../formats/json-text.ts";
import {
  flagField,
  listField,
  numberField,
  objectField,
  textField,
  type ModelConfig,
} from "../formats/model-config.ts";

/** What a layer has; a width or a number of heads replaces that of the other layers. */
export interface LayerPattern {
  readonly attention: boolean;
  readonly state: boolean;
  readonly feed: "dense" | "experts" | null;
  readonly width?: number;
  readonly kvHeads?: number;
}

const part = (attention: boolean, state: boolean, feed: LayerPattern["feed"]): LayerPattern => ({
  attention,
  state,
  feed,
});

/** Letters of `hybrid_override_pattern`, and the words that newer configurations have in their place. */
const PARTS = table<LayerPattern>({
  M: part(false, true, null),
  "*": part(true, false, null),
  "-": part(false, false, "dense"),
  E: part(false, false, "experts"),
  mamba: part(false, true, null),
  attention: part(true, false, null),
  mlp: part(false, false, "dense"),
  moe: part(false, false, "experts"),
});

/** `ffn_mult` in the sizes that the published models have: two thirds of it, up to a multiple of 256. */
const widthOf = (multiple: number, hidden: number): number =>
  Math.ceil(Math.trunc((2 * multiple * hidden) / 3) / 256) * 256;

function ofBlock(block: unknown, hidden: number, heads: number): LayerPattern {
  const config = isObject(block) ? block : {};
  const attention = objectField(config, "attention") ?? {};
  const feed = objectField(config, "ffn") ?? {};
  const isGone = (one: ModelConfig): boolean => flagField(one, "no_op") === true;
  const multiple = numberField(feed, "ffn_mult");
  const width =
    numberField(feed, "intermediate_size") ?? (multiple === undefined ? undefined : widthOf(multiple, hidden));
  const group = numberField(attention, "n_heads_in_group");
  return {
    attention: !isGone(attention),
    state: false,
    feed: isGone(feed) ? null : "dense",
    ...(width === undefined ? {} : { width }),
    ...(group === undefined || group < 1 ? {} : { kvHeads: Math.max(1, Math.floor(heads / group)) }),
  };
}

/** One pattern per layer, or null where all layers follow the family's rule. Nemotron-H and Nemotron-NAS (DeciLM) have one. */
export function layerPatterns(config: ModelConfig, count: number, hidden: number): readonly LayerPattern[] | null {
  const letters = textField(config, "hybrid_override_pattern");
  const names = letters === undefined ? listField(config, "layers_block_type") : [...letters];
  if (names?.length === count && names.every((name) => Object.hasOwn(PARTS, name)))
    return names.map((name) => PARTS[name]!);
  const blocks = field(config, "block_configs");
  if (!Array.isArray(blocks) || blocks.length !== count) return null;
  const heads = numberField(config, "num_attention_heads") ?? 1;
  return blocks.map((block) => ofBlock(block, hidden, heads));
}
