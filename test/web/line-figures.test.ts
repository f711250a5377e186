/** The figures beside each line, against sums over the blocks and a walk that looks at every event anew. */

import { describe, expect, it } from "vitest";
import { lineFigures } from "../../web/src/editor/line-figures.ts";
import { TraceBuilder } from "../../src/engine.ts";
import type { Trace } from "../../src/trace/model.ts";
import { vramscope } from "../built.ts";

const PROGRAM = `import torch
def double(x):
    y = x + x
    z = y * 2
    return z
a = torch.ones(1024, 256, device="cuda")
b = double(a)
for i in range(3):
    c = double(a)
    d = (a * 2) + (a * 3)
del b
`;

/** Lines of the file on the stack of an event, without the shortcuts of the code under test. */
function linesOn(trace: Trace, event: number): Set<number> {
  const lines = new Set<number>();
  for (let frame = trace.events.frame[event]!; frame >= 0; frame = trace.frames[frame]!.parent) {
    if (trace.frames[frame]!.file === "p.py") lines.add(trace.frames[frame]!.line);
  }
  return lines;
}

describe("figures beside lines", () => {
  it("agree with what the events say", async () => {
    const { trace, stats } = await vramscope.run({ script: "p.py", source: PROGRAM });
    const figures = lineFigures(trace, "p.py");
    const { allocatedBytes } = trace.events;
    for (const [line, row] of figures) {
      const on = Array.from({ length: allocatedBytes.length }, (_, event) => linesOn(trace, event).has(line));
      let net = 0;
      let peak = 0;
      let temporary = 0;
      let visitStart = 0;
      let highest = 0;
      on.forEach((at, event) => {
        const before = event === 0 ? 0 : allocatedBytes[event - 1]!;
        if (!at) return;
        if (event === 0 || !on[event - 1]) [visitStart, highest] = [before, 0];
        highest = Math.max(highest, allocatedBytes[event]!);
        net += allocatedBytes[event]! - before;
        peak = Math.max(peak, allocatedBytes[event]!);
        if (!on[event + 1]) temporary = Math.max(temporary, highest - Math.max(visitStart, allocatedBytes[event]!));
      });
      expect({ line, ...row }).toMatchObject({ line, netBytes: net, peakBytes: peak, temporaryBytes: temporary });
      expect(row.allocatedBytes).toBe(allocatedBytes[on.lastIndexOf(true)]);
    }
    const alive = trace.blocks.filter(
      ({ allocEvent, freeEvent }) => allocEvent <= stats.peakEvent && (freeEvent === -1 || freeEvent > stats.peakEvent),
    );
    // every block was made at one line of the module, which is on its stack
    const outer = [6, 7, 9, 10].reduce((sum, line) => sum + (figures.get(line)?.atPeakBytes ?? 0), 0);
    expect(outer).toBe(alive.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(figures.get(6)?.netBytes).toBe(1024 * 256 * 4);
    // y and z live together, one of them goes
    expect(figures.get(7)).toMatchObject({ netBytes: 1 << 20, temporaryBytes: 1 << 20 });
  });

  it("are none without events", () => {
    const trace = new TraceBuilder().finish({ source: "", program: "", gpu: "", capacityBytes: 0, torch: "" });
    expect(lineFigures(trace, "p.py").size).toBe(0);
  });
});
