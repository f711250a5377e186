/** Workspaces of convolutions are whole bytes, also where partial sums are parts of a tile and channels are padded. */

import { expect, test } from "vitest";
import { findGpu } from "../../src/gpus/catalogue.ts";
import { convolutionWorkspace } from "../../src/ops/convolution-workspace.ts";

test("a gradient of weights with 84 filters, as detectors have them, takes whole bytes", () => {
  const gpu = findGpu("a100");
  if (!gpu.ok) throw new Error("a100");
  for (const filters of [16, 84, 126, 324]) {
    const bytes = convolutionWorkspace(
      "weight",
      {
        image: [8, 512, 38, 38],
        features: [8, filters, 38, 38],
        weight: [filters, 512, 3, 3],
        groups: 1,
        strided: false,
        itemBytes: 4,
        channelsLast: false,
      },
      gpu.value,
    );
    expect(Number.isInteger(bytes) && bytes > 0).toBe(true);
  }
});
