/** The catalogue as bundles have it: shorter in the file, and the same when it is loaded, but for the proofs of its figures. */

import { describe, expect, it } from "vitest";
import { CATALOGUE_LINES } from "../../src/models/catalogue-data.ts";
import { WORDS, read, shortModule, wordsModule, wordsOf } from "../../scripts/short-lines.mjs";

const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

describe("lines in bundles", () => {
  it("are what answers read of the sources once they are loaded", async () => {
    const lines = CATALOGUE_LINES.map(read);
    const words = wordsModule(wordsOf(lines));
    const code = shortModule("LINES", lines, wordsOf(lines));
    const loadable = code.replace(`"${WORDS}"`, JSON.stringify(asModule(words)));
    const loaded = (await import(asModule(loadable))) as { LINES: readonly string[] };
    expect(loaded.LINES).toEqual(lines);
    expect(Buffer.byteLength(words + code)).toBeLessThan(0.6 * Buffer.byteLength(CATALOGUE_LINES.join("\n")));
  });

  it("have all of a line but who confirms its figures, unless an answer says so", () => {
    const proofs = { source: "published", published: 2, beside: 1, stated: "1", by: "its name" };
    const line = { name: "a/b", also: ["c/d"], class: "X", parameters: 1, config: { model_type: "x", by: "y" } };
    expect(JSON.parse(read(JSON.stringify({ ...line, ...proofs })))).toEqual(line);
    const unsure = { ...line, unsure: true, stated: "1", by: "its name" };
    expect(JSON.parse(read(JSON.stringify({ ...unsure, beside: 1 })))).toEqual(unsure);
    for (const one of CATALOGUE_LINES) expect(read(one)).toMatch(/^\{"name":"[^"]+",("also":\[[^\]]+\],)?"class":/);
  });

  it("that have a letter for a word themselves are refused", () => {
    expect(() => wordsOf(['{"name":"\u0100"}'])).toThrow("a line has a letter");
    expect(wordsOf(['{"a":1}'])).toEqual([]);
  });
});
