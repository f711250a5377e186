/** `vramscope explain`: what memory consists of at a moment, what holds it, and what is kept for backward. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { shownJson } from "../base/shown-text.ts";
import { heldBlock, heldBlocks } from "../explain/held-blocks.ts";
import { FINDING_CODES } from "../explain/index.ts";
import { savedTable } from "../explain/saved-table.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { RunOptions, RunResult } from "../python/run-types.ts";
import { momentJson, momentText, type Moment } from "../report/explain.ts";
import { heldBlockText } from "../report/held-text.ts";
import { heldJson, savedJson } from "../report/json.ts";
import { savedSections } from "../report/saved-text.ts";
import type { HolderTable } from "../session/holders.ts";
import type { Trace } from "../trace/model.ts";
import { eventOf, parsePoint, type Point } from "../trace/points.ts";
import type { Grouping } from "../trace/queries.ts";
import { painterFor, wantsColour, widthOf } from "./colour.ts";
import { valueOf, type Command, type CommandContext, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { findingPage } from "./finding-pages.ts";
import { DEFAULT_GROUPINGS, groupingsOf, GROUPINGS } from "./groupings.ts";
import type { Io } from "./io.ts";
import { lookAgain } from "./look-again.ts";
import { programFiles } from "./program-files.ts";
import { progressLine } from "./progress.ts";
import { RUN_OPTIONS, runSettings } from "./run-options.ts";
import { noSuchPoint, traceAt } from "./trace-file.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "[options] script.py|trace.json|CODE [words] [-- args]";
const DEFAULT_TOP = "5";
/** Options of `run` that say how a script runs, and how its report looks. */
const SHARED = [
  "gpu",
  "torch",
  "kernel-temporaries",
  "attention",
  "timeout",
  "site-packages",
  "env",
  "json",
  "color",
  "ascii",
];

export const explainCommand: Command = {
  name: "explain",
  summary: "command_explain",
  usage: USAGE,
  arguments: [{ name: "script.py|trace.json|CODE", summary: "argument_explain_target" }],
  options: [
    { name: "at", value: "POINT", defaultValue: "peak", summary: "option_at" },
    {
      name: "by",
      value: "WHAT",
      defaultValue: DEFAULT_GROUPINGS,
      summary: "option_by",
      summaryArgs: { groupings: GROUPINGS.join(", ") },
    },
    { name: "top", value: "COUNT", defaultValue: DEFAULT_TOP, summary: "option_top" },
    { name: "block", value: "NUMBER", summary: "option_block" },
    { name: "saved", summary: "option_saved" },
    ...RUN_OPTIONS.filter((option) => SHARED.includes(option.name)),
  ],
  runsProgram: ([typed = ""]) => !isTrace(typed) && findingPage(typed) === null,
  examples: [
    { line: "vramscope explain train.py", summary: "example_explain" },
    { line: "vramscope explain train.py --at line:42 --by module", summary: "example_explain_line" },
    { line: "vramscope explain train.py --saved", summary: "example_explain_saved" },
    { line: "vramscope explain float32_logits", summary: "example_explain_code" },
  ],
  run,
};

const isTrace = (typed: string): boolean => typed.endsWith(".json");

/** A trace with, for a script, a way to look again who held what. */
interface Subject {
  readonly trace: Trace;
  readonly exitCode: ExitCode;
  look(event: number): Promise<HolderTable | null>;
  /** Whether looking can find anything. */
  readonly canLook: boolean;
}

interface Question {
  readonly point: Point;
  readonly typedPoint: string;
  readonly groupings: readonly Grouping[];
  readonly top: number;
  readonly block: string | undefined;
  readonly saved: boolean;
}

