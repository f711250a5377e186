/** What both readers of Megatron-Core's options check alike: parts to compute again, the capacity of experts, how context ranks talk. */

import { ReadingError } from "./reading.ts";

/** transformer/transformer_config.py, allowed_modules */
const PARTS: ReadonlySet<string> = new Set(
  "core_attn moe_act layernorm mla_up_proj mlp moe shared_experts gdn_norm_out".split(" "),
);

/** Throws {@link ReadingError} for a part that nobody can compute again. */
export function checkedParts(name: string, parts: readonly string[] | undefined): readonly string[] | undefined {
  const odd = parts?.find((part) => !PARTS.has(part));
  if (odd !== undefined) throw new ReadingError("launch_bad_value", { name, value: odd });
  return parts;
}

/** Experts that are padded take their capacity; otherwise what is beyond it is dropped. Undefined: as many tokens as choose them. */
export function capacityOf(name: string, text: string | undefined, padded: boolean): number | undefined {
  if (text === undefined) return undefined;
  const factor = Number(text);
  if (!(factor > 0)) throw new ReadingError("launch_bad_value", { name, value: text });
  return padded ? factor : factor < 1 ? factor : undefined;
}

const WAYS: ReadonlySet<string> = new Set(["p2p", "a2a", "allgather", "all_gather", "a2a+p2p"]);

/** Whether heads are exchanged, and whether another way than this or a ring was asked for, whose buffers are not known. */
export function contextWay(name: string, text: string | undefined): { exchangesHeads: boolean; other: boolean } {
  const ways = text?.split(/[\s,]+/).filter((way) => way !== "") ?? [];
  const odd = ways.find((way) => !WAYS.has(way));
  if (odd !== undefined) throw new ReadingError("launch_bad_value", { name, value: odd });
  const exchangesHeads = ways.length > 0 && ways.every((way) => way === "a2a");
  return { exchangesHeads, other: !exchangesHeads && ways.some((way) => way !== "p2p") };
}
