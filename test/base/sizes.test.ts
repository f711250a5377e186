/** Byte counts as text, both ways. Rounding is compared with what C's and Python's `%.2f` give. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fixed2, formatBytes, formatChange } from "../../src/base/bytes.ts";
import { parseSize } from "../../src/base/parse-size.ts";

describe("fixed2", () => {
  // python3 -c "print('%.2f' % x)"
  it.each([
    [8.125, "8.12"],
    [0.125, "0.12"],
    [0.375, "0.38"],
    [0.625, "0.62"],
    [0.875, "0.88"],
    [-8.125, "-8.12"],
    [20.125, "20.12"],
    [20.12548828125, "20.13"],
    [0.005, "0.01"],
    [13, "13.00"],
    [1.005, "1.00"],
    [44.12451171875, "44.12"],
  ])("%d is %s", (value, expected) => expect(fixed2(value)).toBe(expected));
});

describe("formatBytes", () => {
  it.each([
    [0, "0 bytes"],
    [512, "512 bytes"],
    [1024, "1.00 KiB"],
    [8_519_680, "8.12 MiB"],
    [33_554_432, "32.00 MiB"],
    [80 * 2 ** 30, "80.00 GiB"],
  ])("%i is %s", (bytes, expected) => expect(formatBytes(bytes)).toBe(expected));
  it("signs changes", () => {
    expect(formatChange(512)).toBe("+512 bytes");
    expect(formatChange(-512)).toBe("-512 bytes");
    expect(formatChange(0)).toBe("0 bytes");
  });
});

describe("parseSize", () => {
  it.each([
    ["76GiB", 76 * 2 ** 30],
    ["76g", 76 * 2 ** 30],
    ["80GB", 80e9],
    ["512MiB", 512 * 2 ** 20],
    ["1.5 GiB", 1.5 * 2 ** 30],
    ["1000000", 1_000_000],
    ["64 k", 65_536],
  ])("%s", (text, expected) => expect(parseSize(text)).toBe(expected));
  it.each(["", "GiB", "-1", "1e9", "12 apples", "1.2.3", "99999999999999999999"])("refuses %o", (text) => {
    expect(parseSize(text)).toBeNull();
  });
  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => void parseSize(text)));
  });
});
