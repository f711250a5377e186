/** Published models by name: their configurations and parameter counts, so that nothing need be downloaded. */

import { failure, success, type Outcome } from "../base/diagnostic.ts";
import { nearestNames } from "../base/nearest.ts";
import { checkModelConfig, type ModelConfig } from "../formats/model-config.ts";
import { CATALOGUE_LINES } from "./catalogue-data.ts";
import { namedFormat } from "./named-formats.ts";

export interface CatalogueModel {
  /** Hub id. */
  readonly name: string;
  /** Ids of other trainings and copies that have the same configuration. */
  readonly also?: readonly string[];
  /** The transformers class that was counted. */
  readonly class: string;
  /** Parameters of that class, tied ones once. */
  readonly parameters: number;
  /** Where the count comes from; absent: the class of transformers, on the meta device. */
  readonly source?: string;
  /** The checkpoint's own figure, where it differs. */
  readonly published?: number;
  /** What somebody else says that its parameters are, as it is written there: `354483968`, `82M`. */
  readonly stated?: string;
  /** What that figure counts beside the parameters here; less than zero: what it leaves out. */
  readonly beside?: number;
  /** Who says so, or whose configuration this one was compared with. */
  readonly by?: string;
  /** Put together from descriptions, and no published configuration was found: only its size agrees with what is stated. */
  readonly unsure?: boolean;
  /** With the class that was counted, unless it names one itself. */
  readonly config: ModelConfig;
}

/** Who says how large a model is whose configuration no published file confirms. */
export interface StatedSize {
  readonly stated: string;
  readonly by: string;
}

/** Null where the configuration itself was confirmed. */
export function onlyStated({ unsure, stated, by }: CatalogueModel): StatedSize | null {
  return unsure === true && stated !== undefined && by !== undefined ? { stated, by } : null;
}

export type CatalogueErrorCode = "unknown_model" | "unknown_model_nearest";

/** The names in a line, without reading the rest of it. */
const NAME = /^\{"name":"([^"]+)"(?:,"also":\[([^\]]+)\])?/;
const HEADS = CATALOGUE_LINES.map((line) => NAME.exec(line)!);
const NAMES: readonly string[] = HEADS.map(([, name]) => name!);
/** All ids, those of lines first, each with the line that it means. */
const IDS: readonly (readonly [string, number])[] = [
  ...NAMES.map((name, index) => [name, index] as const),
  ...HEADS.flatMap(([, , also], index) =>
    also === undefined ? [] : also.split(",").map((quoted) => [quoted.slice(1, -1), index] as const),
  ),
];

const read = new Map<number, CatalogueModel>();
function modelAt(index: number): CatalogueModel {
  let model = read.get(index);
  if (model === undefined) {
    const parsed = JSON.parse(CATALOGUE_LINES[index]!) as CatalogueModel;
    checkModelConfig(parsed.config);
    read.set(index, (model = { ...parsed, config: { architectures: [parsed.class], ...parsed.config } }));
  }
  return model;
}

const sizeAt = (index: number): string => `${modelAt(index).class} ${modelAt(index).parameters}`;

/** Hub ids, in order of the alphabet. */
export function catalogueNames(): readonly string[] {
  return NAMES;
}

export function catalogueModels(): readonly CatalogueModel[] {
  return NAMES.map((_, index) => modelAt(index));
}

/** The text of a model's config.json, with the class that was counted unless it names one itself. */
export function configText({ config }: CatalogueModel): string {
  return JSON.stringify(config);
}

/** Words that tell apart trainings and file formats, not shapes. */
const VARIANTS: ReadonlySet<string> = new Set(
  "instruct it base pt chat hf meta preview model the thinking deduped latest sft dpo kto orpo cpo grpo ppo rloo rlhf reward rm 2507".split(
    " ",
  ),
);

/** Data sets and ways of pooling that ids name beside the model which was trained: what is left of the id is the model. */
const TRAINED_ON =
  "stsb nli msmarco quora nq paraphrase squad squad2 sst2 mnli mrpc qqp snli conll03 mean max cls tokens distilled finetuned tldr sft rm reward reranker gooaq prompts bce whole word masking";

const WORD = /\d+(?:[.x]\d+)*[bm](?![a-z])|[a-z]+|\d+(?:\.\d+)*/g;

