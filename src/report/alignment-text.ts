/** A step that trains by preferences or rewards, as text and as JSON: its phases side by side, and the one that needs most. */

import { fixed2, GIB } from "../base/bytes.ts";
import type { AlignmentEstimate, PhaseShare } from "../estimate/alignment/index.ts";
import { message, type Locale } from "../i18n/index.ts";
import { displayWidth, padEnd, padStart, wrap } from "./width.ts";

const gib = (bytes: number): string => `${fixed2(bytes / GIB)} GiB`;

const COLUMNS = ["phase", "allocated", "reserved", "engine", "process", "left"] as const;

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => displayWidth(cells[column]!))));
  return rows.map((cells) =>
    `  ${cells.map((cell, i) => (i === 0 ? padEnd(cell, widths[i]!) : padStart(cell, widths[i]!))).join("  ")}`.trimEnd(),
  );
}

export function alignmentText(model: string, made: AlignmentEstimate, locale: Locale, width: number): string {
  const { recipe, train, gpu, phases, worst, engine, fit } = made;
  const name = (phase: PhaseShare): string => message(locale, `alignment_phase_${phase.id}`);
  const header = COLUMNS.map((column) => message(locale, `alignment_column_${column}`));
  const rows = phases.map((phase) => [
    name(phase),
    gib(phase.allocatedBytes),
    gib(phase.reservedBytes),
    gib(phase.engineBytes),
    gib(phase.process.bytes),
    gib(gpu.totalBytes - phase.process.bytes),
  ]);
  const said = (code: Parameters<typeof message>[1], args: Record<string, string | number> = {}): string[] =>
    wrap(message(locale, code, args), width);
  const most = { phase: name(worst), used: gib(worst.process.bytes), capacity: gib(gpu.totalBytes) };
  const lines = [
    message(locale, "alignment_title", { model, task: recipe.task.toUpperCase(), gpu: gpu.name }),
    message(locale, "alignment_line", {
      method: train.method,
      batch: train.batch,
      accumulate: train.accumulate,
      seq: train.seq,
      reference: message(locale, `alignment_reference_${recipe.reference}`),
    }),
    "",
    `  ${message(locale, `layout_${fit === "fits" ? "fits_one" : fit}`)}  ${message(locale, "alignment_worst", most)}`,
    "",
    ...table([header, ...rows]),
    "",
    ...said("alignment_rules"),
    ...(engine === null
      ? []
      : said(`alignment_sleep_${recipe.sleep}`, {
          engine: engine.engine,
          version: engine.version,
          budget: gib(engine.budgetBytes),
        })),
  ];
  return `${lines.join("\n")}\n`;
}

export function alignmentJson(model: string, made: AlignmentEstimate): object {
  const { recipe, train, gpu, phases, worst, engine, fit, digest } = made;
  return {
    schemaVersion: 1,
    model,
    gpu: gpu.id,
    capacityBytes: gpu.totalBytes,
    recipe,
    train,
    verdict: fit,
    fits: fit !== "does_not_fit",
    worstPhase: worst.id,
    phases,
    ...(engine === null ? {} : { engine }),
    assumptions: digest.assumptions,
  };
}
