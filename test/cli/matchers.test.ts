/** The matchers for vitest and jest, with real runs of the built package. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIB } from "../../src/base/bytes.ts";
import type { MemoryMatchers } from "../../src/matchers.ts";
import { vramscope } from "../built.ts";
import { folderWith } from "../helpers.ts";

const { matchers } = (await import(
  new URL("../../dist/matchers.js", import.meta.url).href
)) as typeof import("../../src/matchers.ts");

declare module "vitest" {
  interface Assertion<T> extends MemoryMatchers<T> {}
}
expect.extend(matchers as never);

/** 12 GiB. */
const source = "import torch\nx = torch.empty(12, 1024, 1024, 1024, dtype=torch.uint8, device='cuda')\n";
const program = { script: "p.py", source };

describe("matchers", () => {
  it("run a script, options or nothing again", async () => {
    const script = join(folderWith({ "p.py": source }), "p.py");
    await expect(script).toFitOn("t4");
    await expect(program).toPeakBelow("12.5GiB");
    const result = await vramscope.run(program);
    await expect(result).not.toPeakBelow(12 * GIB);
    await expect(result).toPeakBelow(12 * GIB + 1, { of: "allocated" });
  });

  it("say what they found", async () => {
    const failing = expect({ ...program, source: `${source}y = x.clone()\n` }).toFitOn("t4");
    await expect(failing).rejects.toThrow(
      /expected the program to fit on .*T4.*\n.*out_of_memory: torch\.OutOfMemoryError/,
    );
    await expect(expect(program).toPeakBelow("1GiB")).rejects.toThrow(/below 1\.00 GiB\np\.py: peak 12\.00 GiB/);
  });

  it("refuse what makes no sense", async () => {
    await expect(expect(program).toFitOn("nonsense-gpu")).rejects.toThrow(/no GPU/);
    await expect(expect(program).toPeakBelow("much")).rejects.toThrow(/no size/);
    const result = await vramscope.run(program);
    await expect(expect(result).toFitOn("t4")).rejects.toThrow(/a run on/);
  });

  it("pass no program that fails", async () => {
    await expect({ script: "p.py", source: "raise ValueError" }).not.toPeakBelow("1GiB");
  });
});
