/** Megatron-LM's scripts for models that are no plain decoder: which options say their sizes, and what is taken where none does. */

import { table } from "../../base/table.ts";
import type { MegatronOptions } from "./megatron-options-given.ts";
import type { ChunkLayers } from "./pipeline-layout.ts";
import { ReadingError } from "./reading.ts";
import type { ModelKind } from "./training-job.ts";

/** What the command's script and options say that the reader of decoders asks for by other names. */
export interface KindOfModel {
  readonly kind: ModelKind | undefined;
  readonly layers: number;
  readonly seq: number;
  /** Of the vocabulary that the script's own examples use. */
  readonly vocab: number | undefined;
  /** Where the pattern of a hybrid says more: layers of each stage with depths of prediction, and numbers of the layers with experts. */
  readonly stages?: ChunkLayers;
  readonly expertLayers?: readonly number[];
}

/** Google's vocabularies of word pieces, which the examples of BERT and T5 name; two more words begin and end a text. */
const UNCASED_WORDS = 30522 + 2;
const CASED_WORDS = 28996 + 2;

const WORDS_OF = table<number>({
  BertWordPieceLowerCase: UNCASED_WORDS,
  BertWordPieceCase: CASED_WORDS,
});

/** `M-M*E|ME-` and, behind `/`, the layers of each depth of prediction. */
function hybrid(name: string, pattern: string, options: MegatronOptions): KindOfModel {
  const refuse = (): never => {
    throw new ReadingError("launch_bad_value", { name: `--${name}`, value: pattern });
  };
  const [main = "", ...depths] = pattern.split("/");
  const stages = main.split("|");
  const letters = stages.join("");
  if (!/^[M*E-]+$/.test(letters) || depths.some((depth) => depth !== depths[0] || !/^[M*E-]+$/.test(depth))) refuse();
  const layers = options.number("num-layers") ?? letters.length;
  const pp = options.number("pipeline-model-parallel-size") ?? 1;
  if (layers !== letters.length || (stages.length > 1 && stages.length % pp !== 0)) refuse();
  if (pattern.includes("E")) options.needed("num-experts");
  const hidden = options.needed("hidden-size");
  const headDim = options.number("mamba-head-dim") ?? 64;
  return {
    kind: {
      kind: "hybrid",
      pattern: letters + (depths[0] ?? ""),
      predicted: depths[0]?.length ?? 0,
      mamba: {
        heads: options.number("mamba-num-heads") ?? Math.floor((2 * hidden) / headDim),
        headDim,
        state: options.number("mamba-state-dim") ?? 128,
        groups: options.number("mamba-num-groups") ?? 8,
      },
    },
    layers,
    seq: options.needed("seq-length"),
    vocab: undefined,
    stages: {
      chunks: Math.max(1, stages.length / pp),
      layersOfChunks: stages.length > 1 ? stages.map((stage) => stage.length) : null,
      extraPredictions: depths.length,
    },
    expertLayers: [...letters].flatMap((letter, i) => (letter === "E" ? [i] : [])),
  };
}

/** Options that give a pattern, the newer name first. */
const PATTERNS = ["hybrid-layer-pattern", "hybrid-override-pattern"];

export function kindOfModel(script: string, options: MegatronOptions): KindOfModel {
  options.has("is-hybrid-model");
  for (const name of PATTERNS) {
    const pattern = options.text(name);
    if (pattern !== undefined) return hybrid(name, pattern, options);
  }
  const words = WORDS_OF[options.text("tokenizer-type") ?? ""];
  if (/t5/.test(script) || options.number("encoder-num-layers") !== undefined) {
    const encoderLayers = options.needed("encoder-num-layers", options.number("num-layers"));
    const seq = options.needed("encoder-seq-length", options.number("seq-length"));
    return {
      kind: {
        kind: "encoder-decoder",
        encoderLayers,
        decoderSeq: options.number("decoder-seq-length") ?? seq,
      },
      layers: options.number("decoder-num-layers") ?? encoderLayers,
      seq,
      vocab: (words ?? CASED_WORDS) + (options.number("vocab-extra-ids") ?? 0),
    };
  }
  return {
    kind: /bert/.test(script) ? { kind: "encoder" } : undefined,
    layers: options.needed("num-layers"),
    seq: options.needed("seq-length"),
    vocab: words ?? (/bert/.test(script) ? UNCASED_WORDS : undefined),
  };
}
