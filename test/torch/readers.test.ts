/** Every rule that says how releases differ is read by somebody: a rule without a reader is a claim that nothing keeps. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pythonName } from "../../src/python/release.ts";
import { rulesFor, VERSION_CHANGES } from "../../src/torch/changes.ts";
import { NEW_NAMES, namesAfter } from "../../src/torch/names.ts";
import { TORCH_VERSIONS } from "../../src/torch/releases.ts";
import { ROOT } from "../helpers.ts";

function textsBelow(folder: string, end: string, without: string): string {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(end) && !path.startsWith(without))
    .map((path) => readFileSync(join(ROOT, folder, path), "utf8"))
    .join("\n");
}

const typescript = textsBelow("src", ".ts", "torch/");
const python = textsBelow("python", ".py", "-");
const rules = Object.keys(rulesFor("2.14")).filter((rule) => rule !== "version");

/** Rules that are the same in all releases: a recorder differs in them. */
const OF_RECORDERS = [
  "deepcopyCopiesStorage",
  "convolutionChannelsLast",
  "layerNormGradientIsContiguous",
  "setTakesStorage",
  "chunkCatPads",
  "contextParallelReplacesAttention",
];

describe("rules", () => {
  it.each(rules)("%s is read", (rule) => {
    const inEngine = new RegExp(`rules\\.${rule}\\b`).test(typescript);
    const inPython = new RegExp(`\\brules\\.${pythonName(rule)}\\b`).test(python);
    expect(inEngine || inPython).toBe(true);
  });

  it("that Python reads are known", () => {
    const read = new Set([...python.matchAll(/(?<![.\w/])rules\.([a-z_0-9]+)\b(?!\()/g)].map((match) => match[1]!));
    expect([...read].filter((name) => name !== "__dict__" && !rules.map(pythonName).includes(name))).toEqual([]);
  });

  it("differ between at least two releases, and each change changes something", () => {
    for (const rule of rules as (keyof ReturnType<typeof rulesFor>)[]) {
      const values = new Set(TORCH_VERSIONS.map((version) => JSON.stringify(rulesFor(version)[rule])));
      expect(values.size, rule).toBeGreaterThan(OF_RECORDERS.includes(rule) ? 0 : 1);
    }
    expect(VERSION_CHANGES.filter((change) => Object.keys(change.rules).length === 0)).toEqual([]);
  });
});

describe("names", () => {
  it("are listed once, and what lies in a module before the module", () => {
    const all = Object.values(NEW_NAMES).flat();
    expect(new Set(all).size).toBe(all.length);
    const missing = namesAfter("1.12");
    for (const [i, name] of missing.entries())
      expect(
        missing.slice(0, i).filter((earlier) => name.startsWith(`${earlier}.`)),
        name,
      ).toEqual([]);
  });
});

describe("Python", () => {
  it("knows no version number of PyTorch", () => {
    const inline = /_version_at_least|_defaults\.version\b/;
    expect(inline.test(textsBelow("python/torch", ".py", "-"))).toBe(false);
  });
});
