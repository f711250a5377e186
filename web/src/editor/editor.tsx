/** The Python editor: CodeMirror with memory beside each line, kept in step with signals. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { effect, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { lineMarks, setMarks, type LineMarks } from "./line-marks.ts";
import { memoryGutter, setGutter, type GutterContent } from "./memory-gutter.ts";
import "./editor.css";

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], class: "tok-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "tok-string" },
  { tag: [tags.comment], class: "tok-comment" },
  { tag: [tags.number, tags.bool, tags.null], class: "tok-number" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: "tok-call" },
  { tag: [tags.definition(tags.variableName), tags.className], class: "tok-name" },
]);

export interface EditorProps {
  readonly source: ReadonlySignal<string>;
  readonly onChange: (text: string) => void;
  readonly gutter: ReadonlySignal<GutterContent | null>;
  readonly marks: ReadonlySignal<LineMarks>;
  readonly onLine: (line: number) => void;
  readonly label: string;
}

export function Editor({ source, onChange, gutter, marks, onLine, label }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const handlers = useRef({ onChange, onLine });
  handlers.current = { onChange, onLine };
  const labelled = useRef(new Compartment());
  const shown = useRef<EditorView | null>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: source.peek(),
        extensions: [
          memoryGutter((line) => handlers.current.onLine(line)),
          lineNumbers({
            domEventHandlers: {
              click: (editor, block) => {
                handlers.current.onLine(editor.state.doc.lineAt(block.from).number);
                return true;
              },
            },
          }),
          history(),
          drawSelection(),
          indentOnInput(),
          indentUnit.of("    "),
          bracketMatching(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          python(),
          syntaxHighlighting(highlighting),
          lineMarks,
          // Escape, then Tab, leaves the editor, as CodeMirror's own guide asks for
          keymap.of([
            indentWithTab,
            ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
            ...historyKeymap,
            ...searchKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) handlers.current.onChange(update.state.doc.toString());
          }),
          labelled.current.of(EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" })),
        ],
      }),
    });
    shown.current = view;
    const ends = [
      effect(() => {
        const text = source.value;
        const { doc } = view.state;
        if (text !== doc.toString()) view.dispatch({ changes: { from: 0, to: doc.length, insert: text } });
      }),
      effect(() => view.dispatch({ effects: setGutter.of(gutter.value) })),
      effect(() => {
        const next = marks.value;
        view.dispatch({ effects: setMarks.of(next) });
        const line = next.selected ?? next.error?.line ?? next.peak;
        if (line === null || line > view.state.doc.lines) return;
        const { from } = view.state.doc.line(line);
        view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 40 }) });
      }),
    ];
    return () => {
      for (const end of ends) end();
      view.destroy();
    };
  }, []);
  useEffect(() => {
    shown.current?.dispatch({
      effects: labelled.current.reconfigure(EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" })),
    });
  }, [label]);
  return <div class="editor" ref={place} />;
}
