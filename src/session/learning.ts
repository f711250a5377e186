/** What results of operators hold, and what they most likely hold where nobody knows. */

import type { CompiledOp } from "../ops/registry.ts";
import type { Args } from "../ops/row.ts";
import type { HostRandom } from "../tensor/host-random.ts";
import { isComplex } from "../tensor/dtype.ts";
import { Tensor } from "../tensor/tensor.ts";
import type { Session } from "./session.ts";

/** Where nobody knows, an in-place change makes its target forget. */
export function learn(session: Session, op: CompiledOp, args: Args, result: unknown, target: Tensor | null): void {
  const results = (Array.isArray(result) ? result : [result]).filter((t): t is Tensor => t instanceof Tensor);
  const { random } = session;
  const drawn = random.drawn;
  // asked before the result, which may be an operand, is written
  const follows = op.row.draws !== true && op.tensorArgs.every((a) => isTold(args[a.name]));
  const known = op.row.values?.(args, results, random) ?? null;
  if (known === null) {
    // of numbers that a rule knew and that are too many to keep, as positions are, nothing is guessed
    const likely = follows && op.row.values ? null : likelyValues(op, args, results, random);
    target?.learn(null);
    if (likely !== null) results.forEach((t, i) => t.expect(likely[i] ?? null));
    else if (follows) for (const { storage } of results) storage.isExceeding = storage.contents === null;
    if (op.row.mostDistinct) for (const { storage } of results) storage.mostDistinct = op.row.mostDistinct(args);
    return;
  }
  const byChance = (random.drawn !== drawn && !random.seeded) || op.tensorArgs.some((a) => comesFromDraw(args[a.name]));
  results.forEach((t, i) => {
    if (known[i] === undefined || isComplex(t.dtype)) return;
    t.learn(known[i], byChance);
    t.storage.isExceeding = follows && t.storage.contents === null;
  });
}

/** Whether what is in an operand is known, or was known where it was not too much to keep. */
function isTold(v: unknown): boolean {
  if (v instanceof Tensor) return v.storage.contents !== null || v.storage.isExceeding;
  return !Array.isArray(v) || v.every(isTold);
}

const comesFromDraw = (v: unknown): boolean =>
  v instanceof Tensor ? (v.storage.contents?.drawn ?? false) : Array.isArray(v) && v.some(comesFromDraw);

/**
 * What a row says of numbers that nobody knows, or what follows from that by the rule for known ones: a program that asks whether a token
 * ends its text gets the answer that most tokens give.
 */
function likelyValues(
  op: CompiledOp,
  args: Args,
  results: readonly Tensor[],
  random: HostRandom,
): ReturnType<NonNullable<CompiledOp["row"]["values"]>> {
  const { row } = op;
  const guessed: Tensor[] = [];
  for (const a of op.tensorArgs) gatherGuessed(args[a.name], guessed);
  let found: ReturnType<typeof likelyValues> = null;
  if (guessed.length > 0 && row.values !== undefined && row.draws !== true) {
    for (const { storage } of guessed) storage.contents = storage.likely;
    try {
      found = row.values(args, results, random);
    } finally {
      for (const { storage } of guessed) storage.contents = null;
    }
  }
  return found ?? (typeof row.likely === "number" ? [row.likely] : (row.likely ?? null));
}

function gatherGuessed(v: unknown, found: Tensor[]): void {
  if (v instanceof Tensor) {
    if (v.storage.contents === null && v.storage.likely !== null) found.push(v);
  } else if (Array.isArray(v)) for (const one of v) gatherGuessed(one, found);
}
