/** What formulas that people quote say about a recipe, beside what the simulation found: where they agree, and where not. */

import { numberField, textConfig, type ModelConfig } from "../formats/model-config.ts";
import { describesDecoder, modelShape } from "../models/model-shape.ts";
import { weightList } from "../models/weight-list.ts";
import type { Part } from "./chain.ts";
import type { Estimate } from "./estimate.ts";
import type { Recipe, TrainRecipe } from "./recipe.ts";
import { isPacked, METHODS, OPTIMIZERS, PRECISIONS, row, WEIGHTS } from "./techniques.ts";

/** One line of the sheet: a formula with its numbers put in, and the simulated figure that it speaks of. */
export interface SheetLine {
  /** Which quantity; has wording. */
  readonly id: "weights" | "gradients" | "states" | "model_states" | "blocks" | "logits" | "cache";
  readonly formula: string;
  readonly numbers: string;
  readonly bytes: number;
  /** Null where the simulation has no such figure at its peak. */
  readonly simulatedBytes: number | null;
}

interface LayerSizes {
  readonly layers: number;
  readonly hidden: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly headDim: number;
  readonly vocabulary: number;
}

function sizesOf(config: ModelConfig): LayerSizes | null {
  const text = textConfig(config);
  const layers = numberField(text, "num_hidden_layers", "n_layer", "num_layers");
  const hidden = numberField(text, "hidden_size", "n_embd", "d_model");
  const heads = numberField(text, "num_attention_heads", "n_head", "num_heads");
  if (layers === undefined || hidden === undefined || heads === undefined || heads === 0) return null;
  return {
    layers,
    hidden,
    heads,
    kvHeads: numberField(text, "num_key_value_heads") ?? heads,
    headDim: numberField(text, "head_dim") ?? hidden / heads,
    vocabulary: numberField(text, "vocab_size") ?? 0,
  };
}

/** Parameters as textbooks count them: the published count where there is one, otherwise what was simulated. */
export function parameterCounts(
  { digest, recipe }: Pick<Estimate, "digest" | "recipe">,
  published: number | null,
): { readonly all: number; readonly trained: number } {
  const trained = recipe.task === "train" ? digest.elements.trained : 0;
  return { all: published === null ? digest.elements.parameters : Math.max(published, trained), trained };
}

/** `parameters` of the model, and those that are trained. */
export function textbookSheet(
  config: ModelConfig,
  made: { readonly recipe: Recipe; readonly chain: { readonly parts: readonly Part[] } },
  parameters: { readonly all: number; readonly trained: number },
): SheetLine[] {
  const part = (id: string): number | null => made.chain.parts.find((entry) => entry.id === id)?.bytes ?? null;
  const { recipe } = made;
  const lines =
    recipe.task === "train"
      ? trainingStates(recipe, parameters, part)
      : [weightsLine(row(WEIGHTS, recipe.weights).weightBytes, parameters.all, part("weights"))];
  const sizes = sizesOf(config);
  return sizes === null ? lines : [...lines, ...transientLines(recipe, sizes, part)];
}

function weightsLine(bytesEach: number, count: number, simulatedBytes: number | null): SheetLine {
  return {
    id: "weights",
    formula: `${bytesEach}P`,
    numbers: `${bytesEach} · ${count}`,
    bytes: bytesEach * count,
    simulatedBytes,
  };
}

