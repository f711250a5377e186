/** Pipelines of diffusers by the names that people type: several models that one configuration does not describe. */

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

export function isPipelineName(name: string): boolean {
  const bare = name
    .slice(name.lastIndexOf("/") + 1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
  return FAMILIES.some((family) => bare.startsWith(family));
}
