/** `vramscope run`: runs a script on a simulated GPU, passes its output through and reports on its memory. */

import { shownJson } from "../base/shown-text.ts";
import { findTorch } from "../torch/releases.ts";
import { rulesFor } from "../torch/changes.ts";
import { cublasWorkspace, ltWorkspace } from "../gpus/workspace.ts";
import type { Formulas } from "../formulas/index.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";
import type { RunOptions, RunResult } from "../python/run-types.ts";
import {
  formulaReport,
  formulasJson,
  gpusJson,
  gpusText,
  jsonReport,
  markdownReport,
  reportFacts,
  textReport,
  verdictText,
  type ReportFacts,
} from "../report/index.ts";
import { writeTrace } from "../trace/file.ts";
import type { Trace } from "../trace/model.ts";
import { painterFor, wantsColour, widthOf } from "./colour.ts";
import { valueOf, type Command, type CommandContext } from "./command.ts";
import { writeExport } from "./export-target.ts";
import { EXIT, exitCodeOf, type ExitCode } from "./exit-code.ts";
import { sourceReader } from "./files.ts";
import { runWithEnoughGpus } from "./enough-gpus.ts";
import type { Io } from "./io.ts";
import type { Launch } from "./launch.ts";
import { appendOutput } from "./markdown-file.ts";
import { machineWith } from "./profiled-machine.ts";
import { parseCommandArgs } from "./parse.ts";
import { profileFor } from "./profiles.ts";
import { errorHint } from "./error-hint.ts";
import { lacksPackages, programFiles, type ProgramFiles } from "./program-files.ts";
import { progressLine } from "./progress.ts";
import { asRank, onlyRank, requireOneRank, runSeveral, type RunTools } from "./run-ranks.ts";
import { newFolder, saveFiles } from "./saved-files.ts";
import { secondLook } from "./second-look.ts";
import { MOST_GPUS, RUN_OPTIONS, runSettings, type RunSettings } from "./run-options.ts";
import { requirePage, showPage } from "./serve.ts";
import { requireOutputs } from "./outputs.ts";
import { UsageError } from "./usage-error.ts";
import { partFile, writeWhole } from "./whole-files.ts";

const USAGE = "[options] (script.py | -m module) [words] [-- args]";
export const runCommand: Command = {
  name: "run",
  summary: "command_run",
  usage: USAGE,
  arguments: [{ name: "script.py", summary: "argument_script" }],
  options: RUN_OPTIONS,
  firstOptions: ["gpu", "torch", "report", "why", "try", "limit", "output", "export", "nproc-per-node", "python"],
  examples: [
    { line: "vramscope run train.py", summary: "example_run" },
    { line: "vramscope run --gpu t4 --torch 2.6 train.py", summary: "example_gpu" },
    { line: "vramscope run --limit 76GiB --report none train.py", summary: "example_limit" },
    { line: "vramscope run --json -o trace.json train.py", summary: "example_json" },
    { line: "vramscope run --export snapshot=s.pickle --export html=report.html train.py", summary: "example_export" },
    { line: "vramscope run --why train.py", summary: "example_why" },
    { line: "vramscope run --try all train.py", summary: "example_try" },
    { line: "vramscope run train.py -- --batch 8", summary: "example_args" },
    { line: "vramscope run --symbols B=batch,L=length train.py", summary: "example_symbols" },
  ],
  run: (context) => run(context),
};

/** A run as a launcher asks for it, in words of `run`. */
export async function launchedRun(
  words: readonly string[],
  launch: Launch,
  { locale, io }: Pick<CommandContext, "locale" | "io">,
): Promise<ExitCode> {
  return run({ parsed: parseCommandArgs(runCommand, words), locale, io }, launch);
}

