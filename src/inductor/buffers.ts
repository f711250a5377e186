/**
 * Which values of a graph become buffers, and what runs to make them. A value that only kernels around it read is never one.
 * Follows torch/_inductor/ir.py (realize, should_realize_on_reuse) and scheduler.py (fusion).
 */

import { numel, sameShape } from "../tensor/shape.ts";
import { TAKES_PRODUCT } from "./kinds.ts";
import { rootOf, type Call, type Value } from "./value.ts";

/** inductor's config.realize_reads_threshold: a value that reads more buffers is written before it is used twice. */
const MOST_READS = 4;

/** What runs at once: a library's call, or a generated kernel. */
export interface Unit {
  /** Where it stands in the program. */
  readonly at: number;
  readonly made: readonly Value[];
  /** Buffers that it reads, those that were given among them. */
  readonly reads: ReadonlySet<Value>;
  readonly call: Call | null;
  /** Of a kernel that several became: these. */
  readonly parts?: readonly Unit[];
}

/**
 * @param made values to be made, in order
 * @param kept those that must be there at the end
 * @param isGiven what is there at the beginning
 */
export function unitsOf(made: readonly Value[], kept: ReadonlySet<Value>, isGiven: (value: Value) => boolean): Unit[] {
  const here = new Set(made);
  const products = productsIn(made, here, kept);
  const buffers = buffersOf(made, here, kept, products);
  const positions = positionsOf(made, here);
  const readsOf = new Map<Value, Set<Value>>();
  for (const value of made) {
    const found = new Set<Value>();
    for (const input of value.inputs)
      if (isGiven(input) || buffers.has(input)) found.add(isGiven(input) ? rootOf(input) : input);
      else for (const read of readsOf.get(input) ?? []) found.add(read);
    readsOf.set(value, found);
  }
  const units: Unit[] = [];
  const ofCall = new Map<Call, Value[]>();
  for (const value of made) {
    if (!buffers.has(value)) continue;
    const call = products.get(value)?.call ?? value.call;
    const together = call && ofCall.get(call);
    if (together) {
      together.push(value);
      continue;
    }
    const list = [value];
    if (call) ofCall.set(call, list);
    units.push({ at: positions.get(value)!, made: list, reads: readsOf.get(value)!, call });
  }
  return units.sort((a, b) => a.at - b.at);
}

/** Where each value is made: in the order of the program, and what is computed again in backward where it is first read. */
function positionsOf(made: readonly Value[], here: ReadonlySet<Value>): Map<Value, number> {
  const positions = new Map<Value, number>();
  const hasBackward = made.some((value) => value.isBackward);
  for (const value of made.toSorted((a, b) => b.index - a.index)) {
    const again = hasBackward && !value.isBackward;
    const users = value.users.filter((user) => here.has(user));
    const first = Math.min(...users.map((user) => positions.get(user)!));
    // just before, those that it is made from still earlier
    positions.set(value, again && users.length > 0 ? first - 1e-6 : value.index);
  }
  return positions;
}

/** Sums that are one call with a product, by the sum. */
function productsIn(
  made: readonly Value[],
  here: ReadonlySet<Value>,
  kept: ReadonlySet<Value>,
): ReadonlyMap<Value, Value> {
  const found = new Map<Value, Value>();
  for (const sum of made) {
    const name = TAKES_PRODUCT.get(sum.name);
    const [a, b] = sum.inputs;
    if (name === undefined || sum.inputs.length !== 2 || a!.bytes !== b!.bytes || sum.dtype !== a!.dtype) continue;
    // two transpositions in a row are none
    const isAlone = (value: Value): boolean =>
      here.has(value) &&
      !kept.has(value) &&
      value.users.filter((user) => here.has(user)).length === 1 &&
      (value.kind !== "view" || isAlone(value.inputs[0]!));
    const isProduct = (value: Value): boolean =>
      isAlone(value) && rootOf(value).name === name && sameShape(rootOf(value).sizes, sum.sizes);
    const product = sum.inputs.toReversed().find(isProduct);
    if (product && sameShape(a!.sizes, b!.sizes)) found.set(sum, rootOf(product));
  }
  return found;
}

/** The values that have memory of their own. */
function buffersOf(
  made: readonly Value[],
  here: ReadonlySet<Value>,
  kept: ReadonlySet<Value>,
  products: ReadonlyMap<Value, Value>,
): Set<Value> {
  const inSums = new Set(products.values());
  const isCall = (value: Value): boolean => (value.kind === "call" && !inSums.has(value)) || products.has(value);
  const buffers = new Set<Value>();
  const readBuffers = new Map<Value, Set<Value>>();
  const usersOf = (value: Value): Value[] =>
    value.users.filter((user) => here.has(user)).flatMap((user) => (user.kind === "view" ? usersOf(user) : [user]));
  for (const value of made) {
    const reads = new Set<Value>();
    for (const input of value.inputs) {
      const root = rootOf(input);
      if (buffers.has(root) || !readBuffers.has(root)) reads.add(root);
      else for (const read of readBuffers.get(root)!) reads.add(read);
    }
    readBuffers.set(value, reads);
    if (value.kind === "view" || inSums.has(value)) continue;
    const users = usersOf(value);
    const isRead = kept.has(value) || isCall(value) || users.some(isCall);
    const isReused = users.length > 1 && reads.size > MOST_READS;
    if (isRead || isReused || value.kind === "reduction") buffers.add(value);
  }
  for (const value of buffers) {
    if (kept.has(value) || isCall(value)) continue;
    const users = [...kernelsThatRead(value, buffers, here)];
    if (!users.some(isCall) && isOneKernel([value, ...users])) buffers.delete(value);
  }
  return buffers;
}

/** A kernel goes over one set of numbers, and reduces them in one way. */
export function isOneKernel(values: readonly Value[]): boolean {
  const [{ domain }] = values as [Value];
  const reductions = new Set(values.filter(({ kind }) => kind === "reduction").map(({ sizes }) => numel(sizes)));
  return values.every((value) => value.domain === domain) && reductions.size <= 1;
}

/** The buffers whose kernels read a value, directly or through what is written into them. */
function kernelsThatRead(value: Value, buffers: ReadonlySet<Value>, here: ReadonlySet<Value>): Set<Value> {
  const found = new Set<Value>();
  const seen = new Set([value]);
  for (const at of seen)
    for (const user of at.users)
      if (!here.has(user)) continue;
      else if (buffers.has(user)) found.add(user);
      else seen.add(user);
  return found;
}
