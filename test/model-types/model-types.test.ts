/** Model types of the real transformers, a few of each kind, equal to the real PyTorch after each phase, and to the built-in one; the commands run all. */

import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runCorpus } from "../corpus.ts";
import { hasArchives, unpacked } from "../real-packages.ts";

const SAMPLE = "llama t5 vit whisper mamba2 qwen2_vl electra nemotron_h swin blip_2_qformer".split(" ");
const LIMIT_MS = 600_000;

describe.skipIf(!hasArchives)("on the real transformers", () => {
  let packages = "";
  beforeAll(() => {
    packages = unpacked(["transformers"]);
  }, LIMIT_MS);

  it(
    "a sample of model types trains and generates with the real PyTorch's bytes",
    async () => {
      const results = join(packages, "results.json");
      const only = SAMPLE.join(",");
      const args = ["scripts/model-types.mjs", "--packages", packages, "--only", only, "--results", results];
      const { failures, lastLine } = await runCorpus(args, /^FAIL (\S+)/);
      expect([...failures.values()]).toEqual([]);
      expect(lastLine).toBe(`${SAMPLE.length} equal, 0 not`);
    },
    LIMIT_MS,
  );

  it(
    "estimates say the same on the built-in one, all tokens of an answer among it",
    async () => {
      const args = ["scripts/agreement.mjs", "--packages", packages, "--only", "gpt2", "--task", "infer"];
      const kept = { XDG_CACHE_HOME: join(packages, "cache") };
      const { failures, lastLine } = await runCorpus(args, /^FAIL (\S+)/, kept);
      expect([...failures.values()]).toEqual([]);
      expect(lastLine).toBe("1 agree, 0 not");
    },
    LIMIT_MS,
  );
});
