/** Snapshots made up for one question each: histories as they come, and what a block is charged. */

import { describe, expect, it } from "vitest";
import { CachingAllocator, parseAllocConf } from "../../src/alloc/index.ts";
import { GIB, KIB, MIB } from "../../src/base/bytes.ts";
import { PickleWriter, type Plain } from "../../src/exports/pickle-writer.ts";
import { traceFacts } from "../../src/exports/trace-facts.ts";
import { openFile } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { EVENT_KINDS, type Trace } from "../../src/trace/model.ts";
import { allocatedBefore } from "../../src/trace/queries.ts";
import { verifyTrace } from "../../src/trace/verify.ts";
import { randomNumbers } from "./random-numbers.ts";

const open = (bytes: Uint8Array, device?: number) => openFile(bytesReader(bytes), { name: "s.pickle", device });

/** A snapshot as Python would write it. */
function snapshot(parts: {
  segments: Plain;
  entries: readonly (readonly Plain[])[];
  more?: Record<string, Plain>;
}): Uint8Array {
  const writer = new PickleWriter();
  writer.value({ segments: parts.segments, device_traces: parts.entries, ...parts.more });
  return Buffer.concat([...writer.take(true)]);
}

const FRAME = { name: "main", filename: "/home/u/train.py", line: 7 };
const BASE = 0x7f00_0000_0000;
const entry = (action: string, addr: number, size: number, more: Record<string, Plain> = {}) => ({
  action,
  addr,
  size,
  stream: 0,
  frames: [FRAME],
  ...more,
});
const segment = (
  address: number,
  bytes: number,
  blocks: readonly (readonly [bytes: number, requested: number])[],
  more: Record<string, Plain> = {},
) => {
  let at = address;
  return {
    device: 0,
    address,
    total_size: bytes,
    stream: 0,
    segment_type: bytes === 2 * MIB ? "small" : "large",
    blocks: blocks.map(([size, requested]) => {
      const block = {
        address: at,
        size,
        requested_size: requested,
        state: requested > 0 ? "active_allocated" : "inactive",
        frames: [],
      };
      at += size;
      return block;
    }),
    ...more,
  };
};
const kinds = (trace: Trace) => [...trace.events.kind].map((kind) => EVENT_KINDS[kind]);
const codes = (bytes: Uint8Array) => open(bytes).notes.map(({ code }) => code);

