// Measured peaks of models that are estimated from their configuration alone.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (root, file) => import(pathToFileURL(join(root, "dist", file)).href);

/** What a figure of the chain is, by the name of its measure. */
const MEASURES = { max_memory_allocated: "allocated", max_memory_reserved: "reserved", NVML: "process" };

/**
 * What a case's figures are by an estimate: bytes with their interval. A case may say what its configuration has that the catalogue's has not
 * (`config`), and begins with the defaults of a recipe.
 */
export async function estimatedValues(entry, root) {
  const [{ DEFAULT_INFERENCE, estimate, findModel, headOf }, { openEstimateRuns }, { findGpu }] = await Promise.all(
    ["estimate/index.js", "python/estimate-runs.js", "gpus/catalogue.js"].map((file) => load(root, file)),
  );
  const config = { ...(entry.model && findModel(entry.model).value.config), ...entry.config };
  const runs = openEstimateRuns({ torch: entry.torch, files: { "config.json": JSON.stringify(config) } });
  try {
    const made = await estimate(
      runs.run,
      { ...DEFAULT_INFERENCE, ...entry.recipe },
      headOf(config),
      findGpu(entry.gpu).value,
    );
    return entry.figures.map(({ measure }) => made.chain[MEASURES[measure]]);
  } finally {
    runs.close();
  }
}
