/** Programs on a release of transformers, a few of them, equal to the real PyTorch with the same release; the command runs all releases. */

import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RELEASES } from "../../scripts/transformers-releases-page.mjs";
import { runCorpus } from "../corpus.ts";
import { archivesOf, hasArchives, unpacked } from "../real-packages.ts";

const NEEDED = ["transformers", "peft", "accelerate"];
const SAMPLE = ["Qwen2, generate", "BERT, accelerate in bf16"];
const LIMIT_MS = 600_000;

it.skipIf(!hasArchives)(
  "a sample of programs on a release of transformers has the real PyTorch's bytes",
  async () => {
    const names = archivesOf(...NEEDED);
    const release = RELEASES.find(({ transformers }) => names.includes(`transformers-${transformers}.tar.xz`))!;
    const folder = mkdtempSync(join(tmpdir(), "vramscope-releases-"));
    const packages = join(folder, release.transformers);
    mkdirSync(packages);
    unpacked(NEEDED, packages);
    const chosen = ["--only", release.transformers, ...SAMPLE.flatMap((name) => ["--program", name])];
    const results = ["--results", join(folder, "results.json")];
    const args = ["scripts/transformers-releases.mjs", "--folder", folder, ...chosen, ...results];
    const { failures, lastLine } = await runCorpus(args, /^FAIL (\S+)/);
    expect([...failures.values()]).toEqual([]);
    expect(lastLine).toBe(`${SAMPLE.length} equal, 0 not`);
  },
  LIMIT_MS,
);

it("every release has a record of the same programs, from the first to the newest", () => {
  const recorded = Object.keys(JSON.parse(readFileSync(join(import.meta.dirname, "releases.json"), "utf8")) as object);
  const of = (release: string) =>
    recorded.filter((key) => key.startsWith(`${release}/`)).map((key) => key.slice(release.length + 1));
  const [first, ...others] = RELEASES.map(({ transformers }) => of(transformers));
  expect(first!.length).toBe(17);
  for (const one of others) expect(one).toEqual(first);
});
