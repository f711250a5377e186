/**
 * torch.compile against the real inductor: programs/ as PyTorch 2.14.1 ran them without a card (`record.py --release 2.14.1 --compiled`,
 * scripts/record/cardless), line by line: bytes asked for and their peak of every phase; and what is said of it.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { vramscope } from "../built.ts";

const here = import.meta.dirname;
const recorded = JSON.parse(readFileSync(join(here, "recorded.json"), "utf8")) as {
  gpu: string;
  programs: Record<string, string[]>;
};

/** The largest difference of any line, as a share: bytes asked for, and their peak. */
const WITHIN: Record<string, readonly [allocated: number, peak: number]> = {
  perceptron: [0.00001, 0.00003],
  losses_and_logits: [0.00006, 0.00004],
  tied_decoder: [0.00005, 0.00005],
  plain_checkpoints: [0.00001, 0.04],
  checkpointed: [0.053, 0.077],
};

async function run(name: string): Promise<{ output: string; codes: string[] }> {
  const file = join(here, "programs", `${name}.py`);
  const result = await vramscope.run({ script: file, gpu: recorded.gpu, torch: "2.14", passes: "all" });
  return { output: result.stdout, codes: result.trace.assumptions.map(({ code }) => code) };
}

const numbers = (line: string): number[] => line.split(" ").slice(1).map(Number);

describe("torch.compile", () => {
  it("has a bound for each recorded program", () => {
    expect(Object.keys(WITHIN).sort()).toEqual(Object.keys(recorded.programs).sort());
  });

  it.each(Object.keys(recorded.programs))("takes what inductor's code takes: %s", { timeout: 60_000 }, async (name) => {
    const { output, codes } = await run(name);
    expect(codes).toContain("compile_by_rule");
    const lines = output.trim().split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(recorded.programs[name]!.map((line) => line.split(" ")[0]));
    const off = [0, 1].map((at) =>
      Math.max(
        ...lines.map((line, i) => Math.abs(numbers(line)[at]! / numbers(recorded.programs[name]![i]!)[at]! - 1)),
      ),
    );
    expect(off[0]).toBeLessThanOrEqual(WITHIN[name]![0]);
    expect(off[1]).toBeLessThanOrEqual(WITHIN[name]![1]);
  });
});
