/** `vramscope diff`: what changed between two saved traces, for people and for checks of a change. */

import { shownJson } from "../base/shown-text.ts";
import { parseSize } from "../base/parse-size.ts";
import { compareTraces } from "../explain/difference.ts";
import { differenceJson, differenceMarkdown, differenceText } from "../report/index.ts";
import { painterFor, wantsColour, widthOf, type ColourChoice } from "./colour.ts";
import { valueOf, type Command, type CommandContext } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { DEFAULT_GROUPINGS, groupingsOf, GROUPINGS } from "./groupings.ts";
import { appendOutput } from "./markdown-file.ts";
import { RUN_OPTIONS } from "./run-options.ts";
import { requireOutputs } from "./outputs.ts";
import { traceAt } from "./trace-file.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "[options] before.json after.json";

export const diffCommand: Command = {
  name: "diff",
  summary: "command_diff",
  usage: USAGE,
  arguments: [
    { name: "before.json", summary: "argument_trace" },
    { name: "after.json", summary: "argument_trace" },
  ],
  options: [
    {
      name: "by",
      value: "WHAT",
      defaultValue: DEFAULT_GROUPINGS,
      summary: "option_by",
      summaryArgs: { groupings: GROUPINGS.join(", ") },
    },
    { name: "fail-over", value: "SIZE", summary: "option_diff_fail_over" },
    { name: "markdown", value: "FILE", summary: "option_markdown" },
    { name: "json", summary: "option_diff_json" },
    ...RUN_OPTIONS.filter(({ name }) => name === "color" || name === "ascii"),
  ],
  examples: [{ line: "vramscope diff main.json branch.json --fail-over 64MiB", summary: "example_diff" }],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const [before, after, extra] = parsed.positionals;
  if (before === undefined || after === undefined) {
    throw new UsageError("missing_traces", { usage: `vramscope diff ${USAGE}` });
  }
  if (extra !== undefined) throw new UsageError("too_many_arguments", { value: extra });
  const typedLimit = valueOf(parsed, "fail-over");
  const limitBytes = typedLimit === undefined ? null : parseSize(typedLimit);
  if (typedLimit !== undefined && limitBytes === null) {
    throw new UsageError("bad_size", { name: "--fail-over", value: typedLimit });
  }
  requireOutputs([valueOf(parsed, "markdown")], [before, after], io);
  const groupings = groupingsOf(valueOf(parsed, "by"));
  const difference = compareTraces(traceAt(before, io), traceAt(after, io), groupings);
  const colour = (valueOf(parsed, "color") ?? "auto") as ColourChoice;
  const painter = painterFor(
    wantsColour(colour, io.env, io.outInfo),
    widthOf(io.env, io.outInfo),
    parsed.flags.has("ascii"),
  );
  io.out(
    parsed.flags.has("json")
      ? `${shownJson(differenceJson(difference), 2)}\n`
      : differenceText(difference, locale, painter),
  );
  const markdown = valueOf(parsed, "markdown");
  if (markdown !== undefined) appendOutput(markdown, differenceMarkdown(difference, locale), io);
  const growthBytes = difference.after.peakReservedBytes - difference.before.peakReservedBytes;
  return limitBytes !== null && growthBytes > limitBytes ? EXIT.doesNotFit : EXIT.ok;
}
