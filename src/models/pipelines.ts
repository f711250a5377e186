/** Pipelines of diffusers by the names that people type: several models that one configuration does not describe. */

import { PIPELINE_ROWS, type PipelineRow } from "./pipeline-rows.ts";

/** Beginnings of names, without what stands between letters. */
const FAMILIES = [
  "stablediffusion",
  "sdxl",
  "sd15",
  "sd21",
  "sd3",
  "flux",
  "kandinsky",
  "pixart",
  "playground",
  "cogvideo",
  "hunyuanvideo",
  "ltxvideo",
  "mochi",
  "wan2",
  "svd",
  "qwenimage",
] as const;

/** The file that lists a pipeline's models. */
export const PIPELINE_INDEX = "model_index.json";

const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
const lastPart = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

export function isPipelineName(name: string): boolean {
  const bare = squeezed(lastPart(name));
  return FAMILIES.some((family) => bare.startsWith(family));
}

/** A pipeline whose parts are known, by an id, its last part or a short name; null where none is meant. */
export function findPipeline(typed: string): { readonly name: string; readonly row: PipelineRow } | null {
  const whole = typed.trim().toLowerCase();
  const bare = squeezed(lastPart(whole));
  for (const row of PIPELINE_ROWS) {
    const id = row.ids.find((one) => one.toLowerCase() === whole || squeezed(lastPart(one)) === bare);
    if (id !== undefined) return { name: id, row };
    if (row.short.includes(bare)) return { name: row.ids[0]!, row };
  }
  return null;
}

/** Ids of pipelines whose parts are known. */
export const pipelineNames = (): readonly string[] => PIPELINE_ROWS.map(({ ids }) => ids[0]!);
