/**
 * Tells when the passes of a loop repeat: a pass is what was allocated and freed in it, where, and the allocator's layout
 * afterwards. Passes of inner loops that are like the pass before count once, so that it does not matter how many of them ran.
 */

import type { CachingAllocator } from "../alloc/index.ts";
import { mix } from "../base/mix.ts";
import { foldEvents, foldRequests, hasPhase } from "../trace/fold.ts";
import type { Session } from "./session.ts";

/** Which passes run: those that differ, all, or so many of each loop. */
export type PassPolicy = "auto" | "all" | number;

/** What the loop does after a pass; Python knows these numbers. */
export const GO_ON = 0;
/** Nothing happened on the device since the last look. */
export const IDLE = 1;
export const REPEATS = 2;
export const GROWS = 3;
/** It was long enough, though the passes differ. */
export const ENOUGH = 4;
/** Each pass asks for the same, from blocks that lie elsewhere, and no peak grew for a while. */
export const WANDERS = 5;

/** So many passes in a row must be alike. */
const ALIKE = 3;
/** So many passes in a row that ask alike may not raise a peak, where blocks lie elsewhere in each. */
const QUIET = 8;
/** Passes may alternate with a period up to this. */
const LONGEST_PERIOD = 8;
/** Runs with fewer events than this are short enough to run in full. */
const FREE_EVENTS = 4_000;
/** Data that are made on the host count, too: with so many calls of operators it is long. */
const FREE_CALLS_BESIDE_EVENTS = 10_000;
/** A pass on the host of so many calls is looked at each time. */
const BUSY_CALLS = 100;
/** Runs with fewer calls of operators than this run in full where nothing happens on the device. */
const FREE_CALLS = 20_000;
/** A loop whose passes differ is left after so many events of its own. */
const MOST_EVENTS = 200_000;
/** Where each pass adds the same, this is enough to say where it ends. */
const GROWING_EVENTS = 40_000;
/** What fills lists may be what later steps work on: it runs on for longer. */
const COLLECTING_EVENTS = 100_000;
const COLLECTING_CALLS = 20_000;
/** A loop without gradients in which each pass asks for more is run whole where that makes at most so many events: gaps between its blocks are not even. */
const MOST_CLIMBING_EVENTS = 2_000_000;
/** A loop that only ever computes gradients may be waiting for a step of the optimizer: it runs on for so many passes. */
const LONGEST_ACCUMULATION = 64;
const FEWEST_PASSES = 8;
/** Loops that were left before are left after a multiple of so many at most, whoever else runs them. */
const AGAIN_AT = 2;

interface Running {
  readonly id: number;
  readonly loop: number;
  readonly isOutermost: boolean;
  readonly collects: boolean;
  /** How many passes it will make; -1: nobody knows. */
  readonly total: number;
  readonly firstEvent: number;
  readonly firstCall: number;
  readonly optimizerSteps: number;
  readonly backwardRuns: number;
  /** Hash of what happened in the running pass, and of what was asked for in it. */
  hash: number;
  asked: number;
  /** Of each finished pass: what happened in it, layout and allocated bytes after it. */
  readonly hashes: number[];
  readonly layouts: number[];
  readonly allocated: number[];
  readonly asks: number[];
  /** Of each finished pass: the highest that was allocated and reserved until then, since a program last forgot it. */
  readonly peaks: (readonly [allocated: number, reserved: number])[];
  /** A loop within was left before its end. */
  hasLeft: boolean;
  wasLeft: boolean;
  events: number;
  /** Calls of operators until the last look, how many the last pass on the host made, and how many passes before made as many. */
  operatorCalls: number;
  lastOnHost: number;
  alikeOnHost: number;
}

/** What is known of a loop from its earlier executions. */
interface Known {
  /** Passes that repeated, as text. */
  readonly settled: Set<string>;
  /** What passes asked for that wandered. */
  readonly asks: Set<number>;
  /** What passes asked for where all of them ran. */
  readonly whole: Set<number>;
  wasLong: boolean;
  wasLeft: boolean;
}

export class PassWatch {
  private readonly session: Session;
  private readonly policy: PassPolicy;
  private readonly leaveAt: number;
  private readonly stack: Running[] = [];
  private readonly known = new Map<number, Known>();
  private folded = 0;
  private ids = 0;

  /** @param leaveAt loops whose passes repeat are left after a multiple of so many, the first time */
  constructor(session: Session, policy: PassPolicy, leaveAt = 1) {
    this.session = session;
    this.policy = policy;
    this.leaveAt = leaveAt;
  }

