/** The memory snapshot: Python's pickle reads it, its structure is that of real files, and our reader gets the same events back. */

import { describe, expect, test } from "vitest";
import { TRACE_ACTIONS } from "../../src/alloc/index.ts";
import { exportBytes, findExport } from "../../src/exports/index.ts";
import { PickleWriter, type Plain } from "../../src/exports/pickle-writer.ts";
import { deviceHistory, readSnapshot } from "../../src/formats/snapshot.ts";
import { historyEntries } from "../../src/trace/allocator-history.ts";
import { segmentsAtEnd } from "../../src/trace/segments.ts";
import { verifyTrace } from "../../src/trace/verify.ts";
import { hasSnapshots, NEEDS_SNAPSHOTS, snapshotBytes } from "../snapshots.ts";
import { sampleTrace } from "../trace/sample.ts";
import { longTrace } from "./long-trace.ts";
import { askPython, hasPython, NEEDS_PYTHON } from "./python.ts";

const withPython = test.skipIf(!hasPython);

function pickled(value: Plain): Uint8Array {
  const writer = new PickleWriter();
  writer.value(value);
  return Buffer.concat([...writer.take(true)]);
}

describe("pickles", () => {
  withPython(`hold plain values${NEEDS_PYTHON}`, () => {
    const numbers = [0, 1, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, -1, -128, -129, -(2 ** 31), -(2 ** 31) - 1];
    const value: Plain[] = [
      ...numbers,
      2 ** 39,
      2 ** 40 - 1,
      2 ** 47,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
      1.5,
      "",
      "text",
      "text",
      "你好 😀",
      "x".repeat(300),
      true,
      false,
      null,
      [],
      {},
      Array.from({ length: 2500 }, (_, index) => index),
      { a: [1, { b: "text" }] },
    ];
    const back = askPython(
      "import pickle, json, sys; print(json.dumps(pickle.load(open(sys.argv[1], 'rb'))))",
      pickled(value),
    );
    expect(back).toEqual(value);
  });

  withPython(`replace what UTF-8 cannot hold${NEEDS_PYTHON}`, () => {
    const back = askPython(
      "import pickle, json, sys; print(json.dumps(pickle.load(open(sys.argv[1], 'rb'))))",
      pickled("a\ud800b"),
    );
    expect(back).toBe("a\ufffdb");
  });
});

/** What Python finds: keys and types of the parts, as sets of texts. */
const STRUCTURE = `
import json, pickle, sys
data = pickle.load(open(sys.argv[1], "rb"))
def shape(items):
    return sorted({f"{k}: {type(v).__name__}" for item in items for k, v in item.items()})
segments, entries = data["segments"], [e for t in data["device_traces"] for e in t]
print(json.dumps({
    "top": shape([data]),
    "segment": shape(segments),
    "block": shape(b for s in segments for b in s["blocks"]),
    "entry": shape(e for e in entries if e["action"] in ("alloc", "free_requested", "free_completed")),
    "frame": shape(f for e in entries for f in e["frames"][:2]),
    "pool": sorted({str(s["segment_pool_id"]) for s in segments}),
    "devices": len(data["device_traces"]),
}))`;

