/** What a report says, as data in no language: verdict, the three numbers, the peak, its composition, lines and findings. */

import { heldBlocks, type HeldBlock } from "../explain/held-blocks.ts";
import { heldFindings } from "../explain/held-by.ts";
import { explain, type Finding } from "../explain/index.ts";
import { outOfMemory, type OutOfMemory } from "../explain/out-of-memory.ts";
import { savedTable, type SavedTable } from "../explain/saved-table.ts";
import { rankedFindings } from "../explain/ranked.ts";
import type { Trial } from "../explain/trials.ts";
import { remedyOf, verdictCard, type VerdictCard } from "../explain/verdict-card.ts";
import type { GpuRow } from "../gpus/catalogue.ts";
import type { HolderTable } from "../session/holders.ts";
import { compositionAt } from "../trace/composition.ts";
import { lineTable, type LineRow } from "../trace/lines.ts";
import { CATEGORIES, type Assumption, type Category, type Trace } from "../trace/model.ts";
import { libraryHighBytes } from "../trace/digest.ts";
import { mergedAssumptions } from "./merged-assumptions.ts";
import { chargedTotals, phasePeaks, type ChargedTotals, type PhasePeak } from "../trace/queries.ts";

/** The part of a run's result that a report needs. */
export interface ReportInput {
  readonly status: string;
  readonly exitStatus: number;
  readonly trace: Trace;
  readonly stats: {
    readonly peakAllocatedBytes: number;
    readonly peakReservedBytes: number;
    readonly allocatedBytes: number;
    readonly reservedBytes: number;
    readonly peakEvent: number;
  };
  readonly gpu: GpuRow;
  readonly torch: string;
  /** Most bytes that may be reserved, or null. */
  readonly limitBytes?: number | null;
  /** Where a program was that did not come to its end. */
  readonly stoppedAt?: StopLine | null;
  /** Nothing is known of what was recorded. */
  readonly traceLost?: boolean;
  /** Who held what at some event, when a run looked. */
  readonly holders?: HolderTable | null;
  /** What the program needed with changes, when it ran again with some. */
  readonly trials?: readonly Trial[];
}

/** A line of the program; not exact where it is the last one of which something is known. */
export interface StopLine {
  readonly file: string;
  readonly line: number;
  readonly isExact: boolean;
}

/** `unused`: all tensors are on the CPU, or there are none. `tight`: context and libraries decide. `recorded`: the size of the device is not known. `not_finished`: the program stopped before its end for another reason than memory. */
export type Verdict = "fits" | "tight" | "does_not_fit" | "not_finished" | "recorded" | "unused";

export interface PeakPlace {
  readonly event: number;
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly op: string | null;
  readonly module: string | null;
}

export interface ReportFacts {
  readonly program: string;
  readonly gpu: GpuRow;
  readonly torch: string;
  readonly status: string;
  readonly exitStatus: number;
  readonly verdict: Verdict;
  /** Where a program was that did not come to its end, or null. */
  readonly stoppedAt: StopLine | null;
  /** The figures are not known: they went with what ran the program. */
  readonly traceLost: boolean;
  readonly capacityBytes: number;
  /** `peakHighBytes`: the peak with the most that a library's workspace may exceed what was taken for it; that is not in the other figures. */
  readonly allocated: { readonly peakBytes: number; readonly peakHighBytes: number; readonly endBytes: number };
  readonly reserved: { readonly peakBytes: number; readonly endBytes: number };
  /** What nvidia-smi shows at the peak: reserved plus intervals for context and libraries, and for {@link outside}. */
  readonly driver: { readonly lowBytes: number; readonly expectedBytes: number; readonly highBytes: number };
  /** What libraries beside PyTorch take outside of its allocator, such as buffers that connect ranks; part of {@link driver}. */
  readonly outside: { readonly lowBytes: number; readonly expectedBytes: number; readonly highBytes: number };
  /** Capacity minus the expected driver figure; negative when that is more. */
  readonly headroomBytes: number;
  readonly limitBytes: number | null;
  readonly overLimit: boolean;
  readonly peak: PeakPlace | null;
  /** At the peak, without unsplit remainders, which {@link charged} has: together they are the peak. */
  readonly categories: readonly { readonly category: Category; readonly bytes: number; readonly blocks: number }[];
  readonly charged: ChargedTotals;
  readonly phases: readonly PhasePeak[];
  readonly lines: readonly LineRow[];
  /** What is saved for backward when most is, or null when nothing is. */
  readonly saved: SavedTable | null;
  /** The request that failed, or null. */
  readonly outOfMemory: OutOfMemory | null;
  /** The largest blocks with their holders, at the event at which the run looked; null when it did not. */
  readonly held: { readonly event: number; readonly blocks: readonly HeldBlock[] } | null;
  readonly trials: readonly Trial[];
  /** Those with most bytes first. */
  readonly findings: readonly Finding[];
  /** What stands beside the verdict. */
  readonly card: VerdictCard;
  /** The program put nothing on the GPU. */
  readonly unused: Assumption | null;
  readonly assumptions: readonly Assumption[];
  /** A loop that was left while each pass added memory, when that decides the verdict; otherwise null. */
  readonly growing: Assumption | null;
  /** A table whose rows were guessed and lie on the device at once, when that decides the verdict; otherwise null. */
  readonly guessedRows: Assumption | null;
  /** An optimizer that never stepped in a program whose data stood in, when that decides the verdict; otherwise null. */
  readonly unstepped: Assumption | null;
  /** An error that the program caught, printed and went on from, when that decides the verdict; otherwise null. */
  readonly printedError: Assumption | null;
  /** Operators that no recorded case proves. */
  readonly unverifiedOps: readonly string[];
}

