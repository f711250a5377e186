/** Profiles that other tools recorded: blocks, stacks, operators and phases of a trace, and what their totals say beyond their events. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../src/base/diagnostic.ts";
import { JsonCursor } from "../../src/formats/json-cursor.ts";
import { openFile } from "../../src/formats/open-file.ts";
import { bytesReader, type RangeReader } from "../../src/formats/range-reader.ts";
import { EVENT_KINDS, type Trace } from "../../src/trace/model.ts";
import { verifyTrace } from "../../src/trace/verify.ts";
import { ROOT } from "../helpers.ts";

const MIB = 2 ** 20;
const bytesOf = (name: string): Uint8Array => readFileSync(join(ROOT, "test/formats/samples", name));
const open = (name: string, device?: number) => openFile(bytesReader(bytesOf(name)), { name, device });
const openJson = (value: unknown, device?: number) =>
  openFile(bytesReader(new TextEncoder().encode(JSON.stringify(value))), { name: "x.json", device });

function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostic.code;
    throw error;
  }
  return "read";
}

/** `kind bytes allocated reserved` of each event. */
const course = ({ events }: Trace) =>
  Array.from(events.kind, (kind, event) => [
    EVENT_KINDS[kind],
    events.bytes[event],
    events.allocatedBytes[event],
    events.reservedBytes[event],
  ]);

function stack(trace: Trace, frame: number): string[] {
  const lines: string[] = [];
  for (let at = frame; at !== -1; at = trace.frames[at]!.parent) {
    const { file, line, name } = trace.frames[at]!;
    lines.push(`${file}:${line} ${name}`);
  }
  return lines;
}

/** A `[memory]` event of torch.profiler. */
const memory = (ts: number, address: number, bytes: number, allocated: number, reserved: number, device = 0) => ({
  ph: "i",
  cat: "cpu_instant_event",
  s: "t",
  name: "[memory]",
  pid: 1,
  tid: 1,
  ts,
  args: {
    "Total Reserved": reserved,
    "Total Allocated": allocated,
    Bytes: bytes,
    "Device Id": device,
    "Device Type": device < 0 ? 0 : 1,
    Addr: address,
  },
});

