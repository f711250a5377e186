/** `vramscope` as people start it: whole processes of the built command line, with real programs. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { engine } from "../built.ts";
import { CLI, folderWith, start, vramscope } from "../helpers.ts";
import { NEWEST_TORCH } from "../../src/torch/releases.ts";

const FILES = {
  "ok.py": 'import torch\nx = torch.ones(1024, 1024, device="cuda")\nprint("made", tuple(x.shape))\n',
  "oom.py":
    'import torch\n\n\ndef grow(n):\n    return torch.empty(n, device="cuda")\n\n\nprint("before")\nkept = grow(2**20)\nmore = grow(2**40)\n',
  "error.py": 'import torch\na = torch.ones(2, 3).cuda()\nprint("before")\nb = a @ a\n',
  "unknown.py": "import torch\nfrom torch import _C\nx = _C.ops.addmmm(1)\n",
  "loop.py":
    'import torch\nkept = torch.ones(1024, 1024, device="cuda")\nprint("looping", flush=True)\nwhile True:\n    kept + 1\n',
  "stubborn.py":
    'import torch\nx = torch.ones(2**21, device="cuda")\nprint("looping", flush=True)\nwhile True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass\n',
  "exits.py": "import sys\nsys.exit(int(sys.argv[1]))\n",
  "arguments.py": "import os, sys\nprint(sys.argv[1:], sorted(os.environ))\n",
  "helped.py": 'from helper.parts import make\nprint(open("data/note.txt").read(), end="")\nx = make()\n',
  "helper/parts.py": 'import torch\n\n\ndef make():\n    return torch.ones(1024, 1024, device="cuda")\n',
  "data/note.txt": "a note\n",
  "packages/thirdparty/__init__.py": 'NAME = "third party"\n',
  "package.py": "import thirdparty\nprint(thirdparty.NAME)\n",
  "missing.py": "import nothing_like_this\nnothing_like_this.run()\n",
  "settings.py":
    'import torch\na = torch.ones(1200 * 1024, dtype=torch.uint8, device="cuda")\nprint(torch.cuda.memory_allocated(), torch.cuda.memory_reserved())\n',
};
const cwd = folderWith(FILES);
const run = (...args: string[]) => vramscope(["run", ...args], { cwd });

const { readTrace, verifyTrace } = engine;

describe("a program that runs to its end", () => {
  it("prints its own output, then the report, and ends with 0", async () => {
    const { code, out, err } = await run("ok.py");
    expect([code, err]).toEqual([0, ""]);
    expect(out.startsWith("made (1024, 1024)\n\nok.py on A100 80GB SXM · PyTorch 2.14 rules\n\n  fits")).toBe(true);
    expect(out).toContain('x = torch.ones(1024, 1024, device="cuda")');
  });

  it("leaves standard output untouched with --report none", async () => {
    expect(await run("--report", "none", "ok.py")).toEqual({ code: 0, out: "made (1024, 1024)\n", err: "" });
  });

  it("gets the arguments after --, and only the environment that --env gives", async () => {
    const { out } = await vramscope(["run", "--report", "none", "--env", "A=1", "arguments.py", "--", "--batch", "8"], {
      cwd,
      env: { SECRET: "x" },
    });
    expect(out).toBe("['--batch', '8'] ['A', 'HOME', 'USER']\n");
  });

  it("finds modules and small files beside it, and the report names them as the user does", async () => {
    const { code, out } = await run("helped.py");
    expect(code).toBe(0);
    expect(out.startsWith("a note\n")).toBe(true);
    expect(out).toContain(`  ${join("helper", "parts.py")}\n`);
    expect(out).toContain('return torch.ones(1024, 1024, device="cuda")');
  });

  it("finds packages of --site-packages", async () => {
    expect((await run("--report", "none", "--site-packages", "packages", "package.py")).out).toBe("third party\n");
  });

  it("may come from standard input", async () => {
    const { code, out } = await vramscope(["run", "--report", "none", "-"], { cwd, stdin: "print(__file__)" });
    expect([code, out]).toEqual([0, "<stdin>\n"]);
  });

  it("sees allocator options from --env as PyTorch does", async () => {
    // 1,200 KiB: in 512-byte steps already whole; with 4 divisions of each power of two the next one is 1,280 KiB
    expect((await run("--report", "none", "settings.py")).out).toBe("1228800 20971520\n");
    const option = "PYTORCH_CUDA_ALLOC_CONF=roundup_power2_divisions:4";
    expect((await run("--report", "none", "--env", option, "settings.py")).out).toBe("1310720 20971520\n");
  });

  it("ends with 0 or 3 as it asks for success or failure", async () => {
    expect((await run("exits.py", "--", "0")).code).toBe(0);
    expect((await run("exits.py", "--", "7")).code).toBe(3);
  });
});

describe("what it writes", () => {
  it("is one JSON document with --json", async () => {
    const { code, out, err } = await run("--json", "error.py");
    expect([code, err]).toEqual([3, ""]);
    const document = JSON.parse(out) as Record<string, unknown>;
    expect(document).toMatchObject({ schemaVersion: 1, status: "python_error", output: { stdout: "before\n" } });
    expect(document["error"]).toContain("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
  });

  it("survives a reader that goes away", async () => {
    const { code, out, err } = await start(
      "sh",
      ["-c", `"${process.execPath}" "${CLI}" run --json ok.py | head -n 2`],
      { cwd },
    );
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe('{\n  "schemaVersion": 1,\n');
  });

  it("is a trace with -o, which is consistent", async () => {
    expect((await run("--report", "none", "-o", "out/trace.json", "ok.py")).code).toBe(0);
    const trace = readTrace(readFileSync(join(cwd, "out", "trace.json"), "utf8"));
    if (!trace.ok) throw new Error(trace.error.code);
    expect(verifyTrace(trace.value)).toEqual([]);
    expect(trace.value.blocks).toMatchObject([{ requestedBytes: 4 * 2 ** 20, shape: [1024, 1024], dtype: "float32" }]);
  });

  it("has no colour in a pipe, and has it when asked", async () => {
    expect((await run("ok.py")).out).not.toContain("\u001b[");
    expect((await vramscope(["run", "ok.py"], { cwd, env: { FORCE_COLOR: "1" } })).out).toContain("\u001b[");
    expect((await vramscope(["run", "ok.py"], { cwd, env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).out).not.toContain(
      "\u001b[",
    );
  });

  it("fits a narrow terminal and speaks Chinese", async () => {
    const { out } = await vramscope(["run", "ok.py"], { cwd, env: { COLUMNS: "44", LANG: "zh_CN.UTF-8" } });
    expect(out).toContain("放得下");
    for (const line of out.split("\n")) {
      const columns = Array.from(line).reduce((sum, character) => sum + (/[\u2e80-\uffef]/.test(character) ? 2 : 1), 0);
      expect([line, columns <= 44]).toEqual([line, true]);
    }
  });
});

describe("a program that fails", () => {
  it("for want of memory: PyTorch's own error with the traceback of the line, then the report, 1", async () => {
    const { code, out, err } = await run("--gpu", "t4", "oom.py");
    expect(code).toBe(1);
    expect(err).toBe(`Traceback (most recent call last):
  File "oom.py", line 10, in <module>
    more = grow(2**40)
  File "oom.py", line 5, in grow
    return torch.empty(n, device="cuda")
           ~~~~~~~~~~~^^^^^^^^^^^^^^^^^^
torch.OutOfMemoryError: ${err.split("torch.OutOfMemoryError: ")[1]}`);
    expect(err).toMatch(
      /torch\.OutOfMemoryError: CUDA out of memory\. Tried to allocate 4096\.00 GiB\. GPU 0 has a total capacity of 14\.56 GiB of which [\d.]+ GiB is free\. /,
    );
    expect(out.startsWith("before\n\noom.py on T4")).toBe(true);
    expect(out).toContain("does not fit  4096.00 GiB more asked for");
    expect(out).toContain("oom.py:5: aten::empty asked for 4096.00 GiB when 4.00 MiB were allocated");
  });

  it("with a Python error: the user's frames only, 3", async () => {
    const { code, err } = await run("--report", "none", "error.py");
    expect(code).toBe(3);
    expect(err).toBe(`Traceback (most recent call last):
  File "error.py", line 4, in <module>
    b = a @ a
        ~~^~~
RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)
`);
  });

  it("at an operator without a rule: its name, its line and the nearest ones, 3", async () => {
    const { code, err } = await run("--report", "none", "unknown.py");
    expect(code).toBe(3);
    expect(err).toContain('File "unknown.py", line 3, in <module>');
    expect(err).toMatch(/UnsupportedOp: vramscope has no row for the operator 'addmmm'.*addmm/);
  });

  it("for want of a package: how to mount it", async () => {
    const { code, err } = await run("--report", "none", "missing.py");
    expect(code).toBe(3);
    expect(err).toContain("ModuleNotFoundError: No module named 'nothing_like_this'\n");
    expect(err).toContain("--site-packages");
    expect(err).toContain("'vramscope packages add nothing_like_this'");
  });

  it("for want of a package that the project's list may name: how to fetch them, and what else it is called", async () => {
    const folder = folderWith({ "requirements.txt": "typed-argument-parser\n", "train.py": "import tap\ntap.Tap()\n" });
    const { code, err } = await vramscope(["run", "--report", "none", "train.py"], { cwd: folder });
    expect(code).toBe(3);
    expect(err).toContain("'vramscope packages add -r requirements.txt'");
    expect(err).toContain("'vramscope packages add typed-argument-parser'");
    const project = '[project]\nname = "x"\ndependencies = ["typed-argument-parser"]\n';
    const other = folderWith({
      "pyproject.toml": project,
      "requirements.txt": "",
      "train.py": "import tap\ntap.Tap()\n",
    });
    const said = await vramscope(["run", "--report", "none", "train.py"], { cwd: other });
    expect(said.err).toContain("'vramscope packages add -r pyproject.toml'");
    const built = folderWith({ "align/__init__.py": "", "align/core.pyx": "", "train.py": "import align.core\n" });
    expect((await vramscope(["run", "--report", "none", "train.py"], { cwd: built })).err).toContain(
      "'align.core' is a part of the project's own folder align that is not there",
    );
    const hidden = folderWith({ "timm.py": "import timm.models\n" });
    expect((await vramscope(["run", "--report", "none", "timm.py"], { cwd: hidden })).err).toContain(
      "it hides the package of that name",
    );
  });
});

describe("a program that does not end", () => {
  it("is stopped at --timeout, where its traceback says, with the figures up to there", async () => {
    const { code, out, err } = await run("--passes", "all", "--timeout", "1.5", "loop.py");
    expect(code).toBe(3);
    expect(err).toMatch(/File "loop\.py", line [45], in <module>\n[^]*TimeLimit: stopped after 1\.5 s\n$/);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(
      /not finished stopped at line [45] of loop\.py: the time limit was reached; the figures go up to there/,
    );
    expect(out).toMatch(/allocated +8\.00 MiB/);
  });

  it("even when it catches everything", async () => {
    const { code, out } = await run("--timeout", "1", "stubborn.py");
    expect(code).toBe(3);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(/stopped at line \d+ of stubborn\.py: the time limit was reached/);
    expect(out).toMatch(/allocated +8\.00 MiB/);
  });

  it("is stopped by Ctrl+C, 130", async () => {
    const { code, out, err } = await vramscope(["run", "--passes", "all", "loop.py"], {
      cwd,
      onFirstOutput: (kill) => kill("SIGINT"),
    });
    expect(code).toBe(130);
    expect(err).toMatch(/KeyboardInterrupt\n$/);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(
      /stopped at line \d+ of loop\.py: interrupted; the figures go up to there/,
    );
  });
});

describe("wrong usage", () => {
  it.each([
    [["run", "okk.py"], "no such file: okk.py; did you mean ok.py? (see 'vramscope run --help')"],
    [["run", "--gpu", "h1000", "ok.py"], "unknown GPU 'h1000'; did you mean h100-80gb? ('vramscope gpus' lists them)"],
    [
      ["run", "--torch", "9.9", "ok.py"],
      `unknown PyTorch version '9.9'; the nearest known is ${NEWEST_TORCH} (see 'vramscope run --help')`,
    ],
    [
      ["run", "--time", "3", "ok.py"],
      "unknown option '--time'; did you mean '--timeout'? (see 'vramscope run --help')",
    ],
    [
      ["run", "--env", "PYTORCH_CUDA_ALLOC_CONF=max_split_size:200", "ok.py"],
      "allocator option 'max_split_size' is not known to PyTorch 2.14; did you mean 'max_split_size_mb'? (see 'vramscope run --help')",
    ],
    [
      ["run", "--torch", "2.0", "--env", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", "ok.py"],
      "allocator option 'expandable_segments' exists since PyTorch 2.1, not in 2.0 (see 'vramscope run --help')",
    ],
    [["frobnicate"], "unknown command 'frobnicate' (see 'vramscope --help')"],
  ])("%j is told in one line, 2", async (args, expected) => {
    expect(await vramscope(args, { cwd })).toEqual({ code: 2, out: "", err: `vramscope: ${expected}\n` });
  });

  it("leaves nothing behind", () => expect(existsSync(join(cwd, "trace.json"))).toBe(false));
});

it("explains itself", async () => {
  const { code, out, err } = await vramscope(["--help"]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("run [options] (script.py | -m module) [words] [-- args]");
});
