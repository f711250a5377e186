/** `run` with several ranks: their output side by side, a table of what each needs, and the worst rank's report in full. */

import { shownJson } from "../base/shown-text.ts";
import { message, type Locale } from "../i18n/index.ts";
import { rankEnvironment } from "../python/ranks.ts";
import type { RunOptions, RunResult } from "../python/run-types.ts";
import {
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
import { namedRanks } from "./named-ranks.ts";
import type { RankSettings } from "./rank-options.ts";
import type { RunSettings } from "./run-options.ts";
import { headedOutput, rankList, runRanks, type RankClass, type RankRuns } from "./several-ranks.ts";
import { UsageError } from "./usage-error.ts";
import { writeWhole } from "./whole-files.ts";

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
export function asRank(world: RankSettings, rank: number, launch: Launch | null, given: RunOptions): RunOptions {
  const { worldSize, localWorldSize } = world;
  const env = {
    ...rankEnvironment({ rank, worldSize, localWorldSize, ...launch?.place }),
    ...launch?.env,
    ...given.env,
  };
  return { ...given, env, devices: localWorldSize };
}

/** What looks into one run cannot be asked of several. */
export function requireOneRank(settings: RunSettings): void {
  const asked: Record<string, boolean> = {
    "--why": settings.why,
    "--try": typeof settings.trials !== "string",
    "--export": settings.exports.length > 0,
    "--markdown": settings.markdown !== null,
    "--symbols": settings.symbols.length > 0,
    "--save-files": settings.saveFiles !== null,
    "--web": settings.web,
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
  const plan = { pool: poolOf(world, launch), ranks: world.ranks, named: namedRanks(text, world.worldSize) };
  const runs = await runRanks(plan, async (rank, over) => {
    const outs = { stdout: headedOutput(role, rank, io.out), stderr: headedOutput(role, rank, io.err) };
    const signal = AbortSignal.any([over, io.signal]);
    const onOutput: RunOptions["onOutput"] = settings.json ? undefined : (stream, text) => outs[stream].write(text);
    const result = await tools.runProgram({ ...asRank(world, rank, launch, options), signal, onOutput });
    if (!settings.json) {
      outs.stdout.end();
      outs.stderr.end();
    }
    return result;
  });
  const facts = runs.classes.map((each) => rankFacts(each, settings));
  const worst = worstRank(facts);
  const result = runs.classes[facts.indexOf(worst)]!.ran[0]!.result;
  const unknown = rankList(runs.unknown);
  if (settings.json) io.out(`${shownJson(ranksJson(runs, facts, world, launch, tools, locale), 2)}\n`);
  else {
    printErrors(runs, role, tools, io);
    for (const warning of [...(launch?.notices ?? []), ...tools.warningsOf(result)]) io.err(`vramscope: ${warning}\n`);
    if (settings.report !== "none") {
      io.out(`\n${ranksText(facts, unknown, world.worldSize, { locale, painter: tools.painter })}`);
      tools.printReport(result, worst.facts);
    } else if (worst.facts.verdict !== "fits" || unknown !== "") {
      io.err(`vramscope: ${message(locale, "ranks_title", titleArgs(facts, unknown, world, locale))}\n`);
    }
  }
  if (settings.output !== null) {
    for (const { rank, result: each } of runs.classes.flatMap(({ ran }) => ran)) {
      writeWhole(rankFile(settings.output, rank), [writeTrace(each.trace)], io);
    }
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
  return GRAVEST.find((code) => codes.includes(code)) ?? EXIT.ok;
}

function titleArgs(facts: readonly RankFacts[], unknown: string, world: RankSettings, locale: Locale) {
  const verdict = message(locale, `verdict_${verdictOfRanks(facts, unknown)}`);
  return { worldSize: world.worldSize, verdict, rank: worstRank(facts).rank };
}

function rankFacts({ ran, taken }: RankClass, { limitBytes }: RunSettings): RankFacts {
  const [{ rank, result }] = ran as readonly [RankClass["ran"][number]];
  const facts = reportFacts({ ...result, limitBytes });
  return { ranks: rankList([...ran.map((run) => run.rank), ...taken]), taken: rankList(taken), rank, facts };
}

function ranksJson(
  runs: RankRuns,
  facts: readonly RankFacts[],
  { worldSize, localWorldSize }: RankSettings,
  launch: Launch | null,
  tools: RunTools,
  locale: Locale,
): Record<string, unknown> {
  const ranks = runs.classes.flatMap(({ ran, taken }, i) =>
    ran.map(({ rank, result }, k) => {
      const own = k === 0 ? facts[i]!.facts : reportFacts({ ...result, limitBytes: facts[i]!.facts.limitBytes });
      const report = jsonReport(own, result.trace, { ...result, warnings: tools.warningsOf(result) }, locale);
      return { rank, takenAsEqual: k === 0 ? taken : [], equals: facts[i]!.rank, report };
    }),
  );
  return {
    schemaVersion: 1,
    worldSize,
    localWorldSize,
    verdict: verdictOfRanks(facts, rankList(runs.unknown)),
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
    said.add(errorText);
    io.err(`[${role}${rank}]:\n`);
    tools.printError(result);
  }
}

/** trace.json becomes trace.rank3.json. */
function rankFile(file: string, rank: number): string {
  const at = file.search(/\.[^./\\]*$/);
  return at === -1 ? `${file}.rank${rank}` : `${file.slice(0, at)}.rank${rank}${file.slice(at)}`;
}
