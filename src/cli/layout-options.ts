/** Options of `estimate` for training on several GPUs: a layout, or somebody's own configuration. */

import {
  FRAMEWORKS,
  MEGATRON_RELEASES,
  NEWEST_MEGATRON,
  type FrameworkId,
  type MegatronRelease,
} from "../estimate/layout/index.ts";
import { OFFLOADS, type Sharding } from "../estimate/sharded/index.ts";
import { valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { pixelSize } from "./pixel-size.ts";
import { UsageError } from "./usage-error.ts";
import { wholeNumber } from "./whole-number.ts";

const RECOMPUTE = ["none", "selective", "full"] as const;

export const LAYOUT_OPTIONS: readonly OptionSpec[] = [
  { name: "gpus", value: "N", summary: "option_gpus" },
  { name: "layout", value: "NAMES", summary: "option_layout" },
  { name: "framework", value: "NAME", choices: FRAMEWORKS, summary: "option_framework" },
  { name: "zero", value: "STAGE", choices: ["0", "1", "2", "3"], summary: "option_zero" },
  { name: "fsdp", value: "HOW", summary: "option_fsdp" },
  { name: "offload", value: "WHAT", choices: OFFLOADS, summary: "option_offload" },
  { name: "global-batch", value: "N", summary: "option_global_batch" },
  { name: "recompute", value: "WHICH", choices: RECOMPUTE, defaultValue: "none", summary: "option_recompute" },
  {
    name: "megatron-core",
    value: "VERSION",
    choices: MEGATRON_RELEASES,
    defaultValue: NEWEST_MEGATRON,
    summary: "option_megatron_core",
  },
  { name: "from", value: "FILE", summary: "option_from" },
  { name: "from-command", value: "TEXT", summary: "option_from_command" },
];

/** Options of a recipe that only transformers' own models take; Megatron-Core's ranks have no such. */
const OF_A_RECIPE = [
  "method",
  "loss",
  "packing",
  "pruning",
  "teacher",
  "precision",
  "optimizer",
  "attention",
  "accumulate",
];

/** Options of the other answers that mean nothing for a layout. */
const OTHERS = [
  "task",
  "weights",
  "prompt",
  "new",
  "cache",
  "max",
  "fit",
  "sweep",
  "explain",
  "engine",
  "weights-only",
  "quant",
];

/** What a configuration that is read says itself; how many GPUs there are may be said beside it. */
const OF_THE_READ = [
  "layout",
  "framework",
  "zero",
  "fsdp",
  "offload",
  "global-batch",
  "recompute",
  "batch",
  "seq",
  "images",
  "image-size",
];

export interface LayoutRequest {
  readonly gpus: number | null;
  readonly layout: string;
  readonly framework: FrameworkId;
  readonly sharding: Sharding;
  readonly microBatch: number;
  readonly globalBatch: number | null;
  readonly seq: number;
  readonly recompute: (typeof RECOMPUTE)[number];
  readonly megatron: MegatronRelease | null;
  readonly from: string | null;
  readonly fromCommand: string | null;
}

/** What is cut where nobody says: Megatron's distributed optimizer, `fully_shard`, and the stage that guides of DeepSpeed begin with. */
const USUAL_ZERO: Readonly<Record<FrameworkId, Sharding["zero"]>> = { megatron: 1, torch: 3, deepspeed: 2 };

/** Whose words were used: those of torch, DeepSpeed's stages and what lies on the host, or none that Megatron has not. */
function usualFramework(parsed: Parsed): FrameworkId {
  if (parsed.values.has("fsdp")) return "torch";
  const isDeepspeed = Number(valueOf(parsed, "zero") ?? 0) > 1 || (valueOf(parsed, "offload") ?? "none") !== "none";
  return isDeepspeed ? "deepspeed" : "megatron";
}

/** Of a model that sees; where nobody says, sequences are full of pictures. Throws {@link UsageError}. */
function picturesAsked(parsed: Parsed, framework: FrameworkId): Pick<Sharding, "mostPictures" | "mostPixels"> {
  const [images, sized] = [valueOf(parsed, "images"), valueOf(parsed, "image-size")];
  if (images === undefined && sized === undefined) return {};
  if (framework === "megatron")
    throw new UsageError("layout_option_needs", { name: "--images", needs: "--framework torch or deepspeed" });
  const size = sized === undefined ? null : pixelSize(sized, Infinity);
  if (sized !== undefined && size === null) throw new UsageError("bad_image_size", { value: sized });
  return {
    ...(images === undefined ? {} : { mostPictures: images === "0" ? 0 : wholeNumber("--images", images, MOST) }),
    ...(size === null ? {} : { mostPixels: size.width * size.height }),
  };
}

/** Throws {@link UsageError}. */
function shardingOf(parsed: Parsed, framework: FrameworkId): Sharding {
  const [zero, fsdp] = [valueOf(parsed, "zero"), valueOf(parsed, "fsdp")];
  const offload = (valueOf(parsed, "offload") ?? "none") as Sharding["offload"];
  const base = { hybridRanks: 0, offload, deepspeed: {}, ...picturesAsked(parsed, framework) };
  if (offload !== "none" && framework === "megatron")
    throw new UsageError("layout_option_needs", { name: "--offload", needs: "--framework torch or deepspeed" });
  if (offload !== "none" && offload !== "all" && framework === "torch")
    throw new UsageError("layout_option_needs", { name: `--offload ${offload}`, needs: "--framework deepspeed" });
  if (fsdp === undefined) {
    const stage = Number(zero ?? USUAL_ZERO[framework]) as Sharding["zero"];
    if (offload === "all" && stage < 3)
      throw new UsageError("layout_option_needs", { name: "--offload all", needs: "--zero 3" });
    return { ...base, zero: stage };
  }
  if (zero !== undefined) throw new UsageError("launch_contradiction", { a: "--fsdp", b: "--zero" });
  if (framework !== "torch")
    throw new UsageError("layout_option_needs", { name: "--fsdp", needs: "--framework torch" });
  const groups = /^hsdp=(\d{1,6})$/.exec(fsdp);
  if (groups !== null && Number(groups[1]) > 0) return { ...base, zero: 3, hybridRanks: Number(groups[1]) };
  if (fsdp !== "full" && fsdp !== "grad-op") throw new UsageError("launch_bad_value", { name: "--fsdp", value: fsdp });
  return { ...base, zero: fsdp === "full" ? 3 : 2 };
}

const MOST = 2 ** 24;

export function countOf(parsed: Parsed, name: string): number | null {
  const typed = valueOf(parsed, name);
  return typed === undefined ? null : wholeNumber(`--${name}`, typed, MOST);
}

/** Null where nothing asks for a layout. Throws {@link UsageError}. */
export function layoutRequest(parsed: Parsed): LayoutRequest | null {
  const asked = LAYOUT_OPTIONS.find(({ name }) => parsed.values.has(name));
  if (asked === undefined) return null;
  const from = valueOf(parsed, "from") ?? null;
  const fromCommand = valueOf(parsed, "from-command") ?? null;
  if (from !== null && fromCommand !== null)
    throw new UsageError("launch_contradiction", { a: "--from", b: "--from-command" });
  const contradicted =
    from === null && fromCommand === null
      ? undefined
      : [...OF_THE_READ, ...OF_A_RECIPE].find((name) => parsed.values.has(name));
  if (contradicted !== undefined)
    throw new UsageError("launch_contradiction", {
      a: `--${contradicted}`,
      b: from === null ? "--from-command" : "--from",
    });
  const layout = valueOf(parsed, "layout") ?? "";
  if (parsed.values.has("layout") && layout.trim() === "") throw new UsageError("layout_empty", {});
  const gpus = countOf(parsed, "gpus");
  if (from === null && fromCommand === null && gpus === null && layout === "")
    throw new UsageError("layout_option_needs", { name: `--${asked.name}`, needs: "--gpus N" });
  if (asked.name === "gpus" && parsed.values.has("engine"))
    throw new UsageError("engine_spreads", { count: valueOf(parsed, "gpus")! });
  const other = OTHERS.find((name) => parsed.values.has(name) || parsed.flags.has(name));
  if (other !== undefined && !(other === "task" && valueOf(parsed, "task") === "train"))
    throw new UsageError("launch_contradiction", { a: `--${other}`, b: `--${asked.name}` });
  const framework = (valueOf(parsed, "framework") as FrameworkId | undefined) ?? usualFramework(parsed);
  const sharding = shardingOf(parsed, framework);
  if (framework === "megatron") {
    const foreign = [...OF_A_RECIPE, "checkpointing"].find((name) => parsed.values.has(name));
    if (foreign !== undefined)
      throw new UsageError("layout_option_needs", { name: `--${foreign}`, needs: "--framework torch or deepspeed" });
    if (sharding.zero > 1)
      throw new UsageError("layout_option_needs", {
        name: `--zero ${sharding.zero}`,
        needs: "--framework torch or deepspeed",
      });
  } else if (parsed.values.has("recompute"))
    throw new UsageError("layout_option_needs", {
      name: "--recompute",
      needs: "--framework megatron (else --checkpointing)",
    });
  return {
    gpus,
    layout,
    framework,
    sharding,
    microBatch: countOf(parsed, "batch") ?? 1,
    globalBatch: countOf(parsed, "global-batch"),
    seq: countOf(parsed, "seq") ?? 4096,
    recompute: (valueOf(parsed, "recompute") as LayoutRequest["recompute"] | undefined) ?? "none",
    megatron: (valueOf(parsed, "megatron-core") as MegatronRelease | undefined) ?? null,
    from,
    fromCommand,
  };
}
