/** Which passes of a loop are taken for repetitions, told from events that are made up. */

import { describe, expect, it } from "vitest";
import { ENOUGH, GO_ON, PassWatch, REPEATS, WANDERS } from "../../src/session/passes.ts";
import type { Session } from "../../src/session/session.ts";
import { KIND } from "../../src/trace/codes.ts";

const EVENTS = 4_000;
const MOST = 400_000;

/** A loop whose passes ask for `EVENTS` blocks each; `charged`, `layout` and `peak` are those of a pass. */
class Loop {
  pass = 0;
  peak = 1;
  layout = 0;
  readonly columns = {
    kind: new Uint8Array(MOST).fill(KIND.alloc),
    block: Int32Array.from({ length: MOST }, (_, event) => event),
    bytes: new Float64Array(MOST),
    frame: new Int32Array(MOST),
    op: new Int32Array(MOST),
    module: new Int32Array(MOST),
    phase: new Uint8Array(MOST),
    stream: new Int32Array(MOST),
    requestedBytes: new Float64Array(MOST),
  };
  readonly watch: PassWatch;
  readonly trace = { eventCount: 0, columns: this.columns };

  constructor() {
    const allocator = {
      memoryAllocated: () => 1,
      maxMemoryAllocated: () => this.peak,
      maxMemoryReserved: () => this.peak,
      layoutHash: () => this.layout,
    };
    const session = { trace: this.trace, memory: { allocators: [allocator] }, optimizerSteps: 1, operatorCalls: 0 };
    this.watch = new PassWatch(session as unknown as Session, "auto");
  }

  run(requested: number, charged: number): void {
    this.pass += 1;
    for (let i = 0; i < EVENTS; i++) {
      this.columns.requestedBytes[this.trace.eventCount] = requested;
      this.columns.bytes[this.trace.eventCount++] = charged;
    }
  }
}

/** The answers after each pass of a loop, until it is left or `most` have run. */
function answers(
  most: number,
  change: (loop: Loop) => void,
  requested: (pass: number) => number = () => 512,
): number[] {
  const loop = new Loop();
  const id = loop.watch.enter(1, false);
  const found: number[] = [];
  while (found.length < most && (found.at(-1) ?? GO_ON) === GO_ON) {
    change(loop);
    loop.run(requested(loop.pass), 512 + loop.layout);
    found.push(loop.watch.pass(id));
  }
  return found;
}

describe("a loop that asks for the same in each pass", () => {
  it("repeats where its blocks lie as before", () => {
    expect(answers(40, () => {})).toEqual([GO_ON, GO_ON, REPEATS]);
  });

  it("wanders where they lie elsewhere each time and no peak grows any more", () => {
    const found = answers(40, (loop) => {
      loop.layout += 1;
      loop.peak = Math.min(loop.pass, 5);
    });
    expect(found).toHaveLength(14);
    expect(found.at(-1)).toBe(WANDERS);
  });

  it("goes on while a peak grows, and where passes ask for something else", () => {
    const grows = (loop: Loop): void => void ((loop.layout += 1), (loop.peak += 1));
    expect(answers(49, grows).every((answer) => answer === GO_ON)).toBe(true);
    const wanders = (loop: Loop): void => void (loop.layout += 1);
    const found = answers(60, wanders, (pass) => 512 * pass);
    expect([found.length, found.at(-1)]).toEqual([50, ENOUGH]);
  });
});
