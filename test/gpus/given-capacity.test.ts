/** Cards with another amount of memory than the catalogue's. */

import { describe, expect, it } from "vitest";
import { findCapacity } from "../../src/gpus/capacity.ts";
import { findGpu, GPUS } from "../../src/gpus/catalogue.ts";

const GIB = 2 ** 30;

describe("a card with given memory", () => {
  it("is the card in everything but its memory, and is found again by its id", () => {
    for (const gpu of GPUS) {
      const given = findGpu(`${gpu.id}@20GiB`);
      if (!given.ok) throw new Error(gpu.id);
      const { id, name, totalBytes, ...rest } = given.value;
      const { id: _id, name: _name, totalBytes: _total, ...own } = gpu;
      expect(rest).toEqual(own);
      expect(totalBytes).toBe(20 * GIB);
      expect(name).toBe(`${gpu.name} @ 20.00 GiB`);
      expect(findGpu(id)).toEqual(given);
    }
  });

  it("may be any vendor's", () => {
    const found = findCapacity("mi300x@64GiB");
    expect(found.ok && [found.value.totalBytes, found.value.vendor]).toEqual([64 * GIB, "AMD"]);
  });

  it("is refused with a card or an amount that is none", () => {
    for (const name of ["nothing@20GiB", "t4@", "t4@-3GiB", "t4@much", "t4@1", "@20GiB", "t4@99999999TiB"]) {
      expect(findGpu(name).ok, name).toBe(false);
      expect(findCapacity(name).ok, name).toBe(false);
    }
  });
});
