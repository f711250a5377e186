/** Published models against what others state of them: a size as it is written there, or a whole configuration. */

import { describe, expect, it } from "vitest";
import { catalogueModels } from "../../src/models/catalogue.ts";

const UNITS = { "": 1, M: 1e6, B: 1e9 };

/** The statement and half of its last digit: 82M is anything from 81.5 to 82.5 million. */
function statement(text: string): { readonly value: number; readonly half: number } {
  const [, number = "", decimals = "", unit = ""] = /^(\d+(?:\.(\d+))?)([MB]?)$/.exec(text) ?? [];
  const scale = UNITS[unit as keyof typeof UNITS];
  return { value: Number(number) * scale, half: unit === "" ? 0 : (scale * 10 ** -decimals.length) / 2 };
}

describe("published models", () => {
  const models = catalogueModels();

  it("agree with the size that somebody else states, within its rounding", () => {
    const stated = models.filter((model) => model.stated !== undefined);
    expect(stated.length).toBeGreaterThan(180);
    const off = stated.filter((model) => {
      const { value, half } = statement(model.stated!);
      return !(Math.abs(model.parameters + (model.beside ?? 0) - value) <= half + 1);
    });
    expect(off.map(({ name, parameters, stated: said }) => [name, parameters, said])).toEqual([]);
  });

  it("say who states it", () => {
    expect(models.filter(({ stated, by }) => stated !== undefined && by === undefined)).toEqual([]);
  });

  it("hold nothing that was put together from descriptions and that nobody confirms", () => {
    const unsure = models.filter((model) => model.unsure === true);
    expect(unsure.filter(({ stated }) => stated === undefined).map(({ name }) => name)).toEqual([]);
    // a twenty-fourth of them, as when there were 719
    expect(unsure.length / models.length).toBeLessThan(30 / 719);
  });
});
