/**
 * Which values a compiled function keeps for backward and which it computes again: the smallest cut between forward and backward.
 * Mirrors torch/_functorch/partitioners.py (solve_min_cut, get_node_weight, should_ban_recomputation) with its default settings.
 */

import { INFINITE, Network } from "./cut.ts";
import type { Value } from "./value.ts";

const LONGEST_CHAIN = 100;
const REDUCTION_FACTOR = 4;
const DISTANCE_WEIGHT = 1.1;
const FARTHEST = 100;

/** A kernel can hold both: none of them is a call. */
const canFuse = (a: Value, b: Value): boolean => a.kind !== "call" && b.kind !== "call" && a.kind !== "input";

/** Values that must be known to make these. */
export function ancestorsOf(values: readonly Value[], stopAt: (value: Value) => boolean = () => false): Set<Value> {
  const found = new Set<Value>();
  const waiting = [...values];
  for (let value = waiting.pop(); value; value = waiting.pop()) {
    if (found.has(value)) continue;
    found.add(value);
    if (!stopAt(value)) waiting.push(...value.inputs);
  }
  return found;
}

function descendantsOf(values: readonly Value[]): Set<Value> {
  const found = new Set<Value>(values);
  for (const value of found) for (const user of value.users) found.add(user);
  return found;
}

/** @returns the values that forward keeps, inputs that backward reads among them, in their order */
export function keptValues(values: readonly Value[], outputs: readonly Value[], gradients: readonly Value[]): Value[] {
  const needed = ancestorsOf([...outputs, ...gradients]);
  const nodes = values.filter((value) => needed.has(value));
  const forward = ancestorsOf(outputs);
  const tangents = descendantsOf(nodes.filter((value) => value.isTangent));
  const backward = new Set(nodes.filter((value) => !value.isTangent && tangents.has(value)));
  for (const gradient of gradients) if (!gradient.isTangent) backward.add(gradient);
  const distances = distancesOf(nodes, forward);
  const order = new Map(nodes.filter((value) => forward.has(value)).map((value, i) => [value, i]));

  const network = new Network(2 * values.length + 2);
  const [source, sink] = [2 * values.length, 2 * values.length + 1];
  const into = ({ index }: Value): number => 2 * index;
  const outOf = ({ index }: Value): number => 2 * index + 1;
  const banned = new Set<Value>();
  const withForward = new Set([...forward].map(({ group }) => group).filter((group) => group >= 0));
  const isReturned = new Set([...outputs, ...gradients]);
  const ban = (value: Value): void => {
    if (value.kind === "view" || banned.has(value)) return;
    banned.add(value);
    network.add(source, into(value), INFINITE);
  };
  const isMaterializedBackward = (value: Value): boolean => {
    if (value.kind === "view") return false;
    const seen = new Set([value]);
    for (const at of seen) {
      if (isReturned.has(at)) return true;
      for (const user of at.users) {
        if (!needed.has(user)) continue;
        if (!forward.has(user) && !canFuse(at, user)) return true;
        if (user.kind === "view") seen.add(user);
      }
    }
    return false;
  };
  const mustNotRepeat = (value: Value): boolean => {
    if (value.kind === "view") return false;
    if (value.kind === "call" || value.kind === "random" || isMaterializedBackward(value)) return true;
    return value.bytes * REDUCTION_FACTOR < value.inputs.reduce((sum, { bytes }) => sum + bytes, 0);
  };

  for (const value of nodes) {
    if (value.isTangent || backward.has(value)) {
      const isMadeInBackward = tangents.has(value);
      network.add(isMadeInBackward ? into(value) : outOf(value), sink, INFINITE);
      if (isMadeInBackward) continue;
    }
    if (value.kind === "input") ban(value);
    else if ((forward.has(value) || withForward.has(value.group)) && mustNotRepeat(value)) ban(value);
    network.add(into(value), outOf(value), weightOf(value, needed, isReturned, distances.get(value)!));
    for (const user of value.users) if (needed.has(user)) network.add(outOf(value), into(user), INFINITE);
  }
  banFarUses(nodes, forward, order, needed, banned, ban);
  banLongChains(nodes, forward, order, banned, ban);
  const onSinkSide = network.sinkSide(source, sink);
  return nodes.filter((value) => !onSinkSide[into(value)] && onSinkSide[outOf(value)]);
}

function weightOf(value: Value, needed: ReadonlySet<Value>, isReturned: ReadonlySet<Value>, distance: number): number {
  if (value.isFree) return 0;
  const bytes = Math.trunc(value.bytes * DISTANCE_WEIGHT ** Math.max(Math.min(distance, FARTHEST), 1));
  const isMaterialized =
    value.kind === "input" ||
    isReturned.has(value) ||
    !value.users.every((user) => !needed.has(user) || canFuse(value, user));
  return isMaterialized ? bytes : 2 * bytes;
}

function distancesOf(nodes: readonly Value[], forward: ReadonlySet<Value>): Map<Value, number> {
  const distances = new Map<Value, number>();
  for (const value of nodes.toReversed()) {
    if (!forward.has(value)) distances.set(value, 0);
    else distances.set(value, Math.min(1e9, ...value.users.map((user) => (distances.get(user) ?? 1e9) + 1)));
  }
  return distances;
}

/** What is used near and far is not computed again for the far use. */
function banFarUses(
  nodes: readonly Value[],
  forward: ReadonlySet<Value>,
  order: ReadonlyMap<Value, number>,
  needed: ReadonlySet<Value>,
  banned: ReadonlySet<Value>,
  ban: (value: Value) => void,
): void {
  for (const used of nodes) {
    if (!forward.has(used)) continue;
    const users = used.users.filter((user) => forward.has(user));
    if (users.length === 0) continue;
    const orders = users.map((user) => order.get(user)!);
    const limit = firstUnfusible(users, Math.max(...orders), forward, order);
    for (const user of users)
      if (order.get(user)! > limit && needed.has(user) && canFuse(used, user) && !banned.has(user)) ban(user);
  }
}

function firstUnfusible(
  start: readonly Value[],
  farthest: number,
  forward: ReadonlySet<Value>,
  order: ReadonlyMap<Value, number>,
): number {
  const waiting = new Map<Value, boolean>(start.map((value) => [value, true]));
  const queue = [...start];
  while (queue.length > 0) {
    queue.sort((a, b) => order.get(b)! - order.get(a)!);
    const value = queue.pop()!;
    if (!waiting.get(value)) return order.get(value)!;
    for (const user of value.users) {
      if (!forward.has(user) || order.get(user)! > farthest || waiting.has(user)) continue;
      waiting.set(user, canFuse(value, user));
      queue.push(user);
    }
  }
  return farthest;
}

/** A chain of element-wise operators from end to end of a model is cut. */
function banLongChains(
  nodes: readonly Value[],
  forward: ReadonlySet<Value>,
  order: ReadonlyMap<Value, number>,
  banned: ReadonlySet<Value>,
  ban: (value: Value) => void,
): void {
  const visited = new Set<Value>();
  for (const start of nodes) {
    if (!forward.has(start)) continue;
    const fusible = [start];
    while (fusible.length > 0) {
      fusible.sort((a, b) => order.get(b)! - order.get(a)!);
      const at = fusible.pop()!;
      if (visited.has(at)) continue;
      visited.add(at);
      if (order.get(at)! > order.get(start)! + LONGEST_CHAIN && fusible.length === 0) {
        ban(at);
        break;
      }
      for (const user of at.users) if (forward.has(user) && canFuse(at, user) && !banned.has(user)) fusible.push(user);
    }
  }
}
