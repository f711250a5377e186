/** Programs on real packages, a few of each, equal to the real PyTorch after each phase; the command runs all. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { runCorpus } from "../corpus.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const NEEDED = ["transformers", "peft", "diffusers", "timm", "accelerate"];
const SAMPLE = [
  "peft/LORA",
  "peft/PREFIX_TUNING",
  "diffusers/SD 1.5 UNet, training",
  "diffusers/Flux sampling",
  "timm/skresnet18",
];
const LIMIT_MS = 600_000;

it.skipIf(!hasArchives)(
  "a sample of programs on real packages has the real PyTorch's bytes",
  async () => {
    const packages = unpacked(NEEDED);
    const results = join(packages, "results.json");
    const only = SAMPLE.flatMap((name) => ["--only", name]);
    const args = ["scripts/package-programs.mjs", "--packages", packages, ...only, "--results", results];
    const { failures, lastLine } = await runCorpus(args, /^FAIL (\S+)/);
    expect([...failures.values()]).toEqual([]);
    expect(lastLine).toBe(`${SAMPLE.length} equal, 0 not`);
  },
  LIMIT_MS,
);
