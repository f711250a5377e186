/** What a leak is: tensors of one line and operator of which every pass leaves some behind, and nobody lets them go. */

import { KIND, PHASE } from "../trace/codes.ts";
import type { Assumption, BlockRecord, Category, Trace } from "../trace/model.ts";
import { opName, type Finding } from "./finding.ts";
import { findingOf, isNotable } from "./together.ts";

/** Fewer passes are no rule. */
const LEAST_PASSES = 3;
/** Small now, and large after a thousand passes. */
const LEAST_SHARE = 0.005;
/** What a program keeps on purpose. */
const AT_HOME = new Set<Category>(["parameter", "gradient", "optimizer_state", "buffer", "workspace"]);
const TRAINING = new Set([PHASE.backward, PHASE.optimizer]);
const MADE_IN_TRAINING = new Set<Category>(["gradient", "optimizer_state"]);
const FREE = KIND.free_requested;

const grows = ({ code }: Assumption): boolean => code.startsWith("loop_grows");

interface Passes {
  /** By event: how many runs of backward and of optimizers began up to it. */
  readonly steps: Int32Array;
  /** By event: how many blocks were given back up to it. */
  readonly frees: Int32Array;
  readonly trains: boolean;
}

/** A recording may not tell phases: then lines at which gradients and states of optimizers are made stand for them. */
function passesOf({ events, blocks, frames }: Trace): Passes {
  const { phase, kind, frame } = events;
  const trainingFrames = new Uint8Array(frames.length);
  for (const block of blocks) {
    if (block.frame >= 0 && MADE_IN_TRAINING.has(block.category)) trainingFrames[block.frame] = 1;
  }
  const steps = new Int32Array(phase.length);
  const frees = new Int32Array(phase.length);
  let [count, freed, before] = [0, 0, false];
  for (let event = 0; event < phase.length; event++) {
    const at = frame[event]!;
    const trains = TRAINING.has(phase[event]!) || (at >= 0 && trainingFrames[at] === 1);
    if (trains && !before) count += 1;
    before = trains;
    if (kind[event] === FREE) freed += 1;
    steps[event] = count;
    frees[event] = freed;
  }
  return { steps, frees, trains: count > 0 };
}

interface Group {
  readonly blocks: number[];
  bytes: number;
  /** Passes that left something. */
  passes: number;
  last: number;
}

export function growsEachPass(trace: Trace, finished: boolean): Finding[] {
  if (!finished) return [];
  const { steps, frees, trains } = passesOf(trace);
  /** Whether something that ends a pass lies between two events. A module that runs again tells passes where nothing is trained. */
  const isLater = (block: BlockRecord, last: number): boolean =>
    trains ? steps[block.allocEvent]! > steps[last]! : block.module >= 0 && frees[block.allocEvent]! > frees[last]!;
  const groups = new Map<string, Group>();
  trace.blocks.forEach((block, index) => {
    if (block.allocEvent < 0 || block.freeEvent !== -1 || AT_HOME.has(block.category)) return;
    const key = `${block.frame} ${block.op} ${block.module}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { blocks: [index], bytes: block.bytes, passes: 1, last: block.allocEvent });
      return;
    }
    if (isLater(block, group.last)) group.passes += 1;
    group.last = block.allocEvent;
    group.blocks.push(index);
    group.bytes += block.bytes;
  });
  const growing = [...groups.values()].filter(({ passes }) => passes >= LEAST_PASSES);
  const passes = Math.max(0, ...growing.map((group) => group.passes));
  const kept = growing.filter((group) => group.passes >= passes - 1);
  const bytes = kept.reduce((sum, group) => sum + group.bytes, 0);
  // where a loop was left because it grows, the passes that did not run make it large
  if (bytes === 0 || !(isNotable(trace, bytes, LEAST_SHARE) || trace.assumptions.some(grows))) return [];
  const largest = kept.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  const together = { bytes, event: largest.last, blocks: largest.blocks };
  const op = opName(trace, trace.blocks[largest.blocks[0]!]!.op);
  const eachBytes = Math.round(bytes / passes);
  return [findingOf(trace, "grows_each_pass", together, { op, count: 1, passes, eachBytes, totalBytes: bytes })];
}
