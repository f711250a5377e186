/** Distributions of which nothing is fetched: compiled to the core, and a stand-in answers for them. By the names that indexes use. */

const NAMES =
  "torch torchvision torchaudio triton numpy pandas pyarrow sentencepiece psutil pillow tiktoken " +
  "bitsandbytes gptqmodel flash-attn xformers deepspeed mpi4py scikit-learn spacy";

const BUILT_IN: ReadonlySet<string> = new Set(NAMES.split(" "));

/** Drivers and libraries of GPUs, which nothing here would load. */
const LIBRARIES = /^(nvidia|cuda)-/;

export const isBuiltIn = (name: string): boolean => BUILT_IN.has(name) || LIBRARIES.test(name);
