/** The recorded corpora: scripts with the output that the real PyTorch gave, byte for byte, for both versions and all variants. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type CorpusResult, runCorpus } from "../corpus.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  readonly cases: readonly { readonly id: string; readonly runs: readonly { readonly expected: string }[] }[];
}

/** Names of the expected files of a folder, without their ending. */
function expectedNames(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith("manifest.json"))
    .flatMap((name) => (JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as Manifest).cases)
    .flatMap((entry) => entry.runs.map((run) => run.expected.replace(/\.expected$/, "")));
}

for (const [title, folder] of [
  ["the recorded corpus", `${root}test/conformance/scripts`],
  ["our own recorded cases", `${root}test/conformance/extra`],
] as const)
  describe(title, () => {
    const names = expectedNames(folder);
    let result: CorpusResult;

    beforeAll(async () => {
      result = await runCorpus(["scripts/conformance.mjs", "--events", folder], /^FAIL (\S+) /);
    }, 1_200_000);

    it("was run to the last file", () => {
      const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(result.lastLine) ?? [];
      expect(Number(passed) + Number(failed), result.lastLine).toBe(names.length);
    });

    it.each(names)("%s", (name) => {
      expect(result.failures.get(name) ?? "").toBe("");
    });
  });
