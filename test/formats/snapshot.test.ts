/** Pickles and memory snapshots: what Python wrote is read, what would run code is refused, and nothing hostile crashes. */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TRACE_ACTIONS } from "../../src/alloc/index.ts";
import { PickleError } from "../../src/formats/pickle-error.ts";
import { PickleDict, PickleList, PickleTuple, type PickleValue } from "../../src/formats/pickle-values.ts";
import { readPickle } from "../../src/formats/pickle.ts";
import { SnapshotError } from "../../src/formats/snapshot-error.ts";
import { deviceHistory, readSnapshot, type MemorySnapshot } from "../../src/formats/snapshot.ts";
import { hasSnapshots, NEEDS_SNAPSHOTS, snapshotBytes } from "../snapshots.ts";

type Samples = Record<"snapshots" | "code" | "types" | "values", Record<string, string>>;
/** Written by CPython 3.11's pickle module. */
const SAMPLES = JSON.parse(readFileSync(new URL("pickle-samples.json", import.meta.url), "utf8")) as Samples;

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Containers as plain data, for comparison. */
function plain(value: PickleValue): unknown {
  if (value instanceof PickleList) return value.items.map(plain);
  if (value instanceof PickleTuple) return { tuple: value.items.map(plain) };
  if (value instanceof PickleDict) {
    const pairs: [unknown, unknown][] = [];
    for (let i = 0; i < value.items.length; i += 2) pairs.push([plain(value.items[i]), plain(value.items[i + 1])]);
    return { dict: pairs };
  }
  return value;
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof PickleError || error instanceof SnapshotError) return error.code;
    throw error;
  }
  return "no error";
}

describe("values of every protocol", () => {
  const EXPECTED: unknown[] = [
    [0, 1, -1, 255, 256, 65_535, 65_536, -2_147_483_648, 2_147_483_647, 2_147_483_648, -2_147_483_649],
    [2 ** 47, -(2 ** 47), 2n ** 53n, 2 ** 53 - 1, -(2n ** 63n), 2n ** 64n, 10n ** 30n],
    [1.5, -0, 1e300, Infinity, true, false, null, "", "a".repeat(300), "你好", "😀", "back\\slash\nnl"],
    [[], { dict: [] }],
    [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]].map((tuple) => ({ tuple })),
    [[[1], [2, [3]]], { dict: [["a", { dict: [["b", [1, { tuple: [2] }]]] }]] }],
  ].flat();
  test.each(["0", "1", "2", "3", "4", "5"])("protocol %s", (protocol) => {
    expect(plain(readPickle(bytesOf(SAMPLES.values[protocol])))).toEqual(EXPECTED);
  });
});

describe("refused", () => {
  test.each(Object.entries(SAMPLES.code))("code: %s", (_, base64) => {
    expect(codeOf(() => readPickle(bytesOf(base64)))).toBe("pickle-code-refused");
    expect(codeOf(() => readSnapshot(bytesOf(base64)))).toBe("pickle-code-refused");
  });
  test.each(Object.entries(SAMPLES.types))("type: %s", (_, base64) => {
    expect(codeOf(() => readPickle(bytesOf(base64)))).toBe("pickle-type-refused");
  });
  test.each([
    ["an empty file", "", "pickle-truncated"],
    ["no stop", "N", "pickle-truncated"],
    ["stop with an empty stack", ".", "pickle-bad-stack"],
    ["two values left", "NN.", "pickle-bad-stack"],
    ["append to nothing", "Na.", "pickle-bad-stack"],
    ["append to None", "NNa.", "pickle-bad-stack"],
    ["a key without value", "}(Nu.", "pickle-bad-stack"],
    ["a missing mark", "]e.", "pickle-bad-stack"],
    ["an unknown opcode", "\xff.", "pickle-opcode-unknown"],
    ["a future protocol", "\x80\x09N.", "pickle-protocol"],
    ["a memo entry that was never stored", "h\x01.", "pickle-bad-memo"],
    ["a memo index beyond the file", "j\xff\xff\xff\xffN.", "pickle-bad-memo"],
    ["a text longer than the file", "X\xff\xff\xff\x7f.", "pickle-truncated"],
    ["a text of 2^63 bytes", "\x8d\x00\x00\x00\x00\x00\x00\x00\x80.", "pickle-truncated"],
    ["a frame longer than the file", "\x95\xff\xff\xff\xff\xff\x00\x00\x00N.", "pickle-truncated"],
    ["an integer of many bytes", `\x8a\xff${"\x01".repeat(255)}.`, "pickle-too-long"],
    ["text that is not UTF-8", "X\x01\x00\x00\x00\xff.", "pickle-bad-text"],
    ["a number that is none", "I12x\n.", "pickle-bad-number"],
  ])("%s", (_, text, code) => {
    expect(codeOf(() => readPickle(ascii(text)))).toBe(code);
  });
});

