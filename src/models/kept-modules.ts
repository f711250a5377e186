/** Which weights a configuration's `quantization_config` leaves alone by name: its lists name modules as transformers does. */

import { table } from "../base/table.ts";
import { field } from "../formats/json-text.ts";
import type { ModelConfig } from "../formats/model-config.ts";
import type { Weight } from "./weight-list.ts";

/** A module's name inside its layer, by the role of its weight; outside of layers the whole name. */
const MODULES = table<string>({
  attn_q: "self_attn.q_proj",
  attn_k: "self_attn.k_proj",
  attn_v: "self_attn.v_proj",
  attn_output: "self_attn.o_proj",
  attn_q_a: "self_attn.q_a_proj",
  attn_q_b: "self_attn.q_b_proj",
  attn_kv_a_mqa: "self_attn.kv_a_proj_with_mqa",
  attn_k_b: "self_attn.kv_b_proj",
  attn_v_b: "self_attn.kv_b_proj",
  ffn_gate: "mlp.gate_proj",
  ffn_up: "mlp.up_proj",
  ffn_down: "mlp.down_proj",
  ffn_gate_inp: "mlp.gate",
  ffn_gate_exps: "mlp.experts.0.gate_proj",
  ffn_up_exps: "mlp.experts.0.up_proj",
  ffn_down_exps: "mlp.experts.0.down_proj",
  ffn_gate_shexp: "mlp.shared_expert.gate_proj",
  ffn_up_shexp: "mlp.shared_expert.up_proj",
  ffn_down_shexp: "mlp.shared_expert.down_proj",
  ssm_in: "linear_attn.in_proj_qkvz",
  ssm_out: "linear_attn.out_proj",
  token_embd: "model.embed_tokens",
  output: "lm_head",
});

/** Names under which published files keep these lists. */
const LISTS = [
  "modules_to_not_convert",
  "ignored_layers",
  "ignore",
  "llm_int8_skip_modules",
  "exclude_modules",
] as const;
const MOST_CHARACTERS = 200;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A matcher of one entry: a name or its end, a name above it, a part of a name with `*`, or a pattern after `re:`. */
function matcher(entry: string): (name: string) => boolean {
  if (entry.startsWith("re:")) {
    const pattern = entry.slice("re:".length);
    // only `.*` and escaped dots are read: a foreign pattern may take forever
    const plain = pattern
      .replaceAll(String.raw`\.`, ".")
      .split(".*")
      .map(escaped)
      .join(".*")
      .replace(/\\\$$/, "$");
    const expression = new RegExp(`^${plain}`);
    return (name) => expression.test(name);
  }
  if (entry.includes("*")) {
    const expression = new RegExp(`^${entry.split("*").map(escaped).join(".*")}$`);
    return (name) => expression.test(name);
  }
  return (name) =>
    name === entry || name.startsWith(`${entry}.`) || name.endsWith(entry) || name.includes(`.${entry}.`);
}

/** Whether a weight is named by the lists of that part of a configuration; null where there is no list. */
export function keptByName(part: ModelConfig): ((weight: Weight) => boolean) | null {
  const entries = LISTS.flatMap((name) => {
    const list = field(part, name);
    return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === "string") : [];
  });
  if (entries.length === 0) return null;
  const matchers = entries.filter((entry) => entry !== "" && entry.length <= MOST_CHARACTERS).map(matcher);
  const known = new Map<string, boolean>();
  return ({ role, layer }) => {
    const module = Object.hasOwn(MODULES, role) ? MODULES[role]! : undefined;
    if (module === undefined) return false;
    const name = layer === null ? module : `model.layers.${layer}.${module}`;
    let kept = known.get(name);
    if (kept === undefined) known.set(name, (kept = matchers.some((matches) => matches(name))));
    return kept;
  };
}
