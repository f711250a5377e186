/** Megatron-LM's scripts for models that are no plain decoder: which options say their sizes, and what is taken where none does. */

import type { MegatronOptions } from "./megatron-options-given.ts";
import type { ModelKind } from "./training-job.ts";

/** What the command's script and options say that the reader of decoders asks for by other names. */
export interface KindOfModel {
  readonly kind: ModelKind | undefined;
  readonly layers: number;
  readonly seq: number;
  /** Of the vocabulary that the script's own examples use. */
  readonly vocab: number | undefined;
}

/** Google's vocabularies of word pieces, which the examples of BERT and T5 name; two more words begin and end a text. */
const UNCASED_WORDS = 30522 + 2;
const CASED_WORDS = 28996 + 2;

const WORDS_OF: Readonly<Record<string, number>> = {
  BertWordPieceLowerCase: UNCASED_WORDS,
  BertWordPieceCase: CASED_WORDS,
};

export function kindOfModel(script: string, options: MegatronOptions): KindOfModel {
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
