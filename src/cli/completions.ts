/** `vramscope completions`: what a shell needs to complete commands, options and their values, written from the command table. */

import { GPUS } from "../gpus/catalogue.ts";
import { message, type Locale } from "../i18n/index.ts";
import { PROGRAM, type Command, type CommandContext, type OptionSpec } from "./command.ts";
import { allCommands } from "./commands.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { optionsOf } from "./parse.ts";
import { UsageError } from "./usage-error.ts";
import { table } from "../base/table.ts";

const USAGE = "bash|zsh|fish";

export const completionsCommand: Command = {
  name: "completions",
  summary: "command_completions",
  usage: USAGE,
  arguments: [{ name: USAGE, summary: "argument_shell" }],
  options: [],
  examples: [
    { line: 'eval "$(vramscope completions bash)"', summary: "example_completions_bash" },
    { line: "vramscope completions fish | source", summary: "example_completions_fish" },
  ],
  run: async ({ parsed, locale, io }: CommandContext): Promise<ExitCode> => {
    const [shell, extra] = parsed.positionals;
    if (extra !== undefined) throw new UsageError("too_many_arguments", { value: extra });
    const known = Object.keys(SHELLS).join(", ");
    if (shell === undefined) throw new UsageError("missing_shell", { known });
    const script = SHELLS[shell];
    if (script === undefined) throw new UsageError("unknown_shell", { name: shell, known });
    io.out(script(await allCommands(), locale));
    return EXIT.ok;
  },
};

/** What may stand after an option; empty: a file, or anything. */
function valuesOf({ name, choices }: OptionSpec): readonly string[] {
  if (choices !== undefined) return choices;
  return name === "gpu" ? GPUS.map(({ id }) => id) : [];
}

const namesOf = (option: OptionSpec): string[] => [option.name, ...(option.aliases ?? [])].map((name) => `--${name}`);

/** Options with a value, by all of their names, with what the value may be. */
function valuedOptions(command: Command): { readonly names: readonly string[]; readonly values: readonly string[] }[] {
  return optionsOf(command)
    .filter(({ value }) => value !== undefined)
    .map((option) => ({
      names: [...namesOf(option), ...(option.short === undefined ? [] : [`-${option.short}`])],
      values: valuesOf(option),
    }));
}

/** Bash completes with a function; zsh understands the same through `bashcompinit`. */
function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const values = valuedOptions(command).map(
      ({ names, values: words }) =>
        `        ${names.join("|")}) ${words.length === 0 ? "files=1" : `words="${words.join(" ")}"`};;`,
    );
    const options = optionsOf(command).flatMap(namesOf).join(" ");
    return `    ${command.name})
      case "$previous" in
${values.join("\n")}
        *) words="${options}"; plain=1;;
      esac;;`;
  });
  return `_${PROGRAM}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" plain="" files=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in -*) ;; *) [ -n "$plain" ] && words="" && files=1;; esac
  if [ -n "$files" ]; then COMPREPLY=($(compgen -f -- "$current")); else COMPREPLY=($(compgen -W "$words" -- "$current")); fi
}
complete -o filenames -F _${PROGRAM} ${PROGRAM}
`;
}

const zsh = (commands: readonly Command[]): string =>
  `autoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n${bash(commands)}`;

/** A text between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function fish(commands: readonly Command[], locale: Locale): string {
  const lines = commands.flatMap((command) => {
    const isIt = `-n '__fish_seen_subcommand_from ${command.name}'`;
    const about = message(locale, command.summary);
    const options = optionsOf(command).flatMap((option) => {
      const words = valuesOf(option);
      const text = quoted(message(locale, option.summary, option.summaryArgs));
      const short = option.short === undefined ? "" : ` -s ${option.short}`;
      const value = option.value === undefined ? "" : words.length === 0 ? " -r" : ` -x -a '${words.join(" ")}'`;
      return [option.name, ...(option.aliases ?? [])].map(
        (name) => `complete -c ${PROGRAM} ${isIt}${short} -l ${name}${value} -d ${text}`,
      );
    });
    return [`complete -c ${PROGRAM} -f -n __fish_use_subcommand -a ${command.name} -d ${quoted(about)}`, ...options];
  });
  return `${lines.join("\n")}\n`;
}

const SHELLS = table<(commands: readonly Command[], locale: Locale) => string>({ bash, zsh, fish });
