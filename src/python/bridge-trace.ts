/** What Python writes into the trace: frames, marks, assumptions, what a tensor is for. */

import { TorchError } from "../tensor/shape.ts";
import { CATEGORIES, type Category } from "../trace/model.ts";
import type { BridgeFunction, BridgeState } from "./bridge.ts";

export function traceFunctions({ session, handles }: BridgeState): Record<string, BridgeFunction> {
  const find = handles.tensor;
  let lastFrame = -1;
  return {
    frame: (parent: number, file: string, line: number, name: string): number => {
      // a frame that were its own caller would make a stack without end
      if (!Number.isInteger(parent) || parent < -1 || parent > lastFrame) throw new TorchError("no such frame");
      const frame = session.trace.frame(parent, String(file), Number(line), String(name));
      lastFrame = Math.max(lastFrame, frame);
      return frame;
    },
    /** Python keeps the tensor for backward, as what a pack hook returned. */
    kept: (handle: number): void => session.memory.keptForBackward(find(handle).storage),
    tag: (handle: number, category: string, note: string): void => {
      if (!CATEGORIES.includes(category as Category)) throw new TorchError("no such category");
      session.memory.categorize(find(handle).storage, category as Category);
      if (note !== "") session.remark(find(handle), note);
    },
    /** Several keys are joined by commas, their values by lines. */
    assume: (code: string, frame: number, key: string, value: string): void => {
      const values = String(value).split("\n");
      const names = key ? String(key).split(",") : [];
      session.trace.assumption(
        String(code),
        Object.fromEntries(
          names.map((name, i) => [name, name.endsWith("Bytes") ? Number(values[i]) : (values[i] ?? "")]),
        ),
        Number(frame),
      );
    },
    deviceOption: (option: string): void => {
      session.memory.host.deviceOption ||= String(option);
    },
    mark: (name: string, frame: number): void => session.trace.mark(String(name), Number(frame)),
    reached: (frame: number, isStop: boolean): void => session.trace.reached(frame, isStop),
  };
}
