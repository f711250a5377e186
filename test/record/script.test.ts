/** `vramscope record`: a script under another Python, with a stand-in for torch that knows only what the recorder asks. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFile } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import type { Readings } from "../../src/trace/readings.ts";
import { folderWith, ROOT, start, vramscope } from "../helpers.ts";

const FAKE = join(ROOT, "test", "record", "recorder-fake");
const RECORDER = join(ROOT, "recorder", "vramscope_recorder.py");
const PYTHON = process.env["PYTHON"] ?? "python3";
const found = spawnSync(PYTHON, ["-c", "import importlib.util as u; print(u.find_spec('torch') is None)"], {
  encoding: "utf8",
});
const hasPython = found.status === 0;
const hasNoTorch = found.stdout?.trim() === "True";

const SCRIPT = `import sys
import torch


def step(count):
    torch.take(count)
    torch.give(count // 2)


print("out", sys.argv[1:])
torch.take(1024)
for i in range(2):
    step(4096)
torch.take(8)


def parts():
    torch.take(16)
    yield 1
    torch.take(32)


for _ in parts():
    torch.take(8)
print("err", file=sys.stderr)
`;

interface Recorded {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly folder: string;
  readonly readings: Readings | null;
}

async function record(script: string, args: readonly string[], env: Record<string, string> = {}): Promise<Recorded> {
  const folder = folderWith({ "net.py": script });
  const ran = await vramscope(["record", "--python", PYTHON, ...args], {
    cwd: folder,
    env: { PYTHONPATH: FAKE, ...env },
  });
  const path = join(folder, "net-record", "readings.json");
  const { readings } = existsSync(path)
    ? openFile(bytesReader(readFileSync(path)), { name: path })
    : { readings: null };
  return { ...ran, folder, readings };
}

const fact = (readings: Readings | null, name: string) => readings?.facts.find((entry) => entry.name === name)?.bytes;
const note = (readings: Readings | null, name: string) => readings?.notes.find((entry) => entry.name === name)?.value;

describe.skipIf(!hasPython)("record", () => {
  it("passes arguments, streams and exit status, and leaves counters after each line", async () => {
    const { code, out, err, folder, readings } = await record(`${SCRIPT}sys.exit(5)\n`, [
      "net.py",
      "--",
      "--batch",
      "8",
    ]);
    expect([code, out]).toEqual([5, "out ['--batch', '8']\n"]);
    expect(err).toContain("err\n");
    expect(err).toContain("net-record/snapshot.pickle");
    expect(existsSync(join(folder, "net-record", "outcome.json"))).toBe(false);
    const after = readings!.series.find(({ label, quantity }) => label === "after line" && quantity === "allocated")!;
    const samples = [...after.bytes].map((bytes, i) => [after.lines![i], bytes]);
    expect(samples).toEqual([
      [11, 1024],
      [6, 5120],
      [7, 3072],
      [6, 7168],
      [7, 5120],
      [14, 5128],
      [18, 5144],
      [24, 5152],
      [20, 5184],
    ]);
    expect([fact(readings, "max_memory_allocated"), fact(readings, "memory_allocated")]).toEqual([7168, 5184]);
    expect([note(readings, "torch"), note(readings, "gpu"), note(readings, "exit status")]).toEqual([
      "2.14.0+fake",
      "NVIDIA A100-SXM4-80GB",
      5,
    ]);
  });

  it.each(["2.1", "2.0", "1.13"])("knows how PyTorch %s starts its history", async (release) => {
    const folder = folderWith({ "net.py": "import torch\ntorch.take(512)\n" });
    const env = { PYTHONPATH: FAKE, FAKE_TORCH: release };
    const { code } = await start(PYTHON, [RECORDER, folder, "1000", "net.py"], { cwd: folder, env });
    expect([code, readFileSync(join(folder, "outcome.json"), "utf8")]).toEqual([
      0,
      expect.not.stringContaining("history"),
    ]);
    const text = readFileSync(join(folder, "snapshot.pickle"), "latin1");
    expect(text).toContain(release === "2.1" ? "new" : release);
  });

  it("leaves the files when the script fails, and says what was asked for when memory ran out", async () => {
    const { code, err, readings } = await record("import torch\ntorch.take(512)\ntorch.take(2 << 40)\n", ["net.py"]);
    expect(code).toBe(1);
    expect(err).toContain('File "net.py", line 3, in <module>');
    expect(err).not.toContain("vramscope_recorder");
    expect(err).toContain("net-record/readings.json");
    expect(fact(readings, "request that failed")).toBe(2 * 2 ** 40);
  });

  it("asks TensorFlow where that is imported", async () => {
    const script = "import tensorflow as tf\ntf.take(4096)\ntf.take(-1024)\n";
    const { code, err, readings } = await record(script, ["net.py"], { PYTHONPATH: `${FAKE}-tf` });
    expect([code, err]).toEqual([0, expect.stringMatching(/written to net-record.readings\.json\n/)]);
    expect([fact(readings, "get_memory_info peak"), fact(readings, "get_memory_info current")]).toEqual([4096, 3072]);
    const [after] = readings!.series;
    expect([[...after!.lines!], [...after!.bytes]]).toEqual([
      [1, 2, 3],
      [0, 4096, 3072],
    ]);
  });

  it("says what there is not: a GPU, a use of it, a framework, a Python", async () => {
    const withoutGpu = await record("import torch\nprint('not reached')\n", ["net.py"], { FAKE_GPU: "no" });
    expect([withoutGpu.code, withoutGpu.out]).toEqual([3, ""]);
    expect(withoutGpu.err).toMatch(/^vramscope: PyTorch 2\.14\.0\+fake of \S+ sees no GPU[^\n]*\n$/);
    const unused = await record("import torch\n", ["net.py"]);
    expect([unused.code, unused.err]).toEqual([0, expect.stringContaining("did not use the GPU")]);
    const plain = await record("print(1)\n", ["net.py"]);
    expect([plain.code, plain.out, plain.err]).toEqual([0, "1\n", expect.stringContaining("imported neither")]);
    const noPython = await record("", ["--python", "no-such-python", "net.py"]);
    expect([noPython.code, noPython.err]).toEqual([2, expect.stringContaining("'no-such-python' is no Python")]);
  });

  it.skipIf(!hasNoTorch)("says that there is no PyTorch, before anything runs", async () => {
    const { code, out, err } = await record("print(1)\n", ["net.py"], { PYTHONPATH: "" });
    expect([code, out, err]).toEqual([3, "", expect.stringContaining("neither PyTorch nor TensorFlow")]);
  });
});
