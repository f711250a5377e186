/** What a serving engine makes of a GPU, and the size of weights, in words. */

import { fixed2, formatBytes } from "../base/bytes.ts";
import type { ServingEstimate, ServingPart } from "../estimate/serving.ts";
import type { DtypeShare } from "../formats/model-tensor.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";
import { cut, displayWidth, padEnd, padStart } from "./width.ts";

const number = (value: number): string => value.toLocaleString("en-US");

function columns(rows: readonly (readonly string[])[], right: ReadonlySet<number>, width: number): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => displayWidth(row[i]!))));
  return rows.map((row) =>
    cut(
      row
        .map((cell, i) => (right.has(i) ? padStart(cell, widths[i]!) : padEnd(cell, widths[i]!)))
        .join("  ")
        .trimEnd(),
      width,
    ),
  );
}

function interval({ bytes, lowBytes, highBytes }: ServingPart): string {
  return lowBytes === bytes && highBytes === bytes ? "" : `${formatBytes(lowBytes)} – ${formatBytes(highBytes)}`;
}

const rounded = ({ bytes, lowBytes, highBytes, ...part }: ServingPart): ServingPart => ({
  ...part,
  bytes: Math.round(bytes),
  lowBytes: Math.round(lowBytes),
  highBytes: Math.round(highBytes),
});

export function servingText(
  model: string,
  gpu: { readonly name: string; readonly totalBytes: number },
  estimate: ServingEstimate,
  locale: Locale,
  width: number,
): string {
  const { engine, version, parts, contextLength } = estimate;
  const lines = [message(locale, "serving_title", { model, engine, version, gpu: gpu.name }), ""];
  const header = [
    "serving_column_part",
    "serving_column_size",
    "serving_column_interval",
    "serving_column_source",
  ] as const;
  const rows = parts.filter(({ bytes }) => bytes !== 0).map(rounded);
  lines.push(
    ...columns(
      [
        header.map((code) => message(locale, code)),
        ...rows.map((part) => [
          message(locale, `serving_part_${part.code}`),
          formatBytes(part.bytes),
          interval(part),
          `${message(locale, `serving_mark_${part.mark}`)}: ${part.source}`,
        ]),
      ],
      new Set([1]),
      width,
    ),
    "",
    message(locale, "serving_budget", { totalBytes: gpu.totalBytes, budgetBytes: Math.round(estimate.budgetBytes) }),
  );
  if (estimate.cacheTokens === null) lines.push(message(locale, "serving_context", { context: number(contextLength) }));
  else {
    const concurrency = fixed2(estimate.concurrency ?? 0);
    lines.push(
      message(locale, "serving_tokens", {
        tokens: number(estimate.cacheTokens),
        concurrency,
        context: number(contextLength),
      }),
    );
  }
  lines.push(message(locale, estimate.fits ? "serving_fits" : "serving_does_not_fit"));
  for (const { code, args } of estimate.assumptions) lines.push(`* ${messageOrCode(locale, code, args)}`);
  return `${lines.join("\n")}\n`;
}

export interface ServingOn {
  readonly gpu: { readonly name: string; readonly totalBytes: number };
  readonly estimate: ServingEstimate;
}

/** One line per card: where it fits. */
export function servingTable(answers: readonly ServingOn[], locale: Locale, width: number): string {
  const header = [
    "serving_column_gpu",
    "serving_column_memory",
    "serving_column_tokens",
    "serving_column_fits",
  ] as const;
  const rows = answers.map(({ gpu, estimate }) => [
    gpu.name,
    formatBytes(gpu.totalBytes),
    estimate.cacheTokens === null ? number(estimate.contextLength) : number(estimate.cacheTokens),
    message(locale, estimate.fits ? "serving_fits" : "serving_does_not_fit"),
  ]);
  const table = columns([header.map((code) => message(locale, code)), ...rows], new Set([1, 2]), width);
  return `${table.join("\n")}\n`;
}

export interface WeightsFacts {
  readonly bytes: number;
  /** Values; null where only names are known. */
  readonly parameters: number | null;
  readonly tensors: number | null;
  readonly shards: number | null;
  /** What was asked for; null: as the file has them. */
  readonly format: string | null;
  readonly types: readonly DtypeShare[];
  readonly dataIsCut: boolean;
}

export function weightsText(model: string, facts: WeightsFacts, locale: Locale, width: number): string {
  const args = {
    model,
    weightsBytes: facts.bytes,
    parameters: number(facts.parameters ?? 0),
    tensors: number(facts.tensors ?? 0),
    shards: facts.shards ?? 0,
    format: facts.format ?? "",
  };
  const code =
    facts.format !== null ? "weights_line_config" : facts.shards !== null ? "weights_line_index" : "weights_line";
  const lines = [message(locale, code, args)];
  if (facts.types.length > 0) {
    const header = [
      "weights_column_type",
      "weights_column_tensors",
      "weights_column_values",
      "weights_column_bytes",
    ] as const;
    lines.push(
      "",
      ...columns(
        [
          header.map((name) => message(locale, name)),
          ...facts.types.map((type) => [
            type.dtype,
            number(type.tensors),
            number(type.elements),
            formatBytes(type.bytes),
          ]),
        ],
        new Set([1, 2, 3]),
        width,
      ),
    );
  }
  if (facts.dataIsCut) lines.push(`* ${message(locale, "weights_data_cut")}`);
  return `${lines.join("\n")}\n`;
}
