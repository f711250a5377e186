/** The autograd graph for Graphviz: an edge leads from a node to those that get its gradients. */

import type { Trace } from "../trace/model.ts";
import { formatBytes } from "../base/bytes.ts";
import type { ExportFormat, ExportOptions } from "./export-format.ts";
import { EMPTY_GRAPH, keptBytes, nodeKind, nodeWords } from "./graph-words.ts";

/** A quoted string; a backslash would begin an escape of the language. */
const quoted = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\l")}"`;

const COLOURS = { leaf: "#cfe4ff", keeps: "#ffe2c2", plain: "#eeeeee" } as const;

function* write(trace: Trace, options: ExportOptions = {}): Generator<string, void, undefined> {
  const graph = options.graph ?? EMPTY_GRAPH;
  const title = `${trace.program}: ${graph.nodes.length} nodes keep ${formatBytes(keptBytes(graph))}`;
  yield `digraph autograd {\n  label=${quoted(title)};\n  rankdir=TB;\n`;
  yield `  node [shape=box, style=filled, fontname="monospace", fontsize=10];\n`;
  for (const [index, node] of graph.nodes.entries()) {
    const label = nodeWords(trace, node)
      .map((word) => `${word}\n`)
      .join("");
    yield `  n${index} [label=${quoted(label)}, fillcolor="${COLOURS[nodeKind(node)]}"];\n`;
    for (const next of node.next) yield `  n${index} -> n${next};\n`;
  }
  yield "}\n";
}

export const graphDot: ExportFormat = {
  id: "graph",
  extension: ".dot",
  label: "export_graph",
  needsGraph: true,
  write,
};
