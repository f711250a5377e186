/** Memory of cards of all vendors, for what is computed and not simulated. */

import { describe, expect, it } from "vitest";
import { GIB, MIB } from "../../src/base/bytes.ts";
import { CAPACITIES, findCapacity } from "../../src/gpus/capacity.ts";

const found = (name: string) => {
  const answer = findCapacity(name);
  return answer.ok ? [answer.value.vendor, answer.value.totalBytes] : [answer.error.code];
};

describe("a card's capacity", () => {
  it("is known for every card once", () => {
    expect(CAPACITIES.length).toBeGreaterThan(125);
    expect(new Set(CAPACITIES.map(({ id }) => id)).size).toBe(CAPACITIES.length);
    for (const { totalBytes } of CAPACITIES) expect(totalBytes).toBeGreaterThan(3 * GIB);
  });

  it("is that of the vendor's own tool where it was published", () => {
    expect(found("mi300x")).toEqual(["AMD", 196_592 * MIB]);
    expect(found("Radeon RX 7900 XTX")).toEqual(["AMD", 24_560 * MIB]);
    expect(found("h200")[0]).toBe("NVIDIA");
  });

  it("of an Apple chip is what Metal lets the GPU use", () => {
    expect(found("apple-m4-max-40-core")).toEqual(["Apple", 96 * GIB]);
    expect(found("apple-m3-pro")).toEqual(["Apple", 24 * GIB]);
  });

  it("needs a name", () => expect(found("nothing-like-it")).toEqual(["unknown_gpu"]));
});
