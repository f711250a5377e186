/** The words on a node of the autograd graph: its name, where it comes from, and what it keeps. */

import type { AutogradGraph, GraphNodeView, GraphTensor } from "../autograd/graph-view.ts";
import { formatBytes } from "../base/bytes.ts";
import { shownText } from "../base/shown-text.ts";
import type { Trace } from "../trace/model.ts";

const tensorWords = (tensor: GraphTensor): string =>
  `${tensor.dtype}[${tensor.shape.join(", ")}] ${formatBytes(tensor.bytes)}`;

/** One line each, names as they may be shown; the first is the node's name. */
export function nodeWords(trace: Trace, node: GraphNodeView): string[] {
  const frame = trace.frames[node.frame];
  const module = trace.modules[node.module];
  return [
    shownText(node.name),
    ...(module === undefined ? [] : [module]),
    ...(frame === undefined || node.leaf !== null ? [] : [`${frame.file}:${frame.line}`]),
    ...(node.leaf === null ? [] : [tensorWords(node.leaf)]),
    ...node.saved.map((saved) => `${shownText(saved.slot)}: ${tensorWords(saved)}`),
  ];
}

/** What all nodes together keep; a storage that several slots share counts once. */
export function keptBytes({ nodes }: AutogradGraph): number {
  const storages = new Map<number, number>();
  let unshared = 0;
  for (const { saved } of nodes) {
    for (const { block, bytes } of saved) {
      if (block === -1) unshared += bytes;
      else storages.set(block, bytes);
    }
  }
  return [...storages.values()].reduce((sum, bytes) => sum + bytes, unshared);
}

/** `leaf`, `keeps` (it holds tensors for backward) or `plain`. */
export function nodeKind(node: GraphNodeView): "leaf" | "keeps" | "plain" {
  if (node.leaf !== null) return "leaf";
  return node.saved.length > 0 ? "keeps" : "plain";
}

export const EMPTY_GRAPH: AutogradGraph = { nodes: [], roots: [], leftOut: 0, event: -1 };
