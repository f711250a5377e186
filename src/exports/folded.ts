/** Folded stacks, `outer;inner;operator bytes`: what flamegraph.pl and its many successors read. */

import { aliveAt, peakEvent } from "../trace/queries.ts";
import type { Trace } from "../trace/model.ts";
import { blockStack } from "./call-stack.ts";
import type { ExportFormat } from "./export-format.ts";

/** A word of a stack; the separators of the format may not be in it. */
const word = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]+/g, " ").replaceAll(";", ",");

function* lines(trace: Trace, blocks: Iterable<number>): Generator<string, void, undefined> {
  const totals = new Map<string, number>();
  const stacks = new Map<string, string>();
  for (const index of blocks) {
    const block = trace.blocks[index]!;
    const key = `${block.frame} ${block.op} ${block.note ?? ""}`;
    let stack = stacks.get(key);
    if (stack === undefined) stacks.set(key, (stack = blockStack(trace, block).map(word).join(";")));
    totals.set(stack, (totals.get(stack) ?? 0) + block.bytes);
  }
  for (const [stack, bytes] of totals) yield `${stack} ${bytes}\n`;
}

/** At the peak. */
export const folded: ExportFormat = {
  id: "folded",
  extension: ".folded",
  label: "export_folded",
  write: (trace) => lines(trace, aliveAt(trace, peakEvent(trace))),
};

/** Everything that was ever allocated. */
export const foldedAll: ExportFormat = {
  id: "folded-all",
  extension: ".folded",
  label: "export_folded_all",
  write: (trace) => lines(trace, trace.blocks.keys()),
};
