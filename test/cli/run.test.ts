/** `vramscope run`: options, streams, errors and exit codes, with a stand-in for the run itself. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT, exitCodeOf } from "../../src/cli/exit-code.ts";
import { sourceReader } from "../../src/cli/files.ts";
import { parseCommandArgs } from "../../src/cli/parse.ts";
import { runCommand } from "../../src/cli/run.ts";
import { readTrace } from "../../src/trace/file.ts";
import { cli, scriptFolder } from "./harness.ts";
import { NEWEST_TORCH } from "../../src/torch/releases.ts";

const cwd = scriptFolder();

describe("output", () => {
  it("is the program's own, then the report", async () => {
    const { code, out, err } = await cli(["run", "net.py"], { cwd });
    expect(code).toBe(0);
    expect(out.startsWith("hello\n\nnet.py on A100 80GB SXM · PyTorch 2.14 rules\n")).toBe(true);
    expect(out).toContain("w = weight()");
    expect(err).toBe("");
  });

  it("is only the program's with --report none", async () => {
    expect((await cli(["run", "--report", "none", "net.py"], { cwd })).out).toBe("hello\n");
  });

  it("is one JSON document with --json", async () => {
    const { out } = await cli(["run", "net.py", "--json"], { cwd });
    expect(JSON.parse(out)).toMatchObject({ schemaVersion: 1, program: "net.py", output: { stdout: "hello\n" } });
  });

  it("shows the program's traceback on standard error", async () => {
    const result = {
      status: "python_error",
      exitStatus: 1,
      errorText: "Traceback (most recent call last):\nNameError: x",
    } as const;
    const { code, err, out } = await cli(["run", "net.py"], { cwd, result });
    expect(code).toBe(EXIT.programFailed);
    expect(err).toBe("Traceback (most recent call last):\nNameError: x\n");
    expect(out).toContain("not finished  a Python error ended the program");
  });

  it("writes the trace with -o", async () => {
    const { code } = await cli(["run", "-o", "out/trace.json", "net.py"], { cwd });
    expect(code).toBe(0);
    expect(readTrace(readFileSync(join(cwd, "out/trace.json"), "utf8")).ok).toBe(true);
  });

  it("speaks Chinese", async () => {
    expect((await cli(["run", "net.py", "--lang", "zh"], { cwd })).out).toContain("峰值时的构成");
    expect((await cli(["run", "net.py"], { cwd, env: { LANG: "zh_CN.UTF-8" } })).out).toContain("峰值时的构成");
    expect((await cli(["run", "net.py", "--lang=en"], { cwd, env: { LANG: "zh_CN.UTF-8" } })).out).toContain(
      "At the peak",
    );
  });

  it("colours as asked", async () => {
    const escapes = async (args: string[], env: Record<string, string> = {}, tty = false) =>
      (await cli(["run", "net.py", ...args], { cwd, env, tty })).out.includes("\u001b[");
    expect(await escapes([])).toBe(false);
    expect(await escapes([], {}, true)).toBe(true);
    expect(await escapes([], { TERM: "dumb" }, true)).toBe(false);
    expect(await escapes([], { NO_COLOR: "1" }, true)).toBe(false);
    expect(await escapes([], { FORCE_COLOR: "1" })).toBe(true);
    expect(await escapes([], { FORCE_COLOR: "0" }, true)).toBe(false);
    expect(await escapes(["--color", "always"], { NO_COLOR: "1" })).toBe(true);
    expect(await escapes(["--color=never"], { FORCE_COLOR: "1" }, true)).toBe(false);
  });

  it("warns of workspace variables that PyTorch would not understand", async () => {
    const { err } = await cli(["run", "net.py", "--env", "CUBLAS_WORKSPACE_CONFIG=big", "--torch", "2.6"], { cwd });
    expect(err).toBe("vramscope: CUBLAS_WORKSPACE_CONFIG 'big' is not understood; the default size is used\n");
  });
});

describe("words after the script", () => {
  it.each([
    [
      ["net.py", "-model", "x"],
      ["-model", "x"],
    ],
    [
      ["net.py", "-net", "vgg16", "-gpu"],
      ["-net", "vgg16", "-gpu"],
    ],
    [
      ["net.py", "-m", "fast"],
      ["-m", "fast"],
    ],
    [
      ["net.py", "--module", "fast"],
      ["--module", "fast"],
    ],
    [
      ["-m", "package", "--lr", "3"],
      ["--lr", "3"],
    ],
    [
      ["-m", "package", "-m", "fast"],
      ["-m", "fast"],
    ],
  ])("%j has words of its own", (words, own) => {
    expect(parseCommandArgs(runCommand, words)).toMatchObject({ rest: own, assumedRest: true });
  });

  it("are the program's own from the first that is no option of ours, and are said", async () => {
    const { err, options } = await cli(["run", "--gpu", "t4", "net.py", "a", "--lr", "8", "-b=2", "x"], { cwd });
    expect(options).toMatchObject({ gpu: { id: "t4" }, argv: ["a", "--lr", "8", "-b=2", "x"] });
    expect(err).toContain("vramscope: taken as the program's own, as if after --: --lr 8 -b=2 x\n");
  });
});

describe("options", () => {
  it("reach the run", async () => {
    mkdirSync(join(cwd, "packages"), { recursive: true });
    const args = [
      "run",
      "--gpu",
      "rtx4090",
      "--torch",
      "2.6.0+cu124",
      "--kernel-temporaries",
      "off",
      "--attention=math",
      "--timeout",
      "2.5",
    ];
    args.push(
      "--site-packages",
      "packages",
      "--env",
      "A=1",
      "--env",
      "B=x=y",
      "net.py",
      "--",
      "--batch",
      "8",
      "--",
      "-x",
    );
    expect((await cli(args, { cwd })).options).toMatchObject({
      script: "net.py",
      source: Buffer.from("w = weight()\ny = net(w)\n"),
      argv: ["--batch", "8", "--", "-x"],
      gpu: { id: "rtx-4090" },
      torch: "2.6",
      kernelTemporaries: "off",
      attention: "math",
      timeoutSeconds: 2.5,
      sitePackages: [join(cwd, "packages")],
      env: { A: "1", B: "x=y" },
    });
  });

  it("have the documented defaults", async () => {
    expect((await cli(["run", "net.py"], { cwd })).options).toMatchObject({
      argv: [],
      gpu: { id: "a100-80gb" },
      torch: "2.14",
      kernelTemporaries: "on",
      attention: "auto",
      timeoutSeconds: undefined,
      sitePackages: [],
      env: {},
    });
  });

  it("read a program from standard input", async () => {
    expect((await cli(["run", "-"], { cwd, stdin: "print(1)" })).options).toMatchObject({
      script: "<stdin>",
      source: new TextEncoder().encode("print(1)"),
    });
  });

  it("fail over a limit under either name", async () => {
    for (const name of ["--limit", "--fail-over"]) {
      expect((await cli(["run", "net.py", name, "39MiB"], { cwd })).code).toBe(EXIT.doesNotFit);
      expect((await cli(["run", "net.py", `${name}=40MiB`], { cwd })).code).toBe(EXIT.ok);
    }
    expect((await cli(["run", "net.py", "--limit", "39MiB"], { cwd })).out).toContain(
      "over the limit: 40.00 MiB reserved, 39.00 MiB allowed",
    );
  });
});

describe("wrong usage", () => {
  it.each([
    [["run", "--gpu", "h10", "net.py"], "unknown GPU 'h10'; did you mean h100-80gb? ('vramscope gpus' lists them)"],
    [
      ["run", "--gpu", "Trainium2 (chip)", "net.py"],
      "Trainium2 (chip) of AWS is not simulated ('vramscope gpus' lists them)",
    ],
    [
      ["run", "--torch", "9.9", "net.py"],
      `unknown PyTorch version '9.9'; the nearest known is ${NEWEST_TORCH} (see 'vramscope run --help')`,
    ],
    [["run", "net.pyy"], "no such file: net.pyy (see 'vramscope run --help')"],
    [["run", "nte.py"], "no such file: nte.py; did you mean net.py? (see 'vramscope run --help')"],
    [["run", "."], "not a file: . (see 'vramscope run --help')"],
    [
      ["run"],
      "no script given; usage: vramscope run [options] (script.py | -m module) [words] [-- args] (see 'vramscope run --help')",
    ],
    [
      ["run", "net.py", "--jsn"],
      "unknown option '--jsn'; did you mean '--json'? Options of the program itself come after -- (see 'vramscope run --help')",
    ],
    [
      ["run", "net.py", "--lr", "8", "--gpu=t4"],
      "'--lr' is no option of vramscope, and '--gpu' after it is one: put ours before the script, and -- before the program's own (see 'vramscope run --help')",
    ],
    [["run", "net.py", "--lr", "8", "--", "x"], "unknown option '--lr' (see 'vramscope run --help')"],
    [
      ["run", "--reprot", "none", "net.py"],
      "unknown option '--reprot'; did you mean '--report'? (see 'vramscope run --help')",
    ],
    [["run", "-z", "net.py"], "unknown option '-z' (see 'vramscope run --help')"],
    [
      ["run", "--report", "line", "net.py"],
      "--report cannot be 'line'; did you mean 'lines'? (see 'vramscope run --help')",
    ],
    [
      ["run", "--report", "everything", "net.py"],
      "--report cannot be 'everything'; choose none, summary, lines, saved (see 'vramscope run --help')",
    ],
    [["run", "net.py", "--gpu"], "option '--gpu' needs a value (NAME) (see 'vramscope run --help')"],
    [["run", "--gpu", "--json", "net.py"], "option '--gpu' needs a value (NAME) (see 'vramscope run --help')"],
    [["run", "--json=yes", "net.py"], "option '--json' takes no value (see 'vramscope run --help')"],
    [
      ["run", "--timeout", "soon", "net.py"],
      "--timeout needs a number above 0, not 'soon' (see 'vramscope run --help')",
    ],
    [["run", "--timeout", "-5", "net.py"], "--timeout needs a number above 0, not '-5' (see 'vramscope run --help')"],
    [
      ["run", "--limit", "lots", "net.py"],
      "--limit needs a size such as 76GiB, 512MiB or 1000000, not 'lots' (see 'vramscope run --help')",
    ],
    [["run", "--env", "NAME", "net.py"], "--env needs NAME=VALUE, not 'NAME' (see 'vramscope run --help')"],
    [["run", "--site-packages", "nowhere", "net.py"], "not a directory: nowhere (see 'vramscope run --help')"],
    [["rnu", "net.py"], "unknown command 'rnu'; did you mean 'run'? (see 'vramscope --help')"],
    [["--jsn"], "unknown option '--jsn' (see 'vramscope --help')"],
  ])("%j", async (args, expected) => {
    const { code, out, err, options } = await cli(args, { cwd });
    expect(err).toBe(`vramscope: ${expected}\n`);
    expect(out).toBe("");
    expect(code).toBe(EXIT.usage);
    expect(options).toBeNull();
  });

  it("also says when the trace cannot be written, after the report", async () => {
    writeFileSync(join(cwd, "plain"), "");
    const { code, out, err } = await cli(["run", "net.py", "-o", "plain/trace.json"], { cwd });
    expect(code).toBe(EXIT.usage);
    expect(out).toContain("At the peak");
    expect(err).toContain("cannot write plain/trace.json");
  });
});

describe("our own failures", () => {
  it("are one line without a stack", async () => {
    const { code, err } = await cli(["run", "net.py"], { cwd, fail: new Error("boom") });
    expect(code).toBe(EXIT.ourBug);
    expect(err).toBe("vramscope: VRAMScope itself failed: boom. Please report this; VRAMSCOPE_DEBUG=1 shows where.\n");
  });
  it("show the stack on request", async () => {
    const { err } = await cli(["run", "net.py"], { cwd, fail: new Error("boom"), env: { VRAMSCOPE_DEBUG: "1" } });
    expect(err).toContain("run.test.ts");
  });
});

describe("a report's source lines", () => {
  it("come only from Python files beside the script or in mounted directories", () => {
    mkdirSync(join(cwd, "other"), { recursive: true });
    mkdirSync(join(cwd, "project/pkg"), { recursive: true });
    for (const file of ["other/secret.py", "project/pkg/a.py", "project/notes.txt", "project/main.py"]) {
      writeFileSync(join(cwd, file), `text of ${file}`);
    }
    const io = { cwd } as Parameters<typeof sourceReader>[3];
    const read = sourceReader("project/main.py", "print()\n", [], io);
    expect(read("project/main.py")).toEqual(["print()", ""]);
    expect(read("project/pkg/a.py")).toEqual(["text of project/pkg/a.py"]);
    for (const file of [
      "other/secret.py",
      "project/../other/secret.py",
      join(cwd, "other/secret.py"),
      "project/notes.txt",
      "<string>",
      "/etc/passwd",
    ]) {
      expect([file, read(file)]).toEqual([file, undefined]);
    }
    const mounted = sourceReader("project/main.py", "", [join(cwd, "other")], io);
    expect(mounted(join(cwd, "other/secret.py"))).toEqual(["text of other/secret.py"]);
  });
});

describe("exit codes", () => {
  const base = { status: "ok", exitStatus: 0, doesNotFit: false, overLimit: false } as const;
  it.each([
    [{}, 0],
    [{ doesNotFit: true }, 1],
    [{ overLimit: true }, 1],
    [{ status: "out_of_memory" }, 1],
    [{ status: "python_error", overLimit: true }, 3],
    [{ status: "unsupported_op" }, 3],
    [{ status: "timeout" }, 3],
    [{ status: "system_exit", exitStatus: 0 }, 0],
    [{ status: "system_exit", exitStatus: 5 }, 3],
    [{ status: "system_exit", exitStatus: 0, doesNotFit: true }, 1],
    [{ status: "internal_error" }, 4],
    [{ status: "interrupted" }, 130],
  ] as const)("%o is %i", (change, expected) => expect(exitCodeOf({ ...base, ...change })).toBe(expected));
});
