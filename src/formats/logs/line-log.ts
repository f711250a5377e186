/** Logs whose figures stand in single lines: a format is a table of the lines that it knows. */

import { diagnostic, DiagnosticError } from "../../base/diagnostic.ts";
import type { Quantity } from "../../trace/readings.ts";
import type { ForeignFormat } from "../foreign-format.ts";
import { figure, numberOf, timeOf } from "./figures.ts";
import { NOWHERE, ReadingsBuilder, type DeviceProcess } from "./readings-builder.ts";
import { eachLine } from "./text-lines.ts";

/** What one group of a row's form is. */
export type Gives =
  /** A figure in `unit` bytes, found once. */
  | { readonly fact: Quantity; readonly name: string; readonly unit: number; readonly peak?: boolean }
  /** A figure in `unit` bytes that the log repeats. */
  | { readonly sample: Quantity; readonly label?: string; readonly unit: number }
  /** Something that is no number of bytes. */
  | { readonly note: string };

export interface LogRow {
  /** Text that such a line has; it is looked for first, and `form` begins there. */
  readonly mark: string;
  /** Sticky; must not try more than one way to read a text. */
  readonly form: RegExp;
  /** One entry for each group; a group that is missing gives nothing. */
  readonly gives?: readonly (Gives | null)[];
  /** For lines that a list of groups does not describe. */
  readonly read?: (match: RegExpExecArray, found: FoundLine) => void;
  /** Lines that other programs write, too: they do not decide what a file is. */
  readonly common?: boolean;
}

/** A line that a row knows. */
export interface FoundLine {
  readonly text: string;
  readonly line: number;
  readonly place: DeviceProcess;
  readonly out: ReadingsBuilder;
}

export interface LineLog {
  readonly id: string;
  readonly title: string;
  readonly extensions?: readonly string[];
  /** Claim of a file that has one of the rows. */
  readonly claim: number;
  readonly rows: readonly LogRow[];
  /** Texts that this program alone writes, with or without figures. */
  readonly signs?: readonly (string | RegExp)[];
  /** Device and process that a line's prefix names. */
  readonly place?: (text: string, out: ReadingsBuilder) => DeviceProcess;
}

/** A file with a sign but no row in its beginning: the figures may come later. */
const CLAIM_BY_SIGN = 0.4;

function matchRow(row: LogRow, text: string): RegExpExecArray | null {
  const at = text.indexOf(row.mark);
  if (at === -1) return null;
  row.form.lastIndex = at;
  return row.form.exec(text);
}

function give(gives: Gives, text: string, found: FoundLine): void {
  const { out, place, line } = found;
  if ("note" in gives) {
    out.note(gives.note, numberOf(text) ?? text, line);
    return;
  }
  const value = figure(text, gives.unit);
  if (value === null) return;
  if ("fact" in gives) out.fact(gives.fact, place, gives.name, value, gives.peak ?? false, line);
  else out.sample(gives.sample, place, gives.label ?? "", value, timeOf(found.text), line);
}

function readLine(log: LineLog, text: string, line: number, out: ReadingsBuilder): boolean {
  let known = false;
  for (const row of log.rows) {
    const match = matchRow(row, text);
    if (match === null) continue;
    known = true;
    const found: FoundLine = { text, line, place: log.place?.(text, out) ?? NOWHERE, out };
    row.gives?.forEach((gives, group) => {
      const value = match[group + 1];
      if (gives !== null && value !== undefined) give(gives, value, found);
    });
    row.read?.(match, found);
  }
  return known;
}

const hasSign = (text: string, sign: string | RegExp): boolean =>
  typeof sign === "string" ? text.includes(sign) : sign.test(text);

/** A format from the table of its lines. */
export function lineLog(log: LineLog): ForeignFormat {
  return {
    id: log.id,
    title: log.title,
    extensions: log.extensions ?? ["log", "txt", "out"],
    sniff: (_head, text) => {
      const rows = log.rows.filter((row) => row.common !== true && text.includes(row.mark));
      const lines = rows.length === 0 ? [] : text.split("\n");
      if (lines.some((line) => rows.some((row) => matchRow(row, line) !== null))) return log.claim;
      return log.signs?.some((sign) => hasSign(text, sign)) ? CLAIM_BY_SIGN : 0;
    },
    read: (file, { name, onProgress }) => {
      const out = new ReadingsBuilder();
      let unknown = 0;
      const { cutLines } = eachLine(
        file,
        (text, line) => {
          if (!readLine(log, text, line, out) && text.trim() !== "") unknown++;
        },
        { onProgress },
      );
      if (out.isEmpty) throw new DiagnosticError(diagnostic("log_no_figures", { title: log.title }));
      if (unknown > 0) out.assume("log_lines_skipped", { lines: unknown });
      if (cutLines > 0) out.assume("log_lines_cut", { lines: cutLines });
      return { format: log.id, trace: null, ...out.finish(log.id, name) };
    },
  };
}
