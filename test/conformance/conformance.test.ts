/** The recorded corpora: scripts with the output that the real PyTorch gave, byte for byte, for both versions and all variants. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { allRows } from "../../src/ops/all.ts";
import { type CorpusResult, runCorpus } from "../corpus.ts";
import { casesOf } from "../ops/evidence.ts";

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
    let operators: Readonly<Record<string, readonly string[]>>;

    beforeAll(async () => {
      const written = mkdtempSync(join(tmpdir(), "operators-"));
      const file = join(written, "operators.json");
      result = await runCorpus(["scripts/conformance.mjs", "--events", "--operators", file, folder], /^FAIL (\S+) /);
      operators = JSON.parse(readFileSync(file, "utf8")) as typeof operators;
      rmSync(written, { recursive: true });
    }, 1_200_000);

    it("was run to the last file", () => {
      const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(result.lastLine) ?? [];
      expect(Number(passed) + Number(failed), result.lastLine).toBe(names.length);
    });

    it("runs in each case the operators whose rows name it", () => {
      const ids = new Set(names.map((name) => name.replace(/(\.\w+)?\.torch-.*$/, "")));
      const missing = [...casesOf(allRows)]
        .filter(([id]) => ids.has(id))
        .flatMap(([id, rows]) => {
          const ran = new Set(operators[id]);
          return rows.filter((row) => !ran.has(row) && !ran.has(`${row}_`)).map((row) => `${row} in ${id}`);
        });
      expect(missing).toEqual([]);
    });

    it.each(names)("%s", (name) => {
      expect(result.failures.get(name) ?? "").toBe("");
    });
  });