describe("the structure", () => {
  test.skipIf(!hasPython || !hasSnapshots)(`is that of a file of a real GPU${NEEDS_PYTHON}${NEEDS_SNAPSHOTS}`, () => {
    const real = askPython(STRUCTURE, snapshotBytes("medium_128_training")) as Record<string, string[]>;
    const ours = askPython(STRUCTURE, exportBytes("snapshot", sampleTrace())) as Record<string, string[]>;
    // by the category the viewer colours; real allocators do not know it
    expect({ ...ours, entry: ours["entry"]!.filter((key) => key !== "category: str") }).toEqual(real);
  });

  withPython(`says what the trace says${NEEDS_PYTHON}`, () => {
    const program = `
import json, pickle, sys
data = pickle.load(open(sys.argv[1], "rb"))
print(json.dumps([[[s["address"], s["total_size"], s["allocated_size"], s["requested_size"], s["segment_type"],
  [[b["address"], b["size"], b["requested_size"], b["state"], [f["line"] for f in b["frames"]]] for b in s["blocks"]]]
  for s in data["segments"]], [[e["action"], e.get("addr"), e["size"], e.get("category")] for e in data["device_traces"][0]],
  data["allocator_settings"]]))`;
    const MIB = 1 << 20;
    const [segments, entries, settings] = askPython(program, exportBytes("snapshot", sampleTrace())) as [
      unknown,
      unknown[][],
      unknown,
    ];
    // what is left of the sample: the weight and backward's workspace; what it returned and the gradient
    const inUse = (address: number, bytes: number, line: number[]) => [address, bytes, bytes, "active_allocated", line];
    expect(segments).toEqual([
      [
        0,
        20 * MIB,
        12.125 * MIB,
        12.125 * MIB,
        "large",
        [
          inUse(0, 4 * MIB, [1]),
          inUse(4 * MIB, 8.125 * MIB, [3]),
          [12.125 * MIB, 7.875 * MIB, 7.875 * MIB, "inactive", []],
        ],
      ],
      [
        32 * MIB,
        20 * MIB,
        8 * MIB,
        8 * MIB,
        "large",
        [
          inUse(32 * MIB, 4 * MIB, [12, 2]),
          inUse(36 * MIB, 4 * MIB, [3]),
          [40 * MIB, 12 * MIB, 12 * MIB, "inactive", []],
        ],
      ],
    ]);
    expect(entries.slice(0, 4)).toEqual([
      ["segment_alloc", 0, 20 * MIB, null],
      ["alloc", 0, 4 * MIB, "parameter"],
      ["alloc", 4 * MIB, 12 * MIB, "activation"],
      ["segment_alloc", 32 * MIB, 20 * MIB, null],
    ]);
    expect(entries.at(-1)).toEqual(["snapshot", 0, 0, "unknown"]);
    expect(settings).toEqual({ expandable_segments: false });
  });

  test("has the allocator's settings when the environment is known", () => {
    const environment = { PYTORCH_CUDA_ALLOC_CONF: "max_split_size_mb:128" };
    const trace = { ...sampleTrace(), torch: "2.6" };
    const { allocatorSettings } = readSnapshot(exportBytes("snapshot", trace, { environment }));
    expect(allocatorSettings).toMatchObject({
      PYTORCH_CUDA_ALLOC_CONF: "max_split_size_mb:128",
      max_split_size: 128 << 20,
      expandable_segments: false,
    });
  });

  test("uses only opcodes that the snapshot viewer reads", () => {
    // those of MemoryViz.js; arguments are skipped by their length
    const sizes: Record<number, number> = { 0x80: 1, 0x4b: 1, 0x4d: 2, 0x4a: 4, 0x47: 8, 0x68: 1, 0x6a: 4 };
    const bare = new Set([0x2e, 0x4e, 0x88, 0x89, 0x5d, 0x7d, 0x86, 0x28, 0x65, 0x75, 0x94]);
    const bytes = exportBytes("snapshot", sampleTrace());
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    let at = 0;
    while (at < bytes.length) {
      const opcode = bytes[at++]!;
      if (opcode === 0x8c || opcode === 0x8a) at += 1 + bytes[at]!;
      else if (opcode === 0x58) at += 4 + view.getUint32(at, true);
      else if (sizes[opcode] !== undefined) at += sizes[opcode];
      else expect(bare).toContain(opcode);
    }
    expect(at).toBe(bytes.length);
    expect(bytes[0]).toBe(0x80);
    expect(bytes[1]).toBe(4);
  });
});

describe("read back", () => {
  const trace = longTrace(20_000);

  test("the trace of the test is a good one", () => expect(verifyTrace(trace)).toEqual([]));

  test("the events are the same", () => {
    const { actions } = deviceHistory(readSnapshot(exportBytes("snapshot", trace)), 0);
    const entries = [...historyEntries(trace.events, trace.blocks)];
    expect(actions.action.length).toBe(entries.length + 1);
    entries.forEach((entry, index) => {
      const read = [
        TRACE_ACTIONS[actions.action[index]!],
        actions.address[index],
        actions.bytes[index],
        actions.stream[index],
      ];
      if (read.join() !== [entry.action, entry.address, entry.bytes, entry.stream].join()) {
        expect({ index, read }).toEqual({ index, read: [entry.action, entry.address, entry.bytes, entry.stream] });
      }
    });
    expect(TRACE_ACTIONS[actions.action.at(-1)!]).toBe("snapshot");
  });

  test("segments, blocks and stacks are the same", () => {
    const snapshot = readSnapshot(exportBytes("snapshot", trace));
    const expected = segmentsAtEnd(trace);
    expect(snapshot.segments.length).toBe(expected.length);
    snapshot.segments.forEach((segment, index) => {
      expect(segment.blocks.map(({ address, bytes }) => [address, bytes])).toEqual(
        expected[index]!.blocks.map(({ address, bytes }) => [address, bytes]),
      );
      for (const [at, block] of segment.blocks.entries()) {
        const record = trace.blocks[expected[index]!.blocks[at]!.block];
        const lines = [...snapshot.frameLists.frames(block.frameList)].map((frame) => snapshot.frames[frame]!.line);
        const frame = trace.frames[record?.frame ?? -1];
        expect(lines).toEqual(frame === undefined ? [] : [frame.line, trace.frames[frame.parent]!.line]);
      }
    });
    const allocated = snapshot.segments.reduce((sum, segment) => sum + segment.allocatedBytes, 0);
    expect(allocated).toBe(trace.events.allocatedBytes.at(-1));
  });
});

test("a long trace is written in small pieces", () => {
  let pieces = 0;
  let largest = 0;
  for (const piece of findExport("snapshot").write(longTrace(200_000))) {
    pieces++;
    largest = Math.max(largest, piece.length);
  }
  expect(pieces).toBeGreaterThan(50);
  expect(largest).toBeLessThan(1 << 20);
});
