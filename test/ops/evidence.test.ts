/**
 * Every row names where it comes from, and what it names is there: entries of PyTorch 2.14's derivatives.yaml and native_functions.yaml (their
 * names lie beside this file), and recorded cases. test/conformance holds that a case runs the operators whose rows name it.
 */

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allRows } from "../../src/ops/all.ts";
import type { OpRow } from "../../src/ops/row.ts";
import { operatorName } from "../../src/ops/schema.ts";
import { casesOf, clausesOf } from "./evidence.ts";

const listed = (file: string): Set<string> =>
  new Set(
    readFileSync(new URL(file, import.meta.url), "utf8")
      .trim()
      .split("\n"),
  );
const ENTRIES: Readonly<Record<string, Set<string>>> = {
  "derivatives.yaml": listed("derivatives.txt"),
  "native_functions.yaml": listed("native-functions.txt"),
};
const baseOf = (name: string): string => name.split(".")[0];
/** An entry by its name; where a row is several overloads at once, by the name without overload. */
const isListed = (entries: Set<string>, name: string): boolean =>
  entries.has(name) || (!name.includes(".") && [...entries].some((entry) => baseOf(entry) === name));
/** `add` of `add_.Tensor`: in place or not, it is one operator. */
const operatorOf = (name: string): string => baseOf(name).replace(/(?<=[a-z0-9])_$/i, "");

/** What is wrong with a row's evidence. */
function problems(row: OpRow): string[] {
  const name = operatorName(row.schema);
  if (!row.evidence) return [`${name}: no evidence`];
  return clausesOf(row.evidence).flatMap((clause) => {
    const [, file, entry] = /^(derivatives\.yaml|native_functions\.yaml): ([\w.]+)/.exec(clause) ?? [];
    if (!file) return [];
    if (!isListed(ENTRIES[file], entry)) return [`${name}: ${file} has no ${entry}`];
    if (operatorOf(entry) !== operatorOf(name)) return [`${name}: names ${entry}, another operator`];
    return file === "derivatives.yaml" && !row.derivatives?.length ? [`${name}: it has no derivative`] : [];
  });
}

/** A clause that names something to look up: an entry, a case, a file of PyTorch, a recording, the reference. */
const canBeLookedUp = (clause: string): boolean =>
  /^(derivatives|native_functions)\.yaml: [\w.]+|^case [\w/-]+$/.test(clause) ||
  /\.(cpp|cu|cuh|h|py)\b|\brecorded\b|\breference\b|samples of/.test(clause);

describe("evidence", () => {
  it("names a source or a case in every row", () => {
    const without = allRows.filter((row) => !clausesOf(row.evidence ?? "").some(canBeLookedUp));
    expect(without.map((row) => operatorName(row.schema))).toEqual([]);
  });

  it("stands in every row, and its entries exist", () => {
    expect(allRows.flatMap(problems)).toEqual([]);
  });

  it("names cases that are recorded", () => {
    const releases = new URL("../releases/recorded/torch-2.14.json", import.meta.url);
    const { programs } = JSON.parse(readFileSync(releases, "utf8")) as { programs: Record<string, unknown> };
    const recorded = (name: string): boolean =>
      name in programs ||
      [".", ".released."].some((variant) =>
        existsSync(new URL(`../conformance/${name}${variant}torch-2.14.expected`, import.meta.url)),
      );
    expect([...casesOf(allRows).keys()].filter((name) => !recorded(name))).toEqual([]);
  });

  it("is refused where it is wrong", () => {
    const row = (schema: string, evidence: string): OpRow => ({ schema, evidence });
    expect(problems(row("sum(Tensor self) -> Tensor", ""))).toEqual(["sum: no evidence"]);
    expect(problems(row("sum(Tensor self) -> Tensor", "derivatives.yaml: summe"))).toHaveLength(1);
    expect(problems(row("sum(Tensor self) -> Tensor", "derivatives.yaml: mean"))).toHaveLength(1);
    expect(problems(row("sum(Tensor self) -> Tensor", "derivatives.yaml: sum"))).toEqual(["sum: it has no derivative"]);
  });
});
