/** src/ops/operators.d.ts says of every operator what its row says. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operatorTypes } from "../scripts/operator-types.mjs";
import { findOp, opNames } from "../src/ops/registry.ts";
import { ROOT } from "./helpers.ts";

it("is what the rows' schemas say (npm run operator-types)", () => {
  expect(readFileSync(join(ROOT, "src", "ops", "operators.d.ts"), "utf8")).toBe(operatorTypes(opNames(), findOp));
});
