/** What a serving engine makes of a GPU, and the size of weights, in words. */

import { fixed2, formatBytes } from "../base/bytes.ts";
import type { FormatFits } from "../serving/format-fits.ts";
import type { ServingCard } from "../serving/serving-card.ts";
import { usedBytes, type ServingEstimate, type ServingPart } from "../serving/serving.ts";
import type { DtypeShare } from "../formats/model-tensor.ts";
import { message, messageOrCode, type Locale } from "../i18n/index.ts";
import { partCause, type CardLine } from "./verdict-words.ts";
import { cut, displayWidth, padEnd, padStart, wrap } from "./width.ts";

const GAP = "  ";
/** Lengths that are proposed are multiples of it. */
const CACHE_STEP = 64;
const INDENT = "    ";
/** Where less is left than this, the last column goes below: nobody reads one word a line. */
const LEAST_TEXT = 30;

const number = (value: number): string => value.toLocaleString("en-US");

interface Capacity {
  readonly name: string;
  readonly totalBytes: number;
}

/** The last column wraps where the line is too long for the terminal. */
function columns(rows: readonly (readonly string[])[], right: ReadonlySet<number>, width: number): string[] {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => displayWidth(row[i]!))));
  const before = widths.slice(0, -1).reduce((sum, own) => sum + own + GAP.length, 0);
  return rows.flatMap((row) => {
    const cells = row.map((cell, i) => (right.has(i) ? padStart(cell, widths[i]!) : padEnd(cell, widths[i]!)));
    const line = cells.join(GAP).trimEnd();
    if (displayWidth(line) <= width) return [line];
    if (width - before < LEAST_TEXT)
      return [cut(cells.slice(0, -1).join(GAP).trimEnd(), width), ...wrap(INDENT + row.at(-1)!, width, INDENT)];
    const under = " ".repeat(before);
    const [first = "", ...more] = wrap(under + row.at(-1)!, width, under);
    return [cells.slice(0, -1).join(GAP) + GAP + first.slice(before), ...more];
  });
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

/** What stands beside the verdict, in the words of every other card. */
export function servingCardLines({ cause, remedy }: ServingCard, locale: Locale): CardLine[] {
  const line = (id: CardLine["id"], text: string): CardLine => ({ id, label: message(locale, `card_${id}`), text });
  const lines: CardLine[] = [];
  if (cause !== null) {
    lines.push(partCause(message(locale, `serving_part_${cause.part}`), cause, locale));
  }
  if (remedy !== null) {
    const code =
      remedy.format === undefined
        ? "serving_help_context"
        : remedy.context === undefined
          ? "serving_help"
          : "serving_help_both";
    lines.push(line("help", message(locale, code, { ...remedy })));
  }
  return lines;
}

/** Whether it fits, by how much, why, and what helps. */
function verdictLines(
  { totalBytes }: Capacity,
  estimate: ServingEstimate,
  card: ServingCard,
  locale: Locale,
  width: number,
): string[] {
  const used = Math.round(usedBytes(estimate));
  const verdict = message(locale, estimate.fits ? "estimate_fits" : "estimate_does_not_fit");
  const { cacheTokens, contextLength } = estimate;
  const amount = estimate.fits
    ? message(locale, "serving_left", { leftBytes: totalBytes - used, totalBytes })
    : cacheTokens !== null
      ? message(locale, cacheTokens < CACHE_STEP ? "serving_no_cache" : "serving_too_few", {
          tokens: number(cacheTokens),
          context: number(contextLength),
          usedBytes: used,
          budgetBytes: Math.round(estimate.budgetBytes),
        })
      : message(locale, "serving_missing", { missingBytes: Math.max(0, used - totalBytes), totalBytes });
  const rows = [[verdict, amount], ...servingCardLines(card, locale).map(({ label, text }) => [label, text])];
  return columns(rows, new Set(), width).map((line) => `${INDENT.slice(2)}${line}`);
}

/** What an answer is about: the format of the weights, where a configuration is all there is, and what was asked for. */
export interface ServingAbout {
  readonly format: string | null;
  /** Nobody asked for that format. */
  readonly isDefault: boolean;
  /** Options that nobody gave, as one types them. */
  readonly taken: readonly string[];
}

export function servingText(
  model: string,
  gpu: Capacity,
  estimate: ServingEstimate,
  card: ServingCard,
  about: ServingAbout,
  locale: Locale,
  width: number,
): string {
  const { engine, version, parts, contextLength } = estimate;
  const lines = [
    message(locale, "serving_title", { model, engine, version, gpu: gpu.name }),
    ...(about.format === null
      ? []
      : [message(locale, about.isDefault ? "serving_format_taken" : "serving_format", { format: about.format })]),
    ...(about.taken.length === 0
      ? []
      : wrap(message(locale, "estimate_taken", { options: about.taken.join(" ") }), width, INDENT.slice(2))),
    "",
    ...verdictLines(gpu, estimate, card, locale, width - 2),
    "",
  ];
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
    message(locale, estimate.cacheTokens === null ? "serving_used" : "serving_budget", {
      totalBytes: gpu.totalBytes,
      usedBytes: Math.round(usedBytes(estimate)),
      budgetBytes: Math.round(estimate.budgetBytes),
    }),
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
  for (const { code, args } of estimate.assumptions) lines.push(`* ${messageOrCode(locale, code, args)}`);
  return `${lines.join("\n")}\n`;
}

/** Which weight format fits with which context. */
export function formatTable(fits: FormatFits, gpu: Capacity, locale: Locale, width: number): string {
  const header = [
    "column_format",
    "serving_part_weights",
    "serving_column_used",
    "serving_column_longest",
    "serving_column_fits",
  ] as const;
  const rows = fits.rows.map((row) => [
    row.format,
    formatBytes(Math.round(row.weightBytes)),
    formatBytes(Math.round(row.usedBytes)),
    row.longest === null ? "-" : number(row.longest),
    message(locale, row.fits ? "estimate_fits" : "estimate_does_not_fit"),
  ]);
  const best = fits.rows.find((row) => row.fits);
  const head =
    best === undefined
      ? message(locale, "serving_format_none", { context: number(fits.context), gpu: gpu.name })
      : message(locale, "serving_format_best", {
          format: best.format,
          context: number(fits.context),
          gpu: gpu.name,
          leftBytes: gpu.totalBytes - Math.round(best.usedBytes),
        });
  const table = columns([header.map((code) => message(locale, code)), ...rows], new Set([1, 2, 3]), width);
  return `${[...wrap(head, width), "", ...table].join("\n")}\n`;
}

/** Which weight format leaves room for which context, on several cards. */
export function formatsOnCards(
  found: readonly { readonly gpu: Capacity; readonly fits: FormatFits }[],
  locale: Locale,
  width: number,
): string {
  const header = [message(locale, "column_format"), message(locale, "serving_part_weights")];
  const rows = found[0]!.fits.rows.map(({ format, weightBytes }) => [
    format,
    formatBytes(Math.round(weightBytes)),
    ...found.map(({ fits }) => {
      const longest = fits.rows.find((row) => row.format === format)?.longest ?? null;
      return longest === null ? "-" : number(longest);
    }),
  ]);
  const right = new Set(rows[0]!.map((_, i) => i).slice(1));
  const table = columns([[...header, ...found.map(({ gpu }) => gpu.name)], ...rows], right, width);
  return `${[...wrap(message(locale, "serving_formats_on_cards"), width), "", ...table].join("\n")}\n`;
}

export interface ServingOn {
  readonly gpu: Capacity;
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
