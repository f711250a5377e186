/** Small models that train on the CPU have PyTorch's losses, gradients and statistics; what is expected was printed by the released PyTorch 2.14.1. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");
/** Sums are made in another order, and a printed number has five decimals. */
const CLOSE = 2e-5;

describe("a small model on the CPU", () => {
  it("trains to PyTorch's numbers", async () => {
    const result = await vramscope.run({ script: "small_training.py", source: read("small_training.py") });
    expect([result.errorText, result.status]).toEqual([null, "ok"]);
    const lines = result.stdout.trim().split("\n");
    const expected = read("small_training.expected").trim().split("\n");
    expect(lines.map((line) => line.split(" ", 1)[0])).toEqual(expected.map((line) => line.split(" ", 1)[0]));
    for (const [i, line] of expected.entries()) {
      const [name, ...numbers] = line.split(" ");
      if (numbers.some((text) => Number.isNaN(Number(text)))) expect(lines[i]).toBe(line);
      else {
        const ours = lines[i]!.split(" ").slice(1).map(Number);
        const apart = numbers.map((text, j) => Math.abs(Number(text) - ours[j]!) / Math.max(1, Math.abs(ours[j]!)));
        expect([name, apart.filter((distance) => !(distance <= CLOSE))]).toEqual([name, []]);
      }
    }
  });
});
