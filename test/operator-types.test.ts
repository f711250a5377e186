/** src/ops/operators.d.ts says of every operator what its row says. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operatorTypes } from "../scripts/operator-types.mjs";
import type { OpRow } from "../src/ops/row.ts";
import { byIdentifier, findOp, opNames } from "../src/ops/registry.ts";
import { ROOT } from "./helpers.ts";

it("is what the rows' schemas say (npm run operator-types)", () => {
  expect(readFileSync(join(ROOT, "src", "ops", "operators.d.ts"), "utf8")).toBe(operatorTypes(opNames(), findOp));
});

it("says which two rows have one name", () => {
  const row = (schema: string): OpRow => ({ schema, evidence: "" });
  expect(() =>
    byIdentifier([row("sum.dim_IntList(Tensor self) -> Tensor"), row("sum_dim.IntList(Tensor self) -> Tensor")]),
  ).toThrow("two rows are called sum_dim_IntList: 'sum.dim_IntList' and 'sum_dim.IntList'; name one of them otherwise");
});
