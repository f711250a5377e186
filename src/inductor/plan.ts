/** The memory of a graph that inductor compiled: when each buffer is taken and given back (torch/_inductor/codegen/wrapper.py). */

import type { Unit } from "./buffers.ts";
import { unitsOf } from "./buffers.ts";
import { fused } from "./fusion.ts";
import { ordered } from "./order.ts";
import { ancestorsOf } from "./partition.ts";
import { rootOf, type Call, type Value } from "./value.ts";

export type Step =
  | { readonly type: "take"; readonly value: Value; readonly inPlaceOf: Value | null }
  | { readonly type: "give"; readonly value: Value }
  | { readonly type: "call"; readonly call: Call; readonly value: Value };

/**
 * @param outputs what must be there at the end
 * @param given what is there at the beginning, beside the graph's inputs
 * @param isFreeable which of the given are given back after their last use
 * @param isShared which of those others may hold, too: nothing is written over them
 */
export function planOf(
  outputs: readonly Value[],
  given: ReadonlySet<Value>,
  isFreeable: (value: Value) => boolean,
  isShared: (value: Value) => boolean,
): Step[] {
  const isGiven = (value: Value): boolean => given.has(value) || value.kind === "input";
  const needed = ancestorsOf(outputs, isGiven);
  const made = [...needed].filter((value) => !isGiven(value)).sort((a, b) => a.index - b.index);
  const kept = new Set(outputs.map(rootOf));
  const freeable = new Set([...given].map(rootOf).filter((value) => isFreeable(value) && !kept.has(value)));
  const units = fused(ordered(unitsOf(made, kept, isGiven), { freeable, kept }));
  const lastReader = new Map<Value, Unit>();
  for (const unit of units) for (const value of unit.reads) lastReader.set(value, unit);
  const isMade = new Set(units.flatMap((unit) => unit.made));
  const canDie = (value: Value): boolean => !kept.has(value) && (isMade.has(value) || freeable.has(value));
  const steps: Step[] = [];
  for (const value of freeable) if (!lastReader.has(value)) steps.push({ type: "give", value });
  for (const unit of units) {
    const dead = new Set([...unit.reads].filter((value) => canDie(value) && lastReader.get(value) === unit));
    for (const value of unit.made) {
      let inPlaceOf: Value | null = null;
      // of a kernel that several became, only what no later part reads is written over
      const at = unit.parts?.findIndex((part) => part.made.includes(value)) ?? -1;
      const reader = unit.parts?.[at] ?? unit;
      const later = unit.parts?.slice(at + 1) ?? [];
      const isAlone = (one: Value): boolean => reader.reads.has(one) && !later.some((part) => part.reads.has(one));
      const fits = (one: Value): boolean =>
        one.bytes === value.bytes && one.domain === value.domain && !isShared(one) && isAlone(one);
      if (!unit.call) inPlaceOf = [...dead].find(fits) ?? null;
      if (inPlaceOf) dead.delete(inPlaceOf);
      steps.push({ type: "take", value, inPlaceOf });
    }
    if (unit.call) steps.push({ type: "call", call: unit.call, value: unit.made[0]! });
    for (const value of dead) steps.push({ type: "give", value });
    for (const value of unit.made) if (canDie(value) && !lastReader.has(value)) steps.push({ type: "give", value });
  }
  return steps;
}