test("depth costs no stack: a million nested lists", () => {
  const depth = 1_000_000;
  const bytes = new Uint8Array(2 * depth + 1);
  bytes.fill(0x5d, 0, depth).fill(0x61, depth, 2 * depth - 1);
  bytes[2 * depth - 1] = 0x2e;
  expect(readPickle(bytes)).toBeInstanceOf(PickleList);
});

test("a list that holds itself is read", () => {
  const list = readPickle(ascii("]q\x00h\x00a.")) as PickleList;
  expect(list.items).toEqual([list]);
});

const BASE = 139_700_000_000_000 - (139_700_000_000_000 % 2_097_152);

function checkSample(snapshot: MemorySnapshot): void {
  const [small, large] = snapshot.segments;
  expect(small).toMatchObject({
    device: 0,
    address: BASE,
    totalBytes: 2_097_152,
    allocatedBytes: 1024,
    activeBytes: 1536,
    requestedBytes: 1030,
    stream: 0,
    type: "small",
    poolId: [0, 0],
    isExpandable: false,
  });
  expect(small.blocks.map((block) => [block.address - BASE, block.bytes, block.requestedBytes, block.state])).toEqual([
    [0, 1024, 1000, "active_allocated"],
    [1024, 512, 30, "active_pending_free"],
    [1536, 2_095_616, 0, "inactive"],
  ]);
  expect(large).toMatchObject({ device: 1, type: "large", poolId: [0, 1], isExpandable: true, stream: 94_203_948_203 });
  expect(snapshot.frames).toEqual([
    { name: "forward", file: "/home/u/train.py", line: 12 },
    { name: "<module>", file: "/home/u/trän.py", line: 400 },
  ]);
  const stack = (list: number): string[] =>
    [...snapshot.frameLists.frames(list)].map((frame) => snapshot.frames[frame].name);
  expect(stack(small.blocks[0].frameList)).toEqual(["forward", "<module>"]);
  expect(small.blocks[1].frameList).toBe(-1);
  expect(stack(small.frameList)).toEqual(["forward", "<module>"]);
  expect(snapshot.frameLists.count).toBe(1);
}

describe("a snapshot in every protocol", () => {
  test.each(["0", "1", "2", "3", "4", "5"])("protocol %s", (protocol) => {
    const snapshot = readSnapshot(bytesOf(SAMPLES.snapshots[protocol]));
    checkSample(snapshot);
    expect(snapshot.deviceTraces.map((trace) => trace.length)).toEqual([4, 0]);
    const [trace] = snapshot.deviceTraces;
    expect([...trace.action].map((action) => TRACE_ACTIONS[action])).toEqual([
      "segment_alloc",
      "alloc",
      "oom",
      "snapshot",
    ]);
    expect([...trace.address]).toEqual([BASE, BASE, 12_582_912, 0]);
    expect([...trace.bytes]).toEqual([2_097_152, 1000, 4_294_967_296, 1536]);
    expect([...trace.timeUs].map((time) => time - 1_783_874_041_854_969)).toEqual([0, 1, 2, 3]);
    expect([...trace.frameList]).toEqual([0, 0, -1, -1]);
    expect({ ...snapshot.allocatorSettings }).toEqual({
      PYTORCH_CUDA_ALLOC_CONF: "max_split_size_mb:64",
      max_split_size: 67_108_864,
      garbage_collection_threshold: 0.25,
      expandable_segments: false,
      roundup_power2_divisions: "1:0,2:4",
    });
    expect(snapshot.annotations).toHaveLength(1);
    expect(snapshot.annotations[0]).toMatchObject({ device: 0, timeUs: 1_783_874_041_854_968 });
    expect({ ...snapshot.annotations[0].fields }).toEqual({ stage: "START", name: "step" });
    expect(deviceHistory(snapshot, 1).segments).toHaveLength(1);
    expect(deviceHistory(snapshot, 5).actions.action).toHaveLength(0);
  });

  test("1.13: blocks without addresses, with a history", () => {
    const [segment] = readSnapshot(bytesOf(SAMPLES.snapshots["1.13"])).segments;
    expect(segment).toMatchObject({ poolId: [0, 0], isExpandable: false, requestedBytes: 4 });
    expect(segment.blocks.map((block) => [block.address - segment.address, block.bytes])).toEqual([
      [0, 512],
      [512, 2_096_640],
    ]);
    expect(segment.blocks[0].frameList).toBe(0);
  });

  test("the list of torch.cuda.memory_snapshot() alone", () => {
    const snapshot = readSnapshot(bytesOf(SAMPLES.snapshots.segmentsOnly));
    checkSample(snapshot);
    expect(snapshot.deviceTraces).toEqual([]);
  });
});

