/** Sentences about findings, assumptions and notes in the reader's language. */

import { formatBytes } from "../base/bytes.ts";
import { shownText } from "../base/shown-text.ts";
import type { Finding, FindingCode, Summand } from "../explain/index.ts";
import type { ContextBytes } from "../gpus/row.ts";
import { isMessageCode, message, messageOrCode, type Locale, type MessageCode } from "../i18n/index.ts";
import type { Assumption, Category, Phase, Trace } from "../trace/model.ts";

export function categoryName(locale: Locale, category: Category): string {
  return message(locale, `category_${category}`);
}

/** Where the interval for context and libraries comes from. */
export function contextMark(locale: Locale, { mark, measured }: ContextBytes): string {
  return message(locale, `mark_${mark}`, { name: measured?.profile ?? "", count: measured?.count ?? 0 });
}

export function phaseName(locale: Locale, phase: Phase): string {
  return message(locale, `phase_${phase}`);
}

/** A block's note: a code with wording, perhaps followed by a colon and details, or words as they are. */
export function noteName(locale: Locale, note: string): string {
  const [code = ""] = note.split(":");
  const key = `note_${code}`;
  return isMessageCode(key) ? message(locale, key) : shownText(note).replaceAll("_", " ");
}

function partName(locale: Locale, part: Summand): string {
  return part.note === null ? categoryName(locale, part.category) : noteName(locale, part.note);
}

/** `12.00 MiB gradients + 8.12 MiB cuBLAS workspace - 512 bytes temporaries`. */
export function partsText(locale: Locale, parts: readonly Summand[]): string {
  return parts
    .map((part, index) => {
      const sign = part.bytes < 0 ? "- " : index > 0 ? "+ " : "";
      return `${sign}${formatBytes(Math.abs(part.bytes))} ${partName(locale, part)}`;
    })
    .join(" ");
}

/** How a finding says that it happened often, where not in the usual words. */
const TIMES: Partial<Record<FindingCode, MessageCode>> = {
  reserved_ahead: "ahead_times",
  reserved_ahead_expandable: "ahead_times",
  workspace_more: "workspace_times",
};

export function findingText(locale: Locale, finding: Finding): string {
  const { args } = finding;
  const count = args["count"];
  const times =
    typeof count === "number" && count > 1 ? message(locale, TIMES[finding.code] ?? "finding_times", args) : "";
  // a recording may name neither
  const note = typeof args["note"] === "string" && args["note"] !== "" ? args["note"] : "workspace";
  const op = args["op"] === "" ? message(locale, "some_operator") : (args["op"] ?? "");
  const parts = partsText(locale, finding.parts);
  const text = message(locale, finding.code, { ...args, op, note: noteName(locale, note), times, parts });
  // without a line there is no place to begin with
  return args["where"] === "" ? text.replace(/^\s*[:：]\s*/, "") : text;
}

export function assumptionText(locale: Locale, trace: Pick<Trace, "frames">, assumption: Assumption): string {
  const frame = trace.frames[assumption.frame];
  const place = frame === undefined ? "" : `${frame.file}:${frame.line}: `;
  const times = assumption.count > 1 ? message(locale, "assumption_times", { count: assumption.count }) : "";
  return `${place}${messageOrCode(locale, assumption.code, assumption.args)}${times}`;
}

/** Why a program stopped, for the statuses that a run can have. */
export function reasonText(locale: Locale, status: string, exitStatus: number): string {
  const key = `reason_${status}`;
  return isMessageCode(key) ? message(locale, key as MessageCode, { exitStatus }) : status;
}