describe("torch.profiler traces", () => {
  const { trace, readings, notes } = open("torch-profile.json");

  it("give blocks with totals as recorded", () => {
    expect(verifyTrace(trace!)).toEqual([]);
    expect(course(trace!)).toEqual([
      ["alloc", 4096, MIB + 4096, 2 * MIB],
      ["alloc", 1024, MIB + 5120, 2 * MIB],
      ["free_requested", 1024, MIB + 4096, 2 * MIB],
      ["free_requested", 512, MIB + 3584, 2 * MIB],
      ["segment_alloc", 20 * MIB, MIB + 3584, 22 * MIB],
      ["alloc", 20 * MIB, 21 * MIB + 3584, 22 * MIB],
      ["free_requested", 4096, 21 * MIB - 512, 22 * MIB],
    ]);
  });

  it("have blocks from before recording: those that are freed, and the rest as one", () => {
    const before = trace!.blocks.filter((block) => block.allocEvent === -1);
    expect(before.map(({ bytes, freeEvent, note }) => [bytes, freeEvent, note])).toEqual([
      [MIB - 512, -1, "allocated_before_recording"],
      [512, 3, "allocated_before_recording"],
    ]);
  });

  it("have operators, the user's Python stack, modules and phases", () => {
    const first = trace!.blocks.find((block) => block.bytes === 4096)!;
    expect(trace!.ops[first.op]).toBe("aten::addmm");
    expect(stack(trace!, first.frame)).toEqual(["train.py:12 step", "train.py:40 main"]);
    expect(trace!.modules[first.module]).toBe("Linear_0");
    expect(first.phase).toBe("forward");
    const gradient = trace!.blocks.find((block) => block.bytes === 20 * MIB)!;
    expect([trace!.ops[gradient.op], gradient.phase]).toEqual(["aten::mm", "backward"]);
    // backward's thread has no Python; the line of the program waits for it
    expect(stack(trace!, gradient.frame)).toEqual(["train.py:40 main"]);
    // outside any operator
    const freed = trace!.blocks.find((block) => block.bytes === 512)!;
    expect(trace!.events.op[freed.freeEvent]).toBe(-1);
    expect(stack(trace!, trace!.events.frame[freed.freeEvent]!)).toEqual(["train.py:12 step", "train.py:40 main"]);
  });

  it("know the device", () => {
    expect([trace!.gpu, trace!.capacityBytes]).toEqual(["a100-80gb", 85097971712]);
    expect(readings!.facts[0]).toMatchObject({ quantity: "device_total", bytes: 85097971712 });
    expect(notes.map(({ code }) => code)).toEqual([
      "profile_allocated_before",
      "profile_unmatched_frees",
      "profile_sizes_are_blocks",
      "profile_lines_are_functions",
    ]);
  });

  // Recorded by PyTorch 2.14 on a CPU: a step of two linear layers, 64 -> 256 -> 10, with a batch of 32. Here its memory is a GPU's.
  it("show the line of each call where the release records it", () => {
    const text = gunzipSync(bytesOf("torch-profile-2.14.json.gz")).toString("utf8");
    const moved = text.replaceAll('"Device Id":-1,"Device Type":0', '"Device Id":0,"Device Type":1');
    const opened = openFile(bytesReader(new TextEncoder().encode(moved)), { name: "train.json" });
    const real = opened.trace!;
    expect(verifyTrace(real)).toEqual([]);
    expect(opened.notes.map(({ code }) => code)).toContain("profile_lines_are_calls");
    /** Bytes of the blocks that a line of the program made, in order. */
    const madeAt = (line: number) =>
      real.blocks
        .filter(({ frame }) => stack(real, frame).some((entry) => entry.startsWith(`train.py:${line} `)))
        .map(({ bytes, op }) => `${real.ops[op]} ${bytes}`);
    // two layers and what is between them
    expect(madeAt(9)).toEqual(["aten::addmm 32768", "aten::clamp_min 32768", "aten::addmm 1280"]);
    // gradients of 10 x 256 weights, 10 biases, 256 x 64 weights, 256 biases
    const gradients = madeAt(12).filter((made) => /\b(?:65536|1024|10240|40)$/.test(made));
    expect(gradients.map((made) => made.split(" ")[1])).toEqual(["10240", "40", "65536", "1024"]);
    // two moments of each parameter
    const states = madeAt(13).filter((made) => made.startsWith("aten::") && /\b(?:65536|1024|10240|40)$/.test(made));
    expect(states.length).toBeGreaterThanOrEqual(8);
    expect([...new Set(real.blocks.map(({ phase }) => phase))].sort()).toEqual([
      "backward",
      "forward",
      "optimizer",
      "other",
    ]);
  });

  it("are told by device", () => {
    const events = [memory(1, 512, 100, 100, 1000), memory(2, 512, 200, 200, 4000, 1), memory(3, 512, -100, 0, 1000)];
    expect(openJson({ traceEvents: events }).trace!.blocks.map(({ bytes }) => bytes)).toEqual([100]);
    expect(openJson({ traceEvents: events }, 1).trace!.blocks.map(({ bytes }) => bytes)).toEqual([200]);
    expect(openJson(events).notes).toContainEqual(expect.objectContaining({ code: "profile_other_devices" }));
    expect(codeOf(() => openJson({ traceEvents: events }, 2))).toBe("profile_no_device");
  });

  it("follow the file's totals where events are missing", () => {
    // 300 more between the first two, 250 less before the last, and a free that is missing at address 512
    const events = [
      memory(1, 512, 100, 100, 1000),
      memory(2, 4096, 50, 450, 1000),
      memory(3, 512, 60, 510 - 100, 1000),
      memory(4, 4096, -50, 110, 1000),
    ];
    const { trace: jumped, notes: remarks } = openJson({ traceEvents: events });
    expect(verifyTrace(jumped!)).toEqual([]);
    expect(jumped!.events.allocatedBytes.at(-1)).toBe(110);
    expect(Math.max(...jumped!.events.allocatedBytes)).toBe(450);
    expect(remarks).toContainEqual(expect.objectContaining({ code: "profile_totals_jump", args: { count: 2 } }));
  });

  it("are put into the order of time, whatever that of the file", () => {
    const events = [memory(3, 512, -100, 0, 1000), memory(1, 512, 100, 100, 1000)];
    const { trace: sorted } = openJson({ traceEvents: events });
    expect(course(sorted!).map(([kind]) => kind)).toEqual(["alloc", "free_requested"]);
  });

  it("of the host are figures", () => {
    const events = [
      memory(1, 512, 100, 100, 0, -1),
      memory(1_000_001, 640, 30, 130, 0, -1),
      memory(3e6, 512, -100, 30, 0, -1),
    ];
    const { trace: none, readings: host } = openJson({ traceEvents: events });
    expect(none).toBeNull();
    expect([...host!.series[0]!.bytes]).toEqual([100, 130, 30]);
    expect([...host!.series[0]!.seconds!]).toEqual([0, 1, 2.999999]);
    expect(host!.facts[0]).toMatchObject({ bytes: 130, peak: true });
  });

  it("without memory events, or broken off, say so", () => {
    const span = { ph: "X", cat: "cpu_op", name: "aten::mm", pid: 1, tid: 1, ts: 1, dur: 2 };
    expect(codeOf(() => openJson({ traceEvents: [span] }))).toBe("profile_no_memory");
    const whole = bytesOf("torch-profile.json");
    for (const length of [whole.length - 3, whole.length >> 1]) {
      expect(codeOf(() => openFile(bytesReader(whole.subarray(0, length)), { name: "x.json" }))).toBe(
        "profile_bad_json",
      );
    }
  });
});