/** Assumptions with this code name an operator whose rule nothing has proved; they are listed apart. */
const UNVERIFIED = "unverified_op";
/** Assumptions with codes that begin so: of a program that put something on the CPU alone, or only counted the GPUs. */
const UNUSED_GPU = "unused_gpu";
/** Assumptions with codes that begin so name a loop that was left while each pass added memory. */
const GROWING = "loop_grows";
/** The assumption of a table's rows that lie on the device at once and whose number was guessed. */
const GUESSED_ROWS = "guessed_rows";
/** The assumption of a program with an optimizer that never stepped, where something of its data stood in. */
const UNSTEPPED = "optimizer_unstepped";
/** The assumption of an error that the program caught and printed: what it left out is in no number. */
const PRINTED_ERROR = "error_printed";
/** And with this argument one whose passes asked for more and more: what lies between such blocks is not even. */
export const CLIMBS = "climbs";
/** How many of the largest blocks a report lists with their holders. */
const HELD_BLOCKS = 8;
const FINISHED = new Set(["ok", "system_exit"]);

/** What a run says of a program that put everything on the CPU, or counted the GPUs and made nothing. */
const unusedGpu = ({ assumptions }: Trace): Assumption | null =>
  assumptions.find(({ code }) => code.startsWith(UNUSED_GPU)) ?? null;

function verdictOf(input: ReportInput, headroom: { low: number; high: number }): Verdict {
  if (input.status === "out_of_memory") return "does_not_fit";
  if (input.trace.capacityBytes === 0) return "recorded";
  if (!FINISHED.has(input.status) || (input.status === "system_exit" && input.exitStatus !== 0)) return "not_finished";
  if (input.trace.events.kind.length === 0 || unusedGpu(input.trace) !== null) return "unused";
  if (headroom.high < 0) return "does_not_fit";
  const growing = growingLoop(input.trace, headroom.low);
  if (growing !== null) return growing.isFull ? "does_not_fit" : "tight";
  const isPart = [UNSTEPPED, PRINTED_ERROR].some((code) => firstOf(input.trace, code) !== null);
  return headroom.low < 0 || guessedRows(input.trace) !== null || isPart ? "tight" : "fits";
}

const firstOf = ({ assumptions }: Trace, code: string): Assumption | null =>
  assumptions.find((one) => one.code === code) ?? null;

/** A table of which nobody knows how many rows it has, and that a program put on the device whole: of its tensors that with the widest rows. */
function guessedRows({ assumptions }: Trace): Assumption | null {
  const widthOf = ({ args }: Assumption): number => Number(args["rowBytes"]);
  // a line that moves as many rows again and again moves batches
  const moved = assumptions.filter(({ code, count }) => code === GUESSED_ROWS && count === 1);
  return moved.reduce<Assumption | null>((a, b) => (a !== null && widthOf(a) >= widthOf(b) ? a : b), null);
}

interface GrowingLoop {
  readonly loop: Assumption;
  readonly isFull: boolean;
}

/**
 * The loop that was left while its passes added memory and that matters most: one that would fill the device with passes that are
 * known to follow, else one of which nobody knows how many follow, or whose rest does not fit into what is left.
 */
function growingLoop({ assumptions }: Trace, leftBytes: number): GrowingLoop | null {
  const loops = assumptions
    .filter(({ code, args }) => code.startsWith(GROWING) || args[CLIMBS] !== undefined)
    .map((loop) => ({ loop, isFull: Number(loop.args["last"]) <= Number(loop.args["total"] ?? 0) }));
  const restOf = ({ loop: { args } }: GrowingLoop): number =>
    args[CLIMBS] !== undefined ? Infinity : Number(args["restBytes"] ?? Infinity);
  return loops.find(({ isFull }) => isFull) ?? loops.find((one) => restOf(one) > leftBytes) ?? null;
}

function peakPlace(trace: Trace, event: number): PeakPlace | null {
  const frame = trace.frames[trace.events.frame[event] ?? -1];
  if (frame === undefined) return null;
  return {
    event,
    file: frame.file,
    line: frame.line,
    function: frame.name,
    op: trace.ops[trace.events.op[event]!] ?? null,
    module: trace.modules[trace.events.module[event]!] ?? null,
  };
}

