/** A real GPU's memory snapshots against the simulated run of the program that made them: every byte has a cause. */

import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compareWithRecording, type TraceComparison } from "../../src/compare/index.ts";
import { openFile } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { vramscope } from "../built.ts";
import { hasSnapshots, NEEDS_SNAPSHOTS, snapshotBytes } from "../snapshots.ts";

const SCRIPT = fileURLToPath(new URL("../../../shared/snapshots/program.py", import.meta.url));

async function compare(name: string, args: string): Promise<TraceComparison> {
  const recorded = openFile(bytesReader(snapshotBytes(name)), { name: `${name}.pickle` }).trace!;
  const { trace } = await vramscope.run({ script: SCRIPT, argv: args.split(" "), torch: "2.11", gpu: "a100-80gb" });
  return compareWithRecording(trace, recorded);
}

/** Recorded bytes of a quantity at start, peak and end, and what the prediction differs by. */
const figures = ({ figures: all }: TraceComparison, quantity: string) =>
  all
    .filter((figure) => figure.quantity === quantity)
    .map(({ recordedBytes, predictedBytes }) => [recordedBytes, recordedBytes - predictedBytes]);

/** Figures printed beside the recordings, and how many allocations these have. */
const CASES = [
  {
    name: "medium_128_inference",
    args: "medium 128 inference fp32",
    allocations: 1280,
    allocated: [1703276544, 1738928128, 1703276544],
    reserved: 1763704832,
    segmentBytes: 0,
  },
  {
    name: "medium_128_training",
    args: "medium 128 training fp32",
    allocations: 6526,
    allocated: [5101219840, 7026606592, 6816891392],
    reserved: 7235174400,
    segmentBytes: -41943040,
  },
];

describe.skipIf(!hasSnapshots)(`a recorded step${NEEDS_SNAPSHOTS}`, () => {
  it.each(CASES)(
    "of $name is found, and explained to the byte",
    async ({ name, args, allocations, allocated, reserved, segmentBytes }) => {
      const comparison = await compare(name, args);
      expect(comparison.pairs).toMatchObject({
        recordedAllocations: allocations,
        commonAllocations: allocations,
        predictedAllocations: allocations,
      });
      expect(figures(comparison, "allocated")).toEqual(allocated.map((bytes) => [bytes, 0]));
      expect(figures(comparison, "reserved")).toEqual(allocated.map(() => [reserved, segmentBytes]));
      expect(comparison.unexplainedBytes).toBe(0);
      for (const figure of comparison.figures) {
        const explained = figure.causes.reduce((sum, { bytes }) => sum + bytes, 0);
        expect(explained).toBe(figure.recordedBytes - figure.predictedBytes);
        if (figure.quantity !== "reserved" || segmentBytes === 0) continue;
        // one segment more, for a request that no free piece was large enough for
        expect(figure.causes).toMatchObject([
          {
            code: "earlier_segments",
            items: [{ side: "predicted", bytes: segmentBytes, place: { line: 182 }, heldBytes: 0 }],
          },
        ]);
        const { request } = figure.causes[0]!.items[0]!;
        expect(request!.requestedBytes).toBeGreaterThan(request!.largestFreeBytes);
      }
    },
    180_000,
  );
});
