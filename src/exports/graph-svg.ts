/** The autograd graph as a picture (SVG), laid out in layers; light and dark. */

import { formatBytes } from "../base/bytes.ts";
import type { Trace } from "../trace/model.ts";
import type { ExportFormat, ExportOptions } from "./export-format.ts";
import { EMPTY_GRAPH, keptBytes, nodeKind, nodeWords } from "./graph-words.ts";
import { layered } from "./layers.ts";
import { escapeMarkup } from "./markup.ts";

const CHARACTER = 6.7;
const LINE = 14;
const PADDING = 8;
const GAP = { x: 24, y: 40 } as const;
const TITLE = 36;

const STYLE = `
svg { background: #ffffff; font: 11px ui-monospace, Menlo, Consolas, monospace; }
text { fill: #1d2330; } .title { font-size: 13px; font-weight: 600; }
rect { stroke: #8a93a3; rx: 5px; } path { fill: none; stroke: #8a93a3; stroke-width: 1.2; }
.leaf { fill: #d8e8ff; } .keeps { fill: #ffe6cc; } .plain { fill: #f2f3f5; } .name { font-weight: 600; }
marker path { fill: #8a93a3; stroke: none; }
@media (prefers-color-scheme: dark) {
  svg { background: #14171d; } text { fill: #e6e9ef; } rect, path { stroke: #626c7d; } marker path { fill: #626c7d; }
  .leaf { fill: #1d3557; } .keeps { fill: #5a3a1a; } .plain { fill: #242932; }
}`;

interface Box {
  readonly words: readonly string[];
  readonly kind: string;
  readonly width: number;
  readonly height: number;
  x: number;
  y: number;
}

/** Gives every box its place: rows from above, each row centred. */
function arrange(boxes: readonly Box[], next: readonly (readonly number[])[]): { width: number; height: number } {
  const rows: Box[][] = [];
  const places = layered(next);
  for (const [index, box] of boxes.entries()) {
    const { layer, place } = places[index]!;
    (rows[layer] ??= [])[place] = box;
  }
  const widthOf = (row: readonly Box[]) => row.reduce((sum, box) => sum + box.width + GAP.x, -GAP.x);
  const width = Math.max(320, ...rows.map(widthOf)) + 2 * GAP.x;
  let y = TITLE + 8;
  for (const row of rows) {
    let x = (width - widthOf(row)) / 2;
    for (const box of row) {
      box.x = x;
      box.y = y;
      x += box.width + GAP.x;
    }
    y += Math.max(...row.map((box) => box.height)) + GAP.y;
  }
  return { width: Math.ceil(width), height: Math.ceil(y) };
}

function* write(trace: Trace, options: ExportOptions = {}): Generator<string, void, undefined> {
  const graph = options.graph ?? EMPTY_GRAPH;
  const boxes = graph.nodes.map((node): Box => {
    const words = nodeWords(trace, node);
    const longest = Math.max(...words.map((word) => [...word].length));
    return {
      words,
      kind: nodeKind(node),
      width: Math.ceil(longest * CHARACTER) + 2 * PADDING,
      height: words.length * LINE + PADDING,
      x: 0,
      y: 0,
    };
  });
  const { width, height } = arrange(
    boxes,
    graph.nodes.map((node) => node.next),
  );
  const title = `${trace.program}: ${graph.nodes.length} nodes keep ${formatBytes(keptBytes(graph))}`;
  yield `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">\n`;
  yield `<title>${escapeMarkup(title)}</title>\n<style>${STYLE}</style>\n`;
  yield `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>\n`;
  yield `<text class="title" x="${GAP.x}" y="24">${escapeMarkup(title)}</text>\n`;
  for (const [index, node] of graph.nodes.entries()) {
    const from = boxes[index]!;
    for (const next of node.next) {
      const to = boxes[next]!;
      const [x1, y1, x2, y2] = [from.x + from.width / 2, from.y + from.height, to.x + to.width / 2, to.y];
      const bend = Math.max(16, (y2 - y1) / 2);
      yield `<path d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}" marker-end="url(#arrow)"/>\n`;
    }
  }
  for (const { words, kind, x, y, width: w, height: h } of boxes) {
    yield `<g><rect class="${kind}" x="${x}" y="${y}" width="${w}" height="${h}"/>`;
    for (const [line, word] of words.entries()) {
      const style = line === 0 ? ' class="name"' : "";
      yield `<text${style} x="${x + PADDING}" y="${y + (line + 1) * LINE}">${escapeMarkup(word)}</text>`;
    }
    yield "</g>\n";
  }
  yield "</svg>\n";
}

export const graphSvg: ExportFormat = {
  id: "graph-svg",
  alsoFor: "graph",
  extension: ".svg",
  label: "export_graph_svg",
  needsGraph: true,
  write,
};
