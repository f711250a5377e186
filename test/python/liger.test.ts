/** A model with Liger's kernels: liger_training.txt is what liger-kernel 0.8.5 allocated on the recorder, its kernels left out. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

it("allocates what Liger's functions do", async () => {
  const result = await vramscope.run({ script: at("liger_training.py") });
  expect(result.errorText ?? "").toBe("");
  expect(result.stdout).toBe(readFileSync(at("liger_training.txt"), "utf8"));
});
