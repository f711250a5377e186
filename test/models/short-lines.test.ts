/** The catalogue as bundles have it: shorter in the file, and the same when it is loaded. */

import { describe, expect, it } from "vitest";
import { CATALOGUE_LINES } from "../../src/models/catalogue-data.ts";
import { shortModule, shortened } from "../../scripts/short-lines.mjs";

describe("lines in bundles", () => {
  it("are the lines of the sources once they are loaded", async () => {
    const code = shortModule("LINES", CATALOGUE_LINES);
    const loaded = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { LINES: readonly string[] };
    expect(loaded.LINES).toEqual(CATALOGUE_LINES);
    expect(Buffer.byteLength(code)).toBeLessThan(0.6 * Buffer.byteLength(CATALOGUE_LINES.join("\n")));
  });

  it("that have a letter for a word themselves are refused", () => {
    expect(() => shortModule("LINES", ['{"name":"\u0100"}'])).toThrow("a line has a letter");
    expect(shortened(['{"a":1}']).words).toEqual([]);
  });
});
