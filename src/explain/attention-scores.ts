/** Attention scores that exist as tensors: one number for each pair of positions, several times over. */

import type { BlockRecord, Trace } from "../trace/model.ts";
import type { Finding } from "./finding.ts";
import { blocksWhere, elements, findingOf, isNotable, mostTogether, shapeText } from "./together.ts";

const PRODUCTS = new Set(["aten::bmm", "aten::baddbmm"]);
const SOFTMAX = new Set(["aten::_softmax", "aten::_safe_softmax"]);

/** Elements and the last two sizes: products have batch and heads in one dimension, softmax in two. */
function key(shape: readonly number[]): string {
  return `${elements(shape)} ${shape.at(-2)} ${shape.at(-1)}`;
}

/** Shapes whose softmax is over the product of queries and keys. */
export function scoreShapes(trace: Trace): Map<string, readonly number[]> {
  const named = (names: ReadonlySet<string>) => (block: BlockRecord) => names.has(trace.ops[block.op] ?? "");
  const [isProduct, isSoftmax] = [named(PRODUCTS), named(SOFTMAX)];
  const products = new Set<string>();
  const shapes = new Map<string, readonly number[]>();
  for (const block of trace.blocks) {
    const { shape } = block;
    if (shape === null || shape.length < 3 || shape.at(-1)! < 2 || shape.at(-2)! < 2) continue;
    if (isProduct(block)) products.add(key(shape));
    else if (isSoftmax(block) && products.has(key(shape))) shapes.set(key(shape), shape);
  }
  return shapes;
}

export function attentionScores(trace: Trace): Finding[] {
  return [...scoreShapes(trace)].flatMap(([kind, shape]) => {
    const alike = blocksWhere(
      trace,
      (block) => block.shape !== null && block.shape.length > 2 && key(block.shape) === kind,
    );
    const together = mostTogether(trace, alike);
    if (together === null || !isNotable(trace, together.bytes)) return [];
    const args = { shape: shapeText(shape), queries: shape.at(-2)!, keys: shape.at(-1)! };
    return [findingOf(trace, "attention_scores", together, args)];
  });
}
