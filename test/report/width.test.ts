/** Columns of text: East-Asian characters are two wide, lines never exceed their width. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cut, displayWidth, padEnd, padStart, wrap } from "../../src/report/width.ts";

describe("displayWidth", () => {
  it.each([
    ["abc", 3],
    ["显存", 4],
    ["ｱ", 1],
    ["Ａ", 2],
    ["é", 1],
    ["e\u0301", 1],
    ["🙂", 2],
    ["█▌", 2],
    ["", 0],
  ])("%s takes %i", (text, expected) => expect(displayWidth(text)).toBe(expected));
});

it("cuts and pads by columns", () => {
  expect(cut("abcdef", 4)).toBe("abc…");
  expect(cut("显存占用", 5)).toBe("显存…");
  expect(cut("显存占用", 6)).toBe("显存…");
  expect(cut("abc", 3)).toBe("abc");
  expect(padEnd("显存", 6)).toBe("显存  ");
  expect(padStart("1.00", 6)).toBe("  1.00");
});

describe("wrap", () => {
  it("breaks between words and indents what follows", () => {
    expect(wrap("one two three four", 9, "  ")).toEqual(["one two", "  three", "  four"]);
  });
  it("breaks Chinese between characters, not before punctuation", () => {
    expect(wrap("显存用在哪里，逐行", 12)).toEqual(["显存用在哪", "里，逐行"]);
  });
  it("keeps a number with its unit", () => {
    expect(wrap("a remainder of 1.00 MiB", 20)).toEqual(["a remainder of", "1.00 MiB"]);
  });
  it("cuts only words that are wider than a line", () => {
    expect(wrap("abcdefghij kl", 4)).toEqual(["abcd", "efgh", "ij", "kl"]);
  });
  it("never exceeds the width and loses no character but blanks", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "存", "，", "1", "."), maxLength: 80 });
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 40 }), (value, width) => {
        const lines = wrap(value, width, "  ");
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join("").replaceAll(" ", "")).toBe(value.replaceAll(" ", ""));
      }),
    );
  });
  it.each(["x", "ab ", "显", "1 MiB ", " "])("takes time in proportion to a line of %j", (unit) => {
    const started = process.cpuUsage();
    const lines = wrap(unit.repeat(400_000 / unit.length), 80);
    // the square of the length took half a minute
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
    expect(lines.length).toBeGreaterThanOrEqual(unit === " " ? 1 : 4900);
  });
});
