/** Texts of failed requests, alone, in a traceback or anywhere in a log: every wording of PyTorch since 1.0, and those of ROCm, XPU, MPS. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { explainOom } from "./oom-meaning.ts";
import { OOM_MARKS, readOom, type OomText } from "./oom-words.ts";
import { ReadingsBuilder, type DeviceProcess } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

/** A text may be broken by a terminal, a mail or a web page; so many lines belong to it at most. */
const MOST_LINES = 12;
const LONGEST_TEXT = 6000;
const MOST_TEXTS = 512;
/** The engine's own start-up lines say more about such a log. */
const CLAIM = 0.75;

const isMarked = (text: string): boolean => OOM_MARKS.some((mark) => text.includes(mark));
/** Where a text ends at the latest: the next traceback or command. */
const BEGINS_OTHER = /^(?:Traceback |During handling|\s+File "|\$ |>>> )/;

function tell(text: OomText, line: number, out: ReadingsBuilder): void {
  const place: DeviceProcess = { device: text.device, process: -1 };
  for (const { part, quantity, name } of text.rows) out.fact(quantity, place, name, text.sizes.get(part)!, false, line);
  for (const { process, size } of text.processes) {
    out.fact("process", { device: text.device, process }, "process", size, false, line);
  }
  if (text.releases !== null) out.note("wording of PyTorch", text.releases, line);
  explainOom(text, out);
}

export const oomTextFile: ForeignFormat = {
  id: "oom-text",
  title: "out-of-memory error of PyTorch",
  standsInside: true,
  extensions: ["txt", "log", "out", "err"],
  sniff: (_head, text) => (isMarked(text) ? CLAIM : 0),
  read: (file, { name, onProgress }) => {
    const out = new ReadingsBuilder();
    let texts = 0;
    let open: string[] = [];
    let first = 0;
    const finish = (): void => {
      if (open.length === 0) return;
      const text = open.join(" ").replaceAll(/\s+/g, " ").slice(0, LONGEST_TEXT);
      open = [];
      texts += 1;
      if (texts <= MOST_TEXTS) tell(readOom(text), first, out);
    };
    eachLine(
      file,
      (text, line) => {
        if (isMarked(text)) {
          finish();
          first = line;
          open = [text];
        } else if (open.length > 0) {
          if (open.length === MOST_LINES || text.trim() === "" || BEGINS_OTHER.test(text)) finish();
          else open.push(text);
        }
      },
      { onProgress },
    );
    finish();
    if (texts === 0) throw new DiagnosticError(diagnostic("log_no_figures", { title: oomTextFile.title }));
    if (texts > 1) out.assume("oom_says_times", { count: texts });
    if (out.isEmpty) out.assume("oom_says_nothing");
    return { format: oomTextFile.id, trace: null, ...out.finish(oomTextFile.id, name) };
  },
};
