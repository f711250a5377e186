/** `vramscope diff`: differences of two traces by hand. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { writeTrace } from "../../src/trace/file.ts";
import { block, META } from "../trace/sample.ts";
import { cli, scriptFolder } from "./harness.ts";

const cwd = scriptFolder();

/** A parameter of 8 MiB at line 1, and an activation of `bytes` at line 2. */
function trace(name: string, bytes: number): void {
  const t = new TraceBuilder();
  const [one, two] = [1, 2].map((line) => t.frame(-1, "net.py", line, "<module>")) as [number, number];
  const module = t.module("Net");
  t.segment("segment_alloc", 0, 64 * MIB, { frame: one, op: -1 }, 0, 64 * MIB);
  t.alloc(block({ address: 0, bytes: 8 * MIB, frame: one, module, category: "parameter" }), 8 * MIB, 64 * MIB);
  t.alloc(block({ address: 8 * MIB, bytes, frame: two, module, category: "activation" }), 8 * MIB + bytes, 64 * MIB);
  if (bytes > 16 * MIB)
    t.segment("segment_alloc", 128 * MIB, 32 * MIB, { frame: two, op: -1 }, 8 * MIB + bytes, 96 * MIB);
  writeFileSync(join(cwd, name), writeTrace(t.finish(META)));
}
trace("a.json", 16 * MIB);
trace("b.json", 24 * MIB);

describe("diff", () => {
  it("compares peaks and groups, without what is the same", async () => {
    const { code, out } = await cli(["diff", "a.json", "b.json"], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/peak allocated +24\.00 MiB +32\.00 MiB +\+8\.00 MiB/);
    expect(out).toMatch(/peak reserved +64\.00 MiB +96\.00 MiB +\+32\.00 MiB/);
    expect(out).toMatch(/activations +16\.00 MiB +24\.00 MiB +\+8\.00 MiB/);
    expect(out).toMatch(/net\.py:2 +16\.00 MiB +24\.00 MiB +\+8\.00 MiB/);
    expect(out).not.toMatch(/net\.py:1 |parameters/);
  });

  it("of the same trace is none", async () => {
    const { out } = await cli(["diff", "a.json", "a.json", "--by", "category"], { cwd });
    expect(out).toContain("no difference");
  });

  it("is JSON with every row", async () => {
    const { out } = await cli(["diff", "b.json", "a.json", "--json", "--by", "line"], { cwd });
    expect(JSON.parse(out)).toMatchObject({
      before: { peakAllocatedBytes: 32 * MIB },
      after: { peakAllocatedBytes: 24 * MIB },
      groups: { line: [{ key: "net.py:2", beforeBytes: 24 * MIB, afterBytes: 16 * MIB }] },
    });
  });

  it("fails when the reserved peak grew by more than allowed", async () => {
    const grown = (limit: string) => cli(["diff", "a.json", "b.json", "--fail-over", limit], { cwd });
    expect((await grown("31MiB")).code).toBe(1);
    expect((await grown("32MiB")).code).toBe(0);
    expect((await grown("much")).code).toBe(2);
  });

  it("appends Markdown", async () => {
    await cli(["diff", "a.json", "b.json", "--markdown", "d.md"], { cwd });
    const text = readFileSync(join(cwd, "d.md"), "utf8");
    expect(text).toContain("| peak allocated | 24.00 MiB | 32.00 MiB | +8.00 MiB |");
    expect(text).toContain("#### At the peaks, By line");
  });

  it("needs two traces", async () => {
    expect((await cli(["diff", "a.json"], { cwd })).code).toBe(2);
    expect((await cli(["diff", "a.json", "none.json"], { cwd })).code).toBe(2);
  });
});
