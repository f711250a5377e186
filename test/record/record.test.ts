/** The recorder: what it says where there is nothing to record, what it writes, and how a record is compared. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith, ROOT, start } from "../helpers.ts";

const RUN = join(ROOT, "scripts", "record", "run.sh");
const COMPARE = join(ROOT, "scripts", "record", "compare.mjs");
const PYTHON = process.env["PYTHON"] ?? "python3";
const hasPython = spawnSync(PYTHON, ["--version"]).status === 0;
const hasTorch = hasPython && spawnSync(PYTHON, ["-c", "import torch"]).status === 0;

const record = (args: readonly string[], env: Record<string, string> = {}) =>
  start("bash", [RUN, ...args], { env: { PYTHON, ...env } });

describe("without a GPU", () => {
  it("says that there is no Python", async () => {
    const { code, err } = await record([folderWith({})], { PYTHON: "no-such-python" });
    expect([code, err.trim().split("\n")]).toEqual([
      3,
      ["record: there is no no-such-python on this machine; set PYTHON to an interpreter that can import torch"],
    ]);
  });

  it.skipIf(!hasPython || hasTorch)("says in one line that torch cannot be imported", async () => {
    const { code, err } = await record([folderWith({})]);
    expect(code).toBe(4);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).toContain("cannot import torch");
  });

  it.skipIf(!hasPython)("says in one line that torch sees no GPU", async () => {
    const fake = folderWith({
      "torch/__init__.py": FAKE.replace("is_available=lambda: True", "is_available=lambda: False"),
    });
    const { code, err } = await record([folderWith({})], { PYTHONPATH: fake });
    expect([code, err.trim().split("\n")]).toEqual([
      5,
      [
        "record: torch 2.8.0+fake sees no GPU on this machine, so there is nothing to record; run it where torch.cuda.is_available() is True",
      ],
    ]);
  });

  it("asks for a folder", async () => {
    const { code, err } = await record([]);
    expect(code).toBe(2);
    expect(err).toContain("OUT_DIR");
  });
});

const FAKE = readFileSync(join(ROOT, "test", "record", "fake", "torch", "__init__.py"), "utf8");

describe.skipIf(!hasPython)("with a stand-in for torch that knows only what the recorder asks", () => {
  it("writes the machine and a record for each program, failures included", async () => {
    const out = folderWith({});
    const { code, err } = await record(
      [out, "--only", "context,corpus-allocator-rounding-to-512-bytes", "--jobs", "1"],
      {
        PYTHONPATH: join(ROOT, "test", "record", "fake"),
      },
    );
    expect([code, err.split("\n").at(-2)]).toEqual([0, expect.stringContaining("0 recorded, 2 not")]);
    const machine = JSON.parse(readFileSync(join(out, "machine.json"), "utf8"));
    expect(machine).toMatchObject({
      format: "vramscope-record",
      machine: { gpu: "NVIDIA Fake", torch: "2.8.0+fake", sms: 108, capability: [8, 0] },
      programs: { context: "error", "corpus-allocator-rounding-to-512-bytes": "error" },
    });
    const corpus = JSON.parse(readFileSync(join(out, "corpus-allocator-rounding-to-512-bytes.json"), "utf8"));
    expect(corpus).toMatchObject({
      id: "corpus-allocator-rounding-to-512-bytes",
      status: "error",
      trace: "s2097152 +512 -512",
      final: { peakAllocated: 512 },
    });
    expect(corpus.error).toContain("AttributeError");
  });
});

describe("the programs", () => {
  it("exist, each under a name of its own", () => {
    const programs = JSON.parse(readFileSync(join(ROOT, "scripts", "record", "programs.json"), "utf8")) as {
      id: string;
      file: string;
    }[];
    expect(new Set(programs.map(({ id }) => id)).size).toBe(programs.length);
    for (const { file } of programs)
      expect([file, existsSync(join(ROOT, "scripts", "record", file))]).toEqual([file, true]);
  });
});

/** A record as a GPU would have written it, with figures that were published for this program (test/measured). */
function handMade(lines: readonly string[], sections: readonly object[] = []): string {
  const id = sections.length > 0 ? "ops-elementwise" : "plain-attention-backward";
  const argv = sections.length > 0 ? [] : ["backward", "128:16", "512:16", "1023:32", "1024:32"];
  return folderWith({
    "machine.json": JSON.stringify({
      machine: { gpu: "Tesla V100-SXM2-16GB", torch: "2.1.0+cu121" },
      programs: { [id]: "ok" },
    }),
    [`${id}.json`]: JSON.stringify({ id, argv, status: "ok", error: null, sections, stdout: lines }),
  });
}

const compare = (folder: string, ...args: string[]) =>
  start(process.execPath, [COMPARE, folder, "--gpu", "v100-16gb", ...args]);

describe("comparing", () => {
  // 0.3125, 4.25, 16.970703125 and 17 MiB (plain-attention.json)
  const MEASURED = ["128:16\t327680", "512:16\t4456448", "1023:32\t17795072", "1024:32\t17825792"];

  it("finds no difference in what was measured", async () => {
    const { code, out } = await compare(handMade(MEASURED), "--torch", "1.12");
    expect([out, code]).toEqual(["1 compared, 0 differ, 0 under-estimates\n", 0]);
  });

  it("shows a line that differs", async () => {
    const { code, out } = await compare(handMade([...MEASURED.slice(0, 3), "1024:32\t17825793"]), "--torch", "1.12");
    expect(code).toBe(1);
    expect(out.split("\n")).toEqual([
      "plain-attention-backward / line 4: output: recorded 1024:32\t17825793, predicted 1024:32\t17825792",
      "1 compared, 1 differ, 0 under-estimates",
      "",
    ]);
  });

  it("compares sections event by event", async () => {
    // two inputs and a product of 48 x 64 float32; backward: ones, which die at the end, and one product for each side
    const size = 48 * 64 * 4;
    const taken = Array.from({ length: 3 }, () => `+${size}`).join(" ");
    const product = {
      name: "mul",
      dtype: "float32",
      size: "small",
      forward: taken,
      backward: `${taken} -${size}`,
      afterForward: { allocated: 3 * size },
    };
    const missing = { ...product, name: "add", backward: undefined, forward: `${product.forward} +512` };
    const folder = handMade([], [product, missing]);
    const { out } = await compare(folder);
    expect(out.split("\n")).toEqual([
      `ops-elementwise / add float32 small: forward, event 4 of 4: recorded +512, predicted (nothing more) (75.00 % of the events in common)`,
      "3 compared, 1 differ, 0 under-estimates",
      "",
    ]);
  });

  it("asks for a record", async () => {
    const folder = folderWith({});
    writeFileSync(join(folder, "something.json"), "{}");
    const { code, err } = await compare(folder);
    expect([code, err]).toEqual([2, expect.stringContaining("machine.json")]);
  });
});
