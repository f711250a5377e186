/** The example programs of the repository, as a short course: what each shows, with which options it runs. */

import type { PlaygroundCode } from "./words-en.ts";

export interface Example {
  readonly id: string;
  readonly title: PlaygroundCode;
  /** File in examples/. */
  readonly file: string;
  readonly args: readonly string[];
  readonly gpu: string | null;
  readonly torch: string | null;
}

const example = (
  id: string,
  file: string,
  settings: Partial<Pick<Example, "args" | "gpu" | "torch">> = {},
): Example => ({
  id,
  title: `example_${id}` as PlaygroundCode,
  file,
  args: [],
  gpu: null,
  torch: null,
  ...settings,
});

/** In the order in which they teach. */
export const EXAMPLES: readonly Example[] = [
  example("attention", "attention.py"),
  example("attention_flash", "attention_flash.py"),
  example("attention_half", "attention_flash.py", { args: ["--half"] }),
  example("attention_xformers", "attention_xformers.py"),
  example("notebook", "notebook.py"),
  example("scope", "scope.py", { torch: "1.13" }),
  example("training", "training.py", { gpu: "rtx-4090" }),
  example("training_checkpoint", "training.py", { args: ["--checkpoint"] }),
  example("lora", "lora.py"),
  example("lora_full", "lora.py", { args: ["--full"] }),
  example("kv_cache", "kv_cache.py"),
  example("kv_cache_static", "kv_cache.py", { args: ["--static"] }),
  example("oom", "oom.py", { gpu: "t4" }),
];

const sources = import.meta.glob<string>("../../../examples/*.py", { query: "?raw", import: "default", eager: true });

export function sourceOf(example: Example): string {
  const source = sources[`../../../examples/${example.file}`];
  if (source === undefined) throw new Error(`there is no example ${example.file}`);
  return source;
}
