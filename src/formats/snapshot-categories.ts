/**
 * What blocks of a snapshot are for, and in which phase: as the call stacks say, and where those say nothing, by how long a block
 * lived. What survives from forward into backward is an activation, what outlives backward a gradient, what outlives a step of the
 * optimizer its state.
 */

import { KIND } from "../trace/codes.ts";
import { CATEGORIES, PHASES } from "../trace/model.ts";
import type { DeviceRows } from "./snapshot-device.ts";
import { entryMetadata, type EntryMetadata } from "./snapshot-metadata.ts";
import type { Repairs } from "./snapshot-repair.ts";
import { NO_CATEGORY } from "./snapshot-rows.ts";
import type { SnapshotStacks, StackFacts } from "./snapshot-stacks.ts";
import type { Assigned } from "./snapshot-trace.ts";

const ALLOC = KIND.alloc;
const FREE = KIND.free_requested;
const CATEGORY = Object.fromEntries(CATEGORIES.map((name, index) => [name, index])) as Record<
  (typeof CATEGORIES)[number],
  number
>;
const PHASE = Object.fromEntries(PHASES.map((name, index) => [name, index])) as Record<(typeof PHASES)[number], number>;
/** An optimizer keeps at most so many tensors of a parameter's size beside it; more equal blocks are something else. */
const MOST_STATES = 3;

export interface Purposes {
  readonly phase: Uint8Array;
  readonly module: Int32Array;
  readonly modules: readonly string[];
  readonly category: Uint8Array;
  readonly tensors: ReadonlyMap<number, { readonly dtype: string; readonly shape: readonly number[] }>;
  readonly notes: ReadonlyMap<number, string>;
  /** Allocations without any stack, by what is known of them instead. */
  readonly withoutStack: { readonly backward: number; readonly elsewhere: number; readonly withStack: number };
  /** Early blocks that were told apart by the sizes of gradients. */
  readonly guessed: { readonly parameterBytes: number; readonly stateBytes: number };
}

/** Follows the events once, in order; rows of stacks and metadata become lines and operators on the way. */
export function blockPurposes(rows: DeviceRows, assigned: Assigned, found: Repairs, stacks: SnapshotStacks): Purposes {
  const { kind, frame, op } = rows;
  const { eventBlock, allocEvent, freeEvent } = assigned;
  const count = kind.length;
  const phase = new Uint8Array(count);
  const category = new Uint8Array(allocEvent.length).fill(NO_CATEGORY);
  const tensors = new Map<number, { dtype: string; shape: readonly number[] }>();
  const notes = new Map<number, string>();
  const metadata: (EntryMetadata | undefined)[] = [];
  const withoutStack = { backward: 0, elsewhere: 0, withStack: 0 };
  const last = { backward: -1, beyondBackward: -1, beyondOptimizer: -1 };
  const firstGradients = new FirstGradients();
  let before = PHASE.other;
  let backwardLine = -1;

  const byLife = (block: number): number => {
    const born = allocEvent[block]!;
    switch (phase[born]) {
      case PHASE.backward:
        return last.beyondBackward > born ? CATEGORY.gradient : CATEGORY.temporary;
      case PHASE.optimizer:
        return last.beyondOptimizer > born || freeEvent[block] === -1 ? CATEGORY.optimizer_state : CATEGORY.temporary;
      default:
        return last.backward > born ? CATEGORY.activation : CATEGORY.temporary;
    }
  };

  for (let row = 0; row < count; row++) {
    const list = frame[row]!;
    const facts = stacks.of(list);
    const now = phaseNow(facts, before);
    phase[row] = now;
    if (facts.startsBackward) backwardLine = facts.line;
    else if (!facts.isEmpty && now !== PHASE.backward) backwardLine = -1;
    frame[row] = facts.line < 0 && now === PHASE.backward ? backwardLine : facts.line;
    const text = op[row]!;
    op[row] = facts.operator;
    if (now === PHASE.backward) last.backward = row;
    else {
      if (before === PHASE.backward) firstGradients.ended(rows, assigned, phase, row);
      last.beyondBackward = row;
    }
    if (now !== PHASE.optimizer) last.beyondOptimizer = row;
    before = now;
    const block = eventBlock[row]!;
    if (kind[row] === ALLOC) {
      if (facts.isEmpty) withoutStack[now === PHASE.backward ? "backward" : "elsewhere"] += 1;
      else withoutStack.withStack += 1;
      if (facts.category >= 0) category[block] = facts.category;
      if (facts.note !== null) notes.set(block, facts.note);
      if (rows.category[row] !== NO_CATEGORY) category[block] = rows.category[row]!;
      if (text !== 0) {
        const entry = (metadata[text] ??= entryMetadata(rows.metadata[text]!));
        if (entry.operator !== null) op[row] = stacks.operator(entry.operator);
        if (entry.tensor !== null) tensors.set(block, entry.tensor);
      }
      // anything else is decided when the block dies
      if (category[block] === NO_CATEGORY && facts.bringsData && now === PHASE.other) category[block] = CATEGORY.input;
    } else if (kind[row] === FREE && block >= 0 && allocEvent[block]! >= 0 && category[block] === NO_CATEGORY) {
      category[block] = byLife(block);
    }
  }
  for (let block = found.early.length; block < category.length; block++) {
    if (category[block] === NO_CATEGORY) category[block] = byLife(block);
  }
  const guessed = nameEarly(assigned, found, firstGradients, category, stacks);
  return {
    phase,
    module: new Int32Array(count).fill(-1),
    modules: [],
    category,
    tensors,
    notes,
    withoutStack,
    guessed,
  };
}

