/** The recorded corpora: scripts with the output that the real PyTorch gave, byte for byte, for both versions and all variants. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

const folder = `${root}test/conformance`;

/** Names of what was expected of each run, `subject/case.torch-version`. */
function expectedNames(): string[] {
  return readdirSync(folder)
    .filter((subject) => existsSync(`${folder}/${subject}/manifest.json`))
    .flatMap((subject) => {
      const { cases } = JSON.parse(readFileSync(`${folder}/${subject}/manifest.json`, "utf8")) as Manifest;
      return cases.flatMap(({ runs }) => runs.map((run) => `${subject}/${run.expected.replace(/\.expected$/, "")}`));
    });
}

describe("the recorded corpus", () => {
  const names = expectedNames();
  let result: CorpusResult;
  let operators: Readonly<Record<string, readonly string[]>>;

  beforeAll(async () => {
    const written = mkdtempSync(join(tmpdir(), "operators-"));
    const file = join(written, "operators.json");
    result = await runCorpus(["scripts/conformance.mjs", "--events", "--operators", file, folder], /^FAIL (\S+) /);
    operators = JSON.parse(readFileSync(file, "utf8")) as typeof operators;
    rmSync(written, { recursive: true });
  }, 1_800_000);

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

  it("has a manifest's entry for everything that was recorded", () => {
    const recorded = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".expected"),
    );
    expect(recorded.map((name) => name.replace(/\.expected$/, "")).sort()).toEqual([...names].sort());
  });

  it.each(names)("%s", (name) => {
    expect(result.failures.get(name) ?? "").toBe("");
  });
});
