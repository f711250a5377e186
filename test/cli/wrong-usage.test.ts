/** What people type who have not read the help: the answer says what was meant and what to do. */

import { describe, expect, it } from "vitest";
import { folderWith } from "../helpers.ts";
import { cli } from "./harness.ts";

const cwd = folderWith({
  "package.json": '{"a": false}',
  "list.json": "[1, null]",
  "README.md": "# words",
  "dict.txt": "{1: print(2)}",
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
    ["completions", ["bash, zsh, fish"]],
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
