// Measured peaks of models that are estimated from their configuration alone.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (root, file) => import(pathToFileURL(join(root, "dist", file)).href);

/** What a case's figures are by an estimate, in bytes: each is the allocated peak of one recipe. */
export async function estimatedValues(entry, root) {
  const [{ estimate, findModel, headOf }, { openEstimateRuns }, { findGpu }] = await Promise.all(
    ["estimate/index.js", "python/estimate-runs.js", "gpus/catalogue.js"].map((file) => load(root, file)),
  );
  const { config } = findModel(entry.model).value;
  const runs = openEstimateRuns({ torch: entry.torch, files: { "config.json": JSON.stringify(config) } });
  try {
    const made = await estimate(runs.run, entry.recipe, headOf(config), findGpu(entry.gpu).value);
    return entry.figures.map(() => made.chain.allocated.bytes);
  } finally {
    runs.close();
  }
}
