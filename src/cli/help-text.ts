/** Help, written from the command table. */

import { message, type Locale, type MessageCode } from "../i18n/index.ts";
import { displayWidth, padEnd, wrap } from "../report/width.ts";
import { PROGRAM, type Command, type OptionSpec } from "./command.ts";
import { optionsOf } from "./parse.ts";

const INDENT = "  ";
const EXIT_CODES = [0, 1, 2, 3, 4, 130] as const;

/** Two columns, the second wrapped; long first cells get a line of their own. */
function twoColumns(rows: readonly (readonly [string, string])[], width: number): string[] {
  const first = Math.min(30, Math.max(...rows.map(([left]) => displayWidth(left))));
  const under = " ".repeat(INDENT.length + first + 2);
  return rows.flatMap(([left, right]) => {
    if (displayWidth(left) > first) return [INDENT + left, ...wrap(under + right, width, under)];
    return wrap(`${INDENT}${padEnd(left, first)}  ${right}`, width, under);
  });
}

/** Longer lists of values stand in the text, where they wrap. */
const LONGEST_LIST = 60;

const listOf = ({ choices = [] }: OptionSpec): string | null => {
  const list = choices.join("|");
  return choices.length === 0 || list.length > LONGEST_LIST ? null : list;
};

function optionName(option: OptionSpec): string {
  const names = [option.name, ...(option.aliases ?? [])].map((name) => `--${name}`).join(", ");
  const values = listOf(option) ?? option.value;
  return `${option.short === undefined ? "    " : `-${option.short}, `}${names}${values === undefined ? "" : ` ${values}`}`;
}

function optionText(option: OptionSpec, locale: Locale): string {
  const summary = message(locale, option.summary, option.summaryArgs);
  const isListed =
    option.choices === undefined || listOf(option) !== null || option.choices.every((one) => summary.includes(one));
  const text = isListed ? summary : `${summary}: ${option.choices!.join(", ")}`;
  if (option.defaultValue === undefined) return text;
  return `${text} (${message(locale, "help_default", { value: option.defaultValue })})`;
}

interface OptionGroup {
  readonly title: MessageCode;
  readonly options: readonly OptionSpec[];
}

/** One group, or those that matter first in their own order and then the others. */
function optionGroups(command: Command): OptionGroup[] {
  const all = optionsOf(command);
  const { firstOptions = [] } = command;
  if (firstOptions.length === 0) return [{ title: "help_options", options: all }];
  const first = firstOptions.flatMap((name) => all.filter((option) => option.name === name));
  return [
    { title: "help_first_options", options: first },
    { title: "help_other_options", options: all.filter((option) => !first.includes(option)) },
  ];
}

export function commandHelp(command: Command, locale: Locale, width: number): string {
  const lines = [
    ...wrap(`${PROGRAM} ${command.name}: ${message(locale, command.summary)}`, width, INDENT),
    "",
    `${message(locale, "help_usage")}: ${PROGRAM} ${command.name} ${command.usage}`.trimEnd(),
  ];
  if (command.arguments.length > 0) {
    lines.push("", message(locale, "help_arguments"));
    lines.push(
      ...twoColumns(
        command.arguments.map((entry) => [entry.name, message(locale, entry.summary)]),
        width,
      ),
    );
  }
  for (const { title, options } of optionGroups(command)) {
    lines.push("", message(locale, title));
    lines.push(
      ...twoColumns(
        options.map((option) => [optionName(option), optionText(option, locale)]),
        width,
      ),
    );
  }
  if (command.examples.length > 0) {
    lines.push("", message(locale, "help_examples"));
    lines.push(...twoColumns(exampleRows([command], locale), width));
  }
  lines.push("", message(locale, "help_exit_codes"));
  lines.push(
    ...twoColumns(
      EXIT_CODES.map((code) => [String(code), message(locale, `help_exit_${code}`)]),
      width,
    ),
  );
  return `${lines.join("\n")}\n`;
}

function exampleRows(commands: readonly Command[], locale: Locale): [string, string][] {
  return commands.flatMap((command) =>
    command.examples.map((example): [string, string] => [example.line, message(locale, example.summary)]),
  );
}

export function programHelp(commands: readonly Command[], locale: Locale, width: number): string {
  const lines = [
    ...wrap(message(locale, "help_intro"), width),
    "",
    `${message(locale, "help_usage")}: ${PROGRAM} COMMAND ...`,
    "",
    message(locale, "help_commands"),
    ...twoColumns(
      commands.map((command) => [`${command.name} ${command.usage}`.trimEnd(), message(locale, command.summary)]),
      width,
    ),
    "",
    message(locale, "help_examples"),
    ...twoColumns(
      commands.flatMap((command) => exampleRows([command], locale).slice(0, 1)),
      width,
    ),
    "",
    ...wrap(message(locale, "help_all_examples"), width),
    ...wrap(message(locale, "help_more"), width),
  ];
  return `${lines.join("\n")}\n`;
}
