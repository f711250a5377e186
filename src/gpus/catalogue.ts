/** The GPU catalogue: every NVIDIA GPU that can be simulated, and how people's names for them are understood. */

import { failure, success, type Outcome } from "../base/diagnostic.ts";
import { nearestNames } from "../base/nearest.ts";
import { contextOf } from "./context.ts";
import { givenCapacity, withCapacity } from "./given-capacity.ts";
import { NVIDIA_GPUS } from "./nvidia.ts";
import { OTHER_ACCELERATORS } from "./other.ts";
import { findOtherGpu } from "./other-rows.ts";
import { gpuRow, type GpuRow } from "./row.ts";

export type { ContextBytes, Evidence, GpuData, GpuRow, GpuSegment } from "./row.ts";

export const DEFAULT_GPU = "a100-80gb";

export const GPUS: readonly GpuRow[] = NVIDIA_GPUS.map((data) => gpuRow(data, contextOf(data)));

export type GpuErrorCode =
  | "unknown_gpu"
  | "unknown_gpu_nearest"
  | "gpu_not_simulated"
  | "bad_gpu_memory"
  | "several_gpus";

/** Words that drivers and shops put around a GPU's name. */
const NOISE = new Set(["nvidia", "geforce", "tesla", "quadro", "gpu", "graphics", "generation", "the"]);

function words(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "" && !NOISE.has(word));
}

/** Letters and digits only: `RTX 4090`, `rtx-4090` and `rtx4090` are one name. */
function squeezed(name: string): string {
  return words(name).join("");
}

// HBM3, SXM5, PCIe and the like tell boards apart where the catalogue does and may be said where it does not.
const BOARD_WORD = /^(sxm\d?|pcie|hbm\d?e?|nvl|hgx|dgx|cfg\d*)$/;

const EXACT = new Map<string, GpuRow>();
const WORDS: { readonly gpu: GpuRow; readonly words: ReadonlySet<string> }[] = [];
for (const gpu of GPUS) {
  for (const name of [gpu.id, gpu.name, ...gpu.aliases]) {
    const key = squeezed(name);
    if (!EXACT.has(key)) EXACT.set(key, gpu);
  }
  WORDS.push({ gpu, words: new Set([gpu.id, gpu.name, ...gpu.aliases].flatMap(words)) });
}

function byWords(wanted: readonly string[]): GpuRow | undefined {
  // A family or a size alone names nothing.
  if (!wanted.some((word) => /\d/.test(word) && !/^\d+gb?$/.test(word))) return undefined;
  return WORDS.find((row) => wanted.every((word) => row.words.has(word)))?.gpu;
}

/** A GPU by id, alias or loose name, as nvidia-smi prints it for example; otherwise the nearest name. */
export function findGpu(name: string): Outcome<GpuRow, GpuErrorCode> {
  const asked = givenCapacity(name);
  if (asked !== null) {
    if (asked.totalBytes === null) return failure("bad_gpu_memory", { name });
    const card = findGpu(asked.card);
    return card.ok ? success(withCapacity(card.value, asked.totalBytes)) : card;
  }
  const exact = EXACT.get(squeezed(name));
  if (exact !== undefined) return success(exact);
  const typed = words(name);
  const loose = byWords(typed) ?? byWords(typed.filter((word) => !BOARD_WORD.test(word)));
  if (loose !== undefined) return success(loose);
  const runs = findOtherGpu(name);
  if (runs !== undefined) return success(runs);
  const other = OTHER_ACCELERATORS.find((row) => squeezed(row.name) === squeezed(name) || row.id === name);
  if (other !== undefined) return failure("gpu_not_simulated", { name: other.name, vendor: other.vendor });
  const listed = name.split(/[,;+]/).filter((one) => one.trim() !== "");
  if (listed.length > 1 && listed.every((one) => findGpu(one).ok))
    return failure("several_gpus", { names: name, first: listed[0]!.trim() });
  const [nearest] = nearestNames(squeezed(name), EXACT.keys());
  if (nearest === undefined) return failure("unknown_gpu", { name });
  return failure("unknown_gpu_nearest", { name, nearest: EXACT.get(nearest)!.id });
}
