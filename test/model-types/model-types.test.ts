/** Model types of the real transformers, a few of each kind, equal to the real PyTorch after each phase; the command runs all. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCorpus } from "../corpus.ts";
import { ROOT } from "../helpers.ts";

const ARCHIVES = join(ROOT, "..", "shared", "packages");
const SAMPLE = ["llama", "t5", "vit", "whisper", "mamba2", "qwen2_vl", "electra", "nemotron_h"];
const LIMIT_MS = 600_000;

it.skipIf(!existsSync(ARCHIVES))(
  "a sample of model types trains and generates with the real PyTorch's bytes",
  async () => {
    const packages = mkdtempSync(join(tmpdir(), "vramscope-packages-"));
    for (const name of readdirSync(ARCHIVES))
      if (/^(transformers|dependencies)\b.*\.tar\.xz$/.test(name))
        execFileSync("tar", ["-xf", join(ARCHIVES, name), "-C", packages]);
    const results = join(packages, "results.json");
    const args = ["scripts/model-types.mjs", "--packages", packages, "--only", SAMPLE.join(","), "--results", results];
    const { failures, lastLine } = await runCorpus(args, /^FAIL (\S+)/);
    expect([...failures.values()]).toEqual([]);
    expect(lastLine).toBe(`${SAMPLE.length} equal, 0 not`);
  },
  LIMIT_MS,
);
