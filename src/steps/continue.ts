/** Goes on with a run whose last steps repeat: the requests of the steps that were left out, through the caching allocator alone. */

import type { Block, CachingAllocator } from "../alloc/index.ts";
import { OutOfMemoryError } from "../alloc/index.ts";
import type { Trace } from "../trace/model.ts";
import type { StepPattern } from "./pattern.ts";

/** Bytes of a request at each further step, by its index in the step; null where the step does without it. */
export type UnevenSizes = ReadonlyMap<number, readonly (number | null)[]>;

export interface Continuation {
  readonly outOfMemory: boolean;
  /** The highest that the continued steps reached. */
  readonly allocatedPeakBytes: number;
  readonly reservedPeakBytes: number;
  /** The run at that peak, as a trace of the blocks that were alive then; the record ends with it. */
  readonly atPeak: Trace;
}

/**
 * @param allocator fresh, of the machine on which the run took place
 * @param steps how many more there are
 * @param sizes bytes of requests that do not grow evenly, by index in the step and by step
 */
export function continueSteps(
  pattern: StepPattern,
  steps: number,
  allocator: CachingAllocator,
  sizes: UnevenSizes = new Map(),
): Continuation {
  const { step, end } = pattern;
  const { trace, events, signs } = pattern.requests;
  const blockAt = (index: number): Trace["blocks"][number] => trace.blocks[trace.events.block[events[index]!]!]!;
  // a request's block is asked for again no later than the farthest free looks back
  const reach =
    step.reduce(
      (most, { back }) => Math.max(most, back),
      signs.reduce((most, sign) => Math.max(most, -sign), 0),
    ) + 1;
  const live: (Block | null)[] = Array.from({ length: reach }, () => null);
  const charged = new Float64Array(end + steps * step.length);
  const take = (at: number, bytes: number, stream: number): void => {
    const block = allocator.malloc(bytes, stream);
    live[at % reach] = block;
    charged[at] = block?.bytes ?? 0;
  };
  const giveBack = (at: number): void => {
    const block = live[at % reach]!;
    if (block !== null) allocator.free(block);
    live[at % reach] = null;
  };
  let allocatedPeakBytes = 0;
  let peakAt = -1;
  let at = 0;
  let outOfMemory = false;
  try {
    for (; at < end; at++) {
      if (signs[at]! < 0) giveBack(at + signs[at]!);
      else take(at, blockAt(at).requestedBytes, blockAt(at).stream);
    }
    const streams = step.map(({ back }, index) => (back > 0 ? 0 : blockAt(end - step.length + index).stream));
    const uneven = step.map((_, index) => sizes.get(index));
    for (let more = 1; more <= steps; more++) {
      for (let index = 0; index < step.length; index++, at++) {
        const { bytes, growthBytes, back } = step[index]!;
        if (back > 0) {
          giveBack(at - back);
          continue;
        }
        const series = uneven[index];
        const asked = series === undefined ? bytes + more * growthBytes : series[more - 1]!;
        if (asked === null) {
          live[at % reach] = null;
          continue;
        }
        take(at, asked, streams[index]!);
        if (allocator.memoryAllocated() > allocatedPeakBytes) {
          allocatedPeakBytes = allocator.memoryAllocated();
          peakAt = at;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof OutOfMemoryError)) throw error;
    outOfMemory = true;
  }
  const reservedPeakBytes = allocator.memoryReserved();
  return { outOfMemory, allocatedPeakBytes, reservedPeakBytes, atPeak: aliveAt(pattern, peakAt, charged, sizes) };
}

/** The blocks that live right after request `moment`, each taken once and never given back. */
function aliveAt(
  { requests, step, end }: StepPattern,
  moment: number,
  charged: Float64Array,
  sizes: UnevenSizes,
): Trace {
  const { trace, events, signs } = requests;
  const sizeOf = (at: number): number | null | undefined =>
    sizes.get((at - end) % step.length)?.[Math.floor((at - end) / step.length)];
  const isAlive = new Uint8Array(moment + 1);
  for (let at = 0; at < end && at <= moment; at++) {
    if (signs[at]! < 0) isAlive[at + signs[at]!] = 0;
    else isAlive[at] = 1;
  }
  const uneven = step.map((_, index) => sizes.get(index));
  for (let begin = end, more = 0; begin <= moment; begin += step.length, more++) {
    for (let index = 0; index < step.length && begin + index <= moment; index++) {
      const { back } = step[index]!;
      if (back > 0) isAlive[begin + index - back] = 0;
      else if (uneven[index]?.[more] !== null) isAlive[begin + index] = 1;
    }
  }
  const moments: number[] = [];
  for (let at = 0; at <= moment; at++) if (isAlive[at] === 1) moments.push(at);
  const seen = (at: number): number => (at < end ? at : end - step.length + ((at - end) % step.length));
  let allocatedBytes = 0;
  const totals = moments.map((at) => (allocatedBytes += charged[at]!));
  const eventOf = moments.map((at) => events[seen(at)]!);
  const column = (values: ArrayLike<number>): Int32Array => Int32Array.from(eventOf, (event) => values[event]!);
  const blocks = moments.map((at, index) => {
    const block = trace.blocks[trace.events.block[eventOf[index]!]!]!;
    const more = at < end ? 0 : 1 + Math.floor((at - end) / step.length);
    const which = (at - end) % step.length;
    const growth = at < end ? 0 : step[which]!.growthBytes;
    const uneven = at < end ? undefined : sizeOf(at);
    return {
      ...block,
      requestedBytes: uneven ?? block.requestedBytes + more * growth,
      bytes: charged[at]!,
      shape: more === 0 ? block.shape : null,
      allocEvent: index,
      freeEvent: -1,
    };
  });
  return {
    ...trace,
    blocks,
    events: {
      kind: new Uint8Array(moments.length),
      block: Int32Array.from(moments.keys()),
      address: Float64Array.from(blocks, ({ address }) => address),
      bytes: Float64Array.from(blocks, ({ bytes }) => bytes),
      allocatedBytes: Float64Array.from(totals),
      reservedBytes: new Float64Array(moments.length),
      frame: column(trace.events.frame),
      op: column(trace.events.op),
      module: column(trace.events.module),
      phase: Uint8Array.from(eventOf, (event) => trace.events.phase[event]!),
    },
  };
}