async function run({ parsed, locale, io }: CommandContext, launch: Launch | null = null): Promise<ExitCode> {
  const settings = runSettings(parsed);
  const { world } = settings;
  const rank = world === null ? 0 : onlyRank(world, launch);
  if (rank === null) requireOneRank(settings);
  if (settings.web) requirePage();
  const [typed, ...words] = settings.module === undefined ? parsed.positionals : ["", ...parsed.positionals];
  if (typed === undefined) throw new UsageError("missing_script", { usage: `vramscope run ${USAGE}` });
  const files = programFiles(typed, settings, io);
  const { script, source, sitePackages: roots } = files;
  if (lacksPackages(source, roots)) io.err(`${message(locale, "packages_offered", { script })}\n`);
  const outputs = [settings.output, settings.markdown, ...settings.exports.map(({ file }) => file)];
  requireOutputs(outputs, [typed], io);
  const saved = settings.saveFiles === null ? null : newFolder(settings.saveFiles, io);

  const progress = progressLine(io);
  progress.say(message(locale, "progress_load"));
  const baseOptions: RunOptions = {
    ...files,
    argv: [...words, ...parsed.rest],
    ...settings.simulation,
    ...machineWith(profileFor(settings.profile, settings.simulation.gpu.id, io), settings.simulation),
    saveFiles: saved !== null,
    recordGraph: settings.exports.some(({ format }) => format.needsGraph),
    signal: io.signal,
    onProgress: (phase) => {
      if (phase === "packages") progress.say(message(locale, "progress_packages", { script }));
      if (phase === "python") progress.say(message(locale, "progress_run", { script }));
    },
    onOutput: settings.json
      ? undefined
      : (stream, text) => {
          progress.end();
          (stream === "stdout" ? io.out : io.err)(text);
          return io.written?.();
        },
  };
  const runProgram = await io.loadRun();
  const sourceOf = sourceReader(script, source, roots, io);
  if (rank === null) {
    progress.end();
    const tools: RunTools = {
      runProgram,
      printError: (result) => printError(result, files, locale, io),
      printReport: (result, facts) => printReport(result, facts, settings, sourceOf, locale, io),
      warningsOf: (result) => warningsOf(result, settings, locale),
      painter: painterFor(
        wantsColour(settings.colour, io.env, io.outInfo),
        widthOf(io.env, io.outInfo),
        settings.ascii,
      ),
    };
    return runSeveral(baseOptions, settings, launch, tools, locale, io);
  }
  const firstOptions = world === null ? baseOptions : asRank(world, rank, launch, baseOptions);
  const { result, options, given } = await (async () => {
    try {
      progress.say(message(locale, "progress_run", { script }));
      const mayGive = world === null && valueOf(parsed, "gpus") === undefined && firstOptions.devices === 1;
      return await runWithEnoughGpus(
        (asked) => runProgram({ ...asked, symbols: settings.symbols }),
        firstOptions,
        mayGive,
        MOST_GPUS,
        (gpus) => io.err(`vramscope: ${message(locale, "gpus_named", { gpus })}\n`),
      );
    } finally {
      progress.end();
    }
  })();
  const { event, holders, trials } = await secondLook(runProgram, options, result, settings, locale, io);
  const facts = reportFacts({ ...result, limitBytes: settings.limitBytes, holders, trials });
  const warnings = [...(launch?.notices ?? []), ...warningsOf(result, settings, locale)];
  const { formulas } = result;
  if (given !== null) warnings.push(message(locale, "gpus_given", { gpus: given }));
  if (settings.why && result.gpus.length > 0) warnings.push(message(locale, "why_one_gpu"));
  if (event !== null && holders === null) warnings.push(message(locale, "why_not_repeated"));
  if (settings.json) {
    const said = { ...result, warnings: [...warnings, ...leftOutOf(result, locale)] };
    const report = jsonReport(facts, result.trace, said, locale);
    const several = result.gpus.length === 0 ? {} : { gpus: gpusJson(result) };
    const closed = formulas === undefined ? {} : { formulas: formulasJson(formulas) };
    const document = { ...report, ...several, ...closed };
    io.out(`${shownJson(document, 2)}\n`);
  } else {
    printError(result, files, locale, io);
    if (saysNothing(result, facts, settings)) io.err(`vramscope: ${verdictText(facts, locale)}\n`);
    for (const warning of warnings) io.err(`vramscope: ${warning}\n`);
    printReport(result, facts, settings, sourceOf, locale, io);
    if (formulas !== undefined) printFormulas(formulas, settings, locale, io);
  }
  // Last, so that a file that cannot be written costs nobody the report.
  const written = outputs.filter((file) => file !== null);
  if (written.length > 0 && result.status !== "interrupted" && (await stoppedMeanwhile(io))) {
    io.err(`vramscope: ${message(locale, "stopped_before_files", { files: written.join(", ") })}\n`);
    return EXIT.interrupted;
  }
  if (settings.output !== null) {
    const traces: readonly [string, Trace][] =
      result.gpus.length === 0
        ? [[settings.output, result.trace]]
        : result.gpus.map(({ gpu, trace }) => [partFile(settings.output!, `gpu${gpu}`), trace]);
    for (const [file, trace] of traces) writeWhole(file, [writeTrace(trace)], io);
  }
  if (settings.markdown !== null) appendOutput(settings.markdown, markdownReport(facts, locale), io);
  writeExports(result, facts, settings, sourceOf, locale, io);
  if (saved !== null && result.files !== undefined) saveFiles(saved, result.files, locale, io);
  if (settings.web) {
    const traces =
      result.gpus.length === 0
        ? [{ name: `${script}.trace.json`, trace: result.trace }]
        : result.gpus.map(({ gpu, trace }) => ({ name: `GPU ${gpu}.trace.json`, trace }));
    const handed = traces.map(({ name, trace }) => ({ name, bytes: new TextEncoder().encode(writeTrace(trace)) }));
    await showPage({ opens: io.outInfo.isTty }, handed, locale, io);
  }
  return exitCodeOf({
    status: result.status,
    exitStatus: result.exitStatus,
    doesNotFit: facts.verdict === "does_not_fit" || (settings.failIfNotFit && facts.verdict === "tight"),
    overLimit: facts.overLimit,
  });
}

