/** Reads the arguments of a command by its table: node:util splits them, the table says what they may be. */

import { parseArgs, type ParseArgsConfig } from "node:util";
import { editDistance, nearestNames } from "../base/nearest.ts";
import { COMMON_OPTIONS, type Command, type OptionSpec, type Parsed } from "./command.ts";
import type { NamedProgram, Reach } from "./declared-options.ts";
import { namesHere } from "./names-elsewhere.ts";
import { UsageError } from "./usage-error.ts";

/** `-model x`: a program's way to write options. Ours have two dashes, or one letter. */
const LONG_WITH_ONE_DASH = /^-[a-z]{2}/i;

/** Whether the named program has an option of this name itself, `--data` or `-o`. */
export type DeclaredBy = (program: NamedProgram, option: string, reach: Reach) => boolean;

export function optionsOf(command: Command): readonly OptionSpec[] {
  return [...command.options, ...COMMON_OPTIONS];
}

/**
 * Throws {@link UsageError} for what the command does not know. Behind a program, an option that `declares` finds in the
 * program's own text is the program's, even where ours has that name; so is all that follows.
 */
export function parseCommandArgs(
  command: Command,
  args: readonly string[],
  declares: DeclaredBy = () => false,
): Parsed {
  const specs = optionsOf(command);
  const byName = new Map<string, OptionSpec>();
  for (const spec of specs) for (const name of [spec.name, ...(spec.aliases ?? [])]) byName.set(name, spec);
  const { tokens } = parseArgs({
    args: [...args],
    options: configOf(byName),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const flags = new Set<string>();
  const values = new Map<string, string[]>();
  const aliases = new Map<string, string>();
  const positionals: string[] = [];
  let rest: string[] | null = null;
  for (const token of tokens) {
    if (token.kind === "option-terminator") rest ??= [];
    else if (token.kind === "positional") (rest ?? positionals).push(token.value);
    else {
      const spec = byName.get(token.name);
      const program = namedProgram(positionals, values, byName);
      if (
        program !== null &&
        command.usage.includes("-- ") &&
        !args.includes("--") &&
        command.runsProgram?.(positionals) !== false &&
        (spec === undefined ||
          spec.namesProgram === true ||
          LONG_WITH_ONE_DASH.test(args[token.index]!) ||
          declares(program, token.rawName, "script"))
      ) {
        const isItsOwn = (option: string) => declares(program, option, "folder");
        rest = ownWords(args.slice(token.index), specs, byName, isItsOwn);
        return { flags, values, aliases, positionals, rest, assumedRest: true };
      }
      if (spec === undefined) throw unknownOption(token.rawName, specs);
      if (spec.value === undefined) {
        if (token.value !== undefined) throw new UsageError("option_takes_no_value", { name: token.rawName });
        flags.add(spec.name);
        continue;
      }
      // The next option is no value, even where node:util would take it for one.
      if (token.value === undefined || token.value === "" || (!token.inlineValue && /^--?[a-z]/i.test(token.value))) {
        throw new UsageError("option_needs_value", { name: token.rawName, value: spec.value });
      }
      checkChoice(spec, token.rawName, token.value);
      const list = values.get(spec.name) ?? [];
      list.push(token.value);
      values.set(spec.name, list);
      if (token.name !== spec.name) aliases.set(spec.name, token.name);
    }
  }
  if (rest !== null && command.runsProgram?.(positionals) === false)
    throw new UsageError("too_many_arguments", { value: rest[0] ?? "--" });
  const [extra] = positionals;
  if (extra !== undefined && command.arguments.length === 0)
    throw new UsageError("too_many_arguments", { value: extra });
  return { flags, values, aliases, positionals, rest: rest ?? [] };
}

function configOf(byName: ReadonlyMap<string, OptionSpec>): NonNullable<ParseArgsConfig["options"]> {
  const config: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, spec] of byName) {
    const type = spec.value === undefined ? "boolean" : "string";
    // A short name belongs to the first long one.
    config[name] = spec.short !== undefined && name === spec.name ? { type, short: spec.short } : { type };
  }
  return config;
}

function namedProgram(
  positionals: readonly string[],
  values: ReadonlyMap<string, readonly string[]>,
  byName: ReadonlyMap<string, OptionSpec>,
): NamedProgram | null {
  if (positionals.length > 0) return { name: positionals[0]!, isModule: false };
  const module = [...values].find(([name]) => byName.get(name)!.namesProgram === true);
  return module === undefined ? null : { name: module[1][0]!, isModule: true };
}

/** Words that nobody set apart by `--`: a program's own, unless one is ours or looks like a slip in typing ours. */
function ownWords(
  words: readonly string[],
  specs: readonly OptionSpec[],
  byName: ReadonlyMap<string, OptionSpec>,
  isItsOwn: (option: string) => boolean,
): string[] {
  const first = words[0]!.split("=")[0]!;
  const nearest = optionNames(specs).find((name) => name !== first && editDistance(first, name) <= 1);
  if (nearest !== undefined && !isItsOwn(first))
    throw new UsageError("unknown_option_nearest_after_script", { name: first, nearest });
  const options = words.slice(1).filter((word) => word.startsWith("--"));
  const ours = options
    .map((word) => word.split("=")[0]!)
    .find((option) => byName.has(option.slice(2)) && !isItsOwn(option));
  if (ours !== undefined) throw new UsageError("option_of_whom", { name: first, ours });
  return [...words];
}

const optionNames = (specs: readonly OptionSpec[]): string[] =>
  specs.flatMap((spec) => [spec.name, ...(spec.aliases ?? [])]).map((name) => `--${name}`);

function unknownOption(typed: string, specs: readonly OptionSpec[]): UsageError {
  const here = namesHere(
    typed,
    specs.map(({ name }) => name),
  );
  if (here.length > 0)
    return new UsageError("unknown_option_here", { name: typed, here: here.map((name) => `--${name}`).join(", ") });
  const [nearest] = nearestNames(typed, optionNames(specs));
  if (nearest === undefined) return new UsageError("unknown_option", { name: typed });
  return new UsageError("unknown_option_nearest", { name: typed, nearest });
}

function checkChoice(spec: OptionSpec, typed: string, value: string): void {
  if (spec.choices === undefined || spec.choices.includes(value)) return;
  const [nearest] = nearestNames(value, spec.choices);
  if (nearest !== undefined) throw new UsageError("bad_choice_nearest", { name: typed, value, nearest });
  throw new UsageError("bad_choice", { name: typed, value, choices: spec.choices.join(", ") });
}
