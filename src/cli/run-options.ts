/** The options of `run` and what they mean for a run: strings as typed become checked values. */

import { parseSize } from "../base/parse-size.ts";
import { CHANGE_IDS } from "../explain/changes.ts";
import { EXPORT_FORMATS } from "../exports/index.ts";
import { DEFAULT_GPU, type GpuRow } from "../gpus/catalogue.ts";
import type { PackageChoice, SimulationOptions } from "../python/run-types.ts";
import type { PassPolicy } from "../session/passes.ts";
import { DEFAULT_TORCH, NEWEST_TORCH, TORCH_VERSIONS } from "../torch/releases.ts";
import type { ReportDetail } from "../report/index.ts";
import { COLOUR_CHOICES, type ColourChoice } from "./colour.ts";
import { typedName, valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { exportTarget, type ExportTarget } from "./export-target.ts";
import { RANK_OPTIONS, rankSettings, type RankSettings } from "./rank-options.ts";
import { trialChoice, type TrialChoice } from "./trial-plan.ts";
import { UsageError } from "./usage-error.ts";
import { namedGpu, namedTorch } from "./named-machine.ts";

export const RUN_OPTIONS: readonly OptionSpec[] = [
  { name: "module", short: "m", value: "NAME", namesProgram: true, summary: "option_module" },
  { name: "gpu", value: "NAME", defaultValue: DEFAULT_GPU, summary: "option_gpu" },
  { name: "gpus", value: "N", summary: "option_process_gpus" },
  {
    name: "torch",
    value: "VERSION",
    defaultValue: DEFAULT_TORCH,
    summary: "option_torch",
    summaryArgs: { oldest: TORCH_VERSIONS[0], newest: NEWEST_TORCH },
  },
  {
    name: "kernel-temporaries",
    value: "WHICH",
    choices: ["on", "off"],
    defaultValue: "on",
    summary: "option_kernel_temporaries",
  },
  { name: "attention", value: "WHICH", choices: ["auto", "math"], defaultValue: "auto", summary: "option_attention" },
  { name: "data", value: "NAME=SPEC", repeatable: true, summary: "option_data" },
  { name: "passes", value: "N|all|auto", defaultValue: "auto", summary: "option_passes" },
  {
    name: "report",
    value: "HOW",
    choices: ["none", "summary", "lines", "saved"],
    defaultValue: "lines",
    summary: "option_report",
  },
  { name: "why", summary: "option_why" },
  { name: "try", value: "CHANGES", summary: "option_try", summaryArgs: { changes: CHANGE_IDS.join(", ") } },
  { name: "json", summary: "option_json" },
  { name: "markdown", value: "FILE", summary: "option_markdown" },
  { name: "output", short: "o", value: "FILE", summary: "option_output" },
  {
    name: "export",
    value: "FORMAT=FILE",
    repeatable: true,
    summary: "option_export",
    summaryArgs: { formats: EXPORT_FORMATS.map((format) => format.id).join(", ") },
  },
  { name: "symbols", value: "NAMES", repeatable: true, summary: "option_symbols" },
  { name: "web", summary: "option_run_web" },
  { name: "save-files", value: "DIR", summary: "option_save_files" },
  ...RANK_OPTIONS,
  { name: "timeout", value: "SECONDS", summary: "option_timeout" },
  { name: "site-packages", value: "DIR", repeatable: true, summary: "option_site_packages" },
  {
    name: "packages",
    value: "WHICH",
    choices: ["auto", "real", "built-in"],
    defaultValue: "auto",
    summary: "option_packages",
  },
  { name: "python", value: "PATH", summary: "option_environment" },
  { name: "show-file", value: "PATH", repeatable: true, summary: "option_show_file" },
  { name: "env", value: "NAME=VALUE", repeatable: true, summary: "option_env" },
  { name: "limit", aliases: ["fail-over"], value: "SIZE", summary: "option_limit" },
  { name: "fail-if-not-fit", summary: "option_fail_if_not_fit" },
  { name: "profile", value: "NAME", summary: "option_profile" },
  { name: "color", value: "WHEN", choices: COLOUR_CHOICES, defaultValue: "auto", summary: "option_color" },
  { name: "ascii", summary: "option_ascii" },
];

/** What the options say, checked; files are looked at later. */
export interface RunSettings {
  /** What the run gets as it is. */
  readonly simulation: SimulationOptions & {
    readonly gpu: GpuRow;
    readonly torch: string;
    readonly env: Record<string, string>;
  };
  readonly report: ReportDetail;
  /** Run again to see what holds the largest blocks. */
  readonly why: boolean;
  /** Changes with which the program runs again. */
  readonly trials: TrialChoice;
  readonly json: boolean;
  /** Show the trace in the browser afterwards. */
  readonly web: boolean;
  readonly output: string | null;
  /** Where a report in Markdown goes. */
  readonly markdown: string | null;
  readonly exports: readonly ExportTarget[];
  readonly saveFiles: string | null;
  readonly symbols: readonly string[];
  readonly sitePackages: readonly string[];
  /** Installed packages, or the built-in short forms of them. */
  readonly packages: PackageChoice;
  /** The module that is run instead of a script. */
  readonly module: string | undefined;
  /** An interpreter or an environment whose packages the program sees. */
  readonly python: string | undefined;
  /** Files that the program sees though they look like secrets. */
  readonly shownFiles: readonly string[];
  /** The world that the program is started in, or null. */
  readonly world: RankSettings | null;
  readonly limitBytes: number | null;
  /** A run that may not fit, or did not finish, fails, too. */
  readonly failIfNotFit: boolean;
  /** Name of a profile, `none`, or the default. */
  readonly profile: string | undefined;
  readonly colour: ColourChoice;
  readonly ascii: boolean;
}

function environment(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf("=");
      if (at < 1) throw new UsageError("bad_env", { value: entry });
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

/** More are in no machine. */
export const MOST_GPUS = 64;

/** What a timer of Node can wait. */
const MOST_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

function seconds(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const value = Number(typed);
  if (typed.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw new UsageError("bad_number", { name: "--timeout", value: typed });
  }
  if (value > MOST_SECONDS) throw new UsageError("too_large", { name: "--timeout", value: typed, most: MOST_SECONDS });
  return value;
}

/** As vramscope_data/specs.py reads them. */
const DATA_SPEC =
  /^(?<name>[^=]+)=(?<spec>(?:(?:u?int(?:8|16|32|64)|float(?:16|32|64)|bfloat16|bool|text):?)?(?:\d+[kKMG]?x?)*\[\d+[kKMG]?(?:x\d+[kKMG]?)*\])$/;

function placeholders(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const found = DATA_SPEC.exec(entry)?.groups;
      if (found === undefined) throw new UsageError("bad_data", { value: entry });
      return [found["name"]!, found["spec"]!];
    }),
  );
}

