/** `run` as a library function: side by side, abortable, deterministic, warm or cold; wrong calls are diagnostics. */

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProgram as sourceOfTypes } from "../../src/python/run.ts";
import { vramscope } from "../built.ts";
import { NEWEST_TORCH } from "../../src/torch/releases.ts";
import { folderWith, ROOT } from "../helpers.ts";

const { DiagnosticError, run, verifyTrace, writeTrace } = vramscope;
const { runProgram } = (await import(new URL("../../dist/python/run.js", import.meta.url).href)) as {
  runProgram: typeof sourceOfTypes;
};

const ATTENTION = join(ROOT, "examples", "attention.py");
const program = (elements: number) => `
import torch
kept = torch.ones(${elements}, device="cuda")
print(torch.cuda.memory_allocated(), torch.__version__, torch.cuda.get_device_name())
`;

async function diagnosticOf(options: Parameters<typeof run>[0]): Promise<unknown> {
  try {
    await run(options);
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostic;
    throw error;
  }
  return null;
}

describe("runs", () => {
  it("go side by side and share nothing", async () => {
    const runs = [
      { elements: 1024, gpu: "t4", torch: "1.13", printed: "4096 1.13" },
      { elements: 2048, gpu: "h100", torch: "2.14", printed: "8192 2.14" },
      { elements: 4096, gpu: "a100", torch: "2.6", printed: "16384 2.6" },
    ];
    const results = await Promise.all(
      runs.map(({ elements, gpu, torch }) => run({ script: "p.py", source: program(elements), gpu, torch })),
    );
    for (const [index, result] of results.entries()) {
      expect(result.stdout.startsWith(runs[index]!.printed)).toBe(true);
      expect(result.stdout).toContain(result.gpu.name.split(" ")[0]);
      expect(result.stats.allocatedBytes).toBe(runs[index]!.elements * 4);
    }
  });

  it("give the same trace for the same program", async () => {
    const [first, second] = [await run({ script: ATTENTION }), await run({ script: ATTENTION })];
    expect(writeTrace(second.trace)).toBe(writeTrace(first.trace));
  });

  it("start cold where there is no snapshot, with the same result", async () => {
    const phases: string[] = [];
    const warm = await runProgram({ script: ATTENTION, torch: "1.13" });
    const cold = await runProgram(
      { script: ATTENTION, torch: "1.13", onProgress: (phase) => phases.push(phase) },
      { cold: true },
    );
    expect(phases).toEqual(["python", "cold", "program"]);
    expect(cold.stdout).toBe(warm.stdout);
    expect(writeTrace(cold.trace)).toBe(writeTrace(warm.trace));
    expect(verifyTrace(warm.trace)).toEqual([]);
  });

  it("tell their progress and output as it comes", async () => {
    const seen: string[] = [];
    const result = await run({
      script: "p.py",
      source: 'import sys\nprint("out")\nprint("err", file=sys.stderr)\n',
      onProgress: (phase) => seen.push(phase),
      onOutput: (stream, text) => seen.push(`${stream}: ${text}`),
    });
    expect(seen.slice(0, 3)).toEqual(["python", "warm", "program"]);
    expect(seen.slice(3).join("")).toBe("stdout: out\nstderr: err\n");
    expect([result.stdout, result.stderr]).toEqual(["out\n", "err\n"]);
  });
});

describe("stopping", () => {
  const endless =
    'import torch\nkept = torch.ones(1024, device="cuda")\nprint("on", flush=True)\nwhile True:\n    pass\n';

  it("by an AbortSignal keeps the trace up to there", async () => {
    const abort = new AbortController();
    const result = await run({ script: "p.py", source: endless, signal: abort.signal, onOutput: () => abort.abort() });
    expect(result.status).toBe("interrupted");
    expect(result.stats.allocatedBytes).toBe(4096);
    expect(result.errorText).toContain("KeyboardInterrupt");
  });

  it("before the start runs nothing", async () => {
    const result = await run({ script: "p.py", source: 'print("ran")', signal: AbortSignal.abort() });
    expect([result.status, result.stdout]).toEqual(["interrupted", ""]);
  });

  it("by a time limit counts from the program's start", async () => {
    const result = await run({ script: "p.py", source: endless, timeoutSeconds: 1 });
    expect([result.status, result.stdout, result.stats.allocatedBytes]).toEqual(["timeout", "on\n", 4096]);
  });
});

describe("a program", () => {
  it("may be text with a folder", async () => {
    const folder = folderWith({ "beside.py": "VALUE = 7\n" });
    const result = await run({ script: "p.py", source: "import beside\nprint(beside.VALUE)", folder });
    expect(result.stdout).toBe("7\n");
    const without = await run({ script: "p.py", source: "import beside\nprint(beside.VALUE == 7)" });
    expect(without.errorText).toContain("ModuleNotFoundError");
  });

  it("ends like a Python program: exit handlers run, standard input is at its end", async () => {
    const source =
      'import atexit\natexit.register(print, "bye")\ntry:\n    input()\nexcept EOFError:\n    print("end of input")\n';
    expect((await run({ script: "p.py", source })).stdout).toBe("end of input\nbye\n");
  });

  it("may exit with a status or a message", async () => {
    const exits = async (argument: string) => {
      const { status, exitStatus, stderr } = await run({ script: "p.py", source: `import sys\nsys.exit(${argument})` });
      return [status, exitStatus, stderr];
    };
    expect(await exits("")).toEqual(["system_exit", 0, ""]);
    expect(await exits("5")).toEqual(["system_exit", 5, ""]);
    expect(await exits('"no data"')).toEqual(["system_exit", 1, "no data\n"]);
  });

  it("shows a chain of errors without our frames", async () => {
    const source = `import torch
try:
    torch.ones(2, 3).cuda() @ torch.ones(2, 3).cuda()
except RuntimeError as error:
    raise ValueError("bad shapes") from error
`;
    const { status, errorText } = await run({ script: "p.py", source });
    expect(status).toBe("python_error");
    expect(errorText).toContain("The above exception was the direct cause");
    expect(errorText).toContain("ValueError: bad shapes");
    expect(errorText).not.toMatch(/vramscope|\/lib\//);
  });
});

describe("wrong calls", () => {
  it.each([
    [
      { script: "p.py", source: "", gpu: "h1000" },
      { code: "unknown_gpu_nearest", args: { name: "h1000", nearest: "h100-80gb" } },
    ],
    [
      { script: "p.py", source: "", torch: "9.9" },
      { code: "unknown_torch_nearest", args: { version: "9.9", nearest: NEWEST_TORCH } },
    ],
    [{ script: "/no/such.py" }, { code: "cannot_read", args: { path: "/no/such.py" } }],
    [
      { script: "p.py", source: "", sitePackages: ["/no/such"] },
      { code: "not_a_directory", args: { path: "/no/such" } },
    ],
  ])("%j", async (options, expected) => expect(await diagnosticOf(options)).toMatchObject(expected));
});