async function run(context: CommandContext): Promise<ExitCode> {
  const { parsed, locale, io } = context;
  const [typed] = parsed.positionals;
  if (typed === undefined)
    throw new UsageError("missing_target", { usage: `vramscope explain ${USAGE}`, known: FINDING_CODES.join(", ") });
  const page = findingPage(typed);
  if (page !== null) {
    const [unused] = explainCommand.options.filter(({ name }) => parsed.values.has(name) || parsed.flags.has(name));
    if (unused !== undefined) throw new UsageError("option_not_for_code", { name: `--${unused.name}`, code: typed });
    io.out(page);
    return EXIT.ok;
  }
  const [, extra] = parsed.positionals;
  if (extra !== undefined && isTrace(typed)) throw new UsageError("too_many_arguments", { value: extra });
  // a word that is no file was meant for a code
  if (/^\w[\w-]*$/.test(typed) && !parsed.values.has("module") && !existsSync(resolve(io.cwd, typed))) {
    throw new UsageError("unknown_finding", { name: typed, known: FINDING_CODES.join(", ") });
  }
  const question = questionOf(parsed);
  const subject = isTrace(typed) ? fromTrace(typed, io) : await fromScript(typed, context);
  const { trace } = subject;
  const settings = runSettings(parsed);
  const painter = painterFor(
    wantsColour(settings.colour, io.env, io.outInfo),
    widthOf(io.env, io.outInfo),
    settings.ascii,
  );
  const say = (json: () => unknown, text: () => string): void =>
    io.out(settings.json ? `${shownJson(json(), 2)}\n` : text());

  if (question.saved) {
    const saved = savedTable(trace);
    say(
      () => savedJson(trace, saved),
      () =>
        `${savedSections(saved, trace, locale, painter)
          .map((section) => section.join("\n"))
          .join("\n\n")}\n`,
    );
    return subject.exitCode;
  }
  const index = question.block === undefined ? null : blockNumber(question.block, trace);
  const event = momentOf(question, trace, index);
  const holders = await subject.look(event);
  if (subject.canLook && holders === null) io.err(`vramscope: ${message(locale, "why_not_repeated")}\n`);
  if (index !== null) {
    const held = heldBlock(trace, holders, index, event);
    say(
      () => heldJson(trace, { event, blocks: [held] }, locale),
      () => `${heldBlockText(held, trace, locale, painter, true).join("\n")}\n`,
    );
    return subject.exitCode;
  }
  const largest = heldBlocks(trace, holders, event, question.top);
  const { point, groupings } = question;
  const moment: Moment = { trace, point, event, groupings, largest, looked: holders !== null };
  say(
    () => momentJson(moment, locale),
    () => momentText(moment, locale, painter),
  );
  return subject.exitCode;
}

function questionOf(parsed: Parsed): Question {
  const typedPoint = valueOf(parsed, "at") ?? "peak";
  const point = parsePoint(typedPoint);
  if (point === null) throw new UsageError("bad_point", { value: typedPoint });
  const groupings = groupingsOf(valueOf(parsed, "by"));
  const top = Number(valueOf(parsed, "top") ?? DEFAULT_TOP);
  if (!Number.isInteger(top) || top < 1) {
    throw new UsageError("bad_count", { name: "--top", value: valueOf(parsed, "top") ?? "" });
  }
  return { point, typedPoint, groupings, top, block: valueOf(parsed, "block"), saved: parsed.flags.has("saved") };
}

function blockNumber(typed: string, trace: Trace): number {
  const text = typed.replace(/^#/, "");
  const index = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (index < 0 || index >= trace.blocks.length) {
    throw new UsageError("bad_block", { value: typed, count: trace.blocks.length });
  }
  return index;
}

/** The moment asked for; for a block that does not live then, the last moment of its life. */
function momentOf({ point, typedPoint }: Question, trace: Trace, index: number | null): number {
  const event = eventOf(trace, point);
  if (event === null) throw noSuchPoint(trace, typedPoint);
  const block = index === null ? undefined : trace.blocks[index];
  if (block === undefined) return event;
  const lives = block.allocEvent <= event && (block.freeEvent === -1 || block.freeEvent > event);
  if (lives) return event;
  return block.freeEvent === -1 ? trace.events.kind.length - 1 : block.freeEvent - 1;
}

const fromTrace = (typed: string, io: Io): Subject => ({
  trace: traceAt(typed, io),
  exitCode: EXIT.ok,
  look: async () => null,
  canLook: false,
});

async function fromScript(typed: string, { parsed, locale, io }: CommandContext): Promise<Subject> {
  const settings = runSettings(parsed);
  const files = programFiles(typed, settings, io);
  const { script } = files;
  const options: RunOptions = {
    ...files,
    argv: [...parsed.positionals.slice(1), ...parsed.rest],
    ...settings.simulation,
    signal: io.signal,
  };
  const runProgram = await io.loadRun();
  const first = await withProgress("progress_run", script, locale, io, () => runProgram(options));
  const failed = first.status !== "ok" && first.status !== "system_exit";
  if (failed) {
    if (first.errorText !== null) io.err(first.errorText);
    io.err(`vramscope: ${message(locale, "explain_program_failed")}\n`);
  }
  return {
    trace: first.trace,
    exitCode: exitOf(first, failed),
    canLook: true,
    look: (event) =>
      withProgress("progress_why", script, locale, io, () => lookAgain(runProgram, options, first, event)),
  };
}

/** A program that ran out of memory is what one asks about; every other failure leaves the answer incomplete. */
function exitOf(result: RunResult, failed: boolean): ExitCode {
  if (result.status === "internal_error") return EXIT.ourBug;
  if (result.status === "interrupted") return EXIT.interrupted;
  return failed && result.status !== "out_of_memory" ? EXIT.programFailed : EXIT.ok;
}

async function withProgress<T>(
  code: "progress_run" | "progress_why",
  script: string,
  locale: Locale,
  io: Io,
  work: () => Promise<T>,
): Promise<T> {
  const progress = progressLine(io);
  progress.say(message(locale, code, { script }));
  try {
    return await work();
  } finally {
    progress.end();
  }
}
