/** Ollama: it starts llama.cpp's server and chooses what the user does not: context, batch, a reserve. Rules of August 2026. */

import { GIB, MIB } from "../base/bytes.ts";
import type { GgufModel } from "./gguf-model.ts";
import { estimateLlamaCpp, type LlamaCppOptions } from "./llama-cpp.ts";
import { roughPart, type ServingEstimate } from "./serving.ts";

export const OLLAMA_VERSION = "2026-08";

/** Context where none is asked for, by the GPU's total: the first row that it reaches. */
const CONTEXT_BY_TOTAL: readonly { readonly fromBytes: number; readonly tokens: number }[] = [
  { fromBytes: 47 * GIB, tokens: 262_144 },
  { fromBytes: 23 * GIB, tokens: 32_768 },
  { fromBytes: 0, tokens: 4096 },
];
const RESERVE_BYTES = 457 * MIB;

export function ollamaContext(totalBytes: number, longest: number | null): number {
  const { tokens } = CONTEXT_BY_TOTAL.find(({ fromBytes }) => totalBytes >= fromBytes)!;
  return Math.min(tokens, longest ?? tokens);
}

/** Micro-batches grow with the context as far as memory allows: these shares of the GPU must stay free. */
const BATCHES: readonly { readonly above: number; readonly headroom: number; readonly tokens: number }[] = [
  { above: 32_768, headroom: 0.6, tokens: 2048 },
  { above: 4096, headroom: 0.75, tokens: 1024 },
];
const BATCH = 512;

export function estimateOllama(gguf: GgufModel, options: LlamaCppOptions): ServingEstimate {
  const sequences = options.sequences ?? 1;
  const length = options.contextLength ?? ollamaContext(options.totalBytes, gguf.model.shape.positions);
  const run = (microBatch: number): ServingEstimate =>
    estimateLlamaCpp(gguf, { ...options, contextLength: length * sequences, microBatch, sequences });
  let estimate = run(options.microBatch ?? BATCH);
  if (options.microBatch === undefined) {
    const usedBytes = estimate.parts
      .filter(({ code }) => !code.startsWith("host_"))
      .reduce((sum, part) => sum + part.bytes, 0);
    const larger = BATCHES.find(({ above, headroom }) => length > above && usedBytes <= options.totalBytes * headroom);
    if (larger !== undefined) estimate = run(larger.tokens);
  }
  const parts = [...estimate.parts, roughPart("reserve", RESERVE_BYTES, 0, "source", "kept free on each GPU")];
  const usedBytes = parts.filter(({ code }) => !code.startsWith("host_")).reduce((sum, part) => sum + part.bytes, 0);
  return {
    ...estimate,
    engine: "Ollama",
    version: OLLAMA_VERSION,
    parts,
    contextLength: length,
    settings: { ...estimate.settings, "max-len": length },
    fits: usedBytes <= options.totalBytes,
  };
}
