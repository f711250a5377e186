/** The lists of the packages' own programs, a line each: what it is called, its folder, what a person types, and what else the list says. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The programs of a list beside this file. */
export const programsOf = (list) =>
  readFileSync(join(import.meta.dirname, list), "utf8")
    .split("\n")
    .filter((line) => line.includes(" | ") && !line.startsWith("#"))
    .map((line) => line.split(" | "))
    .map(([name, folder, typed, beside = ""]) => ({ name, folder, typed, beside }));

/** The words of a line as a shell takes them apart. */
export const wordsOf = (line) =>
  [...line.matchAll(/(?:"[^"]*"|[^\s"])+/g)].map(([word]) => word.replaceAll(/"([^"]*)"/g, "$1"));
