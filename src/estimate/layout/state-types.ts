/** Types of a precision-aware optimizer's states, by the words that Megatron-LM and Megatron-SWIFT share for them. */

import { table } from "../../base/table.ts";
import { ReadingError } from "./reading.ts";
import type { StateType, StateTypes } from "./training-job.ts";

const TYPES = table<StateType>({ fp32: "float32", fp16: "float16", bf16: "bfloat16", fp8: "uint8" });

/** Options by what they decide, without the way in which a program joins their words. */
export const STATE_OPTIONS = table<readonly string[]>({
  aware: ["use", "precision", "aware", "optimizer"],
  main: ["main", "params", "dtype"],
  first: ["exp", "avg", "dtype"],
  second: ["exp", "avg", "sq", "dtype"],
});

/**
 * `aware`: whether the optimizer holds the main parameters itself, with bfloat16 ones as what these lack (optimizer_config.py,
 * store_param_remainders); one that moves states to the host keeps float32 (cpu_offloading/hybrid_optimizer.py).
 */
export function stateTypes(
  aware: boolean,
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
  return aware ? { main: main === "float32" ? "remainder" : main, first, second } : null;
}
