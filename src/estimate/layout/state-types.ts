/** Types of a precision-aware optimizer's states, by the words that Megatron-LM and Megatron-SWIFT share for them. */

import { table } from "../../base/table.ts";
import { ReadingError } from "./reading.ts";
import type { StateType, StateTypes } from "./training-job.ts";

const TYPES = table<StateType>({ fp32: "float32", fp16: "float16", bf16: "bfloat16", fp8: "uint8" });

/** With 8-bit products by another recipe than the oldest one, the optimizer holds no main parameters. */
export const holdsMain = (format: string | undefined, recipe: string | undefined): boolean =>
  format === undefined || (recipe ?? "delayed") === "delayed";

/** Options by what they decide, without the way in which a program joins their words. */
export const STATE_OPTIONS = table<readonly string[]>({
  aware: ["use", "precision", "aware", "optimizer"],
  main: ["main", "params", "dtype"],
  first: ["exp", "avg", "dtype"],
  second: ["exp", "avg", "sq", "dtype"],
});

/**
 * `held`: the optimizer itself holds the main parameters, for bfloat16 ones as what these lack (store_param_remainders); with newer 8-bit
 * recipes Megatron-Core keeps float32 copies (optimizer_config.py). Optimizers that move states to the host have float32 ones, which are null.
 */
export function stateTypes(
  aware: boolean,
  held: boolean,
  typeOf: (words: readonly string[]) => [string, string] | null,
): StateTypes | null {
  const typed = (words: readonly string[]): StateType => {
    const [name, value] = typeOf(words) ?? ["", "fp32"];
    const found = TYPES[value];
    if (found === undefined) throw new ReadingError("launch_bad_value", { name, value });
    return found;
  };
  const main = typed(STATE_OPTIONS["main"]!);
  const first = typed(STATE_OPTIONS["first"]!);
  const second = typed(STATE_OPTIONS["second"]!);
  if (!aware) return null;
  return { main: main !== "float32" ? main : held ? "remainder" : "float32", first, second };
}
