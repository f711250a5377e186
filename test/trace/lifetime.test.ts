/** How blocks go: what the lines of birth and death, operators and saved slots say about why then. */

import { describe, expect, it } from "vitest";
import { MIB } from "../../src/base/bytes.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { deathOf, savedByBlock } from "../../src/trace/lifetime.ts";
import type { Phase } from "../../src/trace/model.ts";
import { block, META } from "./sample.ts";

const FREE_AT = { op: -1, phase: "other" as Phase };

/** One block, made at `born`, freed at `died`; between them another lives for a moment at `between`. */
function death(
  places: (t: TraceBuilder) => { born: number; died: number; between: number },
  how: { op: number; phase: Phase } = FREE_AT,
) {
  const t = new TraceBuilder();
  t.op("aten::mm");
  const { born, died, between } = places(t);
  const made = t.alloc(block({ address: 0, bytes: MIB, frame: born }), MIB, 20 * MIB);
  const other = t.alloc(block({ address: MIB, bytes: MIB, frame: between }), 2 * MIB, 20 * MIB);
  t.free(other, { frame: between, op: -1, module: -1, phase: "other" }, MIB, 20 * MIB);
  if (died !== -2) t.free(made, { frame: died, op: how.op, module: -1, phase: how.phase }, 0, 20 * MIB);
  return deathOf(t.finish(META), made).kind;
}

describe("a block goes", () => {
  const main = (t: TraceBuilder, line: number) => t.frame(-1, "net.py", line, "<module>");
  const inside = (t: TraceBuilder, call: number, line: number) => t.frame(main(t, call), "net.py", line, "f");

  it("with the expression that made it", () => {
    expect(death((t) => ({ born: main(t, 1), died: main(t, 1), between: inside(t, 1, 9) }))).toBe("expression");
  });
  it("when its line runs again, after others", () => {
    expect(death((t) => ({ born: main(t, 1), died: main(t, 1), between: main(t, 2) }))).toBe("rebound");
  });
  it("when a later line of the function gives its name away", () => {
    expect(death((t) => ({ born: inside(t, 1, 8), died: inside(t, 1, 9), between: inside(t, 1, 9) }))).toBe("rebound");
    expect(death((t) => ({ born: inside(t, 1, 8), died: main(t, 2), between: main(t, 2) }))).toBe("rebound");
  });
  it("when the function that held it returns", () => {
    expect(death((t) => ({ born: inside(t, 1, 8), died: main(t, 1), between: inside(t, 1, 9) }))).toBe("returned");
  });
  it("when the line that called the function runs again", () => {
    expect(death((t) => ({ born: inside(t, 1, 8), died: main(t, 1), between: main(t, 2) }))).toBe("rebound");
  });
  it("in an operator", () => {
    const places = (t: TraceBuilder) => ({ born: main(t, 1), died: main(t, 1), between: main(t, 1) });
    expect(death(places, { op: 0, phase: "forward" })).toBe("operator");
  });
  it("somewhere else, after everything, or never", () => {
    expect(death((t) => ({ born: main(t, 1), died: t.frame(-1, "other.py", 1, "g"), between: -1 }))).toBe("elsewhere");
    expect(death((t) => ({ born: main(t, 1), died: -1, between: -1 }))).toBe("after");
    expect(death((t) => ({ born: main(t, 1), died: -2, between: -1 }))).toBe("end");
  });

  it("when backward has run the node that kept it", () => {
    const t = new TraceBuilder();
    const [forward, backward] = [main(t, 1), main(t, 2)];
    const made = t.alloc(block({ address: 0, bytes: MIB, frame: forward }), MIB, 20 * MIB);
    const shared = { block: made, shape: [512, 512], dtype: "float32", frame: forward, module: -1 };
    const first = t.saved({ ...shared, node: "MulBackward0", slot: "other" });
    const second = t.saved({ ...shared, node: "SoftmaxBackward0", slot: "result" });
    t.savedEnded(first, "backward", backward);
    t.mark("between", backward);
    t.savedEnded(second, "backward", backward);
    t.free(made, { frame: backward, op: -1, module: -1, phase: "backward" }, 0, 20 * MIB);
    const trace = t.finish(META);
    const rows = savedByBlock(trace).get(made);
    expect(rows).toEqual([first, second]);
    expect(deathOf(trace, made, rows)).toEqual({
      kind: "backward",
      event: 2,
      frame: backward,
      node: "SoftmaxBackward0",
    });
  });
});
