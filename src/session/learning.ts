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
  const known = op.row.values?.(args, results, random) ?? null;
  if (known === null) {
    const likely = likelyValues(op, args, results, random);
    target?.learn(null);
    if (likely !== null) results.forEach((t, i) => t.expect(likely[i] ?? null));
    return;
  }
  const byChance = (random.drawn !== drawn && !random.seeded) || op.tensorArgs.some((a) => comesFromDraw(args[a.name]));
  results.forEach((t, i) => {
    if (known[i] !== undefined && !isComplex(t.dtype)) t.learn(known[i], byChance);
  });
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
  return found ?? (row.likely === undefined ? null : [row.likely]);
}

function gatherGuessed(v: unknown, found: Tensor[]): void {
  if (v instanceof Tensor) {
    if (v.storage.contents === null && v.storage.likely !== null) found.push(v);
  } else if (Array.isArray(v)) for (const one of v) gatherGuessed(one, found);
}