describe("histories as they come", () => {
  it("a remainder of a block from before shows when the next block is cut behind it", () => {
    // 20 MiB: a block of 5 MiB + 512 KiB that kept 256 KiB, then 3 MiB cut right behind it while both lived
    const cut = BASE + 5.75 * MIB;
    const bytes = snapshot({
      segments: [segment(BASE, 20 * MIB, [[20 * MIB, 0]])],
      entries: [
        [
          entry("alloc", cut, 3 * MIB),
          entry("free_requested", BASE, 5.5 * MIB),
          entry("free_completed", BASE, 5.5 * MIB),
          entry("free_requested", cut, 3 * MIB),
          entry("free_completed", cut, 3 * MIB),
        ],
      ],
    });
    const { trace } = open(bytes);
    expect(trace!.blocks.map((block) => [block.requestedBytes, block.bytes])).toEqual([
      [5.5 * MIB, 5.75 * MIB],
      [3 * MIB, 3 * MIB],
    ]);
    expect([...trace!.events.allocatedBytes]).toEqual([8.75 * MIB, 3 * MIB, 0]);
  });

  it("a free that waits for another stream is two events; the block is given back at the first", () => {
    const bytes = snapshot({
      segments: [
        segment(BASE, 2 * MIB, [
          [1024, 0],
          [2 * MIB - 1024, 0],
        ]),
      ],
      entries: [
        [
          entry("alloc", BASE, 1000),
          entry("free_requested", BASE, 1000),
          entry("alloc", BASE + 1024, 512),
          entry("free_completed", BASE, 1000),
          entry("free_requested", BASE + 1024, 512),
          entry("free_completed", BASE + 1024, 512),
        ],
      ],
    });
    const { trace } = open(bytes);
    expect(kinds(trace!)).toEqual(["alloc", "free_requested", "alloc", "free_completed", "free_requested"]);
    expect([...trace!.events.allocatedBytes]).toEqual([1024, 0, 512, 512, 0]);
    expect(verifyTrace(trace!)).toEqual([]);
  });

  it("expandable segments, a failed request, notes on tensors", () => {
    const bytes = snapshot({
      segments: [
        segment(
          BASE,
          40 * MIB,
          [
            [24 * MIB, 24 * MIB],
            [16 * MIB, 0],
          ],
          { is_expandable: true },
        ),
      ],
      entries: [
        [
          entry("segment_map", BASE, 40 * MIB),
          entry("alloc", BASE, 24 * MIB),
          entry("annotate", BASE, 0, { user_metadata: "logits" }),
          { action: "oom", device_free: 7 * MIB, size: 3 * GIB, stream: 0, frames: [FRAME] },
        ],
      ],
    });
    const { trace, notes } = open(bytes);
    expect(kinds(trace!)).toEqual(["segment_map", "alloc", "mark", "oom"]);
    expect([...trace!.events.reservedBytes]).toEqual([40 * MIB, 40 * MIB, 40 * MIB, 40 * MIB]);
    expect(trace!.marks).toEqual({ 2: "logits" });
    expect(trace!.failures).toMatchObject([{ event: 3, segmentBytes: 3 * GIB, freeBytes: 7 * MIB }]);
    expect(notes.map(({ code }) => code)).toContain("snapshot_expandable");
    expect(traceFacts(trace!).status).toBe("out_of_memory");
  });

  it("several devices: the first that did anything, or the one asked for", () => {
    const bytes = snapshot({
      segments: [
        segment(
          BASE,
          2 * MIB,
          [
            [512, 100],
            [2 * MIB - 512, 0],
          ],
          { device: 2 },
        ),
      ],
      entries: [
        [],
        [entry("alloc", BASE + 4 * MIB, 700), entry("free_requested", BASE + 4 * MIB, 700)],
        [entry("alloc", BASE, 100)],
      ],
    });
    expect(open(bytes).trace!.gpu).toBe("cuda:1");
    expect(open(bytes).notes.find(({ code }) => code === "snapshot_other_devices")!.args).toEqual({ devices: "2" });
    expect([...open(bytes, 2).trace!.events.allocatedBytes]).toEqual([512]);
    expect(() => open(bytes, 5)).toThrow("snapshot_no_such_device");
  });

  it("a state without a history, as torch.cuda.memory_snapshot() gives it", () => {
    const writer = new PickleWriter();
    writer.value([
      segment(BASE, 20 * MIB, [
        [12 * MIB, 12 * MIB - 100],
        [8 * MIB, 0],
      ]),
    ]);
    const bytes = Buffer.concat([...writer.take(true)]);
    const { trace, notes } = open(bytes);
    expect(traceFacts(trace!).allocated.peakBytes).toBe(12 * MIB);
    expect(traceFacts(trace!).reserved.endBytes).toBe(20 * MIB);
    expect(notes[0]!.code).toBe("snapshot_no_history");
  });

  it("gaps: an address handed out twice, and what the end does not fit", () => {
    const bytes = snapshot({
      segments: [
        segment(BASE, 2 * MIB, [
          [512, 0],
          [1024, 800],
          [2 * MIB - 1536, 0],
        ]),
      ],
      entries: [[entry("alloc", BASE, 300), entry("alloc", BASE, 400), entry("alloc", BASE + 512, 800)]],
    });
    const { trace } = open(bytes);
    expect(verifyTrace(trace!)).toEqual([]);
    expect(trace!.events.allocatedBytes.at(-1)).toBe(1024);
    expect(codes(bytes)).toContain("snapshot_gaps");
  });

  it("says why stacks are missing", () => {
    const bare = (action: string, addr: number, size: number) => ({ action, addr, size, stream: 0 });
    const none = snapshot({ segments: [], entries: [[bare("alloc", BASE, 512), bare("free_requested", BASE, 512)]] });
    expect(codes(none)).toContain("snapshot_no_stacks");
    const module = { name: "_call_impl", filename: "/x/site-packages/torch/nn/modules/module.py", line: 1 };
    const inForward = { frames: [FRAME, module] };
    const thread = snapshot({
      segments: [],
      entries: [
        [
          entry("alloc", BASE, 512, inForward),
          bare("alloc", BASE + 512, 512),
          bare("free_requested", BASE, 512),
          bare("free_requested", BASE + 512, 512),
        ],
      ],
    });
    expect(codes(thread)).toContain("snapshot_backward_thread");
    expect(open(thread).trace!.blocks.map(({ category }) => category)).toEqual(["activation", "temporary"]);
    const cut = snapshot({
      segments: [
        {
          ...segment(BASE, 2 * MIB, []),
          blocks: [
            { address: BASE, size: 2 * MIB, requested_size: 2 * MIB - 5, state: "active_allocated", frames: [FRAME] },
          ],
        },
      ],
      entries: [[entry("alloc", BASE + 4 * MIB, 512), entry("free_requested", BASE + 4 * MIB, 512)]],
    });
    expect(codes(cut)).toContain("snapshot_cut");
    expect(open(cut).trace!.frames[open(cut).trace!.blocks[0]!.frame]).toMatchObject({ line: 7 });
  });

  it("private pools are named", () => {
    const bytes = snapshot({
      segments: [segment(BASE, 2 * MIB, [[2 * MIB, 0]], { segment_pool_id: [0, 3] })],
      entries: [[]],
    });
    expect(open(bytes).notes.find(({ code }) => code === "snapshot_private_pools")!.args).toEqual({
      count: 1,
      poolBytes: 2 * MIB,
      usedBytes: 0,
    });
  });
});

