/** Options of `estimate` for training on several GPUs: a layout, or somebody's own configuration. */

import { FRAMEWORKS, type FrameworkId } from "../estimate/layout/index.ts";
import { valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { UsageError } from "./usage-error.ts";

const RECOMPUTE = ["none", "selective", "full"] as const;

export const LAYOUT_OPTIONS: readonly OptionSpec[] = [
  { name: "gpus", value: "N", summary: "option_gpus" },
  { name: "layout", value: "NAMES", summary: "option_layout" },
  { name: "framework", value: "NAME", choices: FRAMEWORKS, summary: "option_framework" },
  { name: "zero", value: "STAGE", choices: ["0", "1"], summary: "option_zero" },
  { name: "global-batch", value: "N", summary: "option_global_batch" },
  { name: "recompute", value: "WHICH", choices: RECOMPUTE, defaultValue: "none", summary: "option_recompute" },
  { name: "from", value: "FILE", summary: "option_from" },
  { name: "from-command", value: "TEXT", summary: "option_from_command" },
];

/** Options of the other answers that mean nothing for a layout. */
const OTHERS = [
  "task",
  "method",
  "loss",
  "packing",
  "pruning",
  "teacher",
  "weights",
  "prompt",
  "new",
  "cache",
  "max",
  "fit",
  "sweep",
  "explain",
  "accumulate",
  "engine",
  "weights-only",
  "quant",
];

/** What a configuration that is read says itself; how many GPUs there are may be said beside it. */
const OF_THE_READ = ["layout", "framework", "zero", "global-batch", "recompute", "batch", "seq"];

export interface LayoutRequest {
  readonly gpus: number | null;
  readonly layout: string;
  readonly framework: FrameworkId;
  readonly zero: 0 | 1;
  readonly microBatch: number;
  readonly globalBatch: number | null;
  readonly seq: number;
  readonly recompute: (typeof RECOMPUTE)[number];
  readonly from: string | null;
  readonly fromCommand: string | null;
}

const MOST = 2 ** 24;

export function wholeNumber(parsed: Parsed, name: string): number | null {
  const typed = valueOf(parsed, name);
  if (typed === undefined) return null;
  const match = /^(\d{1,8})(k?)$/i.exec(typed);
  const value = match === null ? NaN : Number(match[1]) * (match[2] === "" ? 1 : 1024);
  if (!(value >= 1 && value <= MOST)) throw new UsageError("bad_count", { name: `--${name}`, value: typed });
  return value;
}

/** Null where nothing asks for a layout. Throws {@link UsageError}. */
export function layoutRequest(parsed: Parsed): LayoutRequest | null {
  const asked = LAYOUT_OPTIONS.find(({ name }) => parsed.values.has(name));
  if (asked === undefined) return null;
  const from = valueOf(parsed, "from") ?? null;
  const fromCommand = valueOf(parsed, "from-command") ?? null;
  if (from !== null && fromCommand !== null)
    throw new UsageError("launch_contradiction", { a: "--from", b: "--from-command" });
  const told = from === null && fromCommand === null ? undefined : OF_THE_READ.find((name) => parsed.values.has(name));
  if (told !== undefined)
    throw new UsageError("launch_contradiction", { a: `--${told}`, b: from === null ? "--from-command" : "--from" });
  const layout = valueOf(parsed, "layout") ?? "";
  const gpus = wholeNumber(parsed, "gpus");
  if (from === null && fromCommand === null && gpus === null && layout === "")
    throw new UsageError("layout_option_needs", { name: `--${asked.name}`, needs: "--gpus N" });
  const other = OTHERS.find((name) => parsed.values.has(name) || parsed.flags.has(name));
  if (other !== undefined && !(other === "task" && valueOf(parsed, "task") === "train"))
    throw new UsageError("launch_contradiction", { a: `--${other}`, b: `--${asked.name}` });
  const zero = valueOf(parsed, "zero");
  const framework = (valueOf(parsed, "framework") as FrameworkId | undefined) ?? FRAMEWORKS[0];
  return {
    gpus,
    layout,
    framework,
    zero: Number(zero ?? 1) as 0 | 1,
    microBatch: wholeNumber(parsed, "batch") ?? 1,
    globalBatch: wholeNumber(parsed, "global-batch"),
    seq: wholeNumber(parsed, "seq") ?? 4096,
    recompute: (valueOf(parsed, "recompute") as LayoutRequest["recompute"] | undefined) ?? "none",
    from,
    fromCommand,
  };
}