  /**
   * A loop begins to be watched. `collects`: its passes fill lists. `accumulates`: the optimizer steps behind it, in a loop around it.
   * `total`: how many passes it will make, or -1.
   */
  enter(loop: number, collects: boolean, accumulates = false, total = -1): number {
    this.fold();
    const id = ++this.ids;
    this.stack.push({
      id,
      loop,
      // the first pass of the loop around it is not watched
      isOutermost: this.stack.length === 0 && !accumulates,
      collects,
      total,
      firstEvent: this.session.trace.eventCount,
      firstCall: this.session.operatorCalls,
      optimizerSteps: this.session.optimizerSteps,
      backwardRuns: this.session.backwardRuns,
      hash: loop,
      asked: loop,
      hashes: [],
      layouts: [],
      allocated: [],
      asks: [],
      peaks: [],
      hasLeft: false,
      wasLeft: false,
      events: this.session.trace.eventCount,
      operatorCalls: this.session.operatorCalls,
      lastOnHost: 0,
      alikeOnHost: 0,
    });
    return id;
  }

  /** A pass ended, another is about to begin; says whether it should. */
  pass(id: number): number {
    const running = this.down(id);
    if (running === null) return GO_ON;
    const { trace } = this.session;
    const { allocators } = this.session.memory;
    if (trace.eventCount === running.events) return this.onHost(running);
    running.events = trace.eventCount;
    running.hashes.push(running.hash);
    running.asks.push(running.asked);
    running.allocated.push(allocators.reduce((bytes, allocator) => bytes + allocator.memoryAllocated(), 0));
    running.peaks.push([
      allocators.reduce((bytes, allocator) => bytes + allocator.maxMemoryAllocated(), 0),
      allocators.reduce((bytes, allocator) => bytes + allocator.maxMemoryReserved(), 0),
    ]);
    // a layout that grew is new, and it may be long
    running.layouts.push(growth(running.allocated) === null ? layoutHash(allocators) : 0);
    this.endPass(running);
    const answer = this.policy === "auto" ? this.judge(running) : this.counted(running);
    const parent = this.stack.at(-2);
    if (answer !== GO_ON) running.wasLeft = this.knownOf(running.loop).wasLeft = true;
    if (answer !== GO_ON && parent !== undefined) parent.hasLeft = true;
    return answer;
  }

  /** A loop ended, or is left. */
  leave(id: number): void {
    const running = this.down(id);
    if (running === null) return;
    this.stack.pop();
    if (!running.wasLeft && running.asks.length >= FEWEST_PASSES) {
      const { whole } = this.knownOf(running.loop);
      for (const asked of running.asks) whole.add(asked);
    }
    this.joinParent(running);
  }

  /** How many bytes a pass adds, where each of the last ones added the same. */
  growthBytes(id: number): number {
    const running = this.stack.find((entry) => entry.id === id);
    return running === undefined ? 0 : (growth(running.allocated) ?? 0);
  }

  /** Whether the last passes asked for other blocks each, and more was held or needed from one to the next. */
  climbs(id: number): boolean {
    const running = this.stack.find((entry) => entry.id === id);
    return running !== undefined && climbs(running, this.knownOf(running.loop));
  }

  /**
   * A pass without the device: one that trains on the host is left, too, when passes have called about as many operators as the one before.
   * Whoever has computed gradients so often without an optimizer changes parameters by hand.
   */
  private onHost(running: Running): number {
    const { operatorCalls, optimizerSteps } = this.session;
    const made = operatorCalls - running.operatorCalls;
    running.operatorCalls = operatorCalls;
    if (this.policy !== "auto") return IDLE;
    const byHand = this.session.backwardRuns - running.backwardRuns > LONGEST_ACCUMULATION;
    const isTraining = optimizerSteps !== running.optimizerSteps || byHand;
    if (!isTraining && made < BUSY_CALLS) return IDLE;
    // chance decides some calls, such as which action an agent takes; what only samples makes as many in each pass
    const isAlike = Math.abs(made - running.lastOnHost) <= (isTraining ? running.lastOnHost / 8 : 0);
    running.alikeOnHost = isAlike ? running.alikeOnHost + 1 : 0;
    running.lastOnHost = made;
    if (!isTraining && running.collects && operatorCalls - running.firstCall < COLLECTING_CALLS) return GO_ON;
    const enough = isTraining ? ALIKE : QUIET;
    return running.alikeOnHost >= enough && operatorCalls >= FREE_CALLS ? REPEATS : GO_ON;
  }

