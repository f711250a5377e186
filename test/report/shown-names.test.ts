/** Names that others chose, hostile ones in every place: shown escaped on a terminal, in Markdown, DOT, CSV, HTML and JSON. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { shownJson, shownLines, shownText } from "../../src/base/shown-text.ts";
import { exportText } from "../../src/exports/index.ts";
import { escapeCell } from "../../src/report/markdown-table.ts";
import type { Trace } from "../../src/trace/model.ts";
import { packTrace, unpackTrace } from "../../src/trace/packed.ts";
import { writeTrace } from "../../src/trace/file.ts";
import { cli, scriptFolder } from "../cli/harness.ts";
import { sampleTrace } from "../trace/sample.ts";

/** A title, a colour, a cleared screen, a bell, C1, line ends, reordering, hidden text, half a character, a CI command. */
const HOSTILE =
  "n\u001b]0;T\u0007\u001b[31m\u001b[2J\u009b31m\r\n::error file=x::injected \u202egpj\u2066.\u{e0041}\ud800\u2028[x](javascript:1)![p](http://h/p.png)@octocat <b>|`";
const ACTS = /(?!\n)\p{Cc}|[\u200e\u200f\u2028-\u202e\u2066-\u206f\u{e0000}-\u{e007f}]|\p{Surrogate}/u;

function hostile(trace: Trace): Trace {
  const named = (name: string): string => `${name}${HOSTILE}`;
  return {
    ...trace,
    program: named(trace.program),
    gpu: named("gpu"),
    frames: trace.frames.map((frame) => ({ ...frame, file: named(frame.file), name: named(frame.name) })),
    ops: trace.ops.map(named),
    modules: trace.modules.map(named),
    marks: { 0: named("mark") },
    blocks: trace.blocks.map((block) => ({ ...block, dtype: block.dtype && named(block.dtype), note: named("note") })),
    assumptions: [{ code: named("code"), args: { name: HOSTILE }, frame: 0, count: 1 }],
  };
}

test.each([
  ["layers.0.attn", "layers.0.attn"],
  ["显存 🙂 é", "显存 🙂 é"],
  ["at::native::mm", "at::native::mm"],
  ["\u001b[31m", "\\x1b[31m"],
  ["a\nb\r\tc", "a\\nb\\r\\tc"],
  ["\u009b31m\u007f", "\\x9b31m\\x7f"],
  ["\u202egpj.py", "\\u202egpj.py"],
  ["a\u2028b\ufeff", "a\\u2028b\\ufeff"],
  ["\u{e0041}", "\\U000e0041"],
  // a name of a file that is no UTF-8, as Python holds it
  ["caf\udce9.py", "caf\\udce9.py"],
  ["x::error::y", "x\\x3a:error::y"],
  ["::set-output name=a::b", "\\x3a:set-output name=a::b"],
  ["##[group]x", "\\x23#[group]x"],
])("%j is shown as %j", (name, expected) => {
  expect(shownText(name)).toBe(expected);
  expect(shownText(expected)).toBe(expected);
});

it("keeps tabs of source lines, and the value of JSON", () => {
  expect(shownLines('\tx = 1\r\ny = "\u202e"\n')).toEqual(["\tx = 1", 'y = "\\u202e"', ""]);
  const value = { "a\u009b": ["\u202e", "\u{e0041}", "\ud800", "\n"] };
  expect(shownJson(value, 2)).not.toMatch(ACTS);
  expect(JSON.parse(shownJson(value, 2))).toEqual(value);
});

describe("in Markdown", () => {
  it.each([
    ["![t](http://h/p.png)", "\\!\\[t\\](http&#8203;://h/p.png)"],
    ["[x](javascript:1)", "\\[x\\](javascript:1)"],
    ["@octocat #12", "@&#8203;octocat #&#8203;12"],
    ["www.h.org https://h", "www&#8203;.h.org https&#8203;://h"],
    ["a|b <b> & `c` *d* _e_ f_g", "a\\|b &lt;b&gt; &amp; \\`c\\` \\*d\\* \\_e\\_ f_g"],
    ["a\nb\u202e", "a b\\\\u202e"],
  ])("%j is text", (text, expected) => expect(escapeCell(text)).toBe(expected));
});

describe("a trace from the program's thread", () => {
  const trace = unpackTrace(packTrace(hostile(sampleTrace())));
  it.each(["csv-blocks", "csv-lines", "html", "chrome", "speedscope", "folded"])("is safe as %s", (id) => {
    expect(exportText(id, trace).replaceAll("\r\n", "\n")).not.toMatch(ACTS);
  });
});

describe("a saved trace", () => {
  const folder = scriptFolder();
  writeFileSync(join(folder, "t.json"), writeTrace(hostile(sampleTrace())));
  writeFileSync(join(folder, "u.json"), writeTrace(sampleTrace()));
  it.each([
    [["open", "t.json"]],
    [["open", "t.json", "--json"]],
    [["open", "t.json", "--at", "peak"]],
    [["diff", "t.json", "u.json"]],
    [["diff", "t.json", "u.json", "--json"]],
    [["explain", "t.json"]],
    [["explain", "t.json", "--why", "peak"]],
  ])("is safe in the words of %j", async (args) => {
    const { out, err } = await cli(args, { cwd: folder });
    expect(out).not.toMatch(ACTS);
    expect(err).not.toMatch(ACTS);
    expect(out + err).not.toMatch(/^\s*::error/m);
    expect(`${out}${err}`.length).toBeGreaterThan(20);
  });
});
