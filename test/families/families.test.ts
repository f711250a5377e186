/**
 * Model families: parameters of published models, and two training steps or a generation, byte for byte with the library. Every sixth
 * case; `VRAMSCOPE_FAMILIES=all npx vitest run test/families`, or `npm run families -- test/families`, runs all.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type CorpusResult, runCorpus } from "../corpus.ts";
import { everyNth, ROOT } from "../helpers.ts";

interface Case {
  readonly id: string;
  readonly name: string;
}

const EVERY = everyNth("VRAMSCOPE_FAMILIES", 6);

/** The cases of a folder as `npm run families` names them; a folder need not have parameters. */
function namesOf(folder: string): string[] {
  const read = (name: string): Case[] => {
    const path = join(folder, name);
    const cases = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Case[]) : [];
    return cases.filter((_, index) => index % EVERY === 0);
  };
  return [
    ...read("params.json").map(({ name }) => `params ${name}`),
    ...read("train-cases.json").map(({ id }) => `train ${id}`),
    ...read("infer-cases.json").map(({ id }) => `infer ${id}`),
    ...read("generate-cases.json").map(({ id }) => `generate ${id}`),
  ];
}

for (const [title, folder] of [
  ["the corpus of families", join(ROOT, "test", "families")],
  ["our own cases of families", join(ROOT, "test", "families", "extra")],
] as const)
  describe(title, () => {
    const names = namesOf(folder);
    let result: CorpusResult;

    beforeAll(async () => {
      result = await runCorpus(["scripts/families.mjs", "--every", String(EVERY), folder], /^FAIL (.+)$/);
    }, 1_200_000);

    it("was run to the last case", () => {
      const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(result.lastLine) ?? [];
      expect(Number(passed) + Number(failed), result.lastLine).toBe(names.length);
    });

    it.each(names)("%s", (name) => {
      expect(result.failures.get(name) ?? "").toBe("");
    });
  });
