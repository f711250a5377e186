/**
 * A loop of generate() whose keys and values grow: what is reserved comes from gaps between them, so a loop that is left too early says far too little.
 * The published runs of that program, which take a minute each, are in docs/accuracy.md.
 */

import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, vramscope } from "../helpers.ts";

const PROGRAM = join(ROOT, "test", "measured", "programs", "llama_2023.py");
/** Llama 2 7B with one of its layers, 32 sequences, 64 tokens and 224 new ones. */
const WORDS = ["7b", "eager", "32", "64", "224", "1"];

async function printed(passes: string): Promise<string> {
  const options = ["--gpu", "a100-80gb", "--torch", "2.1", "--report", "none", "--passes", passes];
  return (await vramscope(["run", ...options, PROGRAM, "--", ...WORDS])).out;
}

it("reserves what the whole loop reserves", { timeout: 120_000 }, async () => {
  const [whole, chosen] = [await printed("all"), await printed("auto")];
  expect(whole).toContain("generate reserved");
  expect(chosen).toBe(whole);
});
