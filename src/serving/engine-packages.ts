/** The Python packages of serving engines, which are compiled: a program that imports one is answered by an estimate. */

/** Engine by the name under which its package is imported. */
export const ENGINE_PACKAGES: ReadonlyMap<string, string> = new Map([
  ["vllm", "vllm"],
  ["sglang", "sglang"],
  ["tensorrt_llm", "tensorrt-llm"],
  ["llama_cpp", "llama.cpp"],
  ["ollama", "ollama"],
]);
