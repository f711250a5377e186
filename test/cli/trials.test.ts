/** `run --try`, `--markdown`, `--fail-if-not-fit`, `explain CODE`: what they run, print and return, with a stand-in run. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIB } from "../../src/base/bytes.ts";
import { cli, sampleResult, scriptFolder } from "./harness.ts";

const cwd = scriptFolder();

describe("run --try", () => {
  it("runs again with each change and lists it", async () => {
    const { code, out, options } = await cli(["run", "net.py", "--try", "set_to_none,autocast+adam-8bit"], { cwd });
    expect(code).toBe(0);
    expect(options?.changes).toEqual([{ name: "autocast" }, { name: "adam_8bit" }]);
    expect(options?.onOutput).toBeUndefined();
    expect(out).toContain("What would help");
    expect(out).toMatch(/autocast\+adam_8bit .* no effect/);
  });

  it("changes the environment for an option of the allocator", async () => {
    const { options } = await cli(["run", "net.py", "--env", "A=1", "--try", "expandable_segments"], { cwd });
    expect(options?.env).toEqual({ A: "1", PYTORCH_CUDA_ALLOC_CONF: "expandable_segments:True" });
  });

  it("is in the JSON, with words", async () => {
    const { out } = await cli(["run", "net.py", "--json", "--try", "fused,chunked_loss"], { cwd });
    expect((JSON.parse(out) as { trials: unknown }).trials).toMatchObject([
      { changes: ["chunked_loss"], outcome: "no_effect" },
      // no optimizer ran
      { changes: ["fused"], outcome: "not_tried", text: "optimizer with fused=True" },
    ]);
  });

  it("does nothing by itself where the program ends well", async () => {
    expect((await cli(["run", "net.py"], { cwd })).out).not.toContain("What would help");
  });

  it("knows its names", async () => {
    const { code, err } = await cli(["run", "net.py", "--try", "autocats"], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("did you mean 'autocast'?")]);
  });
});

describe("after running out of memory", () => {
  const failed = { status: "out_of_memory", exitStatus: 1, errorText: "torch.OutOfMemoryError: CUDA" } as const;

  it("changes are tried until one fits, and it is said when none does", async () => {
    const { code, out, options } = await cli(["run", "net.py"], { cwd, result: failed });
    expect(code).toBe(1);
    // all alone; together only what did something
    expect(options?.changes).toEqual([{ name: "half_batch" }]);
    expect(out).toContain("no effect: ");
    expect(out).toContain("With none of these does it fit.");
  });

  it("--try none leaves that out", async () => {
    const { out, options } = await cli(["run", "net.py", "--try", "none"], { cwd, result: failed });
    expect(options?.changes).toBeUndefined();
    expect(out).not.toContain("What would help");
  });
});

describe("--fail-if-not-fit", () => {
  const { stats, gpu } = sampleResult();
  const tight = { stats: { ...stats, peakReservedBytes: gpu.totalBytes - GIB } };

  it("fails where context and libraries decide", async () => {
    expect((await cli(["run", "net.py"], { cwd, result: tight })).code).toBe(0);
    expect((await cli(["run", "net.py", "--fail-if-not-fit"], { cwd, result: tight })).code).toBe(1);
    expect((await cli(["run", "net.py", "--fail-if-not-fit"], { cwd })).code).toBe(0);
  });
});

describe("--markdown", () => {
  it("appends tables to a file", async () => {
    const args = ["run", "net.py", "--markdown", "out/summary.md", "--try", "chunked_loss"];
    await cli(args, { cwd });
    await cli([...args, "--lang", "zh"], { cwd });
    const text = readFileSync(join(cwd, "out", "summary.md"), "utf8");
    expect(text).toMatch(/^### net\.py on A100 .*\n\n\*\*fits\*\*: /);
    expect(text).toContain("| allocated | 22.00 MiB |");
    expect(text).toContain("| chunked_loss | 22.00 MiB | 40.00 MiB | no effect |");
    expect(text).toContain("**放得下**");
  });
});

describe("explain CODE", () => {
  it("prints the page of a finding", async () => {
    const { code, out } = await cli(["explain", "float32_logits"], { cwd });
    expect([code, out]).toEqual([0, expect.stringMatching(/^# Logits held in float32/)]);
  });
});
