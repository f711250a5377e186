/** The modes that Python sets and asks: gradients, inference, phases, modules, autocast, hooks for saved tensors. */

import { dtype } from "../tensor/dtype.ts";
import { TorchError } from "../tensor/shape.ts";
import { PHASES, type Phase } from "../trace/model.ts";
import type { BridgeFunction, BridgeState } from "./bridge.ts";

export function modeFunctions({ session }: BridgeState): Record<string, BridgeFunction> {
  const { place } = session;
  const moduleStack: number[] = [];
  return {
    gradMode: (): boolean => session.gradEnabled,
    setGradMode: (value: boolean): void => {
      session.gradEnabled = value;
    },
    inferenceMode: (): boolean => session.inferenceMode,
    setInferenceMode: (value: boolean): void => {
      session.inferenceMode = value;
    },
    setDefaultDtype: (name: string): void => {
      session.defaultDtype = dtype(name);
    },
    setPhase: (phase: string): string => {
      const before = place.phase;
      if (!PHASES.includes(phase as Phase)) throw new TorchError("no such phase");
      place.phase = phase as Phase;
      if (phase === "optimizer") session.optimizerSteps++;
      return before;
    },
    optimizerMade: (frame: number): void => {
      if (session.optimizerMade < 0) session.optimizerMade = frame;
    },
    pushModule: (path: string): void => {
      if (moduleStack.length === 0) session.steps.enterCall(session.recordsGraph);
      moduleStack.push(place.module);
      place.module = session.trace.module(String(path));
      if (place.phase === "other") place.phase = "forward";
    },
    popModule: (): void => {
      place.module = moduleStack.pop() ?? -1;
      if (moduleStack.length === 0) session.steps.leaveCall();
      if (moduleStack.length === 0 && place.phase === "forward") place.phase = "other";
    },
    autocast: (device: string, what: string, value?: boolean | string): unknown => {
      const state = session.autocast.states[device === "cpu" ? "cpu" : "cuda"];
      switch (what) {
        case "enabled":
          return state.enabled;
        case "enable":
          state.enabled = value === true;
          return undefined;
        case "dtype":
          return state.dtype.name;
        case "set_dtype":
          state.dtype = dtype(String(value));
          return undefined;
        case "cache":
          return state.cacheEnabled;
        case "set_cache":
          session.autocast.states.cpu.cacheEnabled = session.autocast.states.cuda.cacheEnabled = value === true;
          return undefined;
        default:
          session.autocast.clearCache();
          return undefined;
      }
    },
    setSavedHooks: (pack: number, unpack: number): void => {
      session.savedTensorHooks = pack < 0 ? null : { pack, unpack };
    },
  };
}
