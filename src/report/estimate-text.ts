/** Estimates as text for a terminal: verdict, chain, bars, and tables of what was asked besides. */

import { gibibytes as gib } from "./gibibytes.ts";
import {
  fits,
  largestPart,
  METHODS,
  NEWEST_BITSANDBYTES,
  NEWEST_TRANSFORMERS,
  promptTokens,
  row,
  type Estimate,
  type Fit,
  type Interval,
  type Largest,
  type PartId,
  type SheetLine,
  type Sweep,
} from "../estimate/index.ts";
import { message, type Locale, type MessageCode } from "../i18n/index.ts";
import { columns } from "./columns.ts";
import { bar, type Painter } from "./paint.ts";
import { partCause, type CardLine } from "./verdict-words.ts";
import { displayWidth, padEnd, wrap } from "./width.ts";
import { categoryName, contextMark } from "./words.ts";

export interface EstimateWords {
  readonly locale: Locale;
  readonly painter: Painter;
}

/** Marks of the parts in a stacked bar, where colour may be missing. */
const MARKS: Readonly<Record<PartId, string>> = {
  weights: "█",
  gradients: "▓",
  optimizer: "▒",
  activations: "░",
  temporaries: "▪",
  cache: "▬",
  other: "·",
};
const ASCII_MARKS: Readonly<Record<PartId, string>> = {
  weights: "#",
  gradients: "G",
  optimizer: "O",
  activations: "a",
  temporaries: "t",
  cache: "K",
  other: ".",
};

const say = (words: EstimateWords, code: MessageCode, args: Record<string, string | number> = {}): string =>
  message(words.locale, code, args);

/** Both ends where they differ by what can be seen. */
function between({ lowBytes, highBytes }: Interval, words: EstimateWords): string {
  return gib(lowBytes) === gib(highBytes)
    ? ""
    : say(words, "estimate_between", { low: gib(lowBytes), high: gib(highBytes) });
}

/** What the recipe says, in one line. */
export function recipeText({ recipe, head }: Pick<Estimate, "recipe" | "head">, words: EstimateWords): string {
  const joined = (parts: readonly (string | false)[]): string =>
    parts
      .filter((part) => part !== false)
      .map((part) => ` · ${part}`)
      .join("");
  const attention = say(words, "recipe_attention", { attention: recipe.attention });
  const tokens = (count: number): string | false => head.hasLength && say(words, "recipe_tokens", { count });
  const sounds = head.seconds !== null && say(words, "recipe_sound", { seconds: head.seconds });
  const past = [
    recipe.transformers !== NEWEST_TRANSFORMERS && say(words, "recipe_transformers", { release: recipe.transformers }),
    recipe.bitsandbytes !== NEWEST_BITSANDBYTES && say(words, "recipe_bitsandbytes", { release: recipe.bitsandbytes }),
  ];
  if (recipe.task === "infer") {
    const { prompt, newTokens, cache, batch, weights } = recipe;
    const answer = head.source === null ? "recipe_generation" : "recipe_answer";
    const writes = head.generates && newTokens > 0;
    const length = writes ? say(words, answer, { prompt, newTokens, cache }) : sounds || tokens(prompt);
    const pictures =
      recipe.pictures > 0 &&
      say(words, "recipe_pictures", {
        count: recipe.pictures,
        size: `${recipe.pictureWidth} x ${recipe.pictureHeight}`,
        tokens: promptTokens(recipe, head) - prompt,
      });
    const forward = head.generates && !writes && say(words, "recipe_forward");
    return say(words, "estimate_inference", {
      batch,
      weights,
      more: joined([pictures, length, forward, attention, ...past]),
    });
  }
  const method = row(METHODS, recipe.method);
  const adapters = method.adapters ? say(words, "estimate_rank", { rank: recipe.loraRank }) : "";
  return say(words, "estimate_training", {
    method: recipe.method + adapters,
    precision: recipe.precision,
    optimizer: recipe.optimizer,
    batch: recipe.batch,
    accumulate: recipe.accumulate === 1 ? "" : ` × ${recipe.accumulate}`,
    more: joined([
      sounds || tokens(recipe.seq),
      attention,
      (recipe.checkpointing !== "none" || method.checkpointing !== "none") &&
        say(words, "recipe_checkpointing", { which: recipe.checkpointing }),
      recipe.loss !== "plain" && say(words, "recipe_loss", { loss: recipe.loss }),
      recipe.packing !== "none" && say(words, "recipe_packing"),
      recipe.pruning !== "none" && say(words, "recipe_pruning", { pruning: recipe.pruning }),
      recipe.teacher !== null && say(words, "recipe_teacher", { teacher: recipe.teacher }),
      ...past,
    ]),
  });
}

/** Options as one types them that nobody gave, with the values that were taken. */
export const takenText = (taken: readonly string[], words: EstimateWords): string[] =>
  taken.length === 0
    ? []
    : wrap(say(words, "estimate_taken", { options: taken.join(" ") }), words.painter.width, "  ").map(
        words.painter.faint,
      );