/** Bytes by category after an event, in the order in which reports list them; remainders are not in them. */
function categoriesOf(trace: Trace, event: number): ReportFacts["categories"] {
  const shares = new Map(compositionAt(trace, event, "category").shares.map((share) => [share.key, share]));
  return CATEGORIES.flatMap((category) => {
    const share = shares.get(category);
    return share === undefined ? [] : [{ category, bytes: share.bytes, blocks: share.blocks }];
  });
}

/** Each lives only while its call runs, so only the largest can add to the peak. */
function largestWorkspace(trace: Trace): number {
  return Math.max(
    0,
    ...trace.assumptions.map(({ args }) => Number(args["highBytes"] ?? 0) - Number(args["workspaceBytes"] ?? 0)),
  );
}

/** What assumptions say of memory outside of the allocator, beyond the context. */
function outsideOf({ assumptions }: Trace): ReportFacts["outside"] {
  const sum = (key: string): number => assumptions.reduce((total, { args }) => total + Number(args[key] ?? 0), 0);
  return {
    lowBytes: sum("outsideLowBytes"),
    expectedBytes: sum("outsideExpectedBytes"),
    highBytes: sum("outsideHighBytes"),
  };
}

export function reportFacts(input: ReportInput): ReportFacts {
  const { trace, stats, gpu } = input;
  const { context } = gpu;
  const capacityBytes = trace.capacityBytes;
  const limitBytes = input.limitBytes ?? null;
  const outside = outsideOf(trace);
  const driver = {
    lowBytes: stats.peakReservedBytes + context.lowBytes + outside.lowBytes,
    expectedBytes: stats.peakReservedBytes + context.expectedBytes + outside.expectedBytes,
    highBytes: stats.peakReservedBytes + context.highBytes + outside.highBytes + libraryHighBytes(trace),
  };
  const headroomHigh = capacityBytes - driver.lowBytes;
  const headroomLow = capacityBytes - driver.highBytes;
  const verdict = verdictOf(input, { low: headroomLow, high: headroomHigh });
  const trials = input.trials ?? [];
  const findings = rankedFindings([
    ...explain(trace, FINISHED.has(input.status)),
    ...(input.holders ? heldFindings(trace, input.holders) : []),
  ]);
  const { peakEvent, peakReservedBytes } = stats;
  return {
    program: trace.program,
    gpu,
    torch: input.torch,
    status: input.status,
    exitStatus: input.exitStatus,
    verdict,
    stoppedAt: input.stoppedAt ?? null,
    traceLost: input.traceLost ?? false,
    capacityBytes,
    allocated: {
      peakBytes: stats.peakAllocatedBytes,
      peakHighBytes: stats.peakAllocatedBytes + largestWorkspace(trace),
      endBytes: stats.allocatedBytes,
    },
    reserved: { peakBytes: stats.peakReservedBytes, endBytes: stats.reservedBytes },
    driver,
    outside,
    headroomBytes: capacityBytes - driver.expectedBytes,
    limitBytes,
    overLimit: limitBytes !== null && stats.peakReservedBytes > limitBytes,
    peak: peakPlace(trace, stats.peakEvent),
    categories: categoriesOf(trace, stats.peakEvent),
    charged: chargedTotals(trace, stats.peakEvent),
    phases: phasePeaks(trace),
    lines: lineTable(trace),
    saved: savedTable(trace),
    outOfMemory: outOfMemory(trace),
    held:
      input.holders === undefined || input.holders === null
        ? null
        : { event: input.holders.event, blocks: heldBlocks(trace, input.holders, input.holders.event, HELD_BLOCKS) },
    trials,
    findings,
    card: verdictCard({ trace, peakEvent, peakReservedBytes, findings, trials, fits: verdict === "fits" }),
    unused: unusedGpu(trace),
    assumptions: mergedAssumptions(trace).filter((entry) => entry.code !== UNVERIFIED),
    growing: FINISHED.has(input.status) && headroomHigh >= 0 ? (growingLoop(trace, headroomLow)?.loop ?? null) : null,
    guessedRows: FINISHED.has(input.status) ? guessedRows(trace) : null,
    unstepped: FINISHED.has(input.status) ? firstOf(trace, UNSTEPPED) : null,
    printedError: FINISHED.has(input.status) ? firstOf(trace, PRINTED_ERROR) : null,
    unverifiedOps: [
      ...new Set(
        trace.assumptions.flatMap((entry) => (entry.code === UNVERIFIED ? [String(entry.args["op"] ?? "")] : [])),
      ),
    ].sort(),
  };
}

/** The same run, after more changes were tried. */
export function withTrials(facts: ReportFacts, trials: readonly Trial[]): ReportFacts {
  const { reserved, verdict, outOfMemory: failed } = facts;
  const input = { trials, peakReservedBytes: reserved.peakBytes, fits: verdict === "fits" };
  return { ...facts, trials, card: { ...facts.card, remedy: remedyOf(input, failed !== null) } };
}