function trainingStates(
  recipe: TrainRecipe,
  parameters: { readonly all: number; readonly trained: number },
  part: (id: string) => number | null,
): SheetLine[] {
  const precision = row(PRECISIONS, recipe.precision);
  const method = row(METHODS, recipe.method);
  const adapterBytes = method.adapters && recipe.loraDtype === "float32" ? 4 : precision.weightBytes;
  const frozen = parameters.all - parameters.trained;
  const frozenBytes = isPacked(recipe) ? 0.516 : precision.weightBytes;
  const { stateBytes: states, inBackward } = row(OPTIMIZERS, recipe.optimizer);
  const [wide, narrow] = states;
  const gradientBytes = inBackward === true ? 0 : adapterBytes;
  const stateBytes = adapterBytes === 4 ? wide : narrow;
  const weights = frozenBytes * frozen + adapterBytes * parameters.trained;
  const each = adapterBytes + gradientBytes + stateBytes;
  const whole = frozen === 0;
  return [
    {
      id: "weights",
      formula: whole ? `${adapterBytes}P` : `${frozenBytes}P + ${adapterBytes}T`,
      numbers: whole
        ? `${adapterBytes} · ${parameters.all}`
        : `${frozenBytes} · ${frozen} + ${adapterBytes} · ${parameters.trained}`,
      bytes: weights,
      simulatedBytes: part("weights"),
    },
    {
      id: "gradients",
      formula: `${gradientBytes}T`,
      numbers: `${gradientBytes} · ${parameters.trained}`,
      bytes: gradientBytes * parameters.trained,
      simulatedBytes: part("gradients"),
    },
    {
      id: "states",
      formula: `${stateBytes}T`,
      numbers: `${stateBytes} · ${parameters.trained}`,
      bytes: stateBytes * parameters.trained,
      simulatedBytes: part("optimizer"),
    },
    {
      id: "model_states",
      formula: whole ? `${each}P` : `${frozenBytes}P + ${each}T`,
      numbers: whole ? `${each} · ${parameters.all}` : `${frozenBytes} · ${frozen} + ${each} · ${parameters.trained}`,
      bytes: frozenBytes * frozen + each * parameters.trained,
      simulatedBytes: null,
    },
  ];
}

function transientLines(recipe: Recipe, sizes: LayerSizes, part: (id: string) => number | null): SheetLine[] {
  const { layers: L, hidden: d, heads: a, kvHeads: k, headDim: e, vocabulary: V } = sizes;
  const b = recipe.batch;
  if (recipe.task === "infer") {
    const T = recipe.prompt + recipe.newTokens - 1;
    return [
      {
        id: "cache",
        formula: "2·2·L·k·e·b·T",
        numbers: `4 · ${L} · ${k} · ${e} · ${b} · ${T}`,
        bytes: 4 * L * k * e * b * T,
        simulatedBytes: part("cache"),
      },
    ];
  }
  const s = recipe.seq;
  const scale = row(PRECISIONS, recipe.precision).activationBytes / 2;
  const blocks =
    recipe.checkpointing === "blocks"
      ? { formula: "2·L·b·s·d", numbers: `2 · ${L} · ${b} · ${s} · ${d}`, bytes: 2 * scale * L * b * s * d }
      : recipe.attention === "eager"
        ? {
            formula: "L·(34·b·s·d + 5·b·a·s²)",
            numbers: `${L} · (34 · ${b} · ${s} · ${d} + 5 · ${b} · ${a} · ${s}²)`,
            bytes: scale * L * (34 * b * s * d + 5 * b * a * s * s),
          }
        : { formula: "L·34·b·s·d", numbers: `${L} · 34 · ${b} · ${s} · ${d}`, bytes: scale * L * 34 * b * s * d };
  return [
    { id: "blocks", ...blocks, simulatedBytes: part("activations") },
    {
      id: "logits",
      formula: "12·b·s·V",
      numbers: `12 · ${b} · ${s} · ${V}`,
      bytes: (recipe.loss === "chunked" ? 1 / 8 : 1) * 12 * b * s * V,
      simulatedBytes: null,
    },
  ];
}

/** What textbooks need before anything has run: null where the configuration does not tell. */
function countsBefore(config: ModelConfig, recipe: Recipe, published: number | null) {
  if (published === null) return null;
  if (recipe.task !== "train") return { all: published, trained: 0 };
  if (!row(METHODS, recipe.method).adapters) return { all: published, trained: published };
  if (!describesDecoder(config)) return null;
  // two narrow matrices beside every matrix of a layer
  const adapters = weightList(modelShape(config), config)
    .filter(({ layer, kind }) => layer !== null && kind === "matrix")
    .reduce((sum, { columns, rows, copies }) => sum + recipe.loraRank * (columns + rows) * copies, 0);
  return { all: published + adapters, trained: adapters };
}

/** The whole sum of a textbook, which needs no run: states, what is kept for backward, the cache. Null where there is no formula. */
export function textbookBytes(config: ModelConfig, recipe: Recipe, published: number | null): number | null {
  const counts = countsBefore(config, recipe, published);
  if (counts === null || sizesOf(config) === null) return null;
  return textbookSheet(config, { recipe, chain: { parts: [] } }, counts)
    .filter(({ id }) => id !== "model_states")
    .reduce((sum, { bytes }) => sum + bytes, 0);
}
