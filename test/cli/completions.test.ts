/** Shell completions: bash itself is asked; zsh and fish are where they are installed. */

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import { optionsOf } from "../../src/cli/parse.ts";
import { folderWith } from "../helpers.ts";
import { cli } from "./harness.ts";

const folder = folderWith({ "train.py": "", "trace.json": "" });
beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"])
    writeFileSync(join(folder, `complete.${shell}`), (await cli(["completions", shell])).out);
});

/** What bash offers after these words, the last of which is begun. */
function offered(...words: string[]): string[] {
  const script = `source ./complete.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _vramscope; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", "vramscope", ...words], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

describe.skipIf(spawnSync("bash", ["--version"]).status !== 0)("in bash", () => {
  it("offers commands", () => {
    expect(offered("es")).toEqual(["estimate"]);
    expect(offered("")).toContain("run");
  });

  it("offers every option of every command", async () => {
    for (const command of await allCommands()) {
      const all = offered(command.name, "--");
      for (const option of optionsOf(command)) expect(all).toContain(`--${option.name}`);
    }
  });

  it("offers the values of an option, GPUs among them", () => {
    expect(offered("run", "--report", "")).toEqual(["none", "summary", "lines", "saved"]);
    expect(offered("run", "--gpu", "l40")).toContain("l40s");
    expect(offered("estimate", "x", "--task", "t")).toEqual(["train"]);
  });

  it("offers files for arguments and for options that take one", () => {
    expect(offered("run", "tr").sort()).toEqual(["trace.json", "train.py"]);
    expect(offered("run", "-o", "tra").sort()).toEqual(["trace.json", "train.py"]);
  });
});

it.each(["zsh", "fish"])("is understood by %s, where it is installed", (shell) => {
  if (spawnSync(shell, ["--version"]).status !== 0) return;
  const { status, stderr } = spawnSync(shell, ["-n", join(folder, `complete.${shell}`)], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

it("describes options in fish, in the language that is asked for", async () => {
  const { out } = await cli(["completions", "fish", "--lang", "zh"]);
  expect(out).toContain(
    "complete -c vramscope -n '__fish_seen_subcommand_from run' -l report -x -a 'none summary lines saved' -d ",
  );
  for (const line of out.trimEnd().split("\n")) expect(line).toMatch(/^complete -c vramscope .* -d '(?:[^'\\]|\\.)*'$/);
});

it("names the shells that there are", async () => {
  for (const args of [["completions"], ["completions", "tcsh"]]) {
    const { code, err } = await cli(args);
    expect([code, err.includes("bash, zsh, fish")]).toEqual([2, true]);
  }
});