/** `taken`: options as one types them that nobody gave; `isTried`: what would make it fit is measured and follows. */
export function estimateText(
  model: string,
  made: Estimate,
  { taken, isTried }: { readonly taken: readonly string[]; readonly isTried: boolean },
  words: EstimateWords,
): string {
  const { painter } = words;
  const { gpu } = made;
  const lines = [
    painter.strong(say(words, "estimate_title", { model, gpu: gpu.name })),
    ...wrap(recipeText(made, words), painter.width, "  "),
    ...takenText(taken, words),
    "",
    ...cardRows(made, isTried, words),
    "",
    ...stackedBar(made, painter),
    "",
    ...chainLines(made, words),
    "",
    say(words, "estimate_by_module"),
    ...moduleLines(made, words),
  ];
  return `${lines.join("\n")}\n`;
}

/** By how much it fits or not. */
export function amountText(fit: Fit, capacityBytes: number, processBytes: number, locale: Locale): string {
  const left = capacityBytes - processBytes;
  const capacity = gib(capacityBytes);
  return left >= 0
    ? message(locale, "estimate_left", { left: gib(left), capacity })
    : message(locale, fit === "does_not_fit" ? "estimate_missing" : "estimate_given_back", {
        missing: gib(-left),
        capacity,
      });
}

/** The verdict by how much, why, and where the cheapest change is found that makes it fit. */
function cardRows(made: Estimate, isTried: boolean, words: EstimateWords): string[] {
  const { chain, fit } = made;
  const amount = amountText(fit, chain.capacityBytes, chain.process.bytes, words.locale);
  const cause = largestPart(chain);
  const why = cause === null ? null : partCause(say(words, `part_${cause.part}`), cause, words.locale);
  return verdictRows({ fit, amount, why, helps: isTried ? null : say(words, "estimate_help_fit") }, words);
}

/** Rows of a label and its text: the verdict, why, and what helps unless that follows. */
export function verdictRows(
  {
    fit,
    amount,
    why,
    helps,
  }: {
    readonly fit: Fit;
    readonly amount: string;
    readonly why: Pick<CardLine, "label" | "text"> | null;
    /** What would make it fit, unless that follows. */
    readonly helps: string | null;
  },
  words: EstimateWords,
): string[] {
  const { painter } = words;
  const verdict = say(words, `estimate_${fit}`);
  const rows: [string, string][] = [[verdict, amount]];
  if (why !== null) rows.push([why.label, why.text]);
  const isEnough = fit !== "does_not_fit";
  if (!isEnough && helps !== null) rows.push([say(words, "card_help"), helps]);
  const widest = Math.max(...rows.map(([label]) => displayWidth(label)));
  const under = " ".repeat(2 + widest + 2);
  const paint = isEnough ? painter.good : painter.bad;
  return rows.flatMap(([label, text], row) => {
    const lines = wrap(`  ${padEnd(label, widest)}  ${text}`, painter.width, under);
    return row === 0 ? [lines[0]!.replace(verdict, paint(verdict)), ...lines.slice(1)] : lines;
  });
}

const percentOf = (bytes: number, ofBytes: number): number => Math.round((100 * bytes) / ofBytes);

function stackedBar({ chain }: Estimate, painter: Painter): string[] {
  const width = Math.min(60, painter.width - 4);
  const whole = Math.max(chain.capacityBytes, chain.process.bytes);
  const marks = painter.ascii ? ASCII_MARKS : MARKS;
  let line = "";
  let sum = 0;
  for (const { id, bytes } of chain.parts) {
    sum += bytes;
    line += marks[id].repeat(Math.max(0, Math.round((sum / whole) * width) - line.length));
  }
  const end = Math.round((chain.capacityBytes / whole) * width);
  const padded = line + " ".repeat(Math.max(0, width - line.length));
  const edge = painter.ascii ? "|" : "│";
  return [`  ${edge}${padded.slice(0, end)}${edge}${padded.slice(end)}`];
}

function chainLines(made: Estimate, words: EstimateWords): string[] {
  const { chain, gpu } = made;
  const marks = words.painter.ascii ? ASCII_MARKS : MARKS;
  const share = (bytes: number): string => `${percentOf(bytes, chain.allocated.bytes)}%`;
  const rows = chain.parts.map(({ id, bytes }) => [
    `${marks[id]} ${say(words, `part_${id}`)}`,
    gib(bytes),
    share(bytes),
  ]);
  const link = (code: MessageCode, sign: string, interval: Interval): string[] => [
    `${sign} ${say(words, code)}`,
    gib(interval.bytes),
    between(interval, words),
  ];
  const rest = [
    link("chain_allocated", "=", chain.allocated),
    link("chain_reserved", "→", chain.reserved),
    link("chain_process", "→", chain.process),
    [`→ ${say(words, "chain_capacity", { gpu: gpu.name })}`, gib(chain.capacityBytes), ""],
  ].map((cells) => (words.painter.ascii ? [cells[0]!.replace("→", ">"), ...cells.slice(1)] : cells));
  return [
    ...columns([...rows, ...rest]),
    "",
    `  ${words.painter.faint(say(words, "chain_sources", { mark: contextMark(words.locale, gpu.context), evidence: gpu.context.evidence }))}`,
  ];
}

