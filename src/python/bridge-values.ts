/** What Python asks of values on the host, and of the generators that make some. */

import type { BridgeFunction, BridgeState } from "./bridge.ts";

export function valueFunctions({ session, handles }: BridgeState): Record<string, BridgeFunction> {
  const find = handles.tensor;
  /** The values, unless the device cannot be read. */
  const shown = (handle: number, values: "values" | "likelyValues"): string | undefined => {
    const t = find(handle);
    return t.isCuda && session.unreadableDevice ? undefined : t[values]?.join(",");
  };
  return {
    values: (handle: number): string | undefined => shown(handle, "values"),
    likely: (handle: number): string | undefined => shown(handle, "likelyValues"),
    /** `bytes`: the numbers as 64-bit floats. */
    setValues: (handle: number, bytes: Uint8Array): void => {
      find(handle).learn(Array.from(new Float64Array(bytes.buffer)));
    },
    fillValues: (handle: number, value: number): void => find(handle).learn(Number(value)),
    drawn: (handle: number): boolean => find(handle).storage.contents?.drawn ?? false,
    seedGenerator: (generator: number, seed: number): void => session.generator(generator).seed(seed),
    /** The low half of a whole number of 64 bits, which is what a seed is made of. */
    drawSeed: (): number => {
      session.random.word();
      return session.random.word();
    },
    useGenerator: (generator: number): void => {
      session.random = session.generator(generator);
    },
  };
}
