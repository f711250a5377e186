/** The published models as a list to choose from: grouped by family, with their sizes, filtered while the reader types. */

import { catalogueModels, type CatalogueModel } from "../../../src/estimate/index.ts";

export interface ListedModel {
  /** Hub id. */
  readonly name: string;
  readonly family: string;
  readonly parameters: number;
}

export interface Family {
  readonly name: string;
  readonly models: readonly ListedModel[];
}

/** The words that stand before a family's name. */
const BEFORE = /^(?:meta|distil|the)-(?=[a-z])/i;

/** `Qwen/Qwen2.5-7B` → `Qwen`: the first letters of the name, without who made it. */
export function familyOf({ name }: Pick<CatalogueModel, "name">): string {
  const short = name.slice(name.lastIndexOf("/") + 1).replace(BEFORE, "");
  return /^[a-z]+/i.exec(short)?.[0] ?? short;
}

let listed: readonly Family[] | null = null;

/** Largest families first; in them the smallest model first. */
export function families(): readonly Family[] {
  if (listed !== null) return listed;
  const groups = new Map<string, { spellings: string[]; models: CatalogueModel[] }>();
  for (const model of catalogueModels()) {
    const family = familyOf(model);
    const key = family.toLowerCase();
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { spellings: [], models: [] }));
    group.spellings.push(family);
    group.models.push(model);
  }
  listed = [...groups.values()]
    .map(({ spellings, models }) => familyWith(mostFrequent(spellings), models))
    .sort((a, b) => b.models.length - a.models.length || a.name.localeCompare(b.name, "en"));
  return listed;
}

function familyWith(name: string, models: readonly CatalogueModel[]): Family {
  const listed = models.map((model) => ({ name: model.name, family: name, parameters: model.parameters }));
  return { name, models: listed.toSorted((a, b) => a.parameters - b.parameters) };
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
