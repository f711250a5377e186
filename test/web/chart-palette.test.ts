/** Colours of the charts: 3:1 between neighbours and against the surface, for all eyes; far enough apart where they do not touch. */

import { describe, expect, it } from "vitest";
import { CATEGORIES } from "../../src/trace/model.ts";
import { PALETTES, sequence, type Theme } from "../../web/src/theme/palette.ts";

type Rgb = readonly [number, number, number];

const linear = (hex: string): Rgb =>
  [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;

/** Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB. */
const EYES = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

const seen = (rgb: Rgb, m: readonly number[]): Rgb =>
  [0, 3, 6].map((row) =>
    Math.min(1, Math.max(0, m[row]! * rgb[0] + m[row + 1]! * rgb[1] + m[row + 2]! * rgb[2])),
  ) as unknown as Rgb;

const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a) + 0.05, luminance(b) + 0.05].sort((x, y) => x - y);
  return high! / low!;
}

/** Distance in OKLab, where about 0.02 can just be told apart. */
function distance(a: Rgb, b: Rgb): number {
  const lab = ([r, g, bl]: Rgb): Rgb => {
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * bl);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * bl);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * bl);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  };
  const [x, y] = [lab(a), lab(b)];
  return Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

const THEMES: readonly Theme[] = ["light", "dark"];
const CASES = THEMES.flatMap((theme) =>
  (Object.keys(EYES) as (keyof typeof EYES)[]).map((eyes) => [theme, eyes] as const),
);

describe.each(CASES)("%s theme, %s", (theme, eyes) => {
  const look = (hex: string): Rgb => seen(linear(hex), EYES[eyes]);
  const palette = PALETTES[theme];
  const colours = sequence(theme).map(look);
  const surface = look(palette.surface);

  it("has 3:1 between each colour and the surface", () => {
    const low = CATEGORIES.filter((_, i) => contrast(colours[i]!, surface) < 3);
    expect(low).toEqual([]);
  });

  it("has 3:1 between neighbours in the stack", () => {
    const low = CATEGORIES.filter((_, i) => i > 0 && contrast(colours[i]!, colours[i - 1]!) < 3);
    expect(low).toEqual([]);
  });

  it("tells lines and flags from the surface", () => {
    const names = ["reserved", "capacity", "peak", "accent", "match", "oom", "cached", "overhead"] as const;
    const low = names.filter((name) => contrast(look(palette[name]), surface) < 3);
    expect(low).toEqual([]);
    expect(contrast(look(palette.ink), surface)).toBeGreaterThan(7);
    expect(contrast(look(palette.soft), surface)).toBeGreaterThan(4.5);
  });

  it("tells any two categories apart", () => {
    const least = eyes === "usual" ? 0.08 : 0.03;
    const close = colours.flatMap((a, i) =>
      colours.slice(0, i).flatMap((b, j) => (distance(a, b) < least ? [`${CATEGORIES[i]} ${CATEGORIES[j]}`] : [])),
    );
    expect(close).toEqual([]);
  });
});
