/** What a profiler is told: which range memory belongs to (the innermost one, as torch.profiler's self memory), and totals of each device. */

import { expect, it } from "vitest";
import { RangeRecorder } from "../../src/autograd/ranges.ts";

it("memory belongs to the innermost range", () => {
  const ranges = new RangeRecorder();
  ranges.begin("step", "user", 1, -1);
  ranges.changed("cuda", 512, 512, 1);
  ranges.begin("aten::mul", "op", 2, 0);
  ranges.changed("cuda", 1024, 1536, 2);
  ranges.end();
  ranges.changed("cuda", -512, 1024, 1);
  ranges.end();
  expect(ranges.rows.map(({ name, parent, cudaBytes, start, end }) => [name, parent, cudaBytes, start, end])).toEqual([
    ["step", -1, 0, 0, 6],
    ["aten::mul", 0, 1024, 2, 4],
  ]);
  expect(ranges.memory.map(([, , bytes, total, range]) => [bytes, total, range])).toEqual([
    [512, 512, 0],
    [1024, 1536, 1],
    [-512, 1024, 0],
  ]);
});

it("memory outside of all ranges is a row of its own, and the host's is counted apart", () => {
  const ranges = new RangeRecorder();
  ranges.changed("cpu", 100, 0, 7);
  ranges.changed("cpu", -40, 0, 7);
  ranges.changed("cuda", 512, 512, 7);
  expect(ranges.rows.map(({ name, kind, cpuBytes, cudaBytes }) => [name, kind, cpuBytes, cudaBytes])).toEqual([
    ["[memory]", "memory", 100, 0],
    ["[memory]", "memory", -40, 0],
    ["[memory]", "memory", 0, 512],
  ]);
  expect(ranges.memory.map(([, device, , total]) => [device, total])).toEqual([
    ["cpu", 100],
    ["cpu", 60],
    ["cuda", 512],
  ]);
});

it("an end without a beginning is ignored: a profiler may begin inside of a call", () => {
  const ranges = new RangeRecorder();
  ranges.end();
  expect(ranges.rows).toEqual([]);
});
