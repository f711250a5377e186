/** How many GPUs a launcher starts: torchrun's words, and variables of others. */

import { optionsOf, type CommandWords } from "./shell-words.ts";

export interface Launched {
  /** Null where the command does not say. */
  readonly gpus: number | null;
  readonly script: string;
  readonly options: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string>>;
  /** Words in whose place the shell puts others that the text does not tell: `$EXTRA`, `${ARGS[@]}`. */
  readonly unfilled: readonly string[];
}

const count = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,6}$/.test(text) && Number(text) > 0 ? Number(text) : null;

const PROCESSES = ["nproc_per_node", "nproc-per-node", "num_gpus", "num_processes", "gpus-per-node", "ntasks-per-node"];
const NODES = ["nnodes", "num_nodes", "num_machines", "nodes"];

/** Options of torchrun, which stand among the others where a shell script keeps lists. */
const LAUNCHER_OPTIONS = [
  ...PROCESSES,
  ...NODES,
  ..."node_rank node-rank master_addr master-addr master_port master-port rdzv_id rdzv_backend rdzv_endpoint standalone".split(
    " ",
  ),
];

const first = (options: ReadonlyMap<string, string>, names: readonly string[]): number | null =>
  names.map((name) => count(options.get(name))).find((value) => value !== null) ?? null;

const ASSIGNMENT = /^([A-Za-z_]\w*)=([^(].*)$/s;
/** What a shell would put in place of a word, and brackets around lists: `${ARGS[@]}`, `$@`, `ARGS=(`, `)`. */
const SHELL_ONLY = /^(\$\{?\w+(\[@\])?\}?|\$@|[A-Za-z_]\w*=\(|\(|\)|&&|\|\||\\)$/;
const VARIABLE = /^\$\{?(\w+)\}?$/;
const LIST = /^\$(?:@|\{(\w+)\[@\]\})$/;
const OPTION = /^--[A-Za-z][\w.-]*$/;

/** A value that only the shell knows. */
export const isUnfilled = (value: string): boolean => VARIABLE.test(value);

/** Commands whose subcommands train, without a script. */
const TOOLS: readonly string[] = ["megatron", "swift"];

const assignmentsIn = (words: readonly string[]): [string, string][] =>
  words.flatMap((word): [string, string][] => {
    const match = ASSIGNMENT.exec(word);
    return match === null ? [] : [[match[1]!, match[2]!]];
  });

/**
 * The script is the first word that ends in .py, or that follows -m; what stands before are assignments and the launcher's options. Lists of
 * options that a shell script keeps in variables are taken as they stand.
 */
export function launched({ env: callerEnv, words: all }: CommandWords): Launched {
  const lists = all.some((word) => /^[A-Za-z_]\w*=\($/.test(word));
  const variables = new Map([...Object.entries(callerEnv), ...assignmentsIn(all)]);
  const filled = all.map((word) => variables.get(VARIABLE.exec(word)?.[1] ?? "") ?? word);
  const isValue = (word: string, i: number): boolean => VARIABLE.test(word) && OPTION.test(filled[i - 1] ?? "");
  const words = filled.filter((word, i) => !SHELL_ONLY.test(word) || isValue(word, i));
  const unfilled = filled.filter((word, i) => {
    const list = LIST.exec(word);
    return list === null ? VARIABLE.test(word) && !isValue(word, i) : !all.includes(`${list[1]}=(`);
  });
  const tool = words.findIndex((word, i) => TOOLS.includes(word) && /^[a-z]+$/.test(words[i + 1] ?? ""));
  const script = words.findIndex(
    (word, i) => word.endsWith(".py") || (word === "-m" && !/torch\.distributed/.test(words[i + 1] ?? "")),
  );
  const at = tool >= 0 ? tool : script;
  const head = at < 0 ? [] : words.slice(0, at);
  const assigned = assignmentsIn(head);
  const env = { ...callerEnv, ...Object.fromEntries(assigned) };
  const name =
    at < 0 || tool >= 0
      ? words.slice(Math.max(0, at), Math.max(0, at) + 2).join(" ")
      : words[at] === "-m"
        ? (words[at + 1] ?? "")
        : words[at]!;
  const tail = at < 0 ? words : words.slice(at + (tool >= 0 || words[at] === "-m" ? 2 : 1));
  const before = optionsOf(head);
  const visible = env["CUDA_VISIBLE_DEVICES"] ?? env["ASCEND_RT_VISIBLE_DEVICES"];
  const perNode =
    first(before, PROCESSES) ??
    count(env["NPROC_PER_NODE"]) ??
    count(env["GPUS_PER_NODE"]) ??
    (visible === undefined ? null : visible.split(",").filter((id) => id !== "").length);
  const nodes = first(before, NODES) ?? count(env["NNODES"]) ?? count(env["NUM_NODES"]) ?? 1;
  const options = new Map([...(lists ? [...before].filter(([key]) => key.length > 1) : []), ...optionsOf(tail)]);
  for (const launcher of lists ? LAUNCHER_OPTIONS : []) options.delete(launcher);
  return { gpus: perNode === null ? null : perNode * nodes, script: name, options, env, unfilled };
}
