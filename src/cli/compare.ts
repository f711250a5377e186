/** `vramscope compare`: holds a prediction against what was recorded, and explains each difference by its cause. */

import { shownJson } from "../base/shown-text.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import { parseSize } from "../base/parse-size.ts";
import { compareFigures, compareWithRecording, type Source, type StretchChoice } from "../compare/index.ts";
import type { OpenedFile } from "../formats/foreign-format.ts";
import { findGpu, type ContextBytes } from "../gpus/catalogue.ts";
import { withProfile } from "../gpus/profile.ts";
import { messageOrCode, type Locale } from "../i18n/index.ts";
import {
  comparisonJson,
  comparisonMarkdown,
  comparisonText,
  largestDifference,
  type AnyComparison,
} from "../report/comparison-text.ts";
import type { Trace } from "../trace/model.ts";
import { eventOf, parsePoint } from "../trace/points.ts";
import { painterOf } from "./colour.ts";
import { valueOf, type Command, type CommandContext, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { STDIN_NAME } from "./files.ts";
import { openForeignFile } from "./foreign-files.ts";
import type { Io } from "./io.ts";
import { appendOutput } from "./markdown-file.ts";
import { isScript, predictedRun } from "./predicted-run.ts";
import { profileFor } from "./profiles.ts";
import { RUN_OPTIONS } from "./run-options.ts";
import { requireOutputs } from "./outputs.ts";
import { UsageError } from "./usage-error.ts";

const USAGE = "[options] PREDICTED RECORDED [-- args]";
/** Options of `run` that matter for a comparison. */
const SHARED = new Set([
  "gpu",
  "torch",
  "kernel-temporaries",
  "attention",
  "timeout",
  "site-packages",
  "env",
  "profile",
  "markdown",
  "color",
  "ascii",
]);

export const compareCommand: Command = {
  name: "compare",
  summary: "command_compare",
  usage: USAGE,
  arguments: [
    { name: "PREDICTED", summary: "argument_predicted" },
    { name: "RECORDED", summary: "argument_recorded" },
  ],
  options: [
    { name: "from", value: "POINT", summary: "option_compare_from" },
    { name: "to", value: "POINT", summary: "option_compare_to" },
    { name: "tolerance", value: "SIZE", defaultValue: "0", summary: "option_tolerance" },
    { name: "fail-over-difference", summary: "option_fail_over_difference" },
    { name: "json", summary: "option_compare_json" },
    ...RUN_OPTIONS.filter(({ name }) => SHARED.has(name)),
  ],
  runsProgram: ([predicted = ""]) => isScript(predicted),
  examples: [
    { line: "vramscope compare train.py snapshot.pickle", summary: "example_compare" },
    { line: "vramscope compare train.py snapshot.pickle -- --batch 8", summary: "example_compare_args" },
    {
      line: "vramscope compare train.json watch.json --tolerance 2% --fail-over-difference",
      summary: "example_compare_check",
    },
    { line: "vramscope compare estimate.json vllm.log", summary: "example_compare_serving" },
  ],
  run,
};

interface Tolerance {
  readonly bytes: number;
  /** Of the largest recorded figure. */
  readonly share: number;
}

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const [first, second, extra] = parsed.positionals;
  if (first === undefined || second === undefined) {
    throw new UsageError("missing_sources", { usage: `vramscope compare ${USAGE}` });
  }
  if (extra !== undefined) throw new UsageError("too_many_arguments", { value: extra });
  requireOutputs([valueOf(parsed, "markdown")], [first, second], io);
  const tolerance = toleranceOf(valueOf(parsed, "tolerance"));
  const recordedFile = opened(second, locale, io);
  const recorded = sourceOf(recordedFile);
  const ran = isScript(first) ? await predictedRun(first, recordedFile, parsed, locale, io) : null;
  if (ran !== null && !ran.ok) return ran.exitCode;
  const predicted = ran === null ? sourceOf(opened(first, locale, io)) : { trace: ran.trace };

  const names = [nameOf(first), nameOf(second)] as const;
  const comparison = compared(predicted, recorded, parsed, io);
  const painter = painterOf(parsed, io.env, io.outInfo);
  io.out(
    parsed.flags.has("json")
      ? `${shownJson(comparisonJson(comparison, names), 2)}\n`
      : comparisonText(comparison, names, locale, painter),
  );
  const markdown = valueOf(parsed, "markdown");
  if (markdown !== undefined) appendOutput(markdown, comparisonMarkdown(comparison, names, locale), io);
  const differs = largestDifference(comparison) > allowedBytes(comparison, tolerance);
  return differs && parsed.flags.has("fail-over-difference") ? EXIT.doesNotFit : EXIT.ok;
}

