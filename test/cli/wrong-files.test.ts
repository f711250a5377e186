/**
 * Every place where a command line names a file, with files that are none of what is wanted: one clear line, status 2 or 3, and nothing
 * printed or written.
 */

import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/exit-code.ts";
import { writeTrace } from "../../src/trace/file.ts";
import { folderWith } from "../helpers.ts";
import { sampleTrace } from "../trace/sample.ts";
import { cli } from "./harness.ts";

const NOISE = "\u0000\u0001+\u0002\u0003\u0004\u0080\u00ff{";
const cwd = folderWith({
  "ok.py": "import torch\n",
  "a.json": writeTrace(sampleTrace()),
  "noise.json": NOISE,
  "noise.py": NOISE,
  "noise.bin": NOISE,
  "empty.json": "",
  "cut.json": '{"a":',
  "other.json": '{"a": 1}',
  "folder/inside.txt": "",
});
const WRONG = ["absent.json", "absent.py", "folder", "noise.json", "noise.py", "noise.bin", "cut.json", "other.json"];

/** FILE is the place; `also` what the place takes of the files above because it is right there. */
const PLACES: readonly { readonly line: string; readonly also?: readonly string[] }[] = [
  { line: "run FILE" },
  { line: "run --site-packages FILE ok.py", also: ["folder"] },
  { line: "run --profile FILE ok.py" },
  { line: "torchrun FILE" },
  { line: "accelerate launch FILE" },
  { line: "accelerate launch --config_file FILE ok.py", also: ["other.json"] },
  { line: "explain FILE" },
  { line: "estimate FILE" },
  { line: "estimate FILE --engine vllm" },
  { line: "estimate llama-3.1-8b --from FILE" },
  { line: "plan FILE --gpus 8 --gpu h100" },
  { line: "diff FILE a.json" },
  { line: "diff a.json FILE" },
  { line: "compare FILE a.json" },
  { line: "compare a.json FILE" },
  { line: "compare ok.py FILE" },
  { line: "open FILE" },
  { line: "export FILE --format html -o out.html" },
  { line: "calibrate FILE" },
  { line: "record FILE" },
  { line: "packages add -r FILE" },
  { line: "FILE" },
];

/** What a reader of the code would understand, and nobody else. */
const INTERNAL =
  /ENOENT|EISDIR|ENOTDIR|JSON\.parse|Unexpected token|\bundefined\b|\[object|TypeError|^\s+at \S+ \(|\uFFFD/m;

describe("files that are not what is wanted", () => {
  const before = readdirSync(cwd);
  it.each(PLACES)("$line", async ({ line, also = [] }) => {
    const problems: string[] = [];
    for (const file of ["empty.json", ...WRONG].filter((name) => !also.includes(name))) {
      const words = line.split(" ").map((word) => (word === "FILE" ? file : word));
      const { code, out, err, options } = await cli(words, { cwd, env: { HOME: cwd, PATH: "" } });
      const isRefused = (code === EXIT.usage || code === EXIT.programFailed) && out === "" && options === null;
      if (!isRefused || !/^vramscope: [^\n]+\n$/.test(err) || INTERNAL.test(err)) {
        problems.push(`${words.join(" ")}: ${code} ${JSON.stringify(err)} ${out.slice(0, 80)}`);
      }
    }
    expect(problems).toEqual([]);
    expect(readdirSync(cwd)).toEqual(before);
  });
});

it.each([
  ["explain float32_logits --at 3", "--at is for a program or a trace"],
  ["explain a.json --at 999999", "its events are 0 to"],
  ["explain a.json --bogus", "unknown option '--bogus'"],
  ["explain a.json --sved", "did you mean '--saved'"],
  ["packages remove", "no package is named"],
  ["explain a.json more", "unexpected argument 'more'"],
  ["explain a.json -- --words", "unexpected argument '--words'"],
  ["compare a.json a.json --bogus", "unknown option '--bogus'"],
  ["compare a.json a.json -- --words", "unexpected argument '--words'"],
  ["train.py", "did you mean 'run train.py'"],
  ["snapshot.pickle", "did you mean 'open snapshot.pickle'"],
  ["estimate llama-3.1-8b --gpu h1000", "did you mean h100-80gb"],
  ["estimate noise.json", "it is no text"],
  ["estimate empty.json", "it is empty"],
])("%s", async (line, part) => {
  const { code, out, err } = await cli(line.split(" "), { cwd, env: { HOME: cwd } });
  expect([code === EXIT.usage || code === EXIT.programFailed, out]).toEqual([true, ""]);
  expect(err).toContain(part);
  expect(err.trimEnd()).toMatch(/^vramscope: [^\n]+$/);
});
