/**
 * Every option of every command with values that are none: empty, negative, huge, unknown, a folder, bytes, a file that is not there.
 * Each is either taken or refused in one clear line; the words of what lies below are no answer, and silence is none.
 */

import { describe, expect, it } from "vitest";
import { allCommands } from "../../src/cli/commands.ts";
import type { OptionSpec } from "../../src/cli/command.ts";
import { EXIT } from "../../src/cli/exit-code.ts";
import { writeTrace } from "../../src/trace/file.ts";
import { folderWith } from "../helpers.ts";
import { sampleTrace } from "../trace/sample.ts";
import { cli } from "./harness.ts";

const cwd = folderWith({
  "ok.py": "import torch\n",
  "a.json": writeTrace(sampleTrace()),
  "noise.bin": "\u0000\u0001\u0002\u0003\u0004\u0080",
  "empty.txt": "",
  "folder/inside.txt": "",
});

/** Beginnings of commands that are right as they stand, and answer without a simulation. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  run: ["ok.py"],
  estimate: ["llama-3.1-8b", "--show-program"],
  "estimate --engine": ["llama-3.1-8b", "--engine", "vllm"],
  "estimate --task": ["llama-3.2-1b", "--task", "dpo", "--show-program"],
  "estimate pipeline": ["sdxl"],
  explain: ["float32_logits"],
  diff: ["a.json", "a.json"],
  open: ["a.json"],
  compare: ["a.json", "a.json"],
  export: ["a.json", "--export", "csv-lines=out.csv"],
  gpus: [],
  completions: ["bash"],
  packages: ["list"],
  version: [],
  help: ["run"],
};
/** They would be answered by runs, by the network or by starting something that stays. */
const NOT_HERE = new Set([
  "sweep",
  "max",
  "fit",
  "layout",
  "framework",
  "from",
  "from-command",
  "gpus",
  "index",
  "port",
  "web",
  "try",
  "symbols",
]);

const WRONG = [
  "",
  " ",
  "0",
  "-1",
  "1e99",
  "99999999999999999999",
  "NaN",
  "nonsense",
  "folder",
  "absent.xyz",
  "noise.bin",
];

/** What a reader of the code would understand, and nobody else. */
const INTERNAL =
  /ENOENT|EISDIR|EACCES|ENOTDIR|EINVAL|JSON\.parse|Unexpected (?:token|end)|\bundefined\b|\[object|TypeError|RangeError|SyntaxError:|^\s+at \S+ \(/m;

async function answer(words: readonly string[]): Promise<string> {
  const { code, out, err, options } = await cli(words, { cwd });
  const said = err.trimEnd();
  if (INTERNAL.test(said) || INTERNAL.test(out)) return `internal words: ${said || out.slice(0, 200)}`;
  if (code === EXIT.ok || code === EXIT.doesNotFit || options !== null)
    return out === "" && options === null ? "silent" : "";
  if (code !== EXIT.usage && code !== EXIT.programFailed) return `exit ${code}: ${said}`;
  return /^vramscope: [^\n]+$/.test(said) ? "" : `not one line: ${JSON.stringify(said)}`;
}

const commands = await allCommands();

/** Words that contradict each other, or lack each other. */
const CONTRADICTORY = [
  "run --nproc-per-node 2 --rank 5 ok.py",
  "run --rank 1 ok.py",
  "run --passes 0 ok.py",
  "estimate llama-3.1-8b --task infer --method lora",
  "estimate llama-3.1-8b --task train --new 9",
  "estimate llama-3.1-8b --task ppo",
  "estimate llama-3.1-8b --task dpo --prompt 9",
  "estimate llama-3.1-8b --engine vllm --batch 3",
  "estimate llama-3.1-8b --engine llama.cpp --tp 2",
  "estimate llama-3.1-8b --layout= --gpus 8",
  "estimate llama-3.1-8b --layout tp=3 --gpus 8",
  "estimate llama-3.1-8b --from a.json --from-command x",
  "estimate sdxl --seq 9",
  "estimate llama-3.1-8b --frames 9",
  "diff a.json",
  "compare a.json",
  "export a.json",
  "completions bash zsh",
];

describe("values that are none", () => {
  it.each(CONTRADICTORY)("%s is refused in one line", async (line) => {
    const { code, out, err, options } = await cli(line.split(" "), { cwd });
    expect([code, out, options]).toEqual([EXIT.usage, "", null]);
    expect(err.trimEnd()).toMatch(/^vramscope: [^\n]+$/);
  });

  it.each(Object.entries(RIGHT))("of vramscope %s", async (name, right) => {
    const command = commands.find((one) => one.name === name.split(" ")[0])!;
    expect(await answer([command.name, ...right])).toBe("");
    const problems: string[] = [];
    const options = command.options.filter(
      (option: OptionSpec) => option.value !== undefined && !NOT_HERE.has(option.name),
    );
    for (const { name: option } of options) {
      for (const value of WRONG) {
        const words = [command.name, ...right, `--${option}`, value];
        const problem = await answer(words);
        if (problem !== "") problems.push(`${words.join(" ")}: ${problem}`);
      }
    }
    expect(problems).toEqual([]);
  });

  it("where a command wants a name", async () => {
    const problems: string[] = [];
    for (const { name, arguments: wanted } of commands) {
      if (wanted.length === 0 || ["serve", "watch", "record", "mcp", "calibrate"].includes(name)) continue;
      for (const value of WRONG) {
        const words = [name, ...wanted.map(() => value)];
        const problem = await answer(words);
        if (problem !== "") problems.push(`${words.join(" ")}: ${problem}`);
      }
    }
    expect(problems).toEqual([]);
  });
});
