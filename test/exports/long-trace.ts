/** A trace with as many events as a test wants: blocks of random sizes, each freed some time later. */

import { MIB } from "../../src/base/bytes.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { CATEGORIES, type Trace } from "../../src/trace/model.ts";
import { block, META } from "../trace/sample.ts";

export function longTrace(events: number): Trace {
  const t = new TraceBuilder();
  const top = t.frame(-1, "long.py", 1, "<module>");
  const frames = Array.from({ length: 50 }, (_, line) => t.frame(top, "long.py", line + 10, `step_${line}`));
  const ops = ["aten::mm", "aten::add", "aten::relu"].map((name) => t.op(name));
  const SEGMENT = 64 * MIB;
  let allocated = 0;
  t.segment("segment_alloc", 0, SEGMENT, { frame: top, op: ops[0]! }, 0, SEGMENT);
  const alive: { index: number; bytes: number }[] = [];
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const slots = Array.from({ length: 64 }, (_, slot) => slot);
  const slotOf = new Map<number, number>();
  while (t.eventCount < events) {
    if (slots.length === 0 || (alive.length > 8 && random(2) === 0)) {
      const { index, bytes } = alive.splice(random(alive.length), 1)[0]!;
      allocated -= bytes;
      slots.push(slotOf.get(index)!);
      t.free(index, { frame: frames[random(50)]!, op: ops[0]!, module: -1, phase: "forward" }, allocated, SEGMENT);
      continue;
    }
    const slot = slots.pop()!;
    const bytes = 512 * (1 + random(2048));
    allocated += bytes;
    const index = t.alloc(
      block({
        address: slot * MIB,
        bytes,
        requestedBytes: bytes - random(512),
        frame: frames[random(50)],
        op: ops[random(3)],
        category: CATEGORIES[random(CATEGORIES.length)],
      }),
      allocated,
      SEGMENT,
    );
    slotOf.set(index, slot);
    alive.push({ index, bytes });
  }
  return t.finish({ ...META, program: "long.py" });
}
