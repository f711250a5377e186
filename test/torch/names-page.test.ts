/** docs/torch-names.md says which public names of PyTorch the stand-in has now. */

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("is what npm run surface writes", () => {
  const script = fileURLToPath(new URL("../../scripts/surface.mjs", import.meta.url));
  expect(execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" })).toMatch(/^\d+ of \d+ public names/);
});
