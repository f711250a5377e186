/** `vramscope plan`: the layouts of a model on so many GPUs that fit, cheapest first, and why. */

import { shownJson } from "../base/shown-text.ts";
import { DiagnosticError } from "../base/diagnostic.ts";
import { modelSizes, ReadingError } from "../estimate/layout/index.ts";
import { searchPlan } from "../estimate/plan/index.ts";
import { ModelFileError } from "../formats/model-file-error.ts";
import { message, messageOrCode } from "../i18n/index.ts";
import { planJson, planText } from "../report/plan-text.ts";
import { DEFAULT_TORCH } from "../torch/releases.ts";
import { widthOf } from "./colour.ts";
import { PROGRAM, valueOf, type Command, type CommandContext } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { countOf } from "./layout-options.ts";
import { modelArgument } from "./model-argument.ts";
import { ModelError } from "./model-error.ts";
import { progressLine } from "./progress.ts";
import { UsageError } from "./usage-error.ts";
import { namedGpu, namedTorch } from "./named-machine.ts";

const USAGE = "MODEL --gpus N --gpu NAME [options]";
const DEFAULT_SEQ = 4096;
/** Sequences of a step where nothing is said: four million tokens, and at least two for each GPU. */
const STEP_TOKENS = 4 * 2 ** 20;
/** Interpreters that simulate side by side. */
const PROCESSES = 2;
const DEFAULT_SHOWN = 5;
const MOST_SHOWN = 20;
/** Layouts that are simulated for each one that is shown, at most. */
const RUNS_PER_SHOWN = 3;

export const planCommand: Command = {
  name: "plan",
  summary: "command_plan",
  usage: USAGE,
  arguments: [{ name: "MODEL", summary: "argument_model" }],
  options: [
    { name: "gpus", value: "N", summary: "option_gpus" },
    { name: "gpu", value: "NAME", defaultValue: "h100-80gb", summary: "option_plan_gpu" },
    { name: "seq", value: "N", defaultValue: String(DEFAULT_SEQ), summary: "option_seq" },
    { name: "global-batch", value: "N", summary: "option_global_batch" },
    { name: "top", value: "N", defaultValue: String(DEFAULT_SHOWN), summary: "option_plan_top" },
    { name: "torch", value: "VERSION", defaultValue: DEFAULT_TORCH, summary: "option_plan_torch" },
    { name: "json", summary: "option_plan_json" },
  ],
  examples: [{ line: "vramscope plan llama-3.1-70b --gpus 64 --gpu h100", summary: "example_plan" }],
  run,
};

async function run({ parsed, locale, io }: CommandContext): Promise<ExitCode> {
  const [typed, extra] = parsed.positionals;
  if (typed === undefined) throw new UsageError("missing_model", { usage: `${PROGRAM} plan ${USAGE}` });
  if (extra !== undefined) throw new UsageError("too_many_arguments", { value: extra });
  const gpus = countOf(parsed, "gpus");
  if (gpus === null) throw new UsageError("layout_option_needs", { name: "plan", needs: "--gpus N" });
  const gpu = namedGpu(valueOf(parsed, "gpu") ?? "h100-80gb");
  const torch = namedTorch(valueOf(parsed, "torch") ?? DEFAULT_TORCH);
  const seq = countOf(parsed, "seq") ?? DEFAULT_SEQ;
  const shown = Math.min(MOST_SHOWN, countOf(parsed, "top") ?? DEFAULT_SHOWN);
  const globalBatch = countOf(parsed, "global-batch") ?? gpus * Math.max(2, Math.round(STEP_TOKENS / seq / gpus));
  const refuse = (code: string, args: Readonly<Record<string, string | number>>): ExitCode => {
    io.err(`${PROGRAM}: ${messageOrCode(locale, code, args)}\n`);
    return EXIT.programFailed;
  };
  const progress = progressLine(io);
  let close = (): void => {};
  try {
    const model = modelArgument(typed, io);
    const sizes = modelSizes(model.config, model.name);
    progress.say(message(locale, "progress_load"));
    const { openEstimateRuns } = await import("../python/estimate-runs.ts");
    const pool = Array.from({ length: PROCESSES }, () => openEstimateRuns({ torch, files: {}, signal: io.signal }));
    close = () => pool.forEach((runs) => runs.close());
    let next = 0;
    const plan = await searchPlan(
      (...asked) => pool[next++ % PROCESSES]!.run(...asked),
      { name: model.name, model: sizes, gpus, seq, globalBatch },
      gpu,
      { shown, simulated: shown * RUNS_PER_SHOWN },
      (count) => progress.say(message(locale, "progress_estimate", { count })),
    );
    progress.end();
    io.out(
      parsed.flags.has("json")
        ? `${shownJson(planJson(plan), 2)}\n`
        : planText(plan, locale, widthOf(io.env, io.outInfo)),
    );
    return plan.fitting.length > 0 ? EXIT.ok : EXIT.doesNotFit;
  } catch (error) {
    if (error instanceof ReadingError || error instanceof ModelError) return refuse(error.code, error.args);
    if (error instanceof ModelFileError) return refuse(error.code.replaceAll("-", "_"), { ...error.args, path: typed });
    if (!(error instanceof DiagnosticError)) throw error;
    const { code, args } = error.diagnostic;
    return code === "estimate_interrupted" ? EXIT.interrupted : refuse(code, args);
  } finally {
    progress.end();
    close();
  }
}
