/** Nearest names and edit distances, against distances known by hand. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance, nearestNames } from "../../src/base/nearest.ts";

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    ["gpu", "gup", 1],
    ["report", "reprot", 1],
    ["flaw", "lawn", 2],
  ])("%s to %s is %i", (a, b, expected) => {
    expect(editDistance(a, b)).toBe(expected);
    expect(editDistance(b, a)).toBe(expected);
  });

  it("is bounded by the longer length and zero only for equals", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(distance === 0).toBe(a === b);
      }),
    );
  });
});

describe("nearestNames", () => {
  it("prefers beginnings, then small slips, and gives nothing for strangers", () => {
    expect(nearestNames("h10", ["a10", "h100-80gb"])).toEqual(["h100-80gb"]);
    expect(nearestNames("--reprot", ["--torch", "--report"])).toEqual(["--report"]);
    expect(nearestNames("quux", ["run", "gpus"])).toEqual([]);
    expect(nearestNames("softmx", ["softmax", "softmin", "softplus"], 2)).toEqual(["softmax", "softmin"]);
  });
});
