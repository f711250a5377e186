// A run's requests once more, in an address space that a real process had: where segments lie decides between free blocks
// of equal size, so some bytes of remainders depend on it, and no program says where the driver puts them.
const ALLOC = 0;
const FREE = 1;
const ENDLESS_BYTES = 2 ** 50;

/** `{ranges: [["0x710000000", "0x775200000", 0], ...]}`: from, to, and how many segments come before the range is used. */
const driverOf = (RangedMemory, layout) =>
  new RangedMemory(layout.ranges.map(([from, to, after]) => ({ from: Number(from), to: Number(to), after })));

/**
 * Where the recorded step lies among the requests: it has `events` allocations and frees, and `tail` frees follow its last
 * allocation, which is the last of the process.
 */
function stepOf(requests, { events, tail }) {
  const last = requests.findLastIndex(([kind]) => kind === ALLOC);
  return { from: last + tail + 1 - events, to: last + tail + 1 };
}

/**
 * Runs the requests of a trace in the layout. Gives bytes at the start and end of the step, its peak, and what was
 * reserved at its end; and the size and address of each allocation in it.
 */
export async function replayOn(trace, torch, layout, step) {
  const { CachingAllocator, RangedMemory } = await import("../../dist/engine.js");
  const { kind, block } = trace.events;
  const requests = [];
  for (let i = 0; i < kind.length; i++) if (kind[i] === ALLOC || kind[i] === FREE) requests.push([kind[i], block[i]]);
  const { from, to } = stepOf(requests, step);
  const allocator = new CachingAllocator({ totalBytes: ENDLESS_BYTES, torch, driver: driverOf(RangedMemory, layout) });
  const live = new Map();
  const addresses = [];
  let start = 0;
  let peak = 0;
  requests.slice(0, to).forEach(([what, id], i) => {
    if (i === from) start = peak = allocator.memoryAllocated();
    if (what === FREE) {
      allocator.free(live.get(id));
      return;
    }
    const bytes = trace.blocks[id].requestedBytes;
    const given = allocator.malloc(bytes);
    live.set(id, given);
    peak = Math.max(peak, allocator.memoryAllocated());
    if (i >= from) addresses.push([bytes, given.address]);
  });
  const bytes = { start, peak, end: allocator.memoryAllocated(), reserved: allocator.memoryReserved() };
  return { bytes, addresses };
}
