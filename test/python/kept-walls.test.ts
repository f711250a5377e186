/** What stands in the place of modules that lead out of the interpreter stays there when an estimate's interpreter runs again. */

import { expect, it } from "vitest";

const { openEstimateRuns } = (await import(
  new URL("../../dist/python/estimate-runs.js", import.meta.url).href
)) as typeof import("../../src/python/estimate-runs.ts");

const SOURCE = `
import ctypes, ctypes.util, sys
assert "vramscope" in ctypes.CDLL.__module__
assert all(sys.modules[name] is None for name in ("js", "pyodide_js", "pyodide", "_pyodide", "_ctypes"))
`;

it("keeps the walls between runs", async () => {
  const runs = openEstimateRuns({ torch: "2.14", files: {} });
  try {
    for (let time = 0; time < 2; time++) {
      const { error, status } = await runs.run({ source: SOURCE, leftOut: null }, "h100-80gb", null);
      expect([error, status]).toEqual([null, "ok"]);
    }
  } finally {
    runs.close();
  }
});
