/** Recorded call stacks as lines of a trace, with what they say about phase, operator and purpose: worked out once per stack. */

import { FrameTable, NameTable } from "../trace/intern.ts";
import { CATEGORIES, PHASES, type Category, type Frame, type Phase } from "../trace/model.ts";
import type { FrameLists, SnapshotFrame } from "./snapshot-columns.ts";
import { bringsData, operatorOf, ownerOf, phaseSign, purposeSign, takesMemoryOnly, type Owner } from "./stack-words.ts";

export interface StackFacts {
  /** Index of the innermost line of the user's, in {@link SnapshotStacks.lines}; -1 when no line of Python is in the stack. */
  readonly line: number;
  /** Index into PHASES, or -1. */
  readonly phase: number;
  /** Index into {@link SnapshotStacks.operators}, or -1. */
  readonly operator: number;
  /** Index into CATEGORIES, or -1. */
  readonly category: number;
  readonly note: string | null;
  /** Called `backward()`: what the engine's thread does then is this line's doing. */
  readonly startsBackward: boolean;
  /** Took data from outside the model. */
  readonly bringsData: boolean;
  /** Nothing of the stack is known. */
  readonly isEmpty: boolean;
}

const NOTHING: StackFacts = {
  line: -1,
  phase: -1,
  operator: -1,
  category: -1,
  note: null,
  startsBackward: false,
  bringsData: false,
  isEmpty: true,
};

/** What one line of a stack says; shared by all stacks that it is in. */
interface FrameFacts {
  readonly owner: Owner;
  readonly phase: Phase | null;
  readonly strength: number;
  readonly category: Category | null;
  readonly note: string | null;
  readonly operator: string | null;
}

const LONGEST_LINE = 2 ** 26 - 1;
/** Which lines are shown: the user's where there are any, else a package's. */
const SHOWN: readonly (readonly Owner[])[] = [["user"], ["user", "package"]];

export class SnapshotStacks {
  readonly #frames: readonly SnapshotFrame[];
  readonly #lists: FrameLists;
  readonly #facts: (StackFacts | undefined)[] = [];
  readonly #frameFacts: (FrameFacts | undefined)[] = [];
  readonly #lines = new FrameTable();
  readonly #operators = new NameTable();

  constructor(frames: readonly SnapshotFrame[], lists: FrameLists) {
    this.#frames = frames;
    this.#lists = lists;
  }

  get lines(): readonly Frame[] {
    return this.#lines.frames;
  }

  get operators(): readonly string[] {
    return this.#operators.names;
  }

  /** Facts of the stack with this index; those of an empty one for -1. */
  of(list: number): StackFacts {
    return list < 0 ? NOTHING : (this.#facts[list] ??= this.#read(this.#lists.frames(list)));
  }

  /** The index of an operator that another source than a stack names. */
  operator(name: string): number {
    return this.#operators.index(name);
  }

  #frame(index: number): FrameFacts {
    return (this.#frameFacts[index] ??= this.#readFrame(this.#frames[index]!));
  }

  #readFrame(frame: SnapshotFrame): FrameFacts {
    const sign = phaseSign(frame);
    const purpose = purposeSign(frame);
    return {
      owner: ownerOf(frame),
      phase: sign?.phase ?? null,
      strength: sign?.strength ?? 0,
      category: purpose?.category ?? null,
      note: purpose?.note ?? null,
      operator: operatorOf(frame),
    };
  }

  #read(list: Int32Array): StackFacts {
    if (list.length === 0) return NOTHING;
    let phase: Phase | null = null;
    let strength = 0;
    let category: Category | null = null;
    let note: string | null = null;
    let operator: string | null = null;
    let python = 0;
    for (const index of list) {
      const facts = this.#frame(index);
      if (facts.phase !== null && facts.strength > strength) ({ phase, strength } = facts);
      if (facts.category !== null && category === null) ({ category, note } = facts);
      if (facts.operator !== null && (operator === null || takesMemoryOnly(operator))) ({ operator } = facts);
      if (facts.owner !== "compiled") python += 1;
    }
    return {
      line: this.#line(list),
      phase: phase === null ? -1 : PHASES.indexOf(phase),
      operator: operator === null ? -1 : this.#operators.index(`aten::${operator}`),
      category: category === null ? -1 : CATEGORIES.indexOf(category),
      note,
      startsBackward: phase === "backward" && python > 0,
      bringsData: operator !== null && (bringsData(operator) || takesMemoryOnly(operator)),
      isEmpty: false,
    };
  }

  /** The shown lines of a stack, from the outside in, as frames of the trace; the innermost one's index. */
  #line(list: Int32Array): number {
    for (const owners of SHOWN) {
      let line = -1;
      for (let at = list.length - 1; at >= 0; at--) {
        if (!owners.includes(this.#frame(list[at]!).owner)) continue;
        const { file, line: number, name } = this.#frames[list[at]!]!;
        line = this.#lines.index(line, file, Math.min(Math.max(0, number), LONGEST_LINE), name);
      }
      if (line >= 0) return line;
    }
    return -1;
  }
}
