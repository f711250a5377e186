/** What a launcher's command line says about the processes that it starts, and how its words are told from ours. */

import { nearestNames } from "../base/nearest.ts";
import type { RankPlace } from "../python/ranks.ts";
import { COMMON_OPTIONS, type OptionSpec } from "./command.ts";
import { RUN_OPTIONS } from "./run-options.ts";
import { UsageError } from "./usage-error.ts";

export interface Launch {
  readonly place: Partial<Pick<RankPlace, "masterAddress" | "masterPort" | "runId" | "maxRestarts" | "role">>;
  /** What the launcher puts into the environment beside that. */
  readonly env: Readonly<Record<string, string>>;
  /** The node on which the command is typed; null: all nodes are looked at. */
  readonly nodeRank: number | null;
  /** What was assumed about the command line, in the user's language. */
  readonly notices: readonly string[];
}

export interface LauncherWords {
  /** Options of the launcher by their long names with dashes; those without a value are "". */
  readonly own: ReadonlyMap<string, string>;
  /** Options of `run`, as typed. */
  readonly ours: readonly string[];
  /** Script or module. */
  readonly program: string;
  readonly args: readonly string[];
}

/** Names of a launcher's options with dashes; `value` says which take one. */
export interface LauncherTable {
  readonly value: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
  /** Short names, and what they stand for. */
  readonly short: Readonly<Record<string, string>>;
}

const ours = (name: string): OptionSpec | undefined =>
  [...RUN_OPTIONS, ...COMMON_OPTIONS].find(
    (spec) => spec.name === name || spec.short === name || spec.aliases?.includes(name),
  );

/** Reads words as argparse does: options up to the program, everything after it is the program's. */
export function launcherWords(args: readonly string[], table: LauncherTable): LauncherWords {
  const own = new Map<string, string>();
  const run: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    if (word === "--") continue;
    if (!word.startsWith("-") || word === "-") return { own, ours: run, program: word, args: args.slice(i + 1) };
    const [typed, inline] = split(word);
    const plain = typed.replace(/^--?/, "");
    const name = table.short[plain] ?? plain.replaceAll("_", "-");
    const spec = ours(plain);
    if (table.flags.has(name)) own.set(name, "");
    else if (table.value.has(name)) own.set(name, inline ?? valueAfter(args, i++, typed));
    else if (spec === undefined) throw unknown(typed, table);
    else if (spec.value === undefined) run.push(word);
    else run.push(typed, inline ?? valueAfter(args, i++, typed));
  }
  throw new UsageError("launch_without_program", {});
}

function split(word: string): [string, string | undefined] {
  const at = word.indexOf("=");
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function valueAfter(args: readonly string[], at: number, name: string): string {
  const value = args[at + 1];
  if (value === undefined) throw new UsageError("option_needs_value", { name, value: "VALUE" });
  return value;
}

function unknown(typed: string, table: LauncherTable): UsageError {
  const names = [...table.value, ...table.flags, ...RUN_OPTIONS.map(({ name }) => name)].map((name) => `--${name}`);
  const [nearest] = nearestNames(typed, names);
  if (nearest === undefined) return new UsageError("unknown_option", { name: typed });
  return new UsageError("unknown_option_nearest", { name: typed, nearest });
}

export function wholeNumber(text: string, name: string, least: number): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isInteger(value) || value < least)
    throw new UsageError("bad_number", { name, value: text });
  return value;
}