/** How ids are compared, as text for those who look them up elsewhere: a regular expression of a word, and words that tell nothing. */
export const wordsText = (): string =>
  JSON.stringify({ word: WORD.source, variants: [...VARIANTS], trainedOn: TRAINED_ON.split(" ") });

/** Lower-case words, numbers and sizes such as `7b`; `qwen2.5-7b` and `Qwen 2.5-7B` are the same. */
function words(name: string): readonly string[] {
  const short = name
    .slice(name.lastIndexOf("/") + 1)
    .toLowerCase()
    .replaceAll(/(\d)\s+([bm])\b/g, "$1$2");
  return (short.match(WORD) ?? []).filter((word) => !VARIANTS.has(word));
}
const WORDS = IDS.map(([name]) => words(name));
const KEYS = IDS.map(([name]) => name.toLowerCase());
const SHORT = KEYS.map((key) => key.slice(key.lastIndexOf("/") + 1));

const LONGEST_NAME = 200;

/** Whether it is an id of the catalogue itself, in whatever case. */
export const isCatalogueName = (typed: string): boolean => KEYS.includes(typed.toLowerCase());

/**
 * A model by Hub id, by its last part, loosely, or with the format of its weights at the end (`…-AWQ`): then the configuration says
 * how they are quantized, and the name which model was taken.
 */
export function findModel(typed: string): Outcome<CatalogueModel, CatalogueErrorCode> {
  const found = findPlain(typed);
  if (found.ok) return found;
  const named = namedFormat(typed.slice(0, LONGEST_NAME).trim());
  const model = named === null ? null : findModel(named.base);
  if (named === null || model === null || !model.ok) return found;
  const { name, config } = model.value;
  const { format, quantization } = named;
  return success({
    ...model.value,
    name: `${typed.slice(0, LONGEST_NAME).trim()} (${name}, ${format})`,
    config: quantization === null ? config : { ...config, quantization_config: quantization },
  });
}

/**
 * A model by Hub id, by its last part, or loosely: `llama-3.1-8b`, `Qwen 2.5 7B`. A loose name means the model with the fewest words
 * beside the typed ones, and of those the shortest name.
 */
function findPlain(typed: string): Outcome<CatalogueModel, CatalogueErrorCode> {
  const key = typed.slice(0, LONGEST_NAME).trim().toLowerCase();
  for (const names of [KEYS, SHORT]) {
    const index = names.indexOf(key);
    if (index >= 0) return success(modelAt(IDS[index]![1]));
  }
  const wanted = words(key);
  let best = -1;
  // ids of one line are one model
  const lines = new Set<number>();
  // Neither a number nor a family alone names a model.
  if (wanted.some((word) => /^[a-z]{2}/.test(word)) && wanted.some((word) => /^\d/.test(word)))
    WORDS.forEach((candidate, index) => {
      const rest = [...candidate];
      const all = wanted.every((word) => {
        const at = rest.indexOf(word);
        if (at >= 0) rest.splice(at, 1);
        return at >= 0;
      });
      if (!all) return;
      const shorter = best < 0 || candidate.length < WORDS[best]!.length;
      const isAsLong = best >= 0 && candidate.length === WORDS[best]!.length;
      if (shorter || (isAsLong && KEYS[index]!.length < KEYS[best]!.length)) best = index;
      if (shorter) lines.clear();
      if (candidate.length === WORDS[best]!.length) lines.add(IDS[index]![1]);
    });
  // Without a size, one of several would be a guess, unless they differ in less: Phi-3 medium for 4k and for 128k tokens.
  const isSure = wanted.some((word) => /^\d.*[bm]$/.test(word)) || new Set([...lines].map(sizeAt)).size === 1;
  if (best >= 0 && isSure) return success(modelAt(IDS[best]![1]));
  if (best >= 0)
    return failure("unknown_model_nearest", { name: typed.slice(0, LONGEST_NAME), nearest: IDS[best]![0] });
  const [nearest] = nearestNames(key.slice(key.lastIndexOf("/") + 1), SHORT);
  if (nearest === undefined) return failure("unknown_model", { name: typed.slice(0, LONGEST_NAME) });
  return failure("unknown_model_nearest", {
    name: typed.slice(0, LONGEST_NAME),
    nearest: IDS[SHORT.indexOf(nearest)]![0],
  });
}
