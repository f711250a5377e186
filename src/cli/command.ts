/** What a command of the command line is: one object gives parsing, help and completion. */

import type { DiagnosticArgs } from "../base/diagnostic.ts";
import type { Locale, MessageCode } from "../i18n/index.ts";
import type { Io } from "./io.ts";

export interface OptionSpec {
  /** Long name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Other long names that mean the same. */
  readonly aliases?: readonly string[];
  /** Placeholder of its value, `NAME`; absent: the option takes none. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly repeatable?: boolean;
  /** Stands in the place of the command's argument: behind a program it is the program's own. */
  readonly namesProgram?: boolean;
  readonly defaultValue?: string;
  readonly summary: MessageCode;
  readonly summaryArgs?: DiagnosticArgs;
}

export interface ArgumentSpec {
  /** As in the usage line. */
  readonly name: string;
  readonly summary: MessageCode;
}

export interface Example {
  readonly line: string;
  readonly summary: MessageCode;
}

/** Options and arguments as typed, checked against the command's table. */
export interface Parsed {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The alias that an option was typed by, for errors to name; what was typed by its own name is absent. */
  readonly aliases?: ReadonlyMap<string, string>;
  readonly positionals: readonly string[];
  /** What came after `--`, or what was taken as if it had. */
  readonly rest: readonly string[];
  /** Nobody typed `--`: what follows the script from its first option that is none of ours is the script's, as with Python and torchrun. */
  readonly assumedRest?: boolean;
}

export interface CommandContext {
  readonly parsed: Parsed;
  readonly locale: Locale;
  readonly io: Io;
}

export interface Command {
  readonly name: string;
  readonly summary: MessageCode;
  /** After the command's name. */
  readonly usage: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly Example[];
  /** Names of the options that matter first, where there are many. */
  readonly firstOptions?: readonly string[];
  /** Whether what was typed names a program, which has options of its own; absent: it does. */
  readonly runsProgram?: (positionals: readonly string[]) => boolean;
  /** The command reads its words itself: all are in {@link Parsed.rest}. */
  readonly ownWords?: boolean;
  /** The exit status; that of another command where this one only runs it. */
  run(context: CommandContext): Promise<number>;
}

export const PROGRAM = "vramscope";

/** Options that every command has. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { name: "lang", value: "LANG", choices: ["en", "zh"], summary: "option_lang" },
  { name: "help", short: "h", summary: "option_help" },
];

/** An option as it was typed: `--fail-over` for what the table calls `limit`. */
export function typedName(parsed: Parsed, name: string): string {
  return `--${parsed.aliases?.get(name) ?? name}`;
}

/** The single value of an option, or its default. */
export function valueOf(parsed: Parsed, name: string): string | undefined {
  return parsed.values.get(name)?.at(-1);
}
