/** Marks on lines of the source: the one that failed with its message below it, and the one that is selected elsewhere. */

import { StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";

export interface LineMarks {
  readonly error: { readonly line: number; readonly text: string } | null;
  readonly peak: number | null;
  readonly selected: number | null;
}

export const setMarks = StateEffect.define<LineMarks>();

class ErrorText extends WidgetType {
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  override eq(other: ErrorText): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("div");
    element.className = "line-error-text";
    element.textContent = this.text;
    return element;
  }
}

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const { doc } = transaction.state;
      const { error, peak, selected } = effect.value;
      const ranges: Range<Decoration>[] = [];
      const onLine = (line: number | null, className: string): void => {
        if (line === null || line < 1 || line > doc.lines) return;
        ranges.push(Decoration.line({ class: className }).range(doc.line(line).from));
      };
      onLine(peak, "line-peak");
      onLine(selected, "line-selected");
      onLine(error?.line ?? null, "line-error");
      if (error !== null && error.line >= 1 && error.line <= doc.lines) {
        const widget = Decoration.widget({ widget: new ErrorText(error.text), block: true, side: 1 });
        ranges.push(widget.range(doc.line(error.line).to));
      }
      next = Decoration.set(ranges, true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const lineMarks: Extension = marks;
