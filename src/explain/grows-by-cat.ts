/** A tensor that grows by concatenation: each step makes a larger one while the one before still lives. */

import type { Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { blocksWhere, findingOf, isNotable } from "./together.ts";

/** Fewer steps are no growth. */
const FEWEST = 3;

function growsInOneDimension(before: readonly number[], after: readonly number[]): boolean {
  if (before.length !== after.length) return false;
  const changed = after.filter((size, at) => size !== before[at]);
  return changed.length === 1 && after.every((size, at) => size >= before[at]!);
}

const isSmaller = (before: readonly number[], after: readonly number[]): boolean =>
  before.length !== after.length || after.some((size, at) => size < before[at]!);

export function growsByCat(trace: Trace): Finding[] {
  const op = trace.ops.indexOf("aten::cat");
  const steps = new Map<string, number[]>();
  for (const index of blocksWhere(trace, (block) => block.op === op && block.phase !== "backward")) {
    const { frame, module } = trace.blocks[index]!;
    const key = `${frame} ${module}`;
    const list = steps.get(key);
    if (list === undefined) steps.set(key, [index]);
    else list.push(index);
  }
  const found = [...steps.values()].flatMap((list): { before: number; after: number; count: number }[] => {
    let last: { before: number; after: number } | null = null;
    let count = 0;
    // a larger tensor after each small one is no growth: each step goes on from the one before
    let chain = 0;
    for (const [at, after] of list.entries()) {
      const before = list[at - 1];
      if (before === undefined) continue;
      const [old, grown] = [trace.blocks[before]!, trace.blocks[after]!];
      if (old.shape === null || grown.shape === null) continue;
      if (isSmaller(old.shape, grown.shape)) chain = 0;
      // the old one goes when the new one has its name
      if (old.freeEvent <= grown.allocEvent || !growsInOneDimension(old.shape, grown.shape)) continue;
      chain += 1;
      if (chain < FEWEST - 1) continue;
      count += chain === FEWEST - 1 ? chain : 1;
      last = { before, after };
    }
    return last === null ? [] : [{ ...last, count: count + 1 }];
  });
  const bytesOf = ({ before, after }: { before: number; after: number }) =>
    trace.blocks[before]!.bytes + trace.blocks[after]!.bytes;
  const largest = [...found].sort((a, b) => bytesOf(b) - bytesOf(a))[0];
  if (largest === undefined || !isNotable(trace, bytesOf(largest))) return [];
  const { before, after, count } = largest;
  const event = trace.blocks[after]!.allocEvent;
  const together = { bytes: bytesOf(largest), event, blocks: [before, after] };
  const args = { count, oldBytes: trace.blocks[before]!.bytes, newBytes: trace.blocks[after]!.bytes };
  return [findingOf(trace, "grows_by_cat", together, args)];
}