  private counted(running: Running): number {
    return running.hashes.length >= Number(this.policy) - 1 ? ENOUGH : GO_ON;
  }

  private judge(running: Running): number {
    const { trace } = this.session;
    const known = this.knownOf(running.loop);
    const leaveAt = known.wasLeft ? Math.min(AGAIN_AT, this.leaveAt) : this.leaveAt;
    const isFree = trace.eventCount < FREE_EVENTS && this.session.operatorCalls < FREE_CALLS_BESIDE_EVENTS;
    if (isFree || (running.hashes.length + 1) % leaveAt !== 0) return GO_ON;
    const own = trace.eventCount - running.firstEvent;
    const isFilling =
      running.collects &&
      // what was left before, as with gradients, is left again: its lists are filled; so is what ran whole once, such as an evaluation
      !known.wasLeft &&
      // where it is known how many passes are left to fill its lists
      (known.whole.size === 0 || running.total < 0) &&
      this.session.optimizerSteps === running.optimizerSteps &&
      own < COLLECTING_EVENTS &&
      this.session.operatorCalls - running.firstCall < COLLECTING_CALLS;
    const period = this.period(running, known);
    if (period > 0) {
      if (this.mayAccumulate(running) || isFilling || endsSoon(running, own)) return GO_ON;
      for (let i = 1; i <= period; i++) known.settled.add(passText(running, running.hashes.length - i));
      return REPEATS;
    }
    const isLong = running.hasLeft || own >= GROWING_EVENTS || known.asks.has(running.asks.at(-1)!);
    if (isLong && !this.mayAccumulate(running) && !isFilling && wanders(running, known)) {
      known.asks.add(running.asks.at(-1)!);
      return WANDERS;
    }
    const passes = running.hashes.length;
    const isShort = running.total > 0 && (own / passes) * running.total <= MOST_CLIMBING_EVENTS;
    if (isShort && climbs(running, known) && !this.hasBackward(running)) return GO_ON;
    const grows = growth(running.allocated) !== null;
    if (passes < FEWEST_PASSES) return GO_ON;
    if (grows && own >= GROWING_EVENTS && (passes > LONGEST_ACCUMULATION || !this.hasBackward(running))) return GROWS;
    if (own < MOST_EVENTS && !known.wasLong) return GO_ON;
    known.wasLong = true;
    return grows ? GROWS : ENOUGH;
  }

  /** Gradients were computed in the outermost loop, and no optimizer has used them yet. */
  private mayAccumulate(running: Running): boolean {
    return (
      running.isOutermost &&
      running.hashes.length < LONGEST_ACCUMULATION &&
      this.session.optimizerSteps === running.optimizerSteps &&
      this.hasBackward(running)
    );
  }

  /** Whether gradients were computed since the loop began; one that generates computes none. */
  private hasBackward(running: Running): boolean {
    const { trace } = this.session;
    return hasPhase(trace.columns, "backward", running.firstEvent, trace.eventCount);
  }

  /** After how many passes things are as before, when that has been seen often enough; otherwise 0. */
  private period(running: Running, known: Known): number {
    const last = running.hashes.length - 1;
    if (last > 0 && known.settled.has(passText(running, last))) return 1;
    for (let period = 1; period <= LONGEST_PERIOD; period++) {
      const needed = period === 1 ? ALIKE : 2 * period + 1;
      if (running.hashes.length < needed) return 0;
      let alike = true;
      for (let i = 0; alike && i < needed - period; i++) {
        const at = last - i;
        alike =
          running.hashes[at] === running.hashes[at - period] && running.layouts[at] === running.layouts[at - period];
      }
      if (alike) return period;
    }
    return 0;
  }

  private knownOf(loop: number): Known {
    let known = this.known.get(loop);
    if (known === undefined) {
      known = { settled: new Set(), asks: new Set(), whole: new Set(), wasLong: false, wasLeft: false };
      this.known.set(loop, known);
    }
    return known;
  }

  /** The running loop with this number, after those within it, which ended in another way than by their conditions. */
  private down(id: number): Running | null {
    this.fold();
    const at = this.stack.findLastIndex((entry) => entry.id === id);
    if (at < 0) return null;
    while (this.stack.length > at + 1) this.joinParent(this.stack.pop()!);
    return this.stack[at]!;
  }