const MODULES_SHOWN = 10;

function moduleLines({ digest, chain }: Estimate, words: EstimateWords): string[] {
  const { painter } = words;
  const shown = digest.modules.slice(0, MODULES_SHOWN);
  const rest = digest.modules.slice(MODULES_SHOWN).reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = shown.map(
    ({ module, category, bytes }) => [module, categoryName(words.locale, category), gib(bytes), bytes] as const,
  );
  if (rest > 0) rows.push([say(words, "estimate_other_modules"), "", gib(rest), rest]);
  const texts = columns(
    rows.map(([module, category, text]) => [`${category}${module === "" ? "" : `  ${module}`}`.trim(), text]),
  );
  return texts.map((text, index) => `${text}  ${bar(rows[index]![3] / chain.allocated.bytes, 24, painter.ascii)}`);
}

/** A GPU for each row: what it has, what is needed, whether that fits. */
export function gpuTable(estimates: readonly Estimate[], words: EstimateWords): string {
  const { painter } = words;
  const rows = [
    [
      say(words, "gpus_column_name"),
      say(words, "gpus_column_total"),
      say(words, "chain_process"),
      say(words, "estimate_column_left"),
      "",
    ],
    ...estimates.map(({ gpu, chain, fit }) => [
      gpu.name,
      gib(chain.capacityBytes),
      gib(chain.process.bytes),
      gib(chain.capacityBytes - chain.process.bytes),
      say(words, `estimate_${fit}`),
    ]),
  ];
  const lines = columns(rows);
  return `${[painter.strong(lines[0]!), ...lines.slice(1).map((line, index) => (fits(estimates[index]!) ? painter.good(line) : line))].join("\n")}\n`;
}

export function largestText(found: Largest, words: EstimateWords): string {
  const { name, value, nextValue, estimate, next, runs, step } = found;
  if (estimate === null) {
    return `${say(words, "max_none", { name, least: step, needed: gib(next!.chain.process.bytes) })}\n`;
  }
  const lines = [
    words.painter.strong(say(words, "max_found", { name, value })),
    `  ${say(words, "max_uses", { used: gib(estimate.chain.process.bytes), capacity: gib(estimate.chain.capacityBytes) })}`,
  ];
  if (next === null) lines.push(`  ${say(words, "max_limit")}`);
  else lines.push(`  ${say(words, "max_next", { name, value: nextValue!, needed: gib(next.chain.process.bytes) })}`);
  lines.push(`  ${words.painter.faint(say(words, "max_runs", { runs }))}`);
  return `${lines.join("\n")}\n`;
}

export function sweepText(found: Sweep, capacityBytes: number, words: EstimateWords): string {
  const { painter } = words;
  const width = Math.max(10, Math.min(40, painter.width - 44));
  const most = Math.max(capacityBytes, ...found.points.map(({ processBytes }) => processBytes));
  const header = [found.name, say(words, "chain_allocated"), say(words, "chain_process")];
  const rows = found.points.map((point) => [
    String(point.value),
    `${point.simulated ? "" : "~"}${gib(point.allocatedBytes)}`,
    gib(point.processBytes),
  ]);
  const lines = columns([header, ...rows]);
  const edge = painter.ascii ? "|" : "│";
  const at = Math.round((capacityBytes / most) * width);
  const drawn = found.points.map(({ processBytes, fits: fitting }, index) => {
    const filled = padEnd(bar(processBytes / most, width, painter.ascii), width);
    const marked = `${filled.slice(0, at)}${edge}${filled.slice(at)}`.trimEnd();
    return `${lines[index + 1]}  ${fitting ? marked : painter.bad(marked)}`;
  });
  const straight = found.points.some(({ simulated }) => !simulated)
    ? say(words, "sweep_straight", { share: (100 * found.errorShare).toFixed(1) })
    : "";
  return `${[painter.strong(lines[0]!), ...drawn, `  ${painter.faint(say(words, "sweep_runs", { runs: found.runs, capacity: gib(capacityBytes) }) + straight)}`].join("\n")}\n`;
}

export function sheetText(lines: readonly SheetLine[], words: EstimateWords): string {
  const rows = lines.map(({ id, formula, numbers, bytes, simulatedBytes }) => [
    say(words, `sheet_${id}`),
    `${formula} = ${numbers}`,
    gib(bytes),
    simulatedBytes === null ? "" : gib(simulatedBytes),
    simulatedBytes === null || bytes === 0
      ? ""
      : `${simulatedBytes >= bytes ? "+" : "−"}${Math.abs(Math.round(100 * (simulatedBytes / bytes - 1)))}%`,
  ]);
  const header = [say(words, "sheet_quantity"), "", say(words, "sheet_textbook"), say(words, "sheet_simulated"), ""];
  return `${[words.painter.strong(say(words, "sheet_title")), ...columns([header, ...rows]), `  ${words.painter.faint(say(words, "sheet_legend"))}`].join("\n")}\n`;
}
