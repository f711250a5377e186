/** The column beside the source in which each line says its memory, with a bar in proportion. */

import { RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import { EditorView, gutter, GutterMarker } from "@codemirror/view";
import { formatBytes } from "../../../src/base/bytes.ts";
import type { LineFigures, LineMode } from "./line-figures.ts";

export interface GutterContent {
  readonly figures: ReadonlyMap<number, LineFigures>;
  readonly mode: LineMode;
  /** Words for a line's tooltip. */
  readonly describe: (line: number, figures: LineFigures) => string;
}

export const setGutter = StateEffect.define<GutterContent | null>();

class FigureMarker extends GutterMarker {
  readonly bytes: number;
  readonly share: number;
  readonly title: string;

  constructor(bytes: number, share: number, title: string) {
    super();
    this.bytes = bytes;
    this.share = share;
    this.title = title;
  }

  override eq(other: FigureMarker): boolean {
    return this.bytes === other.bytes && this.share === other.share && this.title === other.title;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = this.bytes < 0 ? "line-memory freed" : "line-memory";
    element.title = this.title;
    element.style.setProperty("--share", `${(this.share * 100).toFixed(1)}%`);
    element.textContent = this.bytes === 0 ? "0" : formatBytes(this.bytes);
    return element;
  }
}

class Spacer extends GutterMarker {
  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.className = "line-memory";
    element.textContent = "-999.99 MiB";
    return element;
  }
}

function markersOf(content: GutterContent | null, lineAt: (line: number) => number | null): RangeSet<GutterMarker> {
  if (content === null) return RangeSet.empty;
  const { figures, mode, describe } = content;
  const most = Math.max(1, ...[...figures.values()].map((row) => Math.abs(row[mode])));
  const ranges = [...figures]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([line, row]) => {
      const at = lineAt(line);
      const bytes = row[mode];
      const hidden = bytes === 0 && (mode === "atPeakBytes" || mode === "temporaryBytes");
      return at === null || hidden
        ? []
        : [new FigureMarker(bytes, Math.abs(bytes) / most, describe(line, row)).range(at)];
    });
  return RangeSet.of(ranges);
}

const markers = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(value, transaction) {
    let next = transaction.docChanged ? value.map(transaction.changes) : value;
    for (const effect of transaction.effects) {
      if (!effect.is(setGutter)) continue;
      const { doc } = transaction.state;
      next = markersOf(effect.value, (line) => (line <= doc.lines ? doc.line(line).from : null));
    }
    return next;
  },
});

/** The gutter; `onLine` hears which line's figure was clicked. */
export function memoryGutter(onLine: (line: number) => void): Extension {
  return [
    markers,
    gutter({
      class: "memory-gutter",
      markers: (view) => view.state.field(markers),
      initialSpacer: () => new Spacer(),
      domEventHandlers: {
        click: (view, block) => {
          onLine(view.state.doc.lineAt(block.from).number);
          return true;
        },
      },
    }),
    EditorView.baseTheme({
      ".memory-gutter": { cursor: "pointer" },
    }),
  ];
}
