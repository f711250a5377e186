/** Which layers a stage of Megatron-LM's pipeline gets: evenly, with other ends, or by a written layout such as `Et*2|(tt|)*5t|tmL`. */

import { MOST_LAYERS } from "./megatron-options-given.ts";
import { ReadingError } from "./reading.ts";

interface Asked {
  number(name: string): number | undefined;
  text(name: string): string | undefined;
  has(name: string): boolean;
}

export interface ChunkLayers {
  readonly chunks: number;
  /** Null: evenly. */
  readonly layersOfChunks: readonly number[] | null;
  /** Layers for further tokens, where the layout names them. */
  readonly extraPredictions: number | null;
}

/** `(tt|)*3` written out; null where that is longer than any model. */
function expanded(layout: string): string | null {
  let long = false;
  const repeated = (_: string, part: string, times: string): string => {
    if (part.length * Number(times) <= MOST_LAYERS) return part.repeat(Number(times));
    long = true;
    return "";
  };
  let text = layout.replaceAll(/[\s,]/g, "");
  for (let i = 0; i < 16 && /[(*]/.test(text); i++)
    text = text
      .replaceAll(/\(([^()]*)\)\*(\d{1,4})/g, repeated)
      .replaceAll(/\(([^()]*)\)/g, "$1")
      .replaceAll(/([A-Za-z])\*(\d{1,4})/g, repeated);
  return long ? null : text;
}

function written(layout: string, layers: number, pp: number): ChunkLayers {
  const bad = () => new ReadingError("launch_bad_value", { name: "--pipeline-model-parallel-layout", value: layout });
  const text = expanded(layout);
  if (text === null || text.length > MOST_LAYERS || !/^[EtmL|]+$/.test(text)) throw bad();
  const parts = text.split("|");
  const counts = parts.map((part) => [...part].filter((char) => char === "t").length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total !== layers || parts.length % pp !== 0) throw bad();
  return {
    chunks: parts.length / pp,
    layersOfChunks: counts,
    extraPredictions: [...text].filter((char) => char === "m").length,
  };
}

export function chunkLayers(options: Asked, { layers, pp }: { layers: number; pp: number }): ChunkLayers {
  const layout = options.text("pipeline-model-parallel-layout");
  if (layout !== undefined) return written(layout, layers, pp);
  const first = options.number("decoder-first-pipeline-num-layers");
  const last = options.number("decoder-last-pipeline-num-layers");
  const embedding = options.has("account-for-embedding-in-pipeline-split") ? 1 : 0;
  const loss = options.has("account-for-loss-in-pipeline-split") ? 1 : 0;
  const perChunk = options.number("num-layers-per-virtual-pipeline-stage");
  const asked = options.number("num-virtual-stages-per-pipeline-rank");
  const slots = layers + embedding + loss;
  const chunks = pp === 1 ? 1 : (asked ?? (perChunk === undefined ? 1 : slots / pp / perChunk));
  if (!Number.isInteger(chunks) || chunks < 1)
    throw new ReadingError("launch_bad_value", {
      name: "--num-layers-per-virtual-pipeline-stage",
      value: String(perChunk ?? asked),
    });
  if (embedding + loss > 0 && pp > 1) {
    const each = slots / (pp * chunks);
    if (!Number.isInteger(each))
      throw new ReadingError("launch_bad_value", { name: "--num-layers", value: String(layers) });
    const counts = Array.from({ length: pp * chunks }, () => each);
    counts[0]! -= embedding;
    counts[counts.length - 1]! -= loss;
    return { chunks, layersOfChunks: counts, extraPredictions: null };
  }
  if (first === undefined && last === undefined) return { chunks, layersOfChunks: null, extraPredictions: null };
  const ends = (first === undefined ? 0 : 1) + (last === undefined ? 0 : 1);
  const middle = (layers - (first ?? 0) - (last ?? 0)) / (pp - ends);
  if (pp <= ends || !Number.isInteger(middle) || middle < 1)
    throw new ReadingError("launch_bad_value", {
      name: "--decoder-first-pipeline-num-layers",
      value: String(first ?? last),
    });
  const stages = Array.from({ length: pp }, (_, i) =>
    i === 0 && first !== undefined ? first : i === pp - 1 && last !== undefined ? last : middle,
  );
  if (chunks === 1) return { chunks, layersOfChunks: stages, extraPredictions: null };
  const counts = Array.from({ length: pp * chunks }, (_, i) => stages[i % pp]! / chunks);
  if (counts.some((count) => !Number.isInteger(count)))
    throw new ReadingError("launch_bad_value", {
      name: "--num-virtual-stages-per-pipeline-rank",
      value: String(chunks),
    });
  return { chunks, layersOfChunks: counts, extraPredictions: null };
}
