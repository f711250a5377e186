/** The published models as a list to choose from: grouped by family, with their sizes, filtered while the reader types. */

import { catalogueModels, headOf, type CatalogueModel } from "../../../src/estimate/index.ts";
import { findPipeline, pipelineNames } from "../../../src/models/pipelines.ts";

/** What models do, in the order of the list. */
export const DEEDS = ["text", "text_and_pictures", "embeddings", "vision", "speech", "making"] as const;
export type Deed = (typeof DEEDS)[number];

export interface ListedModel {
  /** Hub id. */
  readonly name: string;
  readonly family: string;
  readonly parameters: number;
}

export interface Family {
  readonly name: string;
  readonly deed: Deed;
  readonly models: readonly ListedModel[];
}

/** The words that stand before a family's name. */
const BEFORE = /^(?:meta|distil|the)-(?=[a-z])/i;

/** `Qwen/Qwen2.5-7B` → `Qwen`: the first letters of the name, without who made it. */
export function familyOf({ name }: Pick<CatalogueModel, "name">): string {
  const short = name.slice(name.lastIndexOf("/") + 1).replace(BEFORE, "");
  return /^[a-z]+/i.exec(short)?.[0] ?? short;
}

/** By what its class takes and gives. */
function deedOf({ config }: CatalogueModel): Deed {
  const { generates, looks, seconds, source, hasLength } = headOf(config);
  if (seconds !== null || (source !== null && looks === null)) return "speech";
  if (looks !== null) return "text_and_pictures";
  if (generates) return "text";
  return hasLength ? "embeddings" : "vision";
}

let listed: readonly Family[] | null = null;

/** By what they do, then largest families first; in them the smallest model first. */
export function families(): readonly Family[] {
  if (listed !== null) return listed;
  const groups = new Map<string, { deed: Deed; spellings: string[]; models: CatalogueModel[] }>();
  for (const model of catalogueModels()) {
    const family = familyOf(model);
    const deed = deedOf(model);
    const key = `${deed} ${family.toLowerCase()}`;
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { deed, spellings: [], models: [] }));
    group.spellings.push(family);
    group.models.push(model);
  }
  listed = [
    ...[...groups.values()].map(({ deed, spellings, models }) => familyWith(mostFrequent(spellings), deed, models)),
    pipelines(),
  ].sort(
    (a, b) =>
      DEEDS.indexOf(a.deed) - DEEDS.indexOf(b.deed) ||
      b.models.length - a.models.length ||
      a.name.localeCompare(b.name, "en"),
  );
  return listed;
}

function pipelines(): Family {
  const models = pipelineNames().map((name) => {
    const { parts } = findPipeline(name)!.row;
    return { name, family: "diffusers", parameters: parts.reduce((sum, part) => sum + part.parameters, 0) };
  });
  return { name: "diffusers", deed: "making", models };
}

function familyWith(name: string, deed: Deed, models: readonly CatalogueModel[]): Family {
  const listed = models.map((model) => ({ name: model.name, family: name, parameters: model.parameters }));
  return { name, deed, models: listed.toSorted((a, b) => a.parameters - b.parameters) };
}

/** How most of a family's models write its name. */
function mostFrequent(spellings: readonly string[]): string {
  const count = (word: string): number => spellings.filter((other) => other === word).length;
  return spellings.reduce((best, word) => (count(word) > count(best) ? word : best));
}

/** Letters, and numbers with their unit: `Qwen2.5-7B` is `qwen`, `2.5`, `7b`. */
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+|\d+(?:\.\d+)*[bmk]?/g) ?? [];

/** Families with the models in whose names a word begins with each typed one, in any order. */
export function searched(all: readonly Family[], typed: string): readonly Family[] {
  const wanted = wordsIn(typed);
  if (typed.trim() === "") return all;
  return all.flatMap((family) => {
    const models = family.models.filter((model) => {
      const words = wordsIn(`${model.name} ${parameterText(model.parameters)}`);
      return wanted.length > 0 && wanted.every((word) => words.some((own) => own.startsWith(word)));
    });
    return models.length === 0 ? [] : [{ ...family, models }];
  });
}

/** `8.03B`, `124M`: parameters as names of models say them. */
export function parameterText(count: number): string {
  const [value, unit] = count >= 1e9 ? [count / 1e9, "B"] : count >= 1e6 ? [count / 1e6, "M"] : [count / 1e3, "K"];
  return `${value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)}${unit}`;
}