  private fold(): void {
    const { trace } = this.session;
    const top = this.stack.at(-1);
    if (top !== undefined && this.folded < trace.eventCount) {
      const { columns } = trace;
      top.hash = foldEvents(columns, this.folded, trace.eventCount, top.hash);
      top.asked = foldRequests(columns, this.folded, trace.eventCount, top.asked);
    }
    this.folded = trace.eventCount;
  }

  private endPass(running: Running): void {
    const { hashes, asks } = running;
    const parent = this.stack.at(-2);
    if (parent !== undefined && hashes.at(-1) !== hashes.at(-2)) parent.hash = mix(parent.hash, hashes.at(-1)!);
    if (parent !== undefined && asks.at(-1) !== asks.at(-2)) parent.asked = mix(parent.asked, asks.at(-1)!);
    running.hash = running.asked = running.loop;
  }

  /** What a loop did after its last whole pass belongs to the loop around it. */
  private joinParent(running: Running): void {
    const parent = this.stack.at(-1);
    if (parent === undefined) return;
    const { hash, asked, loop, hashes, asks } = running;
    if (hash !== loop && hash !== hashes.at(-1)) parent.hash = mix(parent.hash, hash);
    if (asked !== loop && asked !== asks.at(-1)) parent.asked = mix(parent.asked, asked);
  }
}

/** Whether each pass adds the same, as those of a network over time do, and all of them would be few events: figures have what they add. */
function endsSoon({ allocated, hashes, total }: Running, own: number): boolean {
  return total > 0 && growth(allocated) !== null && (own / hashes.length) * total <= COLLECTING_EVENTS;
}

/** Whether the last passes asked alike and raised no peak; after a loop within that was left, fewer are enough. */
function wanders({ asks, peaks, hasLeft }: Running, known: Known): boolean {
  const last = asks.at(-1)!;
  if (known.asks.has(last)) return true;
  const quiet = hasLeft ? ALIKE : QUIET;
  if (asks.length < quiet + ALIKE || asks.slice(-quiet).some((ask) => ask !== last)) return false;
  return [0, 1].every((figure) => {
    const most = (some: Running["peaks"]): number => Math.max(...some.map((peak) => peak[figure as 0 | 1]));
    return most(peaks.slice(-quiet)) <= most(peaks.slice(0, -quiet));
  });
}

/** Whether passes ask for something new each time, and more is held after each, or a peak has risen of late. */
function climbs({ asks, allocated, peaks }: Running, known: Known): boolean {
  const last = asks.at(-1);
  if (last === undefined || asks.length <= ALIKE || last === asks.at(-2) || known.whole.has(last)) return false;
  const from = Math.max(0, asks.length - 1 - QUIET);
  return rises(allocated) || [0, 1].some((at) => peaks.at(-1)![at as 0 | 1] > peaks[from]![at as 0 | 1]);
}

/** Whether the later half lies above the earlier one by more than values differ from one to the next: remainders of blocks come and go. */
function rises(values: readonly number[]): boolean {
  const half = values.length >> 1;
  if (half < 2) return false;
  const mean = (some: readonly number[]): number => some.reduce((sum, value) => sum + value, 0) / some.length;
  const steps = values.slice(1).map((value, i) => (value - values[i]!) ** 2);
  const noise = Math.sqrt(mean(steps) / 2);
  return mean(values.slice(-half)) - mean(values.slice(0, half)) > 2 * noise * Math.sqrt(2 / half);
}

/** A pass with the layouts before and after it. */
function passText({ hashes, layouts }: Running, at: number): string {
  return `${hashes[at]} ${layouts[at - 1]} ${layouts[at]}`;
}

/** Of the memory of all GPUs. */
function layoutHash(allocators: readonly CachingAllocator[]): number {
  const [only, ...others] = allocators as readonly [CachingAllocator, ...CachingAllocator[]];
  return others.reduce((hash, allocator) => mix(hash, allocator.layoutHash()), only.layoutHash());
}

/** Bytes that each of the last passes added, or null when they did not all add the same. */
function growth(allocated: readonly number[]): number | null {
  if (allocated.length <= ALIKE) return null;
  const last = allocated.length - 1;
  const bytes = allocated[last]! - allocated[last - 1]!;
  for (let i = 1; i < ALIKE; i++) if (allocated[last - i]! - allocated[last - i - 1]! !== bytes) return null;
  return bytes > 0 ? bytes : null;
}
