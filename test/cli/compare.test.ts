/** `vramscope compare` and `calibrate`: arguments, words, exit status; the comparison itself is tested apart. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { writeReadings } from "../../src/formats/readings-file.ts";
import { writeTrace } from "../../src/trace/file.ts";
import type { ReadingFact, Readings } from "../../src/trace/readings.ts";
import { sampleTrace } from "../trace/sample.ts";
import { cli, scriptFolder } from "./harness.ts";

const cwd = scriptFolder();
const config = join(cwd, "config");
const env = { XDG_CONFIG_HOME: config };

const fact = (quantity: ReadingFact["quantity"], mib: number, peak = true): ReadingFact => ({
  quantity,
  name: quantity,
  device: 0,
  process: 7,
  bytes: mib * MIB,
  roundingBytes: 0,
  peak,
  line: -1,
});
function log(name: string, facts: readonly ReadingFact[], notes: Record<string, string> = {}): void {
  const readings: Readings = {
    schemaVersion: 1,
    source: "test",
    program: name,
    series: [],
    facts,
    notes: Object.entries(notes).map(([key, value]) => ({ name: key, value, line: -1 })),
  };
  writeFileSync(join(cwd, name), writeReadings(readings));
}

const trace = sampleTrace();
writeFileSync(join(cwd, "a.json"), writeTrace(trace));
const blocks = trace.blocks.map((block, index) => (index === 1 ? { ...block, bytes: block.bytes + MIB } : block));
const grown = trace.events.allocatedBytes.map((bytes, event) => bytes + (event >= 2 && event < 7 ? MIB : 0));
const bytes = trace.events.bytes.map((size, event) => size + (trace.events.block[event] === 1 ? MIB : 0));
writeFileSync(
  join(cwd, "b.json"),
  writeTrace({ ...trace, blocks, events: { ...trace.events, allocatedBytes: grown, bytes } }),
);
log("log.json", [fact("allocated", 23), fact("reserved", 40), fact("process", 40 + 520)], {
  gpu: "NVIDIA A100-SXM4-80GB",
  driver: "550.54.15",
});

describe("compare", () => {
  it("finds nothing between equal traces", async () => {
    const { code, out } = await cli(["compare", "a.json", "a.json", "--fail-over-difference"], { cwd });
    expect([code, out]).toEqual([0, expect.stringContaining("All 6 recorded allocations are in the prediction")]);
    expect(out).toContain("Unexplained: 0 bytes");
  });

  it("says what a difference comes from", async () => {
    const { code, out } = await cli(["compare", "a.json", "b.json"], { cwd, env: { COLUMNS: "160" } });
    expect(code).toBe(0);
    expect(out).toMatch(/allocated, peak +22\.00 MiB +23\.00 MiB +\+1\.00 MiB/);
    expect(out).toMatch(/allocated \(peak\): \+1\.00 MiB\n {2}\+1\.00 MiB {2}the same requests with other remainders/);
    expect(out).toContain("net.py:11 · aten::mm · Net");
  });

  it("fails on request, beyond what is tolerated", async () => {
    const check = (...more: string[]) =>
      cli(["compare", "a.json", "b.json", "--fail-over-difference", ...more], { cwd });
    expect((await check()).code).toBe(1);
    expect((await check("--tolerance", "1MiB")).code).toBe(0);
    expect((await check("--tolerance", "1%")).code).toBe(1);
    expect((await check("--tolerance", "10%")).code).toBe(0);
    expect((await check("--tolerance", "some")).code).toBe(2);
  });

  it("is JSON with causes and items, and Markdown", async () => {
    const { out } = await cli(["compare", "a.json", "b.json", "--json", "--markdown", "c.md"], { cwd });
    const document = JSON.parse(out) as { figures: Record<string, unknown>[] };
    expect(document).toMatchObject({
      kind: "traces",
      stretch: { firstEvent: 0, wasChosen: false },
      allocations: { predicted: 6, recorded: 6, common: 6 },
      unexplainedBytes: 0,
    });
    expect(document.figures.find((entry) => entry["differenceBytes"] === MIB)).toMatchObject({
      moment: "peak",
      quantity: "allocated",
      causes: [{ code: "remainder", bytes: MIB, items: [{ side: "both", place: { line: 11 } }] }],
    });
    expect(readFileSync(join(cwd, "c.md"), "utf8")).toContain(
      "| allocated, peak | 22.00 MiB | 23.00 MiB | +1.00 MiB |",
    );
  });

  it("runs a script under the GPU that the recording names, with its arguments", async () => {
    const { code, out, options } = await cli(["compare", "net.py", "log.json", "--", "--batch", "8"], { cwd });
    expect(options).toMatchObject({ gpu: { id: "a100-80gb" }, argv: ["--batch", "8"] });
    expect(code).toBe(0);
    expect(out).toMatch(/allocated, peak +22\.00 MiB +23\.00 MiB +\+1\.00 MiB/);
    const other = await cli(["compare", "net.py", "log.json", "--gpu", "t4"], { cwd });
    expect(other.options).toMatchObject({ gpu: { id: "t4" }, devices: 1 });
    // the same settings for every command: devices follow the program's environment
    const several = await cli(["explain", "net.py", "--env", "CUDA_VISIBLE_DEVICES=0,1"], { cwd });
    expect(several.options).toMatchObject({ devices: 2 });
  });

  it("chooses a stretch by marks and points", async () => {
    const { out } = await cli(["compare", "a.json", "a.json", "--from", "2", "--to", "done", "--json"], { cwd });
    expect(JSON.parse(out)).toMatchObject({ stretch: { firstEvent: 2, lastEvent: 10, wasChosen: true } });
    const wrong = await cli(["compare", "a.json", "a.json", "--from", "nowhere"], { cwd });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("it has the marks done")]);
    expect((await cli(["compare", "a.json", "a.json", "--from", "8", "--to", "3"], { cwd })).code).toBe(2);
    expect((await cli(["compare", "a.json", "log.json", "--from", "8"], { cwd })).code).toBe(2);
  });

  it("says what is wrong with its files", async () => {
    expect((await cli(["compare", "a.json"], { cwd })).code).toBe(2);
    expect((await cli(["compare", "a.json", "none.json"], { cwd })).code).toBe(2);
    const { code, err } = await cli(["compare", "a.json", "net.py"], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining("net.py: it is a program")]);
  });
});

describe("calibrate", () => {
  it("keeps a profile, and predictions name it", async () => {
    const learned = await cli(["calibrate", "log.json", "--name", "lab"], { cwd, env });
    expect([learned.code, learned.out]).toEqual([0, expect.stringContaining("520.00 MiB (±0 bytes) from log.json")]);
    log("second.json", [fact("reserved", 40, false), fact("process", 40 + 530, false)]);
    await cli(["calibrate", "second.json", "--name", "lab"], { cwd, env });
    const { options } = await cli(["run", "net.py"], { cwd, env });
    expect(options?.context).toMatchObject({
      lowBytes: 520 * MIB,
      highBytes: 530 * MIB,
      mark: "measured",
      measured: { profile: "lab", count: 2 },
    });
    const listed = await cli(["calibrate", "--list"], { cwd, env });
    expect(listed.out).toContain("lab · A100 80GB SXM · driver 550.54.15");
  });

  it("is left out on request, and for another GPU", async () => {
    expect((await cli(["run", "net.py", "--profile", "none"], { cwd, env })).options?.context).toBeUndefined();
    expect((await cli(["run", "net.py", "--gpu", "t4"], { cwd, env })).options?.context).toBeUndefined();
    const wrong = await cli(["run", "net.py", "--gpu", "t4", "--profile", "lab"], { cwd, env });
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("is of a100-80gb, not of t4")]);
    const misspelt = await cli(["run", "net.py", "--profile", "lob"], { cwd, env });
    expect(misspelt.err).toContain("did you mean 'lab'?");
  });

  it("passes on the workspace that a recording showed, unless the user sets one", async () => {
    await cli(["calibrate", "a.json", "--name", "lab"], { cwd, env });
    const { options } = await cli(["run", "net.py"], { cwd, env });
    expect(options?.env).toEqual({ CUBLAS_WORKSPACE_CONFIG: ":8320:1" });
    const own = await cli(["run", "net.py", "--env", "CUBLAS_WORKSPACE_CONFIG=:16:8"], { cwd, env });
    expect(own.options?.env).toEqual({ CUBLAS_WORKSPACE_CONFIG: ":16:8" });
  });

  it("says what it cannot learn from, and what a profile cannot be called", async () => {
    log("empty.json", [fact("allocated", 3)]);
    const empty = await cli(["calibrate", "empty.json"], { cwd, env });
    expect([empty.code, empty.err]).toEqual([3, expect.stringContaining("nothing to learn")]);
    log("unnamed.json", [fact("reserved", 40), fact("process", 500)]);
    expect((await cli(["calibrate", "unnamed.json"], { cwd, env })).err).toContain("--gpu says which");
    expect((await cli(["calibrate", "log.json", "--name", "../x"], { cwd, env })).code).toBe(2);
    expect((await cli(["calibrate"], { cwd, env })).code).toBe(2);
    expect((await cli(["calibrate", "log.json"], { cwd, env: {} })).err).toContain("XDG_CONFIG_HOME");
  });

  it("ignores broken profiles, says so when one is named, and removes", async () => {
    mkdirSync(join(config, "vramscope", "profiles"), { recursive: true });
    writeFileSync(
      join(config, "vramscope", "profiles", "broken.json"),
      '{"format":"vramscope-profile","schemaVersion":1}',
    );
    expect((await cli(["run", "net.py"], { cwd, env })).options?.context?.measured?.profile).toBe("lab");
    expect((await cli(["run", "net.py", "--profile", "broken"], { cwd, env })).err).toContain("cannot be read");
    const listed = await cli(["calibrate", "--list"], { cwd, env });
    expect([listed.code, listed.out, listed.err]).toEqual([
      0,
      expect.stringMatching(/^lab · /),
      expect.stringContaining("profile 'broken' cannot be read"),
    ]);
    expect((await cli(["calibrate", "--remove", "lab"], { cwd, env })).code).toBe(0);
    expect((await cli(["run", "net.py"], { cwd, env })).options?.context).toBeUndefined();
    expect((await cli(["calibrate", "--remove", "lab"], { cwd, env })).code).toBe(2);
  });
});