/** Whether somebody asked for a stop while the report was made: nobody could hear it then. */
async function stoppedMeanwhile({ signal }: Io): Promise<boolean> {
  // signals are heard in the turn after the one in which they are noticed
  for (let turn = 0; turn < 2; turn++) await new Promise((done) => setImmediate(done));
  return signal.aborted;
}

function writeExports(
  result: RunResult,
  facts: ReportFacts,
  settings: RunSettings,
  sourceOf: ReturnType<typeof sourceReader>,
  locale: Locale,
  io: Io,
): void {
  const { graph = null } = result;
  if (settings.exports.some(({ format }) => format.needsGraph)) {
    if (graph === null) io.err(`vramscope: ${message(locale, "graph_none")}\n`);
    else if (graph.leftOut > 0) {
      io.err(`vramscope: ${message(locale, "graph_left_out", { count: graph.leftOut })}\n`);
    }
  }
  for (const target of settings.exports) {
    writeExport(target, result.trace, { locale, facts, graph, sourceOf, environment: settings.simulation.env }, io);
  }
}

/** Environment variables that PyTorch would complain about. */
function warningsOf(result: RunResult, settings: RunSettings, locale: Locale): string[] {
  const version = findTorch(result.torch);
  if (!version.ok) return [];
  const rules = rulesFor(version.value);
  const { env } = settings.simulation;
  const choices = [cublasWorkspace(rules, result.gpu, env), ltWorkspace(rules, env)];
  return choices.flatMap(({ warning }) =>
    warning === null ? [] : [messageOrCode(locale, warning.code, warning.args)],
  );
}

/** What `--json` does not hold of the program's output; elsewhere all of it has passed through. */
function leftOutOf({ outputLeftOut }: RunResult, locale: Locale): string[] {
  const streams = (["stdout", "stderr"] as const).filter((stream) => outputLeftOut[stream] > 0);
  return streams.map((stream) => message(locale, "output_left_out", { stream, count: outputLeftOut[stream] }));
}

function printError(result: RunResult, files: ProgramFiles, locale: Locale, io: Io): void {
  const { errorText } = result;
  if (result.status === "internal_error") {
    io.err(`vramscope: ${message(locale, "internal_error", { reason: errorText ?? "" })}\n`);
  } else if (errorText !== null && errorText !== "") {
    io.err(errorText.endsWith("\n") ? errorText : `${errorText}\n`);
    const hint = errorHint(errorText, files);
    if (hint !== null) io.err(`vramscope: ${message(locale, hint.code, hint.args)}\n`);
  }
}

/** Whether neither a report nor a traceback says that the program was stopped. */
function saysNothing(result: RunResult, facts: ReportFacts, settings: RunSettings): boolean {
  return settings.report === "none" && facts.verdict === "not_finished" && !result.errorText;
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
  const report = textReport(facts, result.trace, { locale, detail: settings.report, painter, sourceOf });
  const text = report === "" ? "" : gpusText(result, { locale, painter }) + report;
  if (text === "") return;
  // A blank line keeps the report apart from what the program printed.
  const before = result.stdout === "" ? "" : result.stdout.endsWith("\n") ? "\n" : "\n\n";
  io.out(before + text);
}

function printFormulas(formulas: Formulas, settings: RunSettings, locale: Locale, io: Io): void {
  const painter = painterFor(
    wantsColour(settings.colour, io.env, io.outInfo),
    widthOf(io.env, io.outInfo),
    settings.ascii,
  );
  io.out(`\n${formulaReport(formulas, { locale, painter })}`);
}