const nameOf = (typed: string): string => (typed === "-" ? STDIN_NAME : typed);

/** Says of which file something is wrong. */
function opened(typed: string, locale: Locale, io: Io): OpenedFile {
  try {
    return openForeignFile(typed, {}, io);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const { code, args } = error.diagnostic;
    throw new UsageError("open_failed", { name: nameOf(typed), reason: messageOrCode(locale, code, args) });
  }
}

function sourceOf({ trace, readings }: OpenedFile): Source {
  return trace !== null ? { trace } : { readings: readings! };
}

function compared(predicted: Source, recorded: Source, parsed: Parsed, io: Io): AnyComparison {
  const [from, to] = [valueOf(parsed, "from"), valueOf(parsed, "to")];
  if ("trace" in predicted && "trace" in recorded) {
    return compareWithRecording(predicted.trace, recorded.trace, stretchOf(predicted.trace, from, to));
  }
  if (from !== undefined || to !== undefined) throw new UsageError("compare_no_blocks");
  return compareFigures(predicted, recorded, "trace" in predicted ? contextFor(predicted.trace, parsed, io) : null);
}

/** What lies outside the allocator of the prediction's GPU: as a profile says, or the catalogue. */
function contextFor({ gpu }: Trace, parsed: Parsed, io: Io): ContextBytes | null {
  const found = findGpu(gpu);
  if (!found.ok) return null;
  return withProfile(found.value, profileFor(valueOf(parsed, "profile"), found.value.id, io)).context;
}

function stretchOf(trace: Trace, from: string | undefined, to: string | undefined): StretchChoice {
  const first = from === undefined ? null : eventAt(trace, from);
  const end = to === undefined ? null : eventAt(trace, to) + 1;
  if (first !== null && end !== null && first >= end) throw new UsageError("compare_empty_stretch");
  return { first, end };
}

/** The event of a mark by its name, or of a point. */
function eventAt(trace: Trace, typed: string): number {
  const marked = Object.entries(trace.marks).find(([, name]) => name === typed);
  if (marked !== undefined) return Number(marked[0]);
  const point = parsePoint(typed);
  const event = point === null ? null : eventOf(trace, point);
  if (event !== null) return event;
  const marks = [...new Set(Object.values(trace.marks))].slice(0, 12).join(", ");
  if (marks === "") throw new UsageError("compare_no_point_plain", { value: typed });
  throw new UsageError("compare_no_point", { value: typed, marks });
}

function toleranceOf(typed: string | undefined): Tolerance {
  if (typed === undefined) return { bytes: 0, share: 0 };
  const share = /^(\d+(?:\.\d+)?)\s*%$/.exec(typed.trim());
  if (share !== null) return { bytes: 0, share: Number(share[1]) / 100 };
  const bytes = parseSize(typed);
  if (bytes === null) throw new UsageError("bad_tolerance", { value: typed });
  return { bytes, share: 0 };
}

function allowedBytes(comparison: AnyComparison, { bytes, share }: Tolerance): number {
  const recorded =
    comparison.kind === "traces"
      ? comparison.figures.map((figure) => figure.recordedBytes)
      : comparison.pairs.map((pair) => pair.recorded.bytes);
  return bytes + share * Math.max(0, ...recorded);
}
