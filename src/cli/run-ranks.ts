/** `run` with several ranks: their output side by side, a table of what each needs, and the worst rank's report in full. */

import { shownJson } from "../base/shown-text.ts";
import { message, type Locale } from "../i18n/index.ts";
import { rankEnvironment } from "../python/ranks.ts";
import type { RunOptions, RunResult } from "../python/run-types.ts";
import {
  gpusJson,
  jsonReport,
  ranksText,
  reportFacts,
  verdictOfRanks,
  worstRank,
  type Painter,
  type RankFacts,
  type ReportFacts,
} from "../report/index.ts";
import { writeTrace } from "../trace/file.ts";
import { EXIT, exitCodeOf, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import type { Launch } from "./launch.ts";
import { comparesRanks, namedRanks } from "./named-ranks.ts";
import type { RankSettings } from "./rank-options.ts";
import type { RunSettings } from "./run-options.ts";
import type { RankFailure } from "./rank-hub.ts";
import { provenRanks } from "./proven-ranks.ts";
import {
  headedOutput,
  printedOnce,
  rankList,
  runRanks,
  withoutImpossible,
  type RankClass,
  type RankRuns,
  type RunRank,
} from "./several-ranks.ts";
import { showPage } from "./serve.ts";
import { looksAgain, secondLook, type SecondLook } from "./second-look.ts";
import { UsageError } from "./usage-error.ts";
import { partFile, writeWhole } from "./whole-files.ts";

/** What `run` does with a result, for one rank as for several. */
export interface RunTools {
  readonly runProgram: (options: RunOptions) => Promise<RunResult>;
  readonly printError: (result: RunResult) => void;
  readonly printReport: (result: RunResult, facts: ReportFacts) => void;
  readonly warningsOf: (result: RunResult) => string[];
  readonly painter: Painter;
}

/** Of several exit statuses the gravest, from left to right. */
const GRAVEST: readonly ExitCode[] = [EXIT.ourBug, EXIT.interrupted, EXIT.programFailed, EXIT.doesNotFit, EXIT.ok];

/** The ranks of which a launcher's command starts some: those of its node. */
export function poolOf({ worldSize, localWorldSize }: RankSettings, launch: Launch | null): number[] {
  const node = launch?.nodeRank ?? null;
  const all = Array.from({ length: worldSize }, (_, rank) => rank);
  return node === null ? all : all.slice(node * localWorldSize, (node + 1) * localWorldSize);
}

/** The one rank to run, or null where there are several. */
export function onlyRank(world: RankSettings, launch: Launch | null): number | null {
  const ranks = world.ranks === "auto" ? poolOf(world, launch) : world.ranks;
  return ranks.length === 1 ? ranks[0]! : null;
}

/** Options of a run as one rank of a world; what the user set outranks the launcher. */
export function asRank(world: RankSettings, rank: number, launch: Launch | null, baseOptions: RunOptions): RunOptions {
  const { worldSize, localWorldSize } = world;
  const env = {
    ...rankEnvironment({ rank, worldSize, localWorldSize, ...launch?.place }),
    ...launch?.env,
    ...baseOptions.env,
  };
  return { ...baseOptions, env, devices: localWorldSize };
}

/** What is written about one run cannot be asked of several. */
export function requireOneRank(settings: RunSettings): void {
  const asked: Record<string, boolean> = {
    "--export": settings.exports.length > 0,
    "--markdown": settings.markdown !== null,
    "--symbols": settings.symbols.length > 0,
    "--save-files": settings.saveFiles !== null,
  };
  const name = Object.keys(asked).find((option) => asked[option]);
  if (name !== undefined) throw new UsageError("needs_one_rank", { name });
}

export async function runSeveral(
  options: RunOptions,
  settings: RunSettings,
  launch: Launch | null,
  tools: RunTools,
  locale: Locale,
  io: Io,
): Promise<ExitCode> {
  const world = settings.world!;
  const role = launch?.place.role ?? "default";
  const { source = "" } = options;
  const text = typeof source === "string" ? source : new TextDecoder().decode(source);
  const { worldSize, ranks } = world;
  const plan = {
    pool: poolOf(world, launch),
    worldSize,
    ranks,
    named: namedRanks(text, worldSize),
    compared: comparesRanks(text),
  };
  const printed = { stdout: printedOnce(io.out), stderr: printedOnce(io.err) };
  const run: RunRank = async (rank, over, askRanks) => {
    const outs = {
      stdout: headedOutput(role, rank, printed.stdout(rank)),
      stderr: headedOutput(role, rank, printed.stderr(rank)),
    };
    const signal = AbortSignal.any([over, io.signal]);
    const onOutput: RunOptions["onOutput"] = settings.json ? undefined : (stream, text) => outs[stream].write(text);
    const result = await tools.runProgram({ ...asRank(world, rank, launch, options), signal, onOutput, askRanks });
    if (!settings.json) {
      outs.stdout.end();
      outs.stderr.end();
    }
    return result;
  };
  const isOpen = plan.ranks === "auto" && plan.named !== "all";
  const runs = withoutImpossible((isOpen ? await provenRanks(plan, run) : null) ?? (await runRanks(plan, run)));
  const facts = runs.classes.map((each) => rankFacts(each, settings));
  const first = worstRank(facts);
  const { result } = runs.classes[facts.indexOf(first)]!.ran[0]!;
  const again = runs.failure === null && looksAgain(result, settings);
  const alone = { ...asRank(world, first.rank, launch, options), onOutput: undefined };
  const seen = again ? await lookAlone(tools.runProgram, alone, result, settings, locale, io) : null;
  const worst =
    seen === null ? first : { ...first, facts: reportFacts({ ...result, ...seen, limitBytes: settings.limitBytes }) };
  facts[facts.indexOf(first)] = worst;
  if (again && seen === null) io.err(`vramscope: ${message(locale, "rank_not_alone", { rank: first.rank })}\n`);
  const unknown = rankList(runs.unknown);
  if (settings.json) io.out(`${shownJson(ranksJson(runs, facts, world, launch, tools, locale), 2)}\n`);
  else {
    if (runs.failure === null) printErrors(runs, role, tools, io);
    else io.err(`vramscope: ${failureText(runs.failure, locale)}\n`);
    for (const warning of [...(launch?.notices ?? []), ...tools.warningsOf(result)]) io.err(`vramscope: ${warning}\n`);
    if (settings.report !== "none") {
      io.out(`\n${ranksText(facts, unknown, world.worldSize, { locale, painter: tools.painter })}`);
      tools.printReport(result, worst.facts);
    } else if (worst.facts.verdict !== "not_finished" && (worst.facts.verdict !== "fits" || unknown !== "")) {
      // why ranks did not finish was said above
      io.err(`vramscope: ${message(locale, "ranks_line", titleArgs(facts, unknown, world, locale))}\n`);
    }
  }
  if (settings.output !== null) {
    for (const { rank, result: each } of runs.classes.flatMap(({ ran }) => ran)) {
      writeWhole(partFile(settings.output, `rank${rank}`), [writeTrace(each.trace)], io);
    }
  }
  if (settings.web) {
    const traces = runs.classes.map(({ ran }, i) => ({
      name: `rank ${facts[i]!.ranks}.trace.json`,
      bytes: new TextEncoder().encode(writeTrace(ran[0]!.result.trace)),
    }));
    await showPage({ opens: io.outInfo.isTty }, traces, locale, io);
  }
  const codes = runs.classes.flatMap((each, i) => {
    const { verdict, overLimit } = facts[i]!.facts;
    const doesNotFit = verdict === "does_not_fit" || (settings.failIfNotFit && (verdict === "tight" || unknown !== ""));
    // ranks that were ended because another one failed say nothing
    const own = each.ran.filter((run) => run.result.status !== "interrupted" || io.signal.aborted);
    return own.map((run) =>
      exitCodeOf({ status: run.result.status, exitStatus: run.result.exitStatus, doesNotFit, overLimit }),
    );
  });
  if (runs.failure !== null) codes.push(EXIT.programFailed);
  return GRAVEST.find((code) => codes.includes(code)) ?? EXIT.ok;
}

/** The second look at a rank, which runs alone for it; null where alone it does not do what it did beside the others. */
async function lookAlone(
  runProgram: RunTools["runProgram"],
  options: RunOptions,
  beside: RunResult,
  settings: RunSettings,
  locale: Locale,
  io: Io,
): Promise<SecondLook | null> {
  const alone = await runProgram(options);
  const figures = ({ status, stats }: RunResult): unknown[] => [
    status,
    stats.peakAllocatedBytes,
    stats.peakReservedBytes,
    stats.peakEvent,
  ];
  if (figures(alone).join() !== figures(beside).join()) return null;
  return secondLook(runProgram, options, alone, settings, locale, io);
}

/** What stands in the ranks' way, a line for each of them. */
function failureText(failure: RankFailure, locale: Locale): string {
  const place = (line: string): string => (line === "" ? "" : message(locale, "ranks_at_line", { line }));
  if (failure.kind === "mismatch") {
    const calls = failure.calls.map(({ rank, what, line }) => {
      return message(locale, "ranks_call", { rank, what, place: place(line) });
    });
    return [message(locale, "ranks_mismatch"), ...calls].join("\n");
  }
  if (failure.kind === "needs_all") return message(locale, "ranks_deadlock");
  const waits = failure.waits.map(({ rank, what, line, for: others }) => {
    return message(locale, "ranks_wait", { rank, what, place: place(line), others: rankList(others) });
  });
  const ended = rankList(failure.ended);
  const last = ended === "" ? [] : [message(locale, "ranks_ended", { ended })];
  return [message(locale, "ranks_deadlock"), ...waits, ...last].join("\n");
}

function titleArgs(facts: readonly RankFacts[], unknown: string, world: RankSettings, locale: Locale) {
  const verdict = message(locale, `verdict_${verdictOfRanks(facts, unknown)}`);
  return { worldSize: world.worldSize, verdict, rank: worstRank(facts).rank };
}

function rankFacts({ ran, taken, proven, drawn }: RankClass, { limitBytes }: RunSettings): RankFacts {
  const [{ rank, result }] = ran as readonly [RankClass["ran"][number]];
  const facts = reportFacts({ ...result, limitBytes });
  const ranks = rankList([...ran.map((run) => run.rank), ...taken, ...proven, ...drawn]);
  return { ranks, taken: rankList(taken), proven: rankList(proven), drawn: rankList(drawn), rank, facts };
}

function ranksJson(
  runs: RankRuns,
  facts: readonly RankFacts[],
  { worldSize, localWorldSize }: RankSettings,
  launch: Launch | null,
  tools: RunTools,
  locale: Locale,
): Record<string, unknown> {
  const ranks = runs.classes.flatMap(({ ran, taken, proven, drawn }, i) =>
    ran.map(({ rank, result }, k) => {
      const own = k === 0 ? facts[i]!.facts : reportFacts({ ...result, limitBytes: facts[i]!.facts.limitBytes });
      const report = jsonReport(own, result.trace, { ...result, warnings: tools.warningsOf(result) }, locale);
      const several = result.gpus.length === 0 ? {} : { gpus: gpusJson(result) };
      return {
        rank,
        takenAsEqual: k === 0 ? [...taken, ...drawn] : [],
        provenEqual: k === 0 ? proven : [],
        equals: facts[i]!.rank,
        report: { ...report, ...several },
      };
    }),
  );
  return {
    schemaVersion: 1,
    worldSize,
    localWorldSize,
    verdict: verdictOfRanks(facts, rankList(runs.unknown)),
    failure: runs.failure,
    worstRank: worstRank(facts).rank,
    notRun: runs.unknown,
    notices: launch?.notices ?? [],
    ranks: ranks.sort((a, b) => a.rank - b.rank),
  };
}

/** Errors of ranks that failed by themselves; the same one of several ranks once. */
function printErrors({ classes }: RankRuns, role: string, tools: RunTools, io: Io): void {
  const said = new Set<string>();
  for (const { rank, result } of classes.flatMap(({ ran }) => ran)) {
    const { errorText } = result;
    if (errorText === null || errorText === "" || said.has(errorText)) continue;
    // it was ended with another one
    if (result.status === "interrupted" && !io.signal.aborted) continue;
    said.add(errorText);
    io.err(`[${role}${rank}]:\n`);
    tools.printError(result);
  }
}