describe("hostile files", () => {
  test.each([
    ["None", "N.", "snapshot-not-a-snapshot"],
    ["an empty dictionary", "}.", "snapshot-not-a-snapshot"],
    ["segments that are a number", "}(X\x08\x00\x00\x00segmentsK\x01u.", "snapshot-bad-field"],
    [
      "a trace of numbers",
      "}(X\x08\x00\x00\x00segments]X\x0d\x00\x00\x00device_traces](](K\x01K\x02eeu.",
      "snapshot-bad-field",
    ],
  ])("%s", (_, text, code) => {
    expect(codeOf(() => readSnapshot(ascii(text)))).toBe(code);
  });

  test("a part named again and again is not expanded", () => {
    // One list of 2,000 blocks that 2,000 segments share: 12 KB that would read out as four million blocks.
    const word = (text: string): string => `\x8c${String.fromCharCode(text.length)}${text}`;
    const block = `}(${word("size")}M\x00\x02${word("state")}${word("inactive")}u`;
    const blocks = `](${block}q\x01${"h\x01".repeat(1999)}e`;
    const segment = `}(${word("address")}K\x00${word("total_size")}J\x00\xa0\x0f\x00${word("segment_type")}${word("small")}${word("blocks")}${blocks}u`;
    const bytes = ascii(`](${segment}q\x02${"h\x02".repeat(1999)}e.`);
    expect(bytes.length).toBeLessThan(12_000);
    expect(codeOf(() => readSnapshot(bytes))).toBe("snapshot-too-repetitive");
  });

  test("a call stack of half a million frames", () => {
    const word = (text: string): string => `\x8c${String.fromCharCode(text.length)}${text}`;
    const frame = `}(${word("name")}${word("f")}${word("filename")}${word("f.py")}${word("line")}K\x01u`;
    const stack = `](${frame}q\x01${"h\x01".repeat(499_999)}e`;
    const entry = `}(${word("action")}${word("alloc")}${word("addr")}K\x00${word("size")}K\x01${word("stream")}K\x00${word("frames")}${stack}u`;
    const snapshot = readSnapshot(ascii(`}(${word("segments")}]${word("device_traces")}](](${entry}eeu.`));
    expect(snapshot.frames).toHaveLength(1);
    expect(snapshot.frameLists.frames(0)).toHaveLength(500_000);
  });

  test.each(["1", "4"])("every beginning of a file of protocol %s is refused with data", (protocol) => {
    const bytes = bytesOf(SAMPLES.snapshots[protocol]);
    for (let length = 0; length < bytes.length; length++) {
      expect(codeOf(() => readSnapshot(bytes.subarray(0, length)))).not.toBe("no error");
    }
  });

  test("changed bytes give a snapshot or an error with a code", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("0", "1", "2", "4"),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        (protocol, changes) => {
          const bytes = bytesOf(SAMPLES.snapshots[protocol]);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
          codeOf(() => readSnapshot(bytes));
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("random bytes too", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        codeOf(() => readSnapshot(bytes));
      }),
      { numRuns: 3000 },
    );
  });
});

describe.skipIf(!hasSnapshots)(`recorded files${NEEDS_SNAPSHOTS}`, () => {
  // memory_allocated and memory_reserved at the end, as the program printed them.
  test.each([
    ["medium_128_inference", 3840, 1_703_276_544, 1_763_704_832],
    ["medium_128_training", 19_136, 6_816_891_392, 7_235_174_400],
    ["medium_512_training", 22_332, 6_838_108_672, 12_660_506_624],
  ])("%s", (name, entries, allocated, reserved) => {
    const snapshot = readSnapshot(snapshotBytes(name));
    const total = (key: "allocatedBytes" | "totalBytes"): number =>
      snapshot.segments.reduce((sum, segment) => sum + segment[key], 0);
    expect(total("allocatedBytes")).toBe(allocated);
    expect(total("totalBytes")).toBe(reserved);
    expect(snapshot.deviceTraces.map((trace) => trace.length)).toEqual([entries]);
    expect(snapshot.allocatorSettings.max_split_size).toBe(-1);
    const [trace] = snapshot.deviceTraces;
    // Every entry was recorded with a stack.
    expect(trace.frameList.every((list) => list >= 0)).toBe(true);
  });
});
