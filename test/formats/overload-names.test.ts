/** Joined names of operators are taken apart as PyTorch joined them, for every operator that it has. */

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { withoutOverload } from "../../src/formats/overload-names.ts";

const NAMES = readFileSync(new URL("../ops/native-functions.txt", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean);

it("finds the name of every operator", () => {
  const plain = (name: string): string => name.split(".")[0]!;
  expect(NAMES.length).toBeGreaterThan(2_500);
  expect(NAMES.filter((name) => withoutOverload(name.replace(".", "_")) !== plain(name))).toEqual([]);
});

it("leaves what it does not know", () => {
  expect(withoutOverload("of_nobody")).toBe("of_nobody");
  expect(withoutOverload("of_nobody_Tensor")).toBe("of_nobody");
});
