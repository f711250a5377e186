/** Several GPUs of one process, each with an allocator of its own: against released PyTorch on a machine with four, and in reports. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readTrace } from "../../src/trace/file.ts";
import { verifyTrace } from "../../src/trace/verify.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const cases = fileURLToPath(new URL("cases", import.meta.url));
const recorded = JSON.parse(readFileSync(fileURLToPath(new URL("torch-2.14.json", import.meta.url)), "utf8")) as {
  programs: Record<string, string[]>;
};
const folder = mkdtempSync(join(tmpdir(), "gpus-"));

function vramscope(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, "run", ...args], {
    encoding: "utf8",
    cwd: folder,
  });
  return { stdout, stderr, status };
}

/** A program of these lines. */
function program(...lines: string[]): string {
  writeFileSync(join(folder, "program.py"), ["import torch", ...lines, ""].join("\n"));
  return "program.py";
}

describe("several GPUs of one process", () => {
  const names = readdirSync(cases).map((file) => basename(file, ".py"));

  it("are all recorded", () => expect(Object.keys(recorded.programs)).toEqual(names));

  it.each(names)(
    "%s: allocated, peak and reserved bytes of each GPU as PyTorch 2.14 has them",
    (name) => {
      const { stdout } = vramscope("--gpus", "4", "--report", "none", join(cases, `${name}.py`));
      expect(stdout.trimEnd().split("\n")).toEqual(recorded.programs[name]);
    },
    60_000,
  );

  it("are in the report, in JSON and in a trace each", () => {
    const script = program(
      "kept = torch.empty(3 << 30, dtype=torch.uint8, device='cuda:2')",
      "more = kept.to('cuda:1')[:5].clone()",
    );
    const { stdout, status } = vramscope("--gpus", "3", "-o", "trace.json", script);
    expect(status).toBe(0);
    expect(stdout).toContain("2 GPUs of one process: fits; GPU 1 is the fullest, its report follows");
    const { gpus } = JSON.parse(vramscope("--gpus", "3", "--json", script).stdout) as {
      gpus: { gpu: number; allocated: { endBytes: number } }[];
    };
    expect(gpus.map(({ gpu, allocated }) => [gpu, allocated.endBytes])).toEqual([
      [2, 3 * 2 ** 30],
      [1, 512],
    ]);
    for (const gpu of [1, 2]) {
      const read = readTrace(readFileSync(join(folder, `trace.gpu${gpu}.json`), "utf8"));
      if (!read.ok) throw new Error(read.error.code);
      expect(verifyTrace(read.value)).toEqual([]);
      expect(read.value.events.allocatedBytes.at(-1)).toBe(gpu === 2 ? 3 * 2 ** 30 : 512);
    }
  });

  it("say which one is full", () => {
    const script = program(
      "a = torch.empty(1 << 30, dtype=torch.uint8, device='cuda:0')",
      "b = [torch.empty(50 << 30, dtype=torch.uint8, device='cuda:1') for _ in range(2)]",
    );
    const { stdout, stderr } = vramscope("--gpus", "2", script);
    expect(stderr).toContain("GPU 1 has a total capacity");
    expect(stdout).toContain("2 GPUs of one process: does not fit; GPU 1 is the fullest");
    expect(stdout).toMatch(/ {2}0 +1\.00 GiB .*fits/);
  });

  it("are as many as are asked for or visible", () => {
    const script = program("print(torch.cuda.device_count())", "torch.empty(1, device='cuda:1')");
    const one = vramscope("--gpus", "1", "--report", "none", script);
    expect(one.stderr).toContain("one GPU: cuda:0; --gpus 2 simulates more");
    const unsaid = vramscope("--report", "none", script);
    expect(unsaid.status).toBe(0);
    expect(unsaid.stdout).toBe("1\n2\n");
    expect(unsaid.stderr).toContain("the machine was given 2; --gpus N says it better");
    expect(vramscope("--report", "none", "--env", "CUDA_VISIBLE_DEVICES=4,7", script).stdout).toBe("2\n");
    expect(vramscope("--gpus", "0", script).status).toBe(2);
  });
});
