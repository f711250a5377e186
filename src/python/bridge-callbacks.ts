/** What the engine calls of Python: custom functions, hooks, policies of checkpointing, subclasses. Tensors cross as handles. */

import { TorchError } from "../tensor/shape.ts";
import type { Tensor } from "../tensor/tensor.ts";
import type { BridgeFunction, BridgeState, PythonDispatcher } from "./bridge.ts";
import { operatorText } from "./bridge-subclass.ts";

const failed = (text: string): TorchError => new TorchError(text, "PythonCallbackError");

/** Connects the session to `python`; returns what Python calls to hand over results. */
export function connectCallbacks(
  { session, handles, pythonNodes }: BridgeState,
  python: PythonDispatcher,
): Record<string, BridgeFunction> {
  /** Results of the running callback, each with a reference for the engine. */
  const lent = new Map<number, Tensor>();
  const listOf = (tensors: readonly (Tensor | null)[]): string =>
    tensors.map((t) => (t ? String(handles.expose(t)) : "")).join(",");
  /** Tensors that Python hands over; it has taken a reference for us. */
  const adopt = (text: unknown): (Tensor | null)[] => {
    if (typeof text !== "string") throw failed("a Python callback failed");
    if (text.startsWith("!")) throw failed(text.slice(1));
    if (text === "") return [];
    // by now the Python objects may be gone: only what they gave us keeps the tensors
    const tensors = text.split(",").map((h) => (h === "" ? null : (lent.get(Number(h)) as Tensor)));
    lent.clear();
    return tensors;
  };
  const number = (result: string | number | undefined): number => {
    if (typeof result === "string") throw failed(result.slice(1));
    return Number(result);
  };

  session.python = {
    call: (id, tensors) => adopt(python("call", id, listOf(tensors))),
    drop: (id) => {
      pythonNodes.delete(id);
      python("drop", id, "");
    },
    pack: (hook, tensor) => number(python("pack", hook, listOf([tensor]))),
    unpack: (hook, packed) => adopt(python("unpack", hook, String(packed)))[0] as Tensor,
    keeps: (policy, op) => number(python("keeps", policy, op)) === 1,
    operator: (op, args) => adopt(python("op", 0, operatorText(handles, op, args))),
  };
  session.subclasses.onEnd = (tensor) => void python("forget", tensor.id, "");
  session.subclasses.onGradient = (tensor) => void python("gradient", tensor.id, "");

  return {
    /** One reference that the engine will own. */
    give: (handle: number): void => void lent.set(handle, handles.tensor(handle).retain()),
  };
}
