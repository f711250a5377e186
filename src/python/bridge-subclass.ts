/** Tensor subclasses whose operators Python runs: how Python makes one, and how an operator call crosses. */

import type { CompiledOp } from "../ops/registry.ts";
import type { Args } from "../ops/row.ts";
import type { Session } from "../session/session.ts";
import type { Scalar } from "../tensor/iterator.ts";
import { type DType, dtype } from "../tensor/dtype.ts";
import { Tensor, type DeviceType } from "../tensor/tensor.ts";
import type { Handles } from "./handles.ts";

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => unknown>;
type Guard = <A extends unknown[], R>(f: (...args: A) => R) => (...args: A) => unknown;

export function subclassFunctions(session: Session, guard: Guard): Functions {
  return {
    /** Tensor._make_wrapper_subclass: sizes, then strides. */
    makeSubclass: guard((type: string, device: string, requiresGrad: boolean, rank: number, ...geometry: number[]) => {
      const sizes = geometry.slice(0, rank);
      const strides = geometry.slice(rank);
      const made = session.subclasses.make(session, sizes, strides, dtype(type), device as DeviceType);
      made.requiresGrad = requiresGrad;
      return made;
    }),
  };
}

/** An operator's name and arguments as JSON; a tensor is `{"t": handle}`, a floating-point number `{"f": text}`. */
export function operatorText(handles: Handles, op: CompiledOp, args: Args): string {
  return JSON.stringify([op.name, ...op.args.map(({ name }) => written(handles, args[name]))]);
}

function written(handles: Handles, value: unknown): unknown {
  if (value instanceof Tensor) return { t: handles.expose(value) };
  if (Array.isArray(value)) return value.map((item) => written(handles, item));
  if (typeof value === "object" && value !== null && "scalar" in value) {
    const { scalar, value: number } = value as Scalar;
    return scalar === "float" ? { f: String(number) } : scalar === "bool" ? number !== 0 : number;
  }
  if (typeof value === "object" && value !== null && "itemBytes" in value) return (value as DType).name;
  if (typeof value === "number" && !Number.isInteger(value)) return { f: String(value) };
  return value ?? null;
}
