/** How tensors of the CPU whose values are known print themselves: printed/tensors.txt is what PyTorch 2.14.1 printed for the program beside it. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { vramscope } from "../built.ts";

const at = (name: string): string => fileURLToPath(new URL(`printed/${name}`, import.meta.url));

it("prints tensors as PyTorch does", async () => {
  const result = await vramscope.run({ script: at("tensors.py") });
  expect(result.errorText ?? "").toBe("");
  expect(result.stdout).toBe(readFileSync(at("tensors.txt"), "utf8"));
});
