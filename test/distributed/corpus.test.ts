/**
 * Programs for several GPUs, recorded with the real torch.distributed: output and allocations of one rank each, byte for byte. Every
 * sixth rank; `VRAMSCOPE_RANKS=all npx vitest run test/distributed/corpus.test.ts` runs all.
 */

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type CorpusResult, runCorpus } from "../corpus.ts";
import { everyNth } from "../helpers.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const EVERY = everyNth("VRAMSCOPE_RANKS", 6);
const folder = `${root}../shared/distributed/corpus`;
/** Ranks of the corpus that do not come out yet, by the beginning of their names: what they need is not built. */
const OPEN: readonly string[] = JSON.parse(
  readFileSync(fileURLToPath(new URL("open.json", import.meta.url)), "utf8"),
) as string[];

describe("our own recorded ranks", () => {
  const own = fileURLToPath(new URL("cases", import.meta.url));

  it("come out byte for byte", async () => {
    const { lastLine, failures } = await runCorpus(["scripts/distributed.mjs", own], /^FAIL (\S+) /);
    expect([...failures.values()].join("\n")).toBe("");
    expect(lastLine).toMatch(/^[1-9]\d* passed, 0 failed$/);
  }, 600_000);
});

describe.skipIf(!existsSync(folder))("the distributed corpus", () => {
  const all = existsSync(folder)
    ? (JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8")) as { cases: { id: string }[] }).cases
    : [];
  const cases = all.filter((_, index) => index % EVERY === 0);
  let result: CorpusResult;

  beforeAll(async () => {
    result = await runCorpus(
      ["scripts/distributed.mjs", "--every", String(EVERY), `${folder}/scripts`],
      /^FAIL (\S+) /,
    );
  }, 1_200_000);

  it("was run to the last rank", () => {
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(result.lastLine) ?? [];
    expect(Number(passed) + Number(failed), result.lastLine).toBe(cases.length);
  });

  it.each(cases.map(({ id }) => id))("%s", (id) => {
    const failure = result.failures.get(id) ?? "";
    if (OPEN.some((beginning) => id.startsWith(beginning)))
      expect(failure, `${id} comes out: take it from open.json`).not.toBe("");
    else expect(failure).toBe("");
  });
});
