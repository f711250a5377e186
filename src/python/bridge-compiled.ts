/** Where a function that torch.compile was given begins and ends. */

import type { Recorder } from "../inductor/recorder.ts";
import { beginRegion, endRegion, leaveRegion } from "../inductor/region.ts";
import type { BridgeFunction, BridgeState } from "./bridge.ts";

export function compiledFunctions({ session, guard }: BridgeState): Record<string, BridgeFunction> {
  let running: Recorder | null = null;
  return {
    /** False inside another compiled function, which this one is part of. */
    beginCompiled: (): boolean => {
      const recorder = beginRegion(session);
      if (recorder === null) return false;
      running = recorder;
      return true;
    },
    endCompiled: guard((): void => {
      const recorder = running;
      running = null;
      if (recorder) endRegion(session, recorder);
    }),
    leaveCompiled: guard((): void => {
      const recorder = running;
      running = null;
      if (recorder) leaveRegion(session, recorder);
    }),
  };
}
