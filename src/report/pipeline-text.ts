/** The estimate of a pipeline as text: the verdict, its parts, and what is on the card in each phase. */

import { formatBytes } from "../base/bytes.ts";
import { partBytes, type PipelineEstimate } from "../estimate/pipeline.ts";
import { message, type Locale } from "../i18n/index.ts";
import { columns } from "./columns.ts";
import { amountText, takenText, verdictRows, type EstimateWords } from "./estimate-text.ts";
import { wrap } from "./width.ts";

const number = (value: number): string => value.toLocaleString("en-US");

/** Which part needs most, and of what. */
export function pipelineWhy({ peak }: PipelineEstimate, locale: Locale): string {
  return message(locale, "pipeline_why", {
    part: peak.part.name,
    resident: formatBytes(peak.residentBytes),
    activations: formatBytes(peak.activationBytes),
  });
}

/** What the figures rest on. */
export function pipelineNotes({ phases }: PipelineEstimate, locale: Locale): readonly string[] {
  return [
    message(locale, "pipeline_note_weights"),
    message(locale, "pipeline_note_activations"),
    message(locale, "pipeline_note_missing"),
    ...(phases.some(({ part }) => part.upcast === true) ? [message(locale, "pipeline_note_upcast")] : []),
  ];
}

/** The verdict, why, and the smaller choice where it does not fit. */
function rows(made: PipelineEstimate, words: EstimateWords): string[] {
  const { locale } = words;
  const { fit, capacityBytes, neededBytes, highBytes, request } = made;
  const between = message(locale, "estimate_between", { low: formatBytes(neededBytes), high: formatBytes(highBytes) });
  const why = { label: message(locale, "card_why"), text: pipelineWhy(made, locale) };
  const amount = `${amountText(fit, capacityBytes, neededBytes, locale)} · ${between}`;
  const helps = request.onCard === "all" ? message(locale, "pipeline_help_on_card") : null;
  return verdictRows({ fit, amount, why, helps }, words);
}

/** `taken`: options as one types them that nobody gave. */
export function pipelineText(
  name: string,
  typeName: string,
  made: PipelineEstimate,
  taken: readonly string[],
  words: EstimateWords,
): string {
  const { locale, painter } = words;
  const { request, phases } = made;
  const { batch, width, height, frames, onCard } = request;
  const pictures = message(locale, frames === 1 ? "pipeline_pictures" : "pipeline_films", {
    batch,
    size: `${width}x${height}`,
    frames,
  });
  const table = columns([
    [
      message(locale, "pipeline_part"),
      message(locale, "pipeline_parameters"),
      message(locale, "pipeline_weights"),
      message(locale, "pipeline_on_card"),
      message(locale, "pipeline_activations"),
      message(locale, "pipeline_together"),
    ],
    ...phases.map((phase) => [
      `${phase.part.name} (${phase.part.class})`,
      number(phase.part.parameters),
      formatBytes(partBytes(phase.part, request)),
      formatBytes(phase.residentBytes),
      phase.part.activations === undefined ? "-" : formatBytes(phase.activationBytes),
      formatBytes(phase.residentBytes + phase.activationBytes),
    ]),
  ]);
  return [
    painter.strong(message(locale, "estimate_title", { model: name, gpu: made.gpu.name })),
    ...wrap(message(locale, "pipeline_line", { weights: typeName, pictures, onCard }), painter.width, "  "),
    ...takenText(taken, words),
    "",
    ...rows(made, words),
    "",
    ...table,
    "",
    message(locale, "section_assumed"),
    ...pipelineNotes(made, locale).flatMap((line) => wrap(`  - ${line}`, painter.width, "    ")),
    "",
  ].join("\n");
}
