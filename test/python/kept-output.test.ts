/** What is kept of a program's output: its end, however much was printed; whoever follows it hears all. */

import { describe, expect, it } from "vitest";
import { KEPT_CHARACTERS, keptOutput } from "../../src/python/kept-output.ts";
import { folderWith, vramscope } from "../helpers.ts";

describe("kept output", () => {
  it("is all of a short text", () => {
    const output = keptOutput(10);
    for (const text of ["ab", "cd", "efghij"]) output.add("stdout", text);
    output.add("stderr", "e");
    expect(output.result).toEqual({ stdout: "abcdefghij", stderr: "e", outputLeftOut: { stdout: 0, stderr: 0 } });
  });

  it.each([1, 3, 7, 25, 1000])("is the end of a text that comes in pieces of %d", (length) => {
    const whole = Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(97 + (index % 26))).join("");
    const output = keptOutput(10);
    for (let at = 0; at < whole.length; at += length) output.add("stdout", whole.slice(at, at + length));
    expect(output.result).toMatchObject({ stdout: whole.slice(-10), outputLeftOut: { stdout: 990, stderr: 0 } });
  });

  it("begins with no half of a character", () => {
    const output = keptOutput(3);
    output.add("stdout", "😀😀😀😀");
    expect(output.result).toMatchObject({ stdout: "😀", outputLeftOut: { stdout: 6 } });
  });
});

describe("a program that prints much", () => {
  const characters = KEPT_CHARACTERS * 5;
  const cwd = folderWith({ "program.py": `print("a" * ${characters})\nfor _ in range(3): print("b")\n` });

  it("is passed through whole", async () => {
    const { code, out } = await vramscope(["run", "--report", "none", "program.py"], { cwd });
    expect(code).toBe(0);
    expect(out).toHaveLength(characters + 1 + 6);
  });

  it("has in its JSON the end, and a warning", async () => {
    const { code, out } = await vramscope(["run", "--json", "program.py"], { cwd });
    expect(code).toBe(0);
    const { output, warnings } = JSON.parse(out) as { output: { stdout: string }; warnings: string[] };
    expect(output.stdout).toHaveLength(KEPT_CHARACTERS);
    expect(output.stdout.endsWith("a\nb\nb\nb\n")).toBe(true);
    const leftOut = characters + 7 - KEPT_CHARACTERS;
    expect(warnings).toEqual([`the first ${leftOut} characters of the program's stdout are not kept`]);
  });
});
