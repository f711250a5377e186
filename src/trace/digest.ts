/** What is left of a trace when only its highest point matters: small enough to keep hundreds of them. */

import { compositionAt, forEachAlive } from "./composition.ts";
import { KIND } from "./codes.ts";
import type { Assumption, BlockRecord, Category, Phase, Trace } from "./model.ts";
import { chargedTotals, phasePeaks, remainderBytes } from "./queries.ts";

export interface ComponentShare {
  readonly category: Category;
  readonly bytes: number;
}

export interface ModuleShare {
  /** A path in which numbers of layers are `*`; empty: outside of modules. */
  readonly module: string;
  readonly category: Category;
  readonly bytes: number;
}

export interface MarkedMoment {
  readonly name: string;
  readonly allocatedBytes: number;
  /** The most since the mark before. */
  readonly peakBytes: number;
  readonly reservedBytes: number;
}

/** All bytes are those of one run; `components` and what is charged beyond them add up to the allocated peak. */
export interface Digest {
  readonly allocatedPeakBytes: number;
  /** The peak with the largest workspace that a library may take besides. */
  readonly allocatedHighBytes: number;
  readonly reservedPeakBytes: number;
  readonly allocatedEndBytes: number;
  /** Where the program put a mark, in its order; the first sixty-four. */
  readonly marks: readonly MarkedMoment[];
  /** Operator and source line (1-based) of the peak. */
  readonly peak: { readonly phase: Phase; readonly op: string | null; readonly line: number };
  readonly components: readonly ComponentShare[];
  /** Beyond what was asked for: rounding and unsplit remainders; rounding is in the components already. */
  readonly remainderBytes: number;
  readonly modules: readonly ModuleShare[];
  readonly phases: readonly { readonly phase: Phase; readonly allocatedBytes: number }[];
  /** Values of parameters, and of gradients when there were most: what is trained. */
  readonly elements: { readonly parameters: number; readonly trained: number };
  readonly assumptions: readonly Assumption[];
  /** How much more libraries with kernels of their own may take outside of the allocator. */
  readonly libraryHighBytes: number;
  /** Segments were given back to the driver because the device was full. */
  readonly released: boolean;
}

const SOURCE = /(^|\.)\d+(?=\.|$)/g;

/** `model.layers.3.self_attn.q_proj` → `model.layers.*.self_attn`: what repeats is one group. */
export function moduleGroup(path: string): string {
  const parts = path.replaceAll(SOURCE, "$1*").split(".");
  const star = parts.indexOf("*");
  return (star === -1 ? parts.slice(0, 2) : parts.slice(0, star + 2)).join(".");
}

const MOST_MARKS = 64;
const ALLOC = KIND.alloc;
const FREE = KIND.free_requested;
/** 4-bit weights are kept two in a byte. */
const PACKED = "uint8";

const elementsOf = ({ shape, dtype }: BlockRecord): number =>
  shape === null ? 0 : shape.reduce((product, size) => product * size, dtype === PACKED ? 2 : 1);

/** Values in blocks of a category, when there were most at once. */
function mostElements({ blocks, events }: Trace, category: Category): number {
  let now = 0;
  let most = 0;
  for (let event = 0; event < events.kind.length; event++) {
    const sign = events.kind[event] === ALLOC ? 1 : events.kind[event] === FREE ? -1 : 0;
    const block = sign === 0 ? undefined : blocks[events.block[event]!];
    if (block?.category !== category) continue;
    now += sign * elementsOf(block);
    most = Math.max(most, now);
  }
  return most;
}

function markedMoments({ marks, events }: Trace): MarkedMoment[] {
  let from = 0;
  return Object.entries(marks)
    .slice(0, MOST_MARKS)
    .map(([key, name]) => {
      const event = Number(key);
      let peakBytes = 0;
      let reservedBytes = 0;
      for (; from <= event; from++) {
        peakBytes = Math.max(peakBytes, events.allocatedBytes[from]!);
        reservedBytes = Math.max(reservedBytes, events.reservedBytes[from]!);
      }
      const allocatedBytes = events.allocatedBytes[event]!;
      // two marks without an event between them
      return {
        name,
        allocatedBytes,
        peakBytes: Math.max(peakBytes, allocatedBytes),
        reservedBytes: Math.max(reservedBytes, events.reservedBytes[event]!),
      };
    });
}

/** Of libraries whose kernels take memory outside of the allocator the one that takes most, by its upper end. */
export const libraryHighBytes = ({ assumptions }: Pick<Trace, "assumptions">): number =>
  Math.max(0, ...assumptions.map(({ args }) => Number(args["libraryHighBytes"] ?? 0)));

export function digestOf(trace: Trace): Digest {
  const { events } = trace;
  let peakEvent = -1;
  let reservedPeakBytes = 0;
  for (let event = 0; event < events.kind.length; event++) {
    if (peakEvent === -1 || events.allocatedBytes[event]! > events.allocatedBytes[peakEvent]!) peakEvent = event;
    reservedPeakBytes = Math.max(reservedPeakBytes, events.reservedBytes[event]!);
  }
  const categories = compositionAt(trace, peakEvent, "category");
  const groups = new Map<string, number>();
  forEachAlive(trace, peakEvent, (block) => {
    const path = trace.modules[block.module];
    const key = `${path === undefined ? "" : moduleGroup(path)}\n${block.category}`;
    groups.set(key, (groups.get(key) ?? 0) + block.bytes - remainderBytes(block));
  });
  const allocatedPeakBytes = events.allocatedBytes[peakEvent] ?? 0;
  const workspaceBytes = Math.max(
    0,
    ...trace.assumptions.map(({ args }) => Number(args["highBytes"] ?? 0) - Number(args["workspaceBytes"] ?? 0)),
  );
  const phases = phasePeaks(trace);
  return {
    allocatedPeakBytes,
    allocatedHighBytes: allocatedPeakBytes + workspaceBytes,
    reservedPeakBytes,
    allocatedEndBytes: events.allocatedBytes.at(-1) ?? 0,
    marks: markedMoments(trace),
    peak: {
      phase: phases.find((entry) => entry.allocatedBytes === allocatedPeakBytes)?.phase ?? "other",
      op: trace.ops[events.op[peakEvent] ?? -1] ?? null,
      line: trace.frames[events.frame[peakEvent] ?? -1]?.line ?? 0,
    },
    components: categories.shares.map(({ key, bytes }) => ({ category: (key ?? "unknown") as Category, bytes })),
    remainderBytes: chargedTotals(trace, peakEvent).remainderBytes,
    modules: [...groups]
      .map(([key, bytes]) => {
        const [module, category] = key.split("\n") as [string, Category];
        return { module, category, bytes };
      })
      .sort((a, b) => b.bytes - a.bytes),
    phases: phases.map(({ phase, allocatedBytes }) => ({ phase, allocatedBytes })),
    elements: { parameters: mostElements(trace, "parameter"), trained: mostElements(trace, "gradient") },
    assumptions: trace.assumptions,
    libraryHighBytes: libraryHighBytes(trace),
    released: trace.failures.length > 0,
  };
}
