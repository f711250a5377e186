/** What people type who have not read the help: the answer says what was meant and what to do. */

import { describe, expect, it } from "vitest";
import { folderWith } from "../helpers.ts";
import { cli } from "./harness.ts";

const cwd = folderWith({
  "package.json": '{"a": false}',
  "list.json": "[1, null]",
  "README.md": "# words",
  "dict.txt": "{1: print(2)}",
  "ok.py": "import torch",
  "empty.json": "",
  "cut.json": '{"a":',
  "noise.pickle": "\u0000\u0001\u0002\u0003\u0004",
  "folder/inside.txt": "",
});

describe("wrong usage", () => {
  it.each([
    ["explain foo", ["neither a file nor the code of a finding", "float32_logits"]],
    ["gpus zzz", ["no GPU is called 'zzz'", "vramscope gpus"]],
    ["serve --host 0.0.0.0 --port 9000", ["this machine only", "ssh -L 9000:127.0.0.1:9000"]],
    ["estimate llama-3.1-8b --engine transformers", ["no engine 'transformers'", "vllm", "Without --engine"]],
    ["diff package.json README.md", ["package.json is no trace", "vramscope run -o"]],
    ["diff README.md package.json", ["README.md is no trace"]],
    ["run package.json", ["is no Python program"]],
    ["run list.json", ["is no Python program"]],
    ["completions", ["for which shell? bash, zsh, fish"]],
    ["completions tcsh", ["no completions for 'tcsh'", "bash, zsh, fish"]],
    ["run empty.json", ["is no Python program"]],
    ["run --timeout 1e99 ok.py", ["--timeout: '1e99' is more than 2147483"]],
    ["run --fail-over lots ok.py", ["vramscope: --fail-over needs", "not 'lots'"]],
    ["run -o folder ok.py", ["folder is a folder"]],
    ["run --export html=folder ok.py", ["folder is a folder"]],
    ["mcp foo", ["unexpected argument 'foo'"]],
    ["version foo", ["unexpected argument 'foo'"]],
    ["estimate llama-3.1-8b --batch 99999999999", ["--batch: '99999999999' is more than 2147483647"]],
    ["estimate llama-3.1-8b --batch -1", ["--batch: '-1' is not a whole number from 1 on"]],
    ["plan llama-3.1-8b --gpu h100 --gpus 99999999999", ["is more than"]],
    ["estimate llama-3.1-8b --engine vllm --tp 9999", ["is more than 4096"]],
    ["estimate cut.json", ["cut.json: neither a config.json nor a file of weights"]],
    ["estimate cut.json --engine vllm", ["cut.json: neither a config.json nor a file of weights"]],
    ["open noise.pickle", ["nothing known", "vramscope open --help"]],
  ])("%s", async (line, parts) => {
    const { code, err, options } = await cli(line.split(" "), { cwd });
    expect([code === 0, options]).toEqual([false, null]);
    for (const part of parts) expect(err).toContain(part);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it("is not a program that only looks like JSON", async () => {
    expect((await cli(["run", "dict.txt"], { cwd })).options).not.toBeNull();
  });
});

it("-v is the version, as --version", async () => {
  const { out } = await cli(["--version"]);
  expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  for (const option of ["-v", "-V"]) expect(await cli([option])).toMatchObject({ code: 0, out, err: "" });
});

describe("help", () => {
  it("begins with the options that matter first, each once", async () => {
    for (const name of ["run", "estimate"]) {
      const { out } = await cli([name, "--help"]);
      const [before, rest] = out.split("More options");
      expect(before!.match(/^ {2}(?:-\w, | {4})--/gm)!.length).toBeLessThanOrEqual(12);
      expect(before).toContain("Options that matter first");
      expect(rest).toContain("--json");
      const names = [...out.matchAll(/^ {2}(?:-\w, | {4})--([\w-]+)/gm)].map(([, option]) => option);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("says the exit codes of every command, and of all in few lines", async () => {
    for (const name of ["open", "record", "watch", "mcp"]) expect((await cli(["help", name])).out).toContain("130");
    expect((await cli([])).out.split("\n").length).toBeLessThan(110);
  });
});
