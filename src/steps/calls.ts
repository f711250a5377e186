/** Operator calls of a run, kept by the shapes of their arguments, and what such a call asks for at shapes between two of them. */

import type { Block } from "../alloc/index.ts";
import type { SimulatedProcess } from "../session/create.ts";
import type { Session } from "../session/session.ts";
import { dtype } from "../tensor/dtype.ts";
import { storageBytes } from "../tensor/shape.ts";
import { Tensor, type DeviceType } from "../tensor/tensor.ts";
import { KIND } from "../trace/codes.ts";

/** A tensor among the arguments of a call. */
interface TensorForm {
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  readonly dtype: string;
  readonly device: DeviceType;
}

export interface RecordedCall {
  readonly op: string;
  readonly args: readonly unknown[];
  /** No graph was recorded and nothing cast: the same call in another session asks for the same. */
  readonly isPlain: boolean;
  /** Events of the trace that it made: from the first up to before the last. */
  readonly from: number;
  readonly to: number;
}

const isForm = (value: unknown): value is TensorForm =>
  typeof value === "object" && value !== null && !Array.isArray(value) && "strides" in value;

function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (!(value instanceof Tensor)) return value;
  const { sizes, strides, offset, dtype: type } = value;
  return { sizes, strides, offset, dtype: type.name, device: value.device } satisfies TensorForm;
}

/** Keeps each call that Python makes in a session from now on, in the list that is returned. */
export function recordCalls(session: Session): readonly RecordedCall[] {
  const calls: RecordedCall[] = [];
  const call = session.call.bind(session);
  session.call = (op, args) => {
    const kept = {
      op,
      args: args.map(formOf),
      isPlain: !session.recordsGraph && !session.autocastEnabled,
      from: session.trace.eventCount,
    };
    try {
      return call(op, args);
    } finally {
      calls.push({ ...kept, to: session.trace.eventCount });
    }
  };
  return calls;
}

/** The call that made an event, or undefined; calls are in the order in which they ended. */
export function callOf(calls: readonly RecordedCall[], event: number): RecordedCall | undefined {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (calls[middle]!.to <= event) low = middle + 1;
    else high = middle;
  }
  // a call that Python makes within another one ends before it
  while (low < calls.length && calls[low]!.from > event) low++;
  return calls[low];
}

/** A value `share` of the way from one to another; undefined where they are unlike or it is no whole number. */
function between(a: unknown, b: unknown, share: number): unknown {
  if (typeof a === "number" && typeof b === "number") {
    const value = a + (b - a) * share;
    return a === b ? a : Number.isInteger(Math.round(value * 1e6) / 1e6) ? Math.round(value) : undefined;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return undefined;
    const values = a.map((value, index) => between(value, b[index], share));
    return values.every((value, index) => value !== undefined || a[index] === undefined) ? values : undefined;
  }
  if (isForm(a) && isForm(b)) {
    if (a.dtype !== b.dtype || a.device !== b.device) return undefined;
    const sizes = between(a.sizes, b.sizes, share);
    const strides = between(a.strides, b.strides, share);
    const offset = between(a.offset, b.offset, share);
    return sizes && strides && offset !== undefined ? { ...a, sizes, strides, offset } : undefined;
  }
  return a === b ? a : undefined;
}

/** An allocation that a call made. */
export interface CallRequest {
  /** Name of the operator that asked. */
  readonly op: string | null;
  readonly bytes: number;
  /** How many requests the call had made when it gave this one back; null where it outlives the call. */
  readonly freedBefore: number | null;
}

const ALLOC = KIND.alloc;

/**
 * What a call asks for at each of `steps` steps after `first`, the last of which is `last`: its requests, in order.
 *
 * @param machine fresh, like the one on which the calls were made
 * @returns null where the arguments between the two do not follow from them
 */
export function requestsAlong(
  first: RecordedCall,
  last: RecordedCall,
  steps: number,
  { session, allocator }: SimulatedProcess,
): readonly (readonly CallRequest[])[] | null {
  if (first.op !== last.op || !first.isPlain || !last.isPlain) return null;
  let asked: { bytes: number; block: Block | null; freedBefore: number | null }[] | null = null;
  const malloc = allocator.malloc.bind(allocator);
  const free = allocator.free.bind(allocator);
  allocator.malloc = (bytes, stream) => {
    const block = malloc(bytes, stream);
    asked?.push({ bytes, block, freedBefore: null });
    return block;
  };
  allocator.free = (block) => {
    const own = asked?.find((request) => request.block === block);
    if (own !== undefined) Object.assign(own, { block: null, freedBefore: asked!.length });
    free(block);
  };
  session.gradEnabled = false;
  const { trace } = session;
  const at = (step: number): readonly CallRequest[] | null => {
    const args = between(first.args, last.args, step / steps) as readonly unknown[] | undefined;
    if (args === undefined) return null;
    const requests: NonNullable<typeof asked> = [];
    const ops: (string | null)[] = [];
    session.scope(() => {
      const made = args.map((value) => tensorsOf(session, value));
      const from = trace.eventCount;
      asked = requests;
      session.call(first.op, made);
      asked = null;
      const { kind, op } = trace.columns;
      for (let event = from; event < trace.eventCount; event++)
        if (kind[event] === ALLOC) ops.push(trace.opName(op[event]!));
    });
    return ops.length === requests.length
      ? requests.map(({ bytes, freedBefore }, index) => ({ op: ops[index]!, bytes, freedBefore }))
      : null;
  };
  // the first call takes what stays, such as a workspace
  at(0);
  const found: (readonly CallRequest[])[] = [];
  for (let step = 1; step <= steps; step++) {
    const requests = at(step);
    if (requests === null) return null;
    found.push(requests);
  }
  return found;
}

function tensorsOf(session: Session, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => tensorsOf(session, entry));
  if (!isForm(value)) return value;
  const { sizes, strides, offset, device } = value;
  const type = dtype(value.dtype);
  const bytes = storageBytes(sizes, strides, type.itemBytes) + offset * type.itemBytes;
  const whole = session.newTensor([Math.ceil(bytes / type.itemBytes)], [1], type, device);
  const tensor = new Tensor(whole.storage, sizes, strides, offset, type);
  session.pool.add(tensor);
  return tensor;
}
