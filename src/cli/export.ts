/** `vramscope export`: writes a saved trace in the format of another tool. */

import { dirname, resolve } from "node:path";
import { EXPORT_FORMATS, findExport } from "../exports/index.ts";
import { valueOf, type Command, type CommandContext } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { writeExport } from "./export-target.ts";
import { readAllowedSource } from "./files.ts";
import { requireOutputs } from "./outputs.ts";
import { traceAt } from "./trace-file.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "TRACE.json --format FORMAT -o FILE";
const FORMATS = EXPORT_FORMATS.filter((format) => !format.needsGraph)
  .map((format) => format.id)
  .join(", ");

export const exportCommand: Command = {
  name: "export",
  summary: "command_export",
  usage: USAGE,
  arguments: [{ name: "TRACE.json", summary: "argument_trace" }],
  options: [
    {
      name: "format",
      short: "f",
      value: "FORMAT",
      summary: "option_export_format",
      summaryArgs: { formats: FORMATS },
    },
    { name: "output", short: "o", value: "FILE", summary: "option_export_output" },
  ],
  examples: [{ line: "vramscope export trace.json --format html -o report.html", summary: "example_export_saved" }],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const [typed, extra] = parsed.positionals;
  if (typed === undefined) throw new UsageError("missing_trace", { usage: `vramscope export ${USAGE}` });
  if (extra !== undefined) throw new UsageError("too_many_arguments", { value: extra });
  const id = valueOf(parsed, "format");
  const file = valueOf(parsed, "output");
  if (id === undefined) throw new UsageError("missing_format", { known: FORMATS });
  if (file === undefined) throw new UsageError("missing_output", {});
  const format = findExport(id, file);
  if (format.needsGraph) throw new UsageError("export_needs_graph", { name: format.id });
  requireOutputs([file], [typed], io);
  const trace = traceAt(typed, io);
  // source lines only from beside the trace: the trace says which files to show
  const sourceOf = readAllowedSource([dirname(resolve(io.cwd, typed))], io);
  writeExport({ format, file }, trace, { locale, sourceOf }, io);
  return EXIT.ok;
}