function passes(typed: string | undefined): PassPolicy {
  if (typed === undefined || typed === "auto" || typed === "all") return typed ?? "auto";
  const count = Number(typed);
  if (!/^\d+$/.test(typed) || count < 1) throw new UsageError("bad_passes", { value: typed });
  return count;
}

function limit(parsed: Parsed): number | null {
  const typed = valueOf(parsed, "limit");
  if (typed === undefined) return null;
  const bytes = parseSize(typed);
  if (bytes === null) throw new UsageError("bad_size", { name: typedName(parsed, "limit"), value: typed });
  return bytes;
}

/** As many as are asked for, else as the program's environment shows it. */
function gpuCount(typed: string | undefined, env: Readonly<Record<string, string>>): number {
  const visible = env["CUDA_VISIBLE_DEVICES"]?.split(",").filter((word) => word.trim() !== "").length ?? 1;
  if (typed === undefined) return Math.max(1, visible);
  const count = Number(typed);
  if (!/^\d+$/.test(typed) || count < 1) throw new UsageError("bad_number", { name: "--gpus", value: typed });
  if (count > MOST_GPUS) throw new UsageError("too_large", { name: "--gpus", value: typed, most: MOST_GPUS });
  return count;
}

export function runSettings(parsed: Parsed): RunSettings {
  const value = (name: string) => valueOf(parsed, name);
  const env = environment(parsed.values.get("env") ?? []);
  return {
    simulation: {
      gpu: namedGpu(value("gpu") ?? DEFAULT_GPU),
      devices: gpuCount(value("gpus"), env),
      torch: namedTorch(value("torch") ?? DEFAULT_TORCH),
      kernelTemporaries: (value("kernel-temporaries") ?? "on") as "on" | "off",
      attention: (value("attention") ?? "auto") as "auto" | "math",
      data: placeholders(parsed.values.get("data") ?? []),
      passes: passes(value("passes")),
      timeoutSeconds: seconds(value("timeout")),
      env,
    },
    report: (value("report") ?? "lines") as ReportDetail,
    why: parsed.flags.has("why"),
    trials: trialChoice(value("try")),
    json: parsed.flags.has("json"),
    web: parsed.flags.has("web"),
    output: value("output") ?? null,
    markdown: value("markdown") ?? null,
    exports: (parsed.values.get("export") ?? []).map(exportTarget),
    saveFiles: value("save-files") ?? null,
    symbols: parsed.values.get("symbols") ?? [],
    sitePackages: parsed.values.get("site-packages") ?? [],
    packages: (value("packages") ?? "auto") as PackageChoice,
    module: value("module"),
    python: value("python"),
    shownFiles: parsed.values.get("show-file") ?? [],
    world: rankSettings(parsed),
    limitBytes: limit(parsed),
    failIfNotFit: parsed.flags.has("fail-if-not-fit"),
    profile: value("profile"),
    colour: (value("color") ?? "auto") as ColourChoice,
    ascii: parsed.flags.has("ascii"),
  };
}
