/** What a model keeps per token and per sequence: keys and values, latents, windows, states. Values, not bytes: engines choose types. */

import type { AttentionShape, ModelShape } from "../models/model-shape.ts";
import type { StateShape } from "../models/state-shape.ts";

export interface LayerCache {
  readonly kind: "keys and values" | "latent" | "state" | "none";
  /** Values of the key's side and of the value's side per token. */
  readonly keyElements: number;
  readonly valueElements: number;
  /** Tokens beyond which nothing is kept; null: all are. */
  readonly window: number | null;
  readonly state: StateShape | null;
}

/** The latent of one token is stored once; kept per head as transformers does, keys and values are larger by far. */
export function layerCache(look: AttentionShape | null, state: StateShape | null, latentPerHead = false): LayerCache {
  if (state !== null) return { kind: "state", keyElements: 0, valueElements: 0, window: null, state };
  if (look === null) return { kind: "none", keyElements: 0, valueElements: 0, window: null, state: null };
  if (look.kind === "latent") {
    const keyElements = latentPerHead ? look.heads * (look.plainDim + look.ropeDim) : look.rank + look.ropeDim;
    const valueElements = latentPerHead ? look.heads * look.valueDim : 0;
    return {
      kind: latentPerHead ? "keys and values" : "latent",
      keyElements,
      valueElements,
      window: null,
      state: null,
    };
  }
  return {
    kind: "keys and values",
    keyElements: look.kvHeads * look.headDim,
    valueElements: look.kvHeads * look.valueDim,
    window: look.window,
    state: null,
  };
}

export interface CacheOptions {
  readonly tokens: number;
  readonly sequences: number;
  /** Bytes of a value: 2 in 16 bits, 1 in FP8, 34/32 in q8_0. */
  readonly keyBytes: number;
  readonly valueBytes: number;
  /** Bytes of a value of a recurrent state; default 4. */
  readonly stateBytes?: number;
  /** As transformers keeps latents: expanded for each head. */
  readonly latentPerHead?: boolean;
}

export interface CacheSize {
  /** Bytes of each layer for all sequences. */
  readonly layerBytes: readonly number[];
  readonly totalBytes: number;
  /** Bytes that one more token of one sequence takes, once windows are full. */
  readonly bytesPerToken: number;
  /** Bytes per sequence that do not grow. */
  readonly stateBytes: number;
}

/** Values that one sequence's state takes; transformers keeps all taps of the convolution, engines one less. */
export function stateElements(state: StateShape, taps = state.taps - 1): number {
  return state.stateElements + state.convChannels * taps;
}

/** The cache of `sequences` sequences of `tokens` tokens, layer by layer, with nothing rounded: engines add their own blocks. */
export function cacheSize(shape: ModelShape, options: CacheOptions): CacheSize {
  const { tokens, sequences, keyBytes, valueBytes } = options;
  let bytesPerToken = 0;
  let stateBytes = 0;
  const layerBytes = shape.layers.map((layer) => {
    const cache = layerCache(layer.attention, layer.state, options.latentPerHead ?? false);
    if (cache.state !== null) {
      const bytes = stateElements(cache.state) * (options.stateBytes ?? 4);
      stateBytes += bytes;
      return bytes * sequences;
    }
    const perToken = cache.keyElements * keyBytes + cache.valueElements * valueBytes;
    if (cache.window === null || cache.window > tokens) bytesPerToken += perToken;
    return perToken * Math.min(tokens, cache.window ?? tokens) * sequences;
  });
  const totalBytes = layerBytes.reduce((sum, bytes) => sum + bytes, 0);
  return { layerBytes, totalBytes, bytesPerToken, stateBytes };
}

/** Bytes of keys and values of an encoder's output, kept by each decoder layer while it generates. */
export function crossCacheBytes(
  decoderLayers: number,
  keyElements: number,
  encoderTokens: number,
  sequences: number,
  bytes: number,
): number {
  return decoderLayers * 2 * keyElements * encoderTokens * sequences * bytes;
}
