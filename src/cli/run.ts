/** `vramscope run`: runs a script on a simulated GPU, passes its output through and reports on its memory. */

import { findTorch, rulesFor } from "../gpus/versions.ts";
import { cublasWorkspace, ltWorkspace } from "../gpus/workspace.ts";
import { message, messageOrCode, type Locale, type MessageCode } from "../i18n/index.ts";
import type { RunResult } from "../python/run-types.ts";
import { jsonReport, reportFacts, textReport, type ReportFacts } from "../report/index.ts";
import { writeTrace } from "../trace/file.ts";
import { painterFor, wantsColour, widthOf } from "./colour.ts";
import type { Command, CommandContext } from "./command.ts";
import { exitCodeOf, type ExitCode } from "./exit-code.ts";
import { readScript, requireDirectory, sourceReader, writeOutput } from "./files.ts";
import type { Io } from "./io.ts";
import { progressLine } from "./progress.ts";
import { RUN_OPTIONS, runSettings, type RunSettings } from "./run-options.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "[options] script.py [-- args]";

export const runCommand: Command = {
  name: "run",
  summary: "command_run",
  usage: USAGE,
  arguments: [{ name: "script.py", summary: "argument_script" }],
  options: RUN_OPTIONS,
  examples: [
    { line: "vramscope run train.py", summary: "example_run" },
    { line: "vramscope run --gpu t4 --torch 2.6 train.py", summary: "example_gpu" },
    { line: "vramscope run --limit 76GiB --report none train.py", summary: "example_limit" },
    { line: "vramscope run --json -o trace.json train.py", summary: "example_json" },
    { line: "vramscope run train.py -- --batch 8", summary: "example_args" },
  ],
  explainsExitCodes: true,
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const settings = runSettings(parsed);
  const [typed, extra] = parsed.positionals;
  if (typed === undefined) throw new UsageError("missing_script", { usage: `vramscope run ${USAGE}` });
  if (extra !== undefined) throw new UsageError("too_many_arguments", { value: extra });
  const { script, source, folder } = readScript(typed, io);
  const roots = settings.sitePackages.map((directory) => requireDirectory(directory, io));

  const progress = progressLine(io);
  progress.say(message(locale, "progress_load"));
  const result = await (async () => {
    try {
      const runProgram = await io.loadRun();
      progress.say(message(locale, "progress_run", { script }));
      return await runProgram({
        script,
        source,
        folder,
        argv: parsed.rest,
        gpu: settings.gpu,
        torch: settings.torch,
        kernelTemporaries: settings.kernelTemporaries,
        attention: settings.attention,
        timeoutSeconds: settings.timeoutSeconds,
        sitePackages: roots,
        env: settings.env,
        signal: io.signal,
        onOutput: settings.json
          ? undefined
          : (stream, text) => {
              progress.end();
              (stream === "stdout" ? io.out : io.err)(text);
            },
      });
    } finally {
      progress.end();
    }
  })();

  const facts = reportFacts({ ...result, limitBytes: settings.limitBytes });
  const warnings = warningsOf(result, settings, locale);
  if (settings.json) {
    io.out(`${JSON.stringify(jsonReport(facts, result.trace, { ...result, warnings }, locale), null, 2)}\n`);
  } else {
    printError(result, locale, io);
    for (const warning of warnings) io.err(`vramscope: ${warning}\n`);
    printReport(result, facts, settings, sourceReader(script, source, roots, io), locale, io);
  }
  // Last, so that a file that cannot be written costs nobody the report.
  if (settings.output !== null) writeOutput(settings.output, writeTrace(result.trace), io);
  return exitCodeOf({
    status: result.status,
    exitStatus: result.exitStatus,
    doesNotFit: facts.verdict === "does_not_fit",
    overLimit: facts.overLimit,
  });
}

/** Environment variables that PyTorch would complain about. */
function warningsOf(result: RunResult, settings: RunSettings, locale: Locale): string[] {
  const version = findTorch(result.torch);
  if (!version.ok) return [];
  const rules = rulesFor(version.value);
  const choices = [cublasWorkspace(rules, result.gpu, settings.env), ltWorkspace(rules, settings.env)];
  return choices.flatMap(({ warning }) =>
    warning === null ? [] : [messageOrCode(locale, warning.code, warning.args)],
  );
}

function printError(result: RunResult, locale: Locale, io: Io): void {
  const { errorText } = result;
  if (result.status === "internal_error") {
    io.err(`vramscope: ${message(locale, "internal_error", { reason: errorText ?? "" })}\n`);
  } else if (errorText !== null && errorText !== "") {
    io.err(errorText.endsWith("\n") ? errorText : `${errorText}\n`);
    const hint = hintFor(errorText);
    if (hint !== null) io.err(`vramscope: ${message(locale, hint)}\n`);
  }
}

/** What a simulated program does not have, and a newcomer may expect. */
function hintFor(errorText: string): MessageCode | null {
  const last = errorText.trimEnd().split("\n").at(-1) ?? "";
  if (last.startsWith("ModuleNotFoundError: ")) return "hint_module_not_found";
  return last.startsWith("FileNotFoundError: ") ? "hint_file_not_found" : null;
}

function printReport(
  result: RunResult,
  facts: ReportFacts,
  settings: RunSettings,
  sourceOf: ReturnType<typeof sourceReader>,
  locale: Locale,
  io: Io,
): void {
  const painter = painterFor(
    wantsColour(settings.colour, io.env, io.outInfo),
    widthOf(io.env, io.outInfo),
    settings.ascii,
  );
  const text = textReport(facts, result.trace, { locale, detail: settings.report, painter, sourceOf });
  if (text === "") return;
  // A blank line keeps the report apart from what the program printed.
  const before = result.stdout === "" ? "" : result.stdout.endsWith("\n") ? "\n" : "\n\n";
  io.out(before + text);
}