/** A stack's own sign; without a stack, what runs between forward and the optimizer is the thread of backward. */
function phaseNow(facts: StackFacts, before: number): number {
  if (facts.phase >= 0) return facts.phase;
  if (!facts.isEmpty) return PHASE.other;
  return before === PHASE.forward ? PHASE.backward : before;
}

/** Sizes of the gradients that were there when the first backward ended: those of the parameters. */
class FirstGradients {
  readonly bySize = new Map<number, number>();
  /** The event after it, or -1. */
  event = -1;

  ended(
    { kind }: DeviceRows,
    { allocEvent, freeEvent, eventBlock, requestedBytes }: Assigned,
    phase: Uint8Array,
    row: number,
  ): void {
    if (this.event >= 0) return;
    for (let event = 0; event < row; event++) {
      const block = eventBlock[event]!;
      if (kind[event] !== ALLOC || phase[event] !== PHASE.backward || allocEvent[block] !== event) continue;
      if (freeEvent[block] !== -1 && freeEvent[block]! <= row) continue;
      const size = requestedBytes[block]!;
      this.bySize.set(size, (this.bySize.get(size) ?? 0) + 1);
    }
    if (this.bySize.size > 0) this.event = row;
  }
}

/**
 * Blocks from before the record have no stack. Where gradients were recorded, as many blocks of the same size are parameters, and
 * whole multiples of that number beside them are what an optimizer keeps.
 */
function nameEarly(
  { early, requestedBytes, freeEvent }: Assigned,
  found: Repairs,
  gradients: FirstGradients,
  category: Uint8Array,
  stacks: SnapshotStacks,
): Purposes["guessed"] {
  const guessed = { parameterBytes: 0, stateBytes: 0 };
  const bySize = new Map<number, number[]>();
  found.early.forEach((block, index) => {
    category[index] = CATEGORY.unknown;
    const facts = stacks.of(block.frameList);
    early.frame[index] = facts.line;
    if (facts.category >= 0) category[index] = facts.category;
    else if (facts.phase === PHASE.optimizer) category[index] = CATEGORY.optimizer_state;
    else if (freeEvent[index] === -1 || freeEvent[index]! > gradients.event) {
      const size = requestedBytes[index]!;
      bySize.set(size, [...(bySize.get(size) ?? []), index]);
    }
  });
  for (const [size, count] of gradients.bySize) {
    const blocks = bySize.get(size) ?? [];
    if (blocks.length < count) continue;
    const states = blocks.length % count === 0 && blocks.length / count <= 1 + MOST_STATES ? blocks.slice(count) : [];
    for (const index of blocks.slice(0, count)) {
      category[index] = CATEGORY.parameter;
      guessed.parameterBytes += early.bytes[index]!;
    }
    for (const index of states) {
      category[index] = CATEGORY.optimizer_state;
      guessed.stateBytes += early.bytes[index]!;
    }
  }
  return guessed;
}
