/**
 * Generated kernels that become one: they go over the same numbers and share what they read, or one reads what the other makes. Follows
 * torch/_inductor/scheduler.py (fuse_nodes, score_fusion_memory, topological_sort_schedule): after the order was chosen, most shared bytes first.
 */

import { isOneKernel, type Unit } from "./buffers.ts";
import type { Value } from "./value.ts";

/** inductor's config.max_fusion_size, and how far apart kernels may stand that share only what they read. */
const MOST_TOGETHER = 64;
const FARTHEST = 64;

export function fused(units: readonly Unit[]): readonly Unit[] {
  const place = new Map(units.map((unit, i) => [unit, i]));
  const groupOf = new Map<Unit, Unit[]>(units.map((unit) => [unit, [unit]]));
  const makers = new Map<Value, Unit>(units.flatMap((unit) => unit.made.map((value) => [value, unit] as const)));
  const users = new Map<Unit, Set<Unit>>(units.map((unit) => [unit, new Set()]));
  const sources = (unit: Unit): Unit[] => [...unit.reads].flatMap((value) => makers.get(value) ?? []);
  for (const unit of units) for (const source of sources(unit)) users.get(source)!.add(unit);

  /** Whether a unit of one group must have run before one of another, with a third between them. */
  const isBetween = (from: readonly Unit[], to: readonly Unit[]): boolean => {
    const last = Math.max(...to.map((unit) => place.get(unit)!));
    const seen = new Set<Unit>(from);
    const waiting = from.flatMap((unit) => [...users.get(unit)!].filter((next) => !to.includes(next)));
    for (let unit = waiting.pop(); unit; unit = waiting.pop()) {
      if (seen.has(unit)) continue;
      for (const member of groupOf.get(unit)!) {
        if (to.includes(member)) return true;
        seen.add(member);
        for (const next of users.get(member)!)
          if (to.includes(next)) return true;
          else if (place.get(next)! <= last + FARTHEST) waiting.push(next);
      }
    }
    return false;
  };

  for (const [a, b] of pairsOf(units, makers, place)) {
    const [first, second] = [groupOf.get(a)!, groupOf.get(b)!];
    if (first === second || first.length + second.length > MOST_TOGETHER) continue;
    const values = [...first, ...second].flatMap(({ made }) => made);
    if (!isOneKernel(values) || isBetween(first, second) || isBetween(second, first)) continue;
    const both = [...first, ...second].sort((x, y) => place.get(x)! - place.get(y)!);
    for (const unit of both) groupOf.set(unit, both);
  }
  return sorted(units, groupOf, sources);
}

/** Pairs of kernels that share bytes, those that share most first. */
function pairsOf(
  units: readonly Unit[],
  makers: ReadonlyMap<Value, Unit>,
  place: ReadonlyMap<Unit, number>,
): [Unit, Unit][] {
  const touching = new Map<Value, Unit[]>();
  for (const unit of units) {
    if (unit.call) continue;
    for (const value of [...unit.reads, ...unit.made]) {
      const list = touching.get(value);
      if (list) list.push(unit);
      else touching.set(value, [unit]);
    }
  }
  const shared = new Map<Unit, Map<Unit, number>>();
  for (const [value, list] of touching)
    for (const [i, a] of list.entries())
      for (const b of list.slice(i + 1)) {
        if (a === b || (!makers.has(value) && place.get(b)! - place.get(a)! > FARTHEST)) continue;
        const row = shared.get(a) ?? new Map<Unit, number>();
        shared.set(a, row.set(b, (row.get(b) ?? 0) + value.bytes));
      }
  const pairs = [...shared].flatMap(([a, row]) => [...row].map(([b, bytes]) => ({ a, b, bytes })));
  const distance = ({ a, b }: { a: Unit; b: Unit }): number => Math.abs(place.get(a)! - place.get(b)!);
  return pairs.sort((x, y) => y.bytes - x.bytes || distance(x) - distance(y)).map(({ a, b }) => [a, b]);
}

/** The groups in the order of their first members, what they read before them. */
function sorted(
  units: readonly Unit[],
  groupOf: ReadonlyMap<Unit, readonly Unit[]>,
  sources: (unit: Unit) => Unit[],
): Unit[] {
  const result: Unit[] = [];
  const done = new Set<readonly Unit[]>();
  for (const start of units) {
    const stack = [{ group: groupOf.get(start)!, opened: false }];
    for (let top = stack.pop(); top; top = stack.pop()) {
      const { group } = top;
      if (top.opened) {
        result.push(together(group));
        continue;
      }
      if (done.has(group)) continue;
      done.add(group);
      stack.push({ group, opened: true });
      for (const source of group.flatMap(sources).reverse()) {
        const before = groupOf.get(source)!;
        if (!done.has(before)) stack.push({ group: before, opened: false });
      }
    }
  }
  return result;
}

function together(group: readonly Unit[]): Unit {
  const [only] = group;
  if (group.length === 1) return only!;
  const made = group.flatMap((unit) => unit.made);
  const isMade = new Set(made);
  const reads = new Set(group.flatMap((unit) => [...unit.reads]).filter((value) => !isMade.has(value)));
  return { at: only!.at, made, reads, call: null, parts: group };
}
