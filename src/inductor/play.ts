/** Takes and gives back memory as the steps of a compiled graph say, at the lines of the program that they stand for. */

import type { Session } from "../session/session.ts";
import type { DeviceType, Storage } from "../tensor/tensor.ts";
import type { Step } from "./plan.ts";
import { rootOf, type Value } from "./value.ts";

/**
 * @param memory by value, the storages that are there, one reference each; what is given back is taken out, what is made is put in
 * @param outputs storages that are there already and get their memory now, by value
 */
export function play(
  session: Session,
  steps: readonly Step[],
  memory: Map<Value, Storage>,
  outputs: ReadonlyMap<Value, Storage> = new Map(),
): void {
  const { place } = session;
  const before = { ...place };
  try {
    for (const step of steps) {
      const { value } = step;
      [place.frame, place.op, place.module] = [value.frame, value.op, value.module];
      if (step.type === "give") give(memory, step.value);
      else if (step.type === "call") {
        const scratch = step.call.scratch.map((bytes) => taken(session, value.device, bytes, "kernel"));
        for (const work of step.call.later) work();
        for (const storage of scratch.reverse()) storage.release();
      } else {
        const root = rootOf(step.value);
        const own = outputs.get(root);
        const old = step.inPlaceOf && memory.get(rootOf(step.inPlaceOf));
        if (step.inPlaceOf) memory.delete(rootOf(step.inPlaceOf));
        if (own) {
          own.retain();
          if (old) session.memory.move(old, own);
          else session.memory.back(own, session.streamOn(own.device));
          memory.set(root, own);
        } else memory.set(root, old ?? taken(session, root.device, root.bytes));
        const storage = memory.get(root)!;
        if (root.tensor) session.memory.describe(storage, root.dtype, root.sizes);
        if (old && own) old.release();
      }
    }
  } finally {
    Object.assign(place, before);
  }
}

function give(memory: Map<Value, Storage>, value: Value): void {
  const root = rootOf(value);
  memory.get(root)?.release();
  memory.delete(root);
}

/** A storage with memory of its own; the caller owns the reference. */
export function taken(session: Session, device: DeviceType, bytes: number, note: string | null = null): Storage {
  const storage = session.memory.allocate(device, bytes, note, session.streamOn(device));
  storage.retain();
  return storage;
}
