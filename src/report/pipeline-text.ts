/** The estimate of a pipeline as text: the verdict, its parts, and what is on the card in each phase. */

import { formatBytes } from "../base/bytes.ts";
import { partBytes, type PipelineEstimate } from "../estimate/pipeline.ts";
import { message, type Locale } from "../i18n/index.ts";
import { columns } from "./columns.ts";

const number = (value: number): string => value.toLocaleString("en-US");

function verdict(made: PipelineEstimate, locale: Locale): string {
  const { fit, capacityBytes, neededBytes, highBytes } = made;
  const capacity = formatBytes(capacityBytes);
  const words =
    fit === "does_not_fit"
      ? message(locale, "estimate_missing", { missing: formatBytes(neededBytes - capacityBytes), capacity })
      : message(locale, "estimate_left", { left: formatBytes(capacityBytes - neededBytes), capacity });
  const between = message(locale, "estimate_between", { low: formatBytes(neededBytes), high: formatBytes(highBytes) });
  return `  ${message(locale, `estimate_${fit}`)}  ${words} · ${between}`;
}

export function pipelineText(name: string, typeName: string, made: PipelineEstimate, locale: Locale): string {
  const { request, phases, peak } = made;
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
  const notes = [
    message(locale, "pipeline_note_weights"),
    message(locale, "pipeline_note_activations"),
    message(locale, "pipeline_note_missing"),
    ...(phases.some(({ part }) => part.upcast === true) ? [message(locale, "pipeline_note_upcast")] : []),
    ...(onCard === "all" ? [message(locale, "pipeline_help_on_card")] : []),
  ];
  return [
    message(locale, "estimate_title", { model: name, gpu: made.gpu.name }),
    `${message(locale, "pipeline_line", { weights: typeName, pictures, onCard })}`,
    "",
    verdict(made, locale),
    `  ${message(locale, "pipeline_why", { part: peak.part.name, resident: formatBytes(peak.residentBytes), activations: formatBytes(peak.activationBytes) })}`,
    "",
    ...table,
    "",
    message(locale, "section_assumed"),
    ...notes.map((line) => `  - ${line}`),
    "",
  ].join("\n");
}
