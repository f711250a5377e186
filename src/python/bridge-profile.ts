/** What torch.profiler and TensorBoard's graph writer ask of the engine: ranges with their memory, and categories over events. */

import { RangeRecorder } from "../autograd/ranges.ts";
import type { Session } from "../session/session.ts";
import { CATEGORIES, EVENT_KINDS } from "../trace/model.ts";

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => unknown>;

export function profileFunctions(session: Session): Functions {
  const { memory, place, trace } = session;
  const finish = () =>
    trace.finish({
      source: "simulated",
      program: "",
      gpu: session.gpu.id,
      capacityBytes: 0,
      torch: session.rules.version,
    });
  return {
    /** False, and nothing changes, where somebody records already and `instead` does not ask to end that. */
    profileStart: (instead: boolean = true) => {
      if (session.ranges !== null && !instead) return false;
      const ranges = new RangeRecorder();
      session.ranges = ranges;
      memory.onChange = (device, bytes) =>
        ranges.changed(device, bytes, memory.allocator.memoryAllocated(), place.frame);
      return true;
    },
    /** Ends the recording and returns it: ranges, changes of memory, and the call stacks that the ranges mention. */
    profileStop: () => {
      const { ranges } = session;
      session.ranges = null;
      memory.onChange = null;
      if (ranges === null) return "null";
      const { frames, modules } = finish();
      const stacks: Record<number, string[]> = {};
      for (const { frame } of ranges.rows) {
        if (frame < 0 || stacks[frame] !== undefined) continue;
        const stack: string[] = [];
        for (let at = frame; at >= 0; at = frames[at]!.parent) {
          const { file, line, name } = frames[at]!;
          stack.push(`${file}(${line}): ${name}`);
        }
        stacks[frame] = stack;
      }
      return JSON.stringify({ ranges: ranges.rows, memory: ranges.memory, stacks, modules });
    },
    profileBegin: (name: string, frame: number) => {
      session.ranges?.begin(name, "user", frame, place.module);
    },
    profileEnd: () => {
      session.ranges?.end();
    },
    /** Allocated bytes by category: names, then for events `first` to `last` the event and the change of one category. */
    categoryTimeline: (first: number, last: number) => {
      const { events, blocks } = finish();
      const before = CATEGORIES.map(() => 0);
      const changes: [number, number, number][] = [];
      for (let event = 0; event < Math.min(last, events.kind.length); event++) {
        const kind = EVENT_KINDS[events.kind[event]!];
        const block = blocks[events.block[event]!];
        if (block === undefined || (kind !== "alloc" && kind !== "free_requested")) continue;
        const category = CATEGORIES.indexOf(block.category);
        const bytes = kind === "alloc" ? block.bytes : -block.bytes;
        if (event < first) before[category]! += bytes;
        else changes.push([event, category, bytes]);
      }
      return JSON.stringify({ categories: CATEGORIES, before, changes });
    },
  };
}
