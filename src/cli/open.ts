/** `vramscope open`: reads files that other tools recorded and explains them with the reports of a run. */

import { dirname, resolve } from "node:path";
import { shownJson } from "../base/shown-text.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import { heldBlocks } from "../explain/held-blocks.ts";
import { traceFacts } from "../exports/trace-facts.ts";
import { EXPORT_FORMATS } from "../exports/index.ts";
import { FOREIGN_FORMATS } from "../formats/foreign-formats.ts";
import type { OpenedFile } from "../formats/foreign-format.ts";
import { findFormat } from "../formats/open-file.ts";
import { writeReadings } from "../formats/readings-file.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";
import { momentJson, momentText, type Moment } from "../report/explain.ts";
import { markdownReport, type ReportDetail } from "../report/index.ts";
import { openedJson, openedText, type OpenedReport } from "../report/opened-text.ts";
import { writeTrace } from "../trace/file.ts";
import type { Trace } from "../trace/model.ts";
import { eventOf, parsePoint } from "../trace/points.ts";
import { painterOf } from "./colour.ts";
import { valueOf, type Command, type CommandContext, type OptionSpec, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { exportTarget, writeExport } from "./export-target.ts";
import { readAllowedSource, STDIN_NAME } from "./files.ts";
import { openForeignFile } from "./foreign-files.ts";
import { DEFAULT_GROUPINGS, groupingsOf, GROUPINGS } from "./groupings.ts";
import type { Io } from "./io.ts";
import { appendOutput } from "./markdown-file.ts";
import { RUN_OPTIONS } from "./run-options.ts";
import { handedFile, showPage } from "./serve.ts";
import { requireOutputs } from "./outputs.ts";
import { noSuchPoint } from "./trace-file.ts";
import { UsageError } from "./usage-error.ts";
import { writeWhole } from "./whole-files.ts";

const USAGE = "[options] FILE ...";
const DEFAULT_TOP = "5";
const FORMAT_IDS = FOREIGN_FORMATS.map((format) => format.id).join(", ");
/** Options of `run` that say how a report looks and where it goes. */
const SHARED = ["report", "markdown", "color", "ascii"];
/** Of these an opened file has what they show. */
const EXPORTS = EXPORT_FORMATS.filter((format) => !format.needsGraph);

export const openCommand: Command = {
  name: "open",
  summary: "command_open",
  usage: USAGE,
  arguments: [{ name: "FILE", summary: "argument_open_file" }],
  options: [
    { name: "device", value: "NUMBER", summary: "option_open_device" },
    { name: "format", value: "FORMAT", summary: "option_open_format", summaryArgs: { formats: FORMAT_IDS } },
    { name: "at", value: "POINT", summary: "option_open_at" },
    {
      name: "by",
      value: "WHAT",
      defaultValue: DEFAULT_GROUPINGS,
      summary: "option_by",
      summaryArgs: { groupings: GROUPINGS.join(", ") },
    },
    { name: "top", value: "COUNT", defaultValue: DEFAULT_TOP, summary: "option_open_top" },
    { name: "json", summary: "option_open_json" },
    { name: "web", summary: "option_open_web" },
    { name: "output", short: "o", value: "FILE", summary: "option_open_output" },
    {
      name: "export",
      value: "FORMAT=FILE",
      repeatable: true,
      summary: "option_export",
      summaryArgs: { formats: EXPORTS.map((format) => format.id).join(", ") },
    },
    ...SHARED.map((name): OptionSpec => RUN_OPTIONS.find((option) => option.name === name)!),
  ],
  examples: [
    { line: "vramscope open snapshot.pickle", summary: "example_open" },
    { line: "vramscope open train.log", summary: "example_open_log" },
    { line: "nvidia-smi | vramscope open -", summary: "example_open_stdin" },
  ],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  if (parsed.positionals.length === 0) throw new UsageError("missing_file", { usage: `vramscope open ${USAGE}` });
  const device = deviceOf(parsed);
  const format = valueOf(parsed, "format");
  if (format !== undefined) findFormat(format);
  if (parsed.flags.has("web")) {
    const reading = {
      ...(device === undefined ? {} : { device: `${device}` }),
      ...(format === undefined ? {} : { format }),
    };
    const handed = parsed.positionals.map((typed) => handedFile(typed, io));
    return showPage({ opens: io.outInfo.isTty, reading }, handed, locale, io);
  }
  const exports = (parsed.values.get("export") ?? []).map((value) => exportTarget(value).file);
  const outputs = [valueOf(parsed, "output"), valueOf(parsed, "markdown"), ...exports];
  requireOutputs(outputs, parsed.positionals, io);
  let exitCode: ExitCode = EXIT.ok;
  for (const [index, typed] of parsed.positionals.entries()) {
    const name = typed === "-" ? STDIN_NAME : typed;
    try {
      const opened = openForeignFile(typed, { device, format }, io);
      if (index > 0 && !parsed.flags.has("json")) io.out("\n");
      tell({ opened, name, title: findFormat(opened.format).title, facts: factsOf(opened) }, typed, parsed, locale, io);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const reason = messageOrCode(locale, error.diagnostic.code, error.diagnostic.args);
      io.err(`vramscope: ${message(locale, "open_failed", { name, reason })}\n`);
      exitCode = EXIT.programFailed;
    }
  }
  return exitCode;
}

const factsOf = ({ trace }: OpenedFile) => (trace === null ? null : traceFacts(trace));

function deviceOf(parsed: Parsed): number | undefined {
  const typed = valueOf(parsed, "device");
  if (typed === undefined) return undefined;
  if (!/^\d{1,3}$/.test(typed)) throw new UsageError("bad_device", { value: typed });
  return Number(typed);
}

/** Says what the options ask for, and writes the files that they name. */
function tell(report: OpenedReport, typed: string, parsed: Parsed, locale: Locale, io: Io): void {
  const painter = painterOf(parsed, io.env, io.outInfo);
  const { opened, facts, name } = report;
  const trace = (what: string): Trace => {
    if (opened.trace === null) throw new UsageError("open_no_trace", { name, what });
    return opened.trace;
  };
  // a file names other files: lines are shown only of those beside it and below where the user is
  const folders = typed === "-" ? [io.cwd] : [dirname(resolve(io.cwd, typed)), io.cwd];
  const sourceOf = readAllowedSource(folders, io);
  const at = valueOf(parsed, "at");
  const json = parsed.flags.has("json");
  if (at !== undefined) {
    const moment = momentOf(at, trace("--at"), parsed);
    io.out(json ? `${shownJson(momentJson(moment, locale), 2)}\n` : momentText(moment, locale, painter));
  } else if (json) io.out(`${shownJson(openedJson(report, locale), 2)}\n`);
  else {
    const detail = (valueOf(parsed, "report") ?? "lines") as ReportDetail;
    io.out(openedText(report, { locale, detail, painter, sourceOf }));
  }
  const output = valueOf(parsed, "output");
  if (output !== undefined) {
    const text = opened.trace === null ? writeReadings(opened.readings!) : writeTrace(opened.trace);
    writeWhole(output, [text], io);
  }
  const markdown = valueOf(parsed, "markdown");
  if (markdown !== undefined && facts !== null) appendOutput(markdown, markdownReport(facts, locale), io);
  for (const target of (parsed.values.get("export") ?? []).map(exportTarget)) {
    writeExport(target, trace("--export"), { locale, sourceOf, facts: facts ?? undefined }, io);
  }
}

function momentOf(typed: string, trace: Trace, parsed: Parsed): Moment {
  const point = parsePoint(typed);
  if (point === null) throw new UsageError("bad_point", { value: typed });
  const event = eventOf(trace, point);
  if (event === null) throw noSuchPoint(trace, typed);
  const top = Number(valueOf(parsed, "top") ?? DEFAULT_TOP);
  if (!Number.isInteger(top) || top < 1) {
    throw new UsageError("bad_count", { name: "--top", value: valueOf(parsed, "top") ?? "" });
  }
  const groupings = groupingsOf(valueOf(parsed, "by"));
  return { trace, point, event, groupings, largest: heldBlocks(trace, null, event, top), looked: false };
}