describe("memory timelines of torch.profiler", () => {
  const seriesOf = (name: string) =>
    Object.fromEntries(
      open(name).readings!.series.map(({ quantity, label, bytes }) => [label || quantity, [...bytes]]),
    );

  it("by category", () => {
    expect(seriesOf("memory-timeline.json")).toEqual({
      allocated: [4608, 14336, 25600],
      parameters: [4096, 4096, 4096],
      inputs: [512, 512, 512],
      temporaries: [0, 1024, 0],
      activations: [0, 8192, 8192],
      "optimizer state": [0, 8192],
      gradients: [0, 4096],
      unknown: [0, 512, 512],
    });
    expect([...open("memory-timeline.json").readings!.series[0]!.seconds!]).toEqual(
      [0, 0.0005, 0.002].map((t) => expect.closeTo(t, 9)),
    );
  });

  it("by action: what was there before stands first", () => {
    expect(seriesOf("memory-timeline.raw.json")).toEqual({
      allocated: [4608, 5632, 5632, 4608],
      parameters: [4096, 4096, 4096, 4096],
      inputs: [512, 512, 512, 512],
      temporaries: [0, 1024, 0, 0],
      activations: [0, 1024, 0],
    });
    expect([...open("memory-timeline.raw.json").readings!.series[0]!.seconds!]).toEqual(
      [0, 0, 0.0005, 0.002].map((t) => expect.closeTo(t, 9)),
    );
  });
});

