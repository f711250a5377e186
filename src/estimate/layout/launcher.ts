/** How many GPUs a launcher starts: torchrun's words, and variables of others. */

import { optionsOf, type CommandWords } from "./shell-words.ts";

export interface Launched {
  /** Null where the command does not say. */
  readonly gpus: number | null;
  readonly script: string;
  readonly options: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string>>;
}

const count = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,6}$/.test(text) && Number(text) > 0 ? Number(text) : null;

const PROCESSES = ["nproc_per_node", "nproc-per-node", "num_gpus", "num_processes", "gpus-per-node", "ntasks-per-node"];
const NODES = ["nnodes", "num_nodes", "num_machines", "nodes"];

const first = (options: ReadonlyMap<string, string>, names: readonly string[]): number | null =>
  names.map((name) => count(options.get(name))).find((value) => value !== null) ?? null;

/** The script is the first word that ends in .py, or that follows -m; what stands before are the launcher's options. */
export function launched({ env, words }: CommandWords): Launched {
  const at = words.findIndex(
    (word, i) => word.endsWith(".py") || (word === "-m" && !/torch\.distributed/.test(words[i + 1] ?? "")),
  );
  const head = at < 0 ? [] : words.slice(0, at);
  const script = at < 0 ? words.slice(0, 2).join(" ") : words[at] === "-m" ? (words[at + 1] ?? "") : words[at]!;
  const tail = at < 0 ? words : words.slice(at + (words[at] === "-m" ? 2 : 1));
  const before = optionsOf(head);
  const visible = env["CUDA_VISIBLE_DEVICES"] ?? env["ASCEND_RT_VISIBLE_DEVICES"];
  const perNode =
    first(before, PROCESSES) ??
    count(env["NPROC_PER_NODE"]) ??
    (visible === undefined ? null : visible.split(",").filter((id) => id !== "").length);
  const nodes = first(before, NODES) ?? count(env["NNODES"]) ?? 1;
  return { gpus: perNode === null ? null : perNode * nodes, script, options: optionsOf(tail), env };
}
