/** Inputs of normalisations that were cast to float32, and are kept in it for backward. */

import { savedByBlock } from "../trace/lifetime.ts";
import type { Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { blocksWhere, findingOf, isNotable, mostTogether } from "./together.ts";

/** Nodes of normalisations that are one operator. */
const NORM_NODE = /^(Native|Fused|Cudnn)?(Layer|Group|Rms|RMS)Norm/;
/** What a norm that is written out ends in, and what it squares. */
const ROOT_NODE = /^Rsqrt/;
const SQUARE_NODE = /^(Pow|Mul)/;

export function float32Norms(trace: Trace): Finding[] {
  const cast = trace.ops.indexOf("aten::_to_copy");
  if (cast === -1) return [];
  const { saved } = trace;
  const node = (row: number) => saved.names[saved.node[row]!]!;
  const roots = new Set<string>();
  for (let row = 0; row < saved.block.length; row++) if (ROOT_NODE.test(node(row))) roots.add(functionOf(trace, row));
  const rowsOf = savedByBlock(trace);
  const upcasts = blocksWhere(trace, ({ op, dtype, category }, index) => {
    if (op !== cast || dtype !== "float32" || category !== "activation") return false;
    return (rowsOf.get(index) ?? []).some(
      (row) => NORM_NODE.test(node(row)) || (SQUARE_NODE.test(node(row)) && roots.has(functionOf(trace, row))),
    );
  });
  const together = mostTogether(trace, upcasts);
  return together === null || !isNotable(trace, together.bytes) ? [] : [findingOf(trace, "float32_norm", together)];
}

/** The module's call and the function that a row was saved in. */
function functionOf({ saved, frames }: Trace, row: number): string {
  const frame = frames[saved.frame[row]!];
  return `${saved.module[row]} ${frame?.parent} ${frame?.file} ${frame?.name}`;
}
