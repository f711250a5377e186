/** Recordings that cannot have been are read, and say so; those of real GPUs say nothing. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { PickleWriter, type Plain } from "../../src/exports/pickle-writer.ts";
import { openFile } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { contradictions } from "../../src/trace/contradictions.ts";
import { RankSet } from "../../src/trace/rank-set.ts";
import { hasSnapshots, NEEDS_SNAPSHOTS, snapshotBytes } from "../snapshots.ts";
import { sampleTrace } from "../trace/sample.ts";

const codes = (bytes: Uint8Array): string[] =>
  openFile(bytesReader(bytes), { name: "s.pickle" })
    .notes.map(({ code }) => code)
    .filter((code) => code.startsWith("contradiction"));

type Entry = readonly [action: string, address: number, bytes: number];

/** A snapshot with one segment of 20 MiB at 0, and blocks at its end. */
function snapshot(
  entries: readonly Entry[],
  blocks: readonly (readonly [bytes: number, requested: number, state: string])[],
): Uint8Array {
  const document: Plain = {
    segments: [
      {
        device: 0,
        address: 0,
        total_size: 20 * MIB,
        stream: 0,
        segment_type: "large",
        blocks: blocks.map(([size, requested_size, state]) => ({ size, requested_size, state })),
      },
    ],
    device_traces: [entries.map(([action, addr, size]) => ({ action, addr, size, stream: 0, frames: [] }))],
  };
  const writer = new PickleWriter();
  writer.value(document);
  return Buffer.concat([...writer.take(true)]);
}
const FREE = [[20 * MIB, 20 * MIB, "inactive"]] as const;

describe("a snapshot", () => {
  it("that can have been says nothing", () => {
    expect(
      codes(
        snapshot(
          [
            ["segment_alloc", 0, 20 * MIB],
            ["alloc", 0, 4 * MIB],
            ["alloc", 4 * MIB, 4 * MIB],
            ["free_requested", 0, 4 * MIB],
            ["free_completed", 0, 4 * MIB],
            ["alloc", 0, 2 * MIB],
            ["free_requested", 0, 2 * MIB],
            ["free_requested", 4 * MIB, 4 * MIB],
          ],
          FREE,
        ),
      ),
    ).toEqual([]);
  });

  it("says that blocks lie over each other", () => {
    const entries: Entry[] = [
      ["segment_alloc", 0, 20 * MIB],
      ["alloc", 0, 4 * MIB],
      ["alloc", 2 * MIB, 512],
      ["free_requested", 2 * MIB, 512],
      ["free_requested", 0, 4 * MIB],
    ];
    expect(codes(snapshot(entries, FREE))).toEqual(["contradiction_overlap"]);
  });

  it("says that more is allocated than reserved", () => {
    const entries: Entry[] = [
      ["alloc", 0, 12 * MIB],
      ["alloc", 12 * MIB, 12 * MIB],
      ["free_requested", 0, 12 * MIB],
      ["free_requested", 12 * MIB, 12 * MIB],
    ];
    expect(codes(snapshot(entries, FREE))).toEqual(["contradiction_over_reserved"]);
  });

  it("says that a block is smaller than its request", () => {
    expect(codes(snapshot([], [[20 * MIB, 21 * MIB, "active_allocated"]]))).toEqual(["contradiction_requested"]);
  });
});

describe.runIf(hasSnapshots)(`recordings of a real GPU${NEEDS_SNAPSHOTS}`, () => {
  it.each(["medium_128_inference", "medium_128_training", "medium_512_training"])("%s: none", (name) => {
    expect(codes(snapshotBytes(name))).toEqual([]);
  });
});

it("are none in a simulated trace", () => {
  expect(contradictions(sampleTrace())).toEqual([]);
});

it("a set of ranks knows both neighbours", () => {
  const size = 5000;
  const step = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: size - 1 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 0, max: size - 1 }), (steps, asked) => {
      const set = new RankSet(size);
      const members = new Set<number>();
      for (const [adds, rank] of steps) {
        if (adds) {
          set.add(rank);
          members.add(rank);
        } else {
          set.remove(rank);
          members.delete(rank);
        }
      }
      const sorted = [...members];
      expect(set.before(asked)).toBe(Math.max(-1, ...sorted.filter((rank) => rank < asked)));
      const above = sorted.filter((rank) => rank > asked);
      expect(set.after(asked)).toBe(above.length === 0 ? -1 : Math.min(...above));
    }),
  );
});
