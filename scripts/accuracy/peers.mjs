// What published rules of other tools say of the rows that `estimate` answers: weights, a share on top, weights with a cache.
// The tools fetch a model's files from the hub; their rules are computed here from the same configurations.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const load = (root, file) => import(pathToFileURL(join(root, "dist", file)).href);

/** Bytes of a parameter where a tool divides by the width alone, and the format that a checkpoint is stored in. */
const WEIGHTS = {
  fp32: [4, "fp32"],
  bf16: [2, "bf16"],
  fp16: [2, "fp16"],
  fp8: [1, "fp8-block"],
  awq: [0.5, "awq"],
  gptq: [0.5, "gptq"],
  "gptq-exllamav2": [0.5, "gptq"],
  "gptq-int8": [1, "gptq-8bit-g128"],
};

/** Rules by tool: bytes from what is known of a row. */
const RULES = [
  ["accelerate estimate-memory, total size", ({ divided }) => divided],
  ["the same and 20 % for inference, as its guide says", ({ divided }) => 1.2 * divided],
  ["hf-mem, stored weights and cache", ({ stored, cache }) => stored + cache],
];

async function factsOf(entry, root) {
  const [{ findModel }, { servedModel }, { modelWeightBytes }, { findWeightFormat }, { cacheSize }] = await Promise.all(
    [
      "models/catalogue.js",
      "serving/served-model.js",
      "serving/rank-weights.js",
      "models/weight-formats.js",
      "serving/kv-cache.js",
    ].map((file) => load(root, file)),
  );
  const found = entry.model && findModel(entry.model);
  const [bytes, format] = WEIGHTS[entry.recipe.weights] ?? [];
  if (!found?.ok || bytes === undefined) return null;
  const { parameters } = found.value;
  const model = servedModel({ ...found.value.config, ...entry.config }, parameters);
  const { batch = 1, prompt, newTokens } = entry.recipe;
  return {
    divided: parameters * bytes,
    stored: modelWeightBytes(model, findWeightFormat(format), 2),
    cache: cacheSize(model.shape, { tokens: prompt + newTokens, sequences: batch, keyBytes: 2, valueBytes: 2 })
      .totalBytes,
  };
}

const UNITS = { MB: 1e6, MiB: 2 ** 20, GiB: 2 ** 30 };
const percent = (share) => `${Number((100 * share).toPrecision(2))} %`;

/** One line of the table: how far off, how often near, how often too low. */
function lineOf(name, errors) {
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const near = (share) => percent(sizes.filter((size) => size <= share).length / sizes.length);
  const under = errors.filter((error) => error < -0.01).length;
  return [name, sizes.length, percent(sizes[Math.floor(sizes.length / 2)]), near(0.01), near(0.1), under];
}

/**
 * Lines of the table for groups of estimates, ours first: `predicted` gives what the page has of a figure.
 */
export async function peerRows(groups, root, predicted) {
  const ours = [];
  const theirs = RULES.map(() => []);
  for (const entry of groups.flatMap(({ cases }) => cases).filter(({ recipe }) => recipe)) {
    const facts = await factsOf(entry, root);
    if (facts === null) continue;
    for (const figure of entry.figures.filter(({ measure }) => measure === "max_memory_allocated")) {
      const own = predicted(entry, figure);
      if (own === undefined) continue;
      ours.push(own / figure.value - 1);
      RULES.forEach(([, rule], at) => theirs[at].push(rule(facts) / UNITS[figure.unit] / figure.value - 1));
    }
  }
  if (ours.length === 0) return [];
  return [lineOf("vramscope estimate", ours), ...RULES.map(([name], at) => lineOf(name, theirs[at]))];
}

/** What a page says that we predict of a figure. */
export const onPage = (page) => {
  const cells = new Map(
    page
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.slice(2).split(" | "))
      .map(([id, point, measure, text]) => [`${id} | ${point} | ${measure}`, text]),
  );
  return ({ id }, { point, measure }) => {
    const text = cells.get(`${id} | ${point} | ${measure}`);
    return text === undefined ? undefined : Number.parseFloat(text.replaceAll(",", ""));
  };
};

export const PEERS_TITLE = "Other tools on the same rows";
export const PEERS_HEAD = ["rule", "figures", "median error", "within 1 %", "within 10 %", "too low by more than 1 %"];
export const PEERS_ABOUT =
  "Highest allocated bytes of the rows above that `estimate` answers from a catalogued model, by the published rules of other tools, computed here from the same configurations. Those tools say what weights and cache take; they do not claim activations, buffers of kernels or whole logits, which is where the difference lies.";
