/** Every recorded release of PyTorch, temporaries of kernels included: a sample of the programs; `npm run releases` runs them all. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type CorpusResult, runCorpus } from "../corpus.ts";

/** Programs that do not come out yet, by name and release, with what is known of the cause. */
const OPEN = JSON.parse(readFileSync(fileURLToPath(new URL("open.json", import.meta.url)), "utf8")) as Record<
  string,
  string
>;

describe("the corpus under recorded releases", () => {
  let result: CorpusResult;

  beforeAll(async () => {
    result = await runCorpus(["scripts/releases.mjs", "--every", "6"], /^FAIL (\S+) /);
  }, 1_200_000);

  it("was run", () => {
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(result.lastLine) ?? [];
    expect(Number(passed) + Number(failed), result.lastLine).toBeGreaterThan(50);
  });

  it("comes out but for what is known to be open", () => {
    const unknown = [...result.failures].filter(([name]) => !(name in OPEN)).map(([, text]) => text);
    expect(unknown.join("\n")).toBe("");
  });

  it("has a cause for each that is open", () => {
    expect(Object.entries(OPEN).filter(([, cause]) => cause.length < 20)).toEqual([]);
  });
});
