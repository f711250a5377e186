/**
 * The order in which a graph's units run: as they stand, or the one that needs the least memory where that is less.
 * Mirrors torch/_inductor/memory.py (reorder_for_peak_memory, topological_sort_lpmf).
 */

import type { Unit } from "./buffers.ts";
import type { Value } from "./value.ts";

/** What lives how long: outputs to the end, the rest until its last reader has run. */
export interface Lives {
  /** Given buffers that are given back after their last use. */
  readonly freeable: ReadonlySet<Value>;
  readonly kept: ReadonlySet<Value>;
}

export function ordered(units: readonly Unit[], lives: Lives): readonly Unit[] {
  const leastFirst = leastMemoryFirst(units, lives);
  return peakOf(leastFirst, lives) < peakOf(units, lives) ? leastFirst : units;
}

const sizeOf = (values: Iterable<Value>): number => {
  let bytes = 0;
  for (const value of values) bytes += value.bytes;
  return bytes;
};

/** How many units still read each buffer. */
function readersOf(units: readonly Unit[]): Map<Value, Set<Unit>> {
  const readers = new Map<Value, Set<Unit>>();
  for (const unit of units)
    for (const value of unit.reads) {
      const list = readers.get(value);
      if (list) list.add(unit);
      else readers.set(value, new Set([unit]));
    }
  return readers;
}

function peakOf(units: readonly Unit[], lives: Lives): number {
  const readers = readersOf(units);
  const left = new Map([...readers].map(([value, list]) => [value, list.size]));
  const isMade = new Set(units.flatMap(({ made }) => made));
  let live = sizeOf(lives.freeable);
  let peak = live;
  for (const unit of units) {
    live += sizeOf(unit.made);
    peak = Math.max(peak, live);
    for (const value of unit.reads) {
      const count = left.get(value)! - 1;
      left.set(value, count);
      if (count === 0 && !lives.kept.has(value) && (isMade.has(value) || lives.freeable.has(value)))
        live -= value.bytes;
    }
  }
  return peak;
}

function leastMemoryFirst(units: readonly Unit[], lives: Lives): Unit[] {
  const madeBy = new Map<Value, Unit>(units.flatMap((unit) => unit.made.map((value) => [value, unit] as const)));
  const readers = readersOf(units);
  const canDie = (value: Value): boolean => !lives.kept.has(value) && (madeBy.has(value) || lives.freeable.has(value));
  const left = new Map<Value, number>([...readers].map(([value, list]) => [value, list.size]));
  const waitsFor = new Map<Unit, Set<Unit>>();
  const next = new Map<Unit, Set<Unit>>(units.map((unit) => [unit, new Set()]));
  const frees = new Map<Unit, number>();
  for (const unit of units) {
    const before = new Set<Unit>();
    for (const value of unit.reads) {
      const maker = madeBy.get(value);
      if (maker && maker !== unit) before.add(maker);
    }
    waitsFor.set(unit, before);
    for (const maker of before) next.get(maker)!.add(unit);
    let bytes = 0;
    for (const value of unit.reads) if (canDie(value) && left.get(value) === 1) bytes += value.bytes;
    frees.set(unit, bytes);
  }
  const ready = new Set(units.filter((unit) => waitsFor.get(unit)!.size === 0));
  const place = new Map(units.map((unit, i) => [unit, i]));
  const sizes = new Map(units.map((unit) => [unit, sizeOf(unit.made)]));
  let live = sizeOf(lives.freeable);
  let gap = Math.max(live, sizeOf(lives.kept)) - live;
  // in the order in which they run
  const order = new Set<Unit>();
  while (ready.size > 0) {
    let chosen: Unit | null = null;
    let best: readonly number[] = [];
    for (const unit of ready) {
      const size = sizes.get(unit)!;
      const key = [size > gap ? size : 0, size - frees.get(unit)!, place.get(unit)!];
      if (chosen === null || isBefore(key, best)) [chosen, best] = [unit, key];
    }
    const unit = chosen!;
    ready.delete(unit);
    order.add(unit);
    const peak = Math.max(live + gap, live + sizes.get(unit)!);
    live += sizes.get(unit)! - frees.get(unit)!;
    gap = peak - live;
    for (const after of next.get(unit)!) {
      const before = waitsFor.get(after)!;
      before.delete(unit);
      if (before.size === 0) ready.add(after);
    }
    for (const value of unit.reads) {
      const count = left.get(value)! - 1;
      left.set(value, count);
      if (count !== 1 || !canDie(value)) continue;
      for (const reader of readers.get(value)!)
        if (!order.has(reader)) frees.set(reader, frees.get(reader)! + value.bytes);
    }
  }
  return [...order];
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return false;
}
