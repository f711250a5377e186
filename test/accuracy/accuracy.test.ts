/** docs/accuracy.md is what `npm run accuracy` writes: every case is on it, and the lines of the quick cases are made again. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, start } from "../helpers.ts";

const page = readFileSync(join(ROOT, "docs", "accuracy.md"), "utf8");
const folder = join(ROOT, "test", "measured", "cases");

interface Figure {
  readonly point: string;
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
}
interface Case {
  readonly id: string;
  readonly source: string;
  readonly program: string;
  readonly figures: readonly Figure[];
  readonly growthOver?: string;
  readonly note?: string;
}
const groups = readdirSync(folder).map(
  (name) =>
    JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly title: string; readonly cases: readonly Case[] },
);

/** Run again here; the page's other lines are too slow for a test. */
const QUICK = [
  "plain-attention",
  "articles",
  "wed-snap-medium-ctx128-inference",
  "gpumemnet-mlp-07",
  "library-workspaces",
  "serving",
  "cce-gemma2-baseline-fw",
  "litgpt-llama-2-7b-lora-nf4-1",
];

describe("the accuracy page", () => {
  it("has a section for every group and its sources", () => {
    for (const { title, cases } of groups) {
      expect(page).toContain(`\n## ${title}\n`);
      for (const { id, source } of cases) {
        expect(page).toContain(`- **${id}**: ${source}`);
      }
    }
  });

  it("has every figure, and says what did not run", () => {
    for (const { id, figures, growthOver } of groups.flatMap(({ cases }) => cases)) {
      const lines = page.split("\n").filter((line) => line.startsWith(`| ${id} |`));
      const failed = page.includes(`- ${id}: `);
      expect([id, failed || lines.length >= figures.length - (growthOver === undefined ? 0 : 1)]).toEqual([id, true]);
    }
  });

  it("shows what was measured as the cases have it", () => {
    for (const { id, figures, growthOver } of groups.flatMap(({ cases }) => cases)) {
      if (growthOver !== undefined) continue;
      for (const { point, measure, value, unit } of figures) {
        const measured = `${value.toLocaleString("en-US", { maximumFractionDigits: 10 })} ${unit}`;
        const found = page.split("\n").some((line) => {
          const cells = line.split(" | ");
          return line.startsWith(`| ${id} | ${point} | ${measure} `) && cells[4] === measured;
        });
        expect([id, point, found]).toEqual([id, point, true]);
      }
    }
  });

  it("says of every figure that is not exact why", () => {
    for (const { id, note } of groups.flatMap(({ cases }) => cases)) {
      const lines = page.split("\n").filter((line) => line.startsWith(`| ${id} |`));
      const differs = lines.some((line) => /\| (within 1 %|off|measured more|measured less) \|$/.test(line));
      if (differs) expect([id, note !== undefined && page.includes(`: ${note}.`)]).toEqual([id, true]);
    }
  });

  it("counts as many figures as it shows", () => {
    const judged = page
      .split("\n")
      .filter((line) => /\| (exact|within 1 %|inside the interval|off) \|$/.test(line)).length;
    expect(page).toContain("| **all** | **");
    const [, total] = /\| \*\*all\*\* \| \*\*(\d+)\*\*/.exec(page)!;
    expect(Number(total)).toBe(judged);
  });

  it("has the lines that the quick cases give", async () => {
    const { code, out } = await start(process.execPath, [
      join(ROOT, "scripts", "accuracy.mjs"),
      "--built",
      "--check",
      "--only",
      QUICK.join(","),
    ]);
    expect([out, code]).toEqual(["", 0]);
  }, 300_000);
});
