/** Goes on with a run whose last steps repeat: the requests of the steps that were left out, through the caching allocator alone. */

import type { Block, CachingAllocator } from "../alloc/index.ts";
import { OutOfMemoryError } from "../alloc/index.ts";
import type { Trace } from "../trace/model.ts";
import type { StepPattern } from "./pattern.ts";
import { EVEN, type Extra, type Uneven } from "./uneven.ts";

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
 * @param uneven what the pattern does not say of them
 */
export function continueSteps(
  pattern: StepPattern,
  steps: number,
  allocator: CachingAllocator,
  { sizes, extras }: Uneven = EVEN,
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
  const liveExtras = new Map<Extra, { readonly block: Block; readonly requestedBytes: number }>();
  let extrasAtPeak: readonly ExtraAtPeak[] = [];
  /** @param moment the request after which it looks */
  const lookForPeak = (moment: number): void => {
    if (allocator.memoryAllocated() <= allocatedPeakBytes) return;
    allocatedPeakBytes = allocator.memoryAllocated();
    peakAt = moment;
    extrasAtPeak = [...liveExtras].map(([{ like }, { block, requestedBytes }]) => ({
      like,
      requestedBytes,
      bytes: block.bytes,
    }));
  };
  const takeExtras = (index: number, more: number): void => {
    for (const moment of extras.get(index) ?? []) {
      if ("take" in moment) {
        const requestedBytes = moment.take.series[more - 1]!;
        const block = requestedBytes === null ? null : allocator.malloc(requestedBytes);
        if (block !== null) liveExtras.set(moment.take, { block, requestedBytes });
        lookForPeak(at - 1);
      } else {
        const given = liveExtras.get(moment.giveBack);
        if (given !== undefined) allocator.free(given.block);
        liveExtras.delete(moment.giveBack);
      }
    }
  };
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
        takeExtras(index, more);
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
        lookForPeak(at);
      }
      takeExtras(step.length, more);
    }
  } catch (error) {
    if (!(error instanceof OutOfMemoryError)) throw error;
    outOfMemory = true;
  }
  const reservedPeakBytes = allocator.memoryReserved();
  const atPeak = aliveAt(pattern, peakAt, charged, sizes, extrasAtPeak);
  return { outOfMemory, allocatedPeakBytes, reservedPeakBytes, atPeak };
}

interface ExtraAtPeak {
  /** Event of the pattern's trace. */
  readonly like: number;
  readonly bytes: number;
  readonly requestedBytes: number;
}

/** The blocks that live right after request `moment`, and the extra ones; each taken once and never given back. */
function aliveAt(
  { requests, step, end }: StepPattern,
  moment: number,
  charged: Float64Array,
  sizes: Uneven["sizes"],
  extras: readonly ExtraAtPeak[],
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
  const alive = moments.map((at) => {
    const event = events[seen(at)]!;
    const { requestedBytes, shape } = trace.blocks[trace.events.block[event]!]!;
    const more = at < end ? 0 : 1 + Math.floor((at - end) / step.length);
    const growth = at < end ? 0 : step[(at - end) % step.length]!.growthBytes;
    return {
      like: event,
      bytes: charged[at]!,
      requestedBytes: (at < end ? undefined : sizeOf(at)) ?? requestedBytes + more * growth,
      shape: more === 0 ? shape : null,
    };
  });
  const all = [...alive, ...extras.map((extra) => ({ ...extra, shape: null }))];
  let allocatedBytes = 0;
  const totals = all.map(({ bytes }) => (allocatedBytes += bytes));
  const column = (values: ArrayLike<number>): Int32Array => Int32Array.from(all, ({ like }) => values[like]!);
  const blocks = all.map(({ like, ...own }, index) => ({
    ...trace.blocks[trace.events.block[like]!]!,
    ...own,
    allocEvent: index,
    freeEvent: -1,
  }));
  return {
    ...trace,
    blocks,
    events: {
      kind: new Uint8Array(all.length),
      block: Int32Array.from(all.keys()),
      address: Float64Array.from(blocks, ({ address }) => address),
      bytes: Float64Array.from(blocks, ({ bytes }) => bytes),
      allocatedBytes: Float64Array.from(totals),
      reservedBytes: new Float64Array(all.length),
      frame: column(trace.events.frame),
      op: column(trace.events.op),
      module: column(trace.events.module),
      phase: Uint8Array.from(all, ({ like }) => trace.events.phase[like]!),
    },
  };
}
