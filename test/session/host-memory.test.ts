/** Memory of tensors on the CPU: what is alive, the most that was, and the line of the largest. */

import { expect, it } from "vitest";
import { HostMemory } from "../../src/session/host-memory.ts";

it("knows the peak after it is over, and the line that made the largest tensor", () => {
  const host = new HostMemory();
  expect([host.bytes, host.peakBytes, host.largestFrame]).toEqual([0, 0, -1]);
  host.taken(100, 3);
  host.taken(200, 5);
  host.freed(200);
  host.taken(150, 7);
  expect([host.bytes, host.peakBytes, host.largestFrame]).toEqual([250, 300, 5]);
});

it("keeps the first line of those that made as much", () => {
  const host = new HostMemory();
  host.taken(100, 3);
  host.taken(100, 4);
  expect(host.largestFrame).toBe(3);
});
