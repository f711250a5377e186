// Start-ups of serving engines, computed: no program runs.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const GIB = 2 ** 30;

const load = (root, file) => import(pathToFileURL(join(root, "dist", "estimate", file)).href);

/** Points of the cases: what an engine prints, from the parts of an estimate. */
const POINTS = {
  loaded: (bytesOf) => bytesOf("weights") + bytesOf("rotary_tables"),
  weights: (bytesOf) => bytesOf("weights"),
  activations: (bytesOf) => bytesOf("activations"),
  cache: (_, estimate) => estimate.cacheTokens,
  cacheBytes: (bytesOf) => bytesOf("kv_cache"),
  compute: (bytesOf) => bytesOf("compute"),
  hostWeights: (bytesOf) => bytesOf("host_weights"),
  hostCompute: (bytesOf) => bytesOf("host_compute"),
  hostOutput: (bytesOf) => bytesOf("host_output"),
};

/** What a case's figures are by our rules, in bytes or tokens, in order. */
export async function servingValues(entry, root) {
  const [{ estimateServing, ggufModelOf }, { findModel }, { partBytes }, { placeTensors }] = await Promise.all(
    ["engines.js", "catalogue.js", "serving.js", "llama-cpp.js"].map((file) => load(root, file)),
  );
  const found = entry.config ? { config: entry.config } : findModel(entry.model).value;
  const { totalGiB, ...options } = entry.options;
  const answer = estimateServing(entry.engine, found, { ...options, totalBytes: totalGiB * GIB, contextBytes: 0 });
  if (!answer.ok) throw new Error(`${entry.id}: ${answer.error.code}`);
  const bytesOf = (code) => partBytes(answer.value, code);
  return entry.figures.map(({ point }) => {
    if (point !== "layersOf8") return Math.round(POINTS[point](bytesOf, answer.value));
    const { tensors, model } = ggufModelOf(found, options.quant).value;
    return placeTensors(tensors, model.shape.layers.length, 8).gpuBytes;
  });
}
