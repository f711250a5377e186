/** A step that trains by preferences or rewards, as text and as JSON: its phases side by side, and the one that needs most. */

import { gibibytes as gib } from "./gibibytes.ts";
import { alignmentFits, type AlignmentEstimate, type PhaseShare } from "../estimate/alignment/index.ts";
import type { SearchedChanges, Tried } from "../estimate/index.ts";
import { message } from "../i18n/index.ts";
import { columns } from "./columns.ts";
import { amountText, recipeText, takenText, verdictRows, type EstimateWords } from "./estimate-text.ts";
import { wrap } from "./width.ts";

const COLUMNS = ["phase", "allocated", "reserved", "engine", "process", "left"] as const;

/** `taken`: options as one types them that nobody gave; `isTried`: what would make it fit is measured and follows. */
export function alignmentText(
  model: string,
  made: AlignmentEstimate,
  { taken, isTried }: { readonly taken: readonly string[]; readonly isTried: boolean },
  words: EstimateWords,
): string {
  const { recipe, train, head, gpu, phases, worst, engine, fit } = made;
  const { locale, painter } = words;
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
    wrap(message(locale, code, args), painter.width);
  const why = {
    label: message(locale, "card_why"),
    text: message(locale, "alignment_worst", {
      phase: name(worst),
      used: gib(worst.process.bytes),
      allocated: gib(worst.allocatedBytes),
    }),
  };
  const line = message(locale, "alignment_line", {
    recipe: recipeText({ recipe: train, head }, words),
    reference: message(locale, `alignment_reference_${recipe.reference}`),
  });
  const amount = amountText(fit, gpu.totalBytes, worst.process.bytes, locale);
  const lines = [
    painter.strong(message(locale, "alignment_title", { model, task: recipe.task.toUpperCase(), gpu: gpu.name })),
    ...wrap(line, painter.width, "  "),
    ...takenText(taken, words),
    "",
    ...verdictRows({ fit, amount, why, helps: isTried ? null : message(locale, "estimate_help_fit") }, words),
    "",
    ...columns([header, ...rows]),
    "",
    ...said("alignment_rules"),
    ...said("alignment_shows"),
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

export function alignmentJson(
  model: string,
  made: AlignmentEstimate,
  changes: SearchedChanges<AlignmentEstimate> | null,
): object {
  const tried = ({ estimate, ...rest }: Tried<AlignmentEstimate>): object => ({ ...rest, ...answerJson(estimate) });
  return {
    schemaVersion: 1,
    model,
    gpu: made.gpu.id,
    capacityBytes: made.gpu.totalBytes,
    ...answerJson(made),
    ...(made.engine === null ? {} : { engine: made.engine }),
    assumptions: made.digest.assumptions,
    ...(changes === null
      ? {}
      : { changes: { single: changes.single.map(tried), together: changes.together && tried(changes.together) } }),
  };
}

const answerJson = (made: AlignmentEstimate): object => ({
  recipe: made.recipe,
  train: made.train,
  verdict: made.fit,
  fits: alignmentFits(made),
  worstPhase: made.worst.id,
  phases: made.phases,
});