it("charges as the allocator does, whatever it is asked for", () => {
  // random requests through the real allocator, the history cut at its middle
  for (const conf of ["", "roundup_power2_divisions:4", "max_split_size_mb:64", "expandable_segments:True"]) {
    const entries: Plain[] = [];
    const allocator = new CachingAllocator({
      totalBytes: 2 ** 44,
      config: parseAllocConf(conf),
      onEvent: ({ kind, address, bytes, requestedBytes }) =>
        void entries.push(entry(kind, address, kind.startsWith("segment") ? bytes : requestedBytes)),
    });
    const random = randomNumbers(77);
    const live: ReturnType<typeof allocator.malloc>[] = [];
    let startBytes = 0;
    let peakBytes = 0;
    for (let round = 0; round < 4000; round++) {
      if (round === 2000) {
        entries.length = 0;
        startBytes = peakBytes = allocator.memoryAllocated();
      }
      if (live.length > 60 || (live.length > 0 && random() < 0.45))
        allocator.free(live.splice(Math.floor(random() * live.length), 1)[0]!);
      else live.push(allocator.malloc(Math.ceil(random() < 0.5 ? random() * 900 * KIB : random() * 90 * MIB), 0));
      peakBytes = Math.max(peakBytes, allocator.memoryAllocated());
    }
    const segments = allocator.snapshot().map((part) => ({
      device: 0,
      address: part.address,
      total_size: part.totalBytes,
      stream: 0,
      segment_type: part.type,
      is_expandable: part.isExpandable,
      blocks: part.blocks.map(({ address, bytes, requestedBytes, state: is }) => ({
        address,
        size: bytes,
        requested_size: requestedBytes,
        state: is,
        frames: [],
      })),
    }));
    const settings = { PYTORCH_CUDA_ALLOC_CONF: conf };
    const { trace, notes } = open(
      snapshot({ segments, entries: [entries as Plain[]], more: { allocator_settings: settings } }),
    );
    expect(verifyTrace(trace!), conf).toEqual([]);
    expect(trace!.events.allocatedBytes.at(-1), conf).toBe(allocator.memoryAllocated());
    expect(trace!.events.reservedBytes.at(-1), conf).toBe(allocator.memoryReserved());
    expect(
      notes.map(({ code }) => code),
      conf,
    ).not.toContain("snapshot_charged_otherwise");
    expect([allocatedBefore(trace!, 0), traceFacts(trace!).allocated.peakBytes], conf).toEqual([startBytes, peakBytes]);
  }
});
