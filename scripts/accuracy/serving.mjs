// Start-ups of serving engines, computed: no program runs.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const GIB = 2 ** 30;

const load = (root, file) => import(pathToFileURL(join(root, "dist", file)).href);

const wholeCache = ({ parts }) => parts.find(({ code }) => code === "kv_cache").bytes;

/** Points of the cases: what an engine prints, from the parts of an estimate. */
const POINTS = {
  loaded: (bytesOf) => bytesOf("weights") + bytesOf("rotary_tables"),
  weights: (bytesOf) => bytesOf("weights"),
  activations: (bytesOf) => bytesOf("activations"),
  cache: (bytesOf, estimate) => (estimate.cacheTokens * bytesOf("kv_cache")) / wholeCache(estimate),
  nonTorch: (bytesOf) => bytesOf("non_torch"),
  graphs: (bytesOf) => bytesOf("cuda_graphs"),
  cacheBytes: (bytesOf) => bytesOf("kv_cache"),
  compute: (bytesOf) => bytesOf("compute"),
  hostWeights: (bytesOf) => bytesOf("host_weights"),
  hostCompute: (bytesOf) => bytesOf("host_compute"),
  hostOutput: (bytesOf) => bytesOf("host_output"),
};

/** A part's expected bytes, and the ends of its interval: functions of an answer that give functions of a part's name. */
const ENDS = ["bytes", "lowBytes", "highBytes"].map(
  (end) => (answer) => (code) =>
    answer.parts.filter((part) => part.code === code).reduce((sum, part) => sum + part[end], 0),
);

/** What a case's figures are by our rules, in bytes or tokens with their interval, in order. */
export async function servingValues(entry, root) {
  const [{ estimateServing, ggufModelOf }, { findModel }, { placeTensors }] = await Promise.all(
    ["serving/engines.js", "models/catalogue.js", "serving/llama-cpp.js"].map((file) => load(root, file)),
  );
  const found = entry.config ? { config: entry.config } : findModel(entry.model).value;
  const { totalGiB, ...options } = entry.options;
  const answer = estimateServing(entry.engine, found, { ...options, totalBytes: totalGiB * GIB, contextBytes: 0 });
  if (!answer.ok) throw new Error(`${entry.id}: ${answer.error.code}`);
  return entry.figures.map(({ point }) => {
    if (point !== "layersOf8") {
      const [bytes, lowBytes, highBytes] = ENDS.map((end) =>
        Math.round(POINTS[point](end(answer.value), answer.value)),
      );
      return { bytes, lowBytes, highBytes };
    }
    const { tensors, model } = ggufModelOf(found, options.quant).value;
    const bytes = placeTensors(tensors, model.shape.layers.length, 8).gpuBytes;
    return { bytes, lowBytes: bytes, highBytes: bytes };
  });
}
