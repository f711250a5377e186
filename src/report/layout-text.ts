/** A layout as text and as JSON: the verdict, a row for each kind of rank, and what was read and assumed. */

import { gibibytes as gib } from "./gibibytes.ts";
import { layoutVerdict, type LayoutEstimate, type Reading, type TrainingJob } from "../estimate/layout/index.ts";
import { message, type Locale } from "../i18n/index.ts";
import { displayWidth, padStart, wrap } from "./width.ts";

export interface ShownLayout {
  readonly made: LayoutEstimate;
  readonly reading: Reading | null;
  readonly model: string;
  /** Options that nobody gave, as one types them. */
  readonly taken: readonly string[];
}

const FRAMEWORK_NAMES = { megatron: "Megatron-Core", torch: "torch", deepspeed: "DeepSpeed" } as const;

/** `tp=4 pp=2 dp=8`: what is not 1. */
export function layoutNames({ layout }: TrainingJob): string {
  const { tp, pp, cp, ep, etp, chunks, gpus, sequenceParallel } = layout;
  const sizes = { tp, pp, cp, ep, etp: ep > 1 ? etp : 1, vpp: chunks, dp: gpus / (tp * pp * cp) };
  const shown = Object.entries(sizes).filter(([name, value]) => value > 1 || name === "dp");
  return [...shown.map(([name, value]) => `${name}=${value}`), ...(sequenceParallel ? ["sp"] : [])].join(" ");
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => displayWidth(cells[column]!))));
  return rows.map((cells) => `  ${cells.map((cell, column) => padStart(cell, widths[column]!)).join("  ")}`);
}

function readingLines(
  { format, understood, without, unmodelled, unknown, assumed }: Reading,
  locale: Locale,
): string[] {
  const list = (names: readonly string[]): string => names.join(", ");
  return [
    message(locale, "launch_understood", { format, count: understood.length }),
    ...(assumed.length === 0
      ? []
      : [message(locale, "launch_assumed", { list: list(assumed.map(([name, value]) => `${name} = ${value}`)) })]),
    ...(without.length === 0 ? [] : [message(locale, "launch_without", { count: without.length })]),
    ...(unmodelled.length === 0 ? [] : [message(locale, "launch_unmodelled", { list: list(unmodelled) })]),
    ...(unknown.length === 0 ? [] : [message(locale, "launch_unknown", { list: list(unknown) })]),
  ];
}

function unevenLines({ uneven }: LayoutEstimate, locale: Locale): string[] {
  if (uneven === undefined) return [];
  const { load, rank } = uneven;
  return [message(locale, "layout_uneven_needs", { load, stage: rank.stage, used: gib(rank.chain.process.bytes) })];
}

function besideLines({ beside }: TrainingJob, locale: Locale): string[] {
  if (beside === undefined) return [];
  const { models, engineShare, engineSleeps } = beside;
  const engine = engineSleeps ? "layout_engine_sleeps" : "layout_engine_awake";
  return [
    ...(models === 0 ? [] : [message(locale, "layout_beside", { count: models })]),
    ...(engineShare === 0 ? [] : [message(locale, engine, { percent: Math.round(100 * engineShare) })]),
  ];
}

export function layoutText(shown: ShownLayout, locale: Locale, width: number): string {
  const { made, reading, model, taken } = shown;
  const { job, gpu, ranks, worst, bounded } = made;
  const framework = FRAMEWORK_NAMES[job.framework];
  const columns = ["stage", "layers", "states", "allocated", "reserved", "process", "left"] as const;
  const header = columns.map((name) => message(locale, `layout_column_${name}`));
  const rows = ranks.map(({ stage, layers, statesBytes, chain }) => [
    String(stage),
    String(layers),
    gib(statesBytes),
    gib(chain.allocated.bytes),
    gib(chain.reserved.bytes),
    gib(chain.process.bytes),
    gib(chain.capacityBytes - chain.process.bytes),
  ]);
  const recompute = message(locale, `layout_recompute_${job.recompute}`);
  const more = [message(locale, "layout_zero", { stage: job.zero }), recompute].join(" · ");
  const lines = [
    message(locale, "layout_title", { model, gpus: job.layout.gpus, gpu: gpu.name }),
    message(locale, "layout_line", {
      framework,
      layout: layoutNames(job),
      batch: job.microBatch,
      global: job.globalBatch,
      seq: job.seq,
      more,
    }),
    ...(taken.length === 0 ? [] : wrap(message(locale, "estimate_taken", { options: taken.join(" ") }), width, "  ")),
    "",
    `  ${message(locale, `layout_${layoutVerdict(made)}`, { seq: job.seq })}  ${message(locale, "layout_worst", { stage: worst.stage, used: gib(worst.chain.process.bytes), capacity: gib(worst.chain.capacityBytes) })}`,
    "",
    ...table([header, ...rows]),
    "",
    ...(job.upToLength ? [message(locale, "layout_up_to_length", { seq: job.seq })] : []),
    ...unevenLines(made, locale),
    ...(job.fullOfPictures === true ? [message(locale, "layout_full_of_pictures")] : []),
    ...besideLines(job, locale),
    ...(bounded.length === 0 ? [] : [message(locale, "layout_bounded", { stages: bounded.join(", ") })]),
    job.framework === "megatron"
      ? message(locale, "layout_rules", { framework })
      : message(locale, `layout_rules_${job.framework}`),
    ...(reading === null ? [] : ["", ...readingLines(reading, locale)]),
  ];
  return `${lines.join("\n")}\n`;
}

export function layoutJson({ made, reading, model }: ShownLayout): object {
  const { job, gpu, ranks, worst, bounded, uneven } = made;
  const { format, understood, without, unmodelled, unknown, assumed } = reading ?? {};
  return {
    schemaVersion: 1,
    model,
    gpu: gpu.id,
    job,
    verdict: layoutVerdict(made),
    fits: layoutVerdict(made) !== "does_not_fit",
    worstStage: worst.stage,
    ranks: ranks.map(({ stage, layers, statesBytes, fit, chain, digest }) => ({
      stage,
      layers,
      fit,
      statesBytes,
      chain,
      assumptions: digest.assumptions,
    })),
    stagesNotRun: bounded,
    ...(uneven === undefined
      ? {}
      : { uneven: { load: uneven.load, stage: uneven.rank.stage, fit: uneven.rank.fit, chain: uneven.rank.chain } }),
    ...(reading === null ? {} : { read: { format, understood, without, unmodelled, unknown, assumed } }),
  };
}
