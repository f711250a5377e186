/** A trace in shared memory: whoever holds the buffers reads at any moment what was recorded up to then. */

import { describe, expect, it } from "vitest";
import { readRecorded } from "../../src/trace/assemble.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import type { Trace } from "../../src/trace/model.ts";
import {
  copyOf,
  GatheredPortions,
  placesOf,
  portionsOf,
  sharedTrace,
  type SharedTrace,
} from "../../src/trace/recorder-memory.ts";
import { verifyTrace } from "../../src/trace/verify.ts";
import { block, META, recordSample, sampleTrace } from "./sample.ts";

const readSharedTrace = (memory: SharedTrace, meta: typeof META): Trace => {
  const trace = readRecorded(copyOf(memory), meta);
  if (trace === null) throw new Error("no trace was left");
  return trace;
};

function shared(): SharedTrace {
  const memory = sharedTrace();
  if (memory === null) throw new Error("this Node has no shared memory that grows");
  return memory;
}

/** Looks after each call of the recorder. */
function watched(recorder: TraceBuilder, look: () => void): TraceBuilder {
  return new Proxy(recorder, {
    get: (target, name) => {
      const method = Reflect.get(target, name, target) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        const result = method.apply(target, args);
        look();
        return result;
      };
    },
  });
}

describe("a shared trace", () => {
  it("is the trace that its recorder finishes", () => {
    const memory = shared();
    const recorder = new TraceBuilder(memory);
    recordSample(recorder);
    expect(readSharedTrace(memory, META)).toEqual(sampleTrace());
    expect(readSharedTrace(memory, META)).toEqual(recorder.finish(META));
  });

  it("is whole after every step of its recorder", () => {
    const memory = shared();
    const seen: Trace[] = [];
    recordSample(watched(new TraceBuilder(memory), () => seen.push(readSharedTrace(memory, META))));
    expect(seen.length).toBeGreaterThan(20);
    for (const trace of seen) expect(verifyTrace(trace)).toEqual([]);
    const counts = seen.map((trace) => trace.events.kind.length);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it("comes in portions that give the whole, however they are cut", () => {
    for (const every of [1, 2, 7, 1000]) {
      const memory = shared();
      const next = portionsOf(memory);
      const gathered = new GatheredPortions();
      let calls = 0;
      const look = (): void => {
        calls += 1;
        const portion = calls % every === 0 ? next(false) : null;
        if (portion !== null) gathered.add(portion);
      };
      recordSample(watched(new TraceBuilder(memory), look));
      expect(calls).toBeGreaterThan(20);
      gathered.add(next(true)!);
      expect(next(false)).toBeNull();
      expect(readRecorded(gathered.take(), META)).toEqual(sampleTrace());
    }
  });

  it("leaves out what its recorder was about to write", () => {
    const memory = shared();
    const recorder = new TraceBuilder(memory);
    const frame = recorder.frame(-1, "a.py", 1, "f");
    const first = recorder.alloc(block({ address: 0, bytes: 512, frame, shape: [2, 3], dtype: "float32" }), 512, 2048);
    recorder.saved({ block: first, node: "N", slot: "s", shape: [2], dtype: "float32", frame, module: -1 });
    recorder.free(first, { frame, op: -1, module: -1, phase: "other" }, 0, 2048);
    const half = structuredClone(memory);
    // as if the thread had ended between a row and its count: the event of the free does not count yet
    Atomics.store(new Int32Array(half["trace.counts"]!), 0, 1);
    const trace = readSharedTrace(half, META);
    expect(trace.blocks).toHaveLength(1);
    expect(trace.blocks[0]).toMatchObject({ allocEvent: 0, freeEvent: -1, shape: [2, 3], dtype: "float32" });
    expect(verifyTrace(trace)).toEqual([]);
    Atomics.store(new Int32Array(half["trace.counts"]!), 0, 0);
    expect(readSharedTrace(half, META)).toMatchObject({ blocks: [], saved: { block: new Int32Array(0) } });
  });

  it("grows in place, and names of every kind come through", () => {
    const memory = shared();
    const recorder = new TraceBuilder(memory);
    const name = "\ud800 \n \u0000 漢 ".repeat(20);
    recorder.module("long ".repeat(2_000_000));
    const frame = recorder.frame(-1, name, 3, name);
    const [op, module] = [recorder.op(name), recorder.module(name)];
    for (let index = 0; index < 5000; index++) {
      const made = recorder.alloc(
        block({ address: 512 * index, bytes: 512, frame, op, module }),
        512 * (index + 1),
        2 ** 30,
      );
      recorder.describe(made, "int8", [index, 2 ** 40]);
      recorder.remark(made, `${name}${index % 3}`);
      recorder.assumption("unknown_value", { name, highBytes: index % 7 }, frame);
    }
    recorder.mark(name, frame);
    const trace = readSharedTrace(memory, META);
    expect(trace).toEqual(recorder.finish(META));
    expect([trace.blocks.length, trace.blocks[4999]!.shape, trace.frames[frame]!.file]).toEqual([
      5000,
      [4999, 2 ** 40],
      name,
    ]);
    expect(trace.assumptions).toEqual([{ code: "unknown_value", args: { name, highBytes: 6 }, frame, count: 5000 }]);
  });

  it("knows where the program is", () => {
    const memory = shared();
    const recorder = new TraceBuilder(memory);
    expect(placesOf(copyOf(memory))).toEqual({ stopFrame: 0, lineFrame: 0, lineEvents: 0 });
    const frame = recorder.frame(-1, "a.py", 1, "f");
    recorder.mark("m", frame);
    recorder.reached(frame, false);
    recorder.reached(frame, true);
    expect(placesOf(copyOf(memory))).toEqual({ stopFrame: 1, lineFrame: 1, lineEvents: 1 });
  });
});
