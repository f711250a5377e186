/** Estimates as JSON: bytes everywhere, and a `schemaVersion` that grows when a field changes its meaning or goes away. */

import { largestPart } from "../estimate/estimate-card.ts";
import type { Changes, Estimate, Largest, SheetLine, Sweep } from "../estimate/index.ts";

export interface EstimateDocument {
  readonly model: string;
  readonly torch: string;
  readonly estimates: readonly Estimate[];
  readonly largest: readonly Largest[];
  readonly changes: Changes | null;
  readonly sweep: Sweep | null;
  readonly sheet: readonly SheetLine[] | null;
}

const estimateJson = ({ recipe, gpu, digest, chain, fit }: Estimate): object => ({
  recipe,
  gpu: gpu.id,
  fit,
  card: { cause: largestPart(chain) },
  chain: {
    ...chain,
    sources: {
      allocated: "simulated",
      reserved: "simulated",
      process: `${gpu.context.mark}: ${gpu.context.evidence}`,
      capacity: gpu.totalMark,
    },
  },
  peak: digest.peak,
  modules: digest.modules,
  phases: digest.phases,
  parameters: digest.elements,
  assumptions: digest.assumptions,
});

export function estimateDocument(document: EstimateDocument): object {
  const { model, torch, estimates, largest, changes, sweep, sheet } = document;
  return {
    schemaVersion: 1,
    model,
    torch,
    estimates: estimates.map(estimateJson),
    ...(largest.length === 0
      ? {}
      : {
          largest: largest.map((found) => ({
            ...found,
            estimate: found.estimate && estimateJson(found.estimate),
            next: found.next && estimateJson(found.next),
          })),
        }),
    ...(changes === null
      ? {}
      : {
          changes: {
            single: changes.single.map((tried) => ({ ...tried, estimate: estimateJson(tried.estimate) })),
            together: changes.together && { ...changes.together, estimate: estimateJson(changes.together.estimate) },
          },
        }),
    ...(sweep === null ? {} : { sweep }),
    ...(sheet === null ? {} : { textbook: sheet }),
  };
}
