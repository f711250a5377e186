/** Operator calls of Python: arguments out of flat numbers and texts, results as handles. */

import { findOp, type CompiledOp } from "../ops/registry.ts";
import { Tensor } from "../tensor/tensor.ts";
import { errorText, type BridgeFunction, type BridgeState } from "./bridge.ts";
import { ArgumentReader, ArgumentTypeError, argumentText, codesOf } from "./codec.ts";
import type { Handles } from "./handles.ts";

/** What crosses for one result. */
export function encode(handles: Handles, result: unknown): unknown {
  if (result instanceof Tensor) return handles.expose(result);
  if (Array.isArray(result)) return result.map((t) => (t instanceof Tensor ? String(handles.expose(t)) : "")).join(",");
  return result ?? undefined;
}

export function callFunctions(
  { session, handles }: BridgeState,
  opNames: readonly string[],
): Record<string, BridgeFunction> {
  const { place, pool } = session;
  const find = handles.tensor;
  const ops: (CompiledOp | undefined)[] = [];
  const codes: string[] = [];
  return {
    op: (id: number, frame: number, ...flat: unknown[]): unknown => {
      const mark = pool.size;
      place.frame = frame;
      let read = 0;
      try {
        let op = ops[id];
        if (!op) {
          op = findOp(opNames[id]!) as CompiledOp;
          ops[id] = op;
          codes[id] = codesOf(op);
        }
        const reader = new ArgumentReader(flat, 0, find);
        const letters = codes[id]!;
        const args: unknown[] = new Array(letters.length);
        for (; read < letters.length; read++) args[read] = reader.read(letters[read]!);
        const result = session.call(op.name, args);
        const encoded = result instanceof Tensor ? handles.expose(result) : encode(handles, result);
        pool.release(mark);
        return encoded;
      } catch (error) {
        pool.release(mark);
        session.pendingOut = null;
        if (error instanceof ArgumentTypeError) return argumentText(ops[id]!, read, error);
        return errorText(error);
      }
    },
    release: (handle: number, frame: number): void => {
      place.frame = frame;
      handles.unwrap(handle);
    },
    /** Whether that was all: else the line must be told. */
    releaseQuietly: (handle: number): boolean => handles.unwrapQuietly(handle),
    addWrapper: (handle: number): void => handles.wrap(find(handle)),
    setOut: (...outs: number[]): void => {
      session.pendingOut = outs.map(find);
    },
  };
}
