/** A step that trains by preferences or rewards on one card: the peak of each phase, beside what an engine on the same card holds in it. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { GpuRow } from "../../gpus/catalogue.ts";
import type { Head } from "../../models/heads.ts";
import type { ServingEstimate, ServingPartCode } from "../../serving/serving.ts";
import type { Digest } from "../../trace/digest.ts";
import type { Fit, Interval } from "../chain.ts";
import { lastLine, ROOMY_BYTES, type Measure } from "../estimate.ts";
import { generated } from "../program.ts";
import { DEFAULT_INFERENCE, type TrainRecipe } from "../recipe.ts";
import { PRECISIONS, row } from "../techniques.ts";
import { alignmentProgram, EMPTIED } from "./program.ts";
import { TASKS, type AlignmentRecipe, type PhaseId } from "./tasks.ts";

export interface PhaseShare {
  readonly id: PhaseId;
  /** Of the program that trains: allocated at the phase's peak, and what its allocator holds by then. */
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  /** Of the engine that writes answers. */
  readonly engineBytes: number;
  /** Both, with context and libraries. */
  readonly process: Interval;
}

export interface AlignmentEstimate {
  readonly recipe: AlignmentRecipe;
  readonly train: TrainRecipe;
  readonly head: Head;
  readonly gpu: GpuRow;
  readonly program: string;
  readonly digest: Digest;
  readonly engine: ServingEstimate | null;
  readonly phases: readonly PhaseShare[];
  readonly worst: PhaseShare;
  readonly fit: Fit;
}

/** Parts of an engine that stay when it sleeps: the pools of weights and cache are given back, nothing else is (vLLM, cumem.py). */
const ASLEEP: ReadonlySet<ServingPartCode> = new Set(["rotary_tables", "activations", "non_torch", "cuda_graphs"]);
/** While weights are sent, its weights are there and its cache is not (`wake_up(tags=["weights"])`). */
const WEIGHTS_ALONE: ReadonlySet<ServingPartCode> = new Set([...ASLEEP, "weights"]);

const onCard = (code: ServingPartCode): boolean => !code.startsWith("host_") && code !== "unused";

function engineBytes(engine: ServingEstimate | null, { sleep }: AlignmentRecipe, phase: PhaseId): number {
  if (engine === null) return 0;
  const sum = (which: (code: ServingPartCode) => boolean): number =>
    engine.parts.reduce((total, { code, bytes }) => (onCard(code) && which(code) ? total + bytes : total), 0);
  if (sleep === 0 || phase === "generate" || phase === "start") return sum(() => true);
  return phase === "sync" ? sum((code) => WEIGHTS_ALONE.has(code)) : sum((code) => ASLEEP.has(code));
}

/** What generation by transformers takes beside the weights, which are those that train. */
async function generationBytes(
  measure: Measure,
  recipe: AlignmentRecipe,
  train: TrainRecipe,
  head: Head,
  gpu: GpuRow,
): Promise<number> {
  const weights = row(PRECISIONS, train.precision).weights === "float32" ? "fp32" : "bf16";
  const batch = train.batch * train.accumulate;
  const { prompt, newTokens } = recipe;
  const { attention, transformers } = train;
  const infer = { ...DEFAULT_INFERENCE, weights, batch, prompt, newTokens, attention, transformers };
  const digest = await ran(measure, generated(infer, head), gpu);
  const held = digest.components.find(({ category }) => category === "parameter")?.bytes ?? 0;
  return digest.reservedPeakBytes - held;
}

async function ran(measure: Measure, program: Parameters<Measure>[0], gpu: GpuRow): Promise<Digest> {
  const { status, error, digest } = await measure(program, gpu.id, ROOMY_BYTES);
  if (status !== "ok") throw new DiagnosticError(diagnostic("estimate_program_fails", { error: lastLine(error) }));
  return digest;
}

/** Peaks by phase, those of the second step where there are two; micro-batches of a step count as one phase. */
function peaksByPhase({ marks }: Digest): Map<PhaseId, { allocated: number; reserved: number }> {
  const found = new Map<PhaseId, { allocated: number; reserved: number }>();
  for (const { name, peakBytes, reservedBytes } of marks) {
    if (name === EMPTIED) continue;
    const before = found.get(name as PhaseId);
    found.set(name as PhaseId, {
      allocated: Math.max(before?.allocated ?? 0, peakBytes),
      reserved: Math.max(before?.reserved ?? 0, reservedBytes),
    });
  }
  return found;
}

export async function estimateAlignment(
  measure: Measure,
  recipe: AlignmentRecipe,
  train: TrainRecipe,
  head: Head,
  gpu: GpuRow,
  engine: ServingEstimate | null,
): Promise<AlignmentEstimate> {
  const program = alignmentProgram(recipe, train, head);
  const digest = await ran(measure, { source: program, leftOut: null }, gpu);
  const peaks = peaksByPhase(digest);
  const generates = TASKS[recipe.task].generates;
  if (generates && !recipe.hasEngine) {
    const more = await generationBytes(measure, recipe, train, head, gpu);
    const { allocated, reserved } = peaks.get("generate")!;
    peaks.set("generate", { allocated: allocated + more, reserved: Math.max(reserved, allocated + more) });
  }
  if (generates && recipe.hasEngine) peaks.set("sync", peaks.get("generate")!);
  const { lowBytes, expectedBytes, highBytes } = gpu.context;
  const phases = [...peaks].map(([id, { allocated, reserved }]): PhaseShare => {
    const its = engineBytes(engine, recipe, id);
    const held = reserved + its;
    const process = {
      bytes: held + expectedBytes,
      lowBytes: held + lowBytes,
      highBytes: held + highBytes + digest.libraryHighBytes,
    };
    return { id, allocatedBytes: allocated, reservedBytes: reserved, engineBytes: its, process };
  });
  const worst = phases.reduce((most, phase) => (phase.process.bytes > most.process.bytes ? phase : most));
  return { recipe, train, head, gpu, program, digest, engine, phases, worst, fit: fitOf(phases, gpu) };
}

/** A full card gives cached memory back; whether that is enough was not run. */
function fitOf(phases: readonly PhaseShare[], gpu: GpuRow): Fit {
  const all = (test: (phase: PhaseShare) => boolean): boolean => phases.every(test);
  if (all(({ process }) => process.highBytes <= gpu.totalBytes)) return "fits";
  if (all(({ process }) => process.bytes <= gpu.totalBytes)) return "tight";
  const needed = (phase: PhaseShare): number => phase.allocatedBytes + phase.engineBytes + gpu.context.lowBytes;
  return all((phase) => needed(phase) <= gpu.totalBytes) ? "released" : "does_not_fit";
}