describe("Nsight Systems' memory events", () => {
  it("give what the program took from the driver", () => {
    const { trace, readings } = open("nsys-memory-events.csv");
    expect(verifyTrace(trace!)).toEqual([]);
    expect(course(trace!)).toEqual([
      ["segment_alloc", 2 * MIB, MIB, 3 * MIB],
      ["alloc", 2 * MIB, 3 * MIB, 3 * MIB],
      ["segment_alloc", 32 * MIB, 3 * MIB, 35 * MIB],
      ["alloc", 32 * MIB, 35 * MIB, 35 * MIB],
      ["free_requested", MIB, 34 * MIB, 35 * MIB],
      ["segment_free", MIB, 34 * MIB, 34 * MIB],
      ["free_requested", 32 * MIB, 2 * MIB, 34 * MIB],
      ["segment_free", 32 * MIB, 2 * MIB, 2 * MIB],
    ]);
    expect(readings!.notes).toEqual([{ name: "events of host and managed memory", value: 1, line: -1 }]);
  });

  it("say the same as JSON", () => {
    const [header, ...rows] = new TextDecoder().decode(bytesOf("nsys-memory-events.csv")).trim().split("\n");
    const names = header!.split(",");
    const objects = rows.map((row) =>
      JSON.stringify(
        Object.fromEntries(row.split(",").map((value, column) => [names[column], value === "" ? null : Number(value)])),
      ),
    );
    const text = `[${objects.join(",\n")}]\n`;
    const read = openFile(bytesReader(new TextEncoder().encode(text)), { name: "x.json" });
    expect(read.format).toBe("nsys-memory-events");
    expect(course(read.trace!)).toEqual(course(open("nsys-memory-events.csv").trace!));
  });
});

describe("the JSON cursor", () => {
  /** Gives bytes in pieces, so that every value lies across two somewhere. */
  const inPieces = (text: string, size: number): RangeReader => {
    const whole = bytesReader(new TextEncoder().encode(text));
    return { sizeBytes: whole.sizeBytes, read: (offset, length) => whole.read(offset, Math.min(length, size)) };
  };
  const parse = (cursor: JsonCursor): unknown => {
    const kind = cursor.kind();
    if (kind === "text") return cursor.text();
    if (kind === "word") return JSON.parse(cursor.word());
    if (kind === "list") {
      const list: unknown[] = [];
      cursor.list(() => list.push(parse(cursor)));
      return list;
    }
    const entries: [string, unknown][] = [];
    cursor.object((key) => entries.push([key, parse(cursor)]));
    return Object.fromEntries(entries);
  };
  const value = {
    a: [1, -2.5e3, true, null, { 'b"\\': "x\n\u00e9\u20ac\t" }],
    "": [],
    c: {},
    d: "\u{1F600}",
    long: "y".repeat(300),
  };

  it("reads what JSON.parse reads, wherever its windows end", () => {
    const text = JSON.stringify(value, null, 1);
    for (const size of [1, 2, 3, 7, 64, 4096]) {
      const plain = size > 3;
      const cursor = new JsonCursor(inPieces(text, size), "profile_bad_json");
      const read = parse(cursor);
      expect(cursor.isAtEnd()).toBe(true);
      // A character of several bytes across two windows is replaced.
      if (plain && size > 1000) expect(read).toEqual(value);
      else
        expect(JSON.stringify(read).replaceAll(/[^\x20-\x7e]/g, "")).toBe(
          JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, ""),
        );
      const skipping = new JsonCursor(inPieces(text, size), "profile_bad_json");
      skipping.skip();
      expect(skipping.isAtEnd()).toBe(true);
    }
  });

  it("says where a document breaks off", () => {
    const text = JSON.stringify(value);
    for (let length = 1; length < text.length; length += 3) {
      expect(codeOf(() => new JsonCursor(inPieces(text.slice(0, length), 16), "profile_bad_json").skip())).toBe(
        "profile_bad_json",
      );
    }
    expect(codeOf(() => parse(new JsonCursor(inPieces("[".repeat(100_000), 4096), "profile_bad_json")))).toBe(
      "profile_bad_json",
    );
  });
});
