/** A table of trials: each change with the peak before and after it, the one that helps most first. */

import { formatBytes } from "../base/bytes.ts";
import type { Trial } from "../explain/trials.ts";
import { message, type Locale } from "../i18n/index.ts";
import type { ReportFacts } from "./facts.ts";
import { signedBytes } from "./difference-text.ts";
import type { Painter } from "./paint.ts";
import { displayWidth, padEnd, padStart, wrap } from "./width.ts";

const INDENT = "  ";

/** The change's name, as typed and in words: `fused: ...`. */
export function changeText(locale: Locale, changes: Trial["changes"]): string {
  return changes.map((id) => message(locale, `change_${id}`)).join(message(locale, "change_and"));
}

export const changeName = (changes: Trial["changes"]): string => changes.join("+");

/** Those that lower the peak most come first, then what did nothing, failed or was not tried. */
export function sortedTrials(trials: readonly Trial[]): Trial[] {
  const rank = ({ outcome }: Trial) =>
    ["measured", "out_of_memory", "no_time", "no_effect", "failed", "not_tried"].indexOf(outcome);
  return [...trials].sort(
    (a, b) =>
      rank(a) - rank(b) || a.peakReservedBytes - b.peakReservedBytes || a.peakAllocatedBytes - b.peakAllocatedBytes,
  );
}

export function outcomeText(locale: Locale, trial: Trial): string {
  switch (trial.outcome) {
    case "measured":
      return message(locale, trial.fits ? (trial.tight ? "trial_may_fit" : "trial_fits") : "trial_does_not_fit");
    case "out_of_memory":
      return message(locale, "trial_out_of_memory");
    case "no_effect":
      return message(locale, "trial_no_effect");
    case "no_time":
      return message(locale, "trial_no_time");
    case "failed":
      return message(locale, "trial_failed", { reason: trial.errorText ?? "" });
    case "not_tried":
      return message(
        locale,
        trial.changes.some((id) => id === "sdpa") ? "trial_needs_code" : "trial_nothing_to_change",
      );
  }
}

/** So many changes that made no difference are named in one line. */
const LEAST_FOLDED = 3;

/** Those that did nothing, those that time was short for, and those for which there was nothing to do, where they are many. */
function foldedTrials(trials: readonly Trial[]): Trial[][] {
  const idle = trials.filter(({ changes }) => !changes.some((id) => id === "sdpa"));
  return (["no_effect", "no_time", "not_tried"] as const)
    .map((outcome) => idle.filter((trial) => trial.outcome === outcome))
    .filter(({ length }) => length >= LEAST_FOLDED);
}

export function trialsSection(
  trials: readonly Trial[],
  facts: ReportFacts,
  locale: Locale,
  painter: Painter,
): string[] {
  const failedBefore = facts.status === "out_of_memory";
  const before = {
    allocated: failedBefore ? message(locale, "trial_before_oom") : formatBytes(facts.allocated.peakBytes),
    reserved: failedBefore ? "" : formatBytes(facts.reserved.peakBytes),
  };
  const folded = foldedTrials(trials);
  const rows = sortedTrials(trials.filter((trial) => !folded.flat().includes(trial))).map((trial) => {
    const known = trial.outcome === "measured" || (trial.outcome === "no_effect" && !failedBefore);
    return {
      cells: [
        changeName(trial.changes),
        known ? formatBytes(trial.peakAllocatedBytes) : "",
        known ? formatBytes(trial.peakReservedBytes) : "",
        known && !failedBefore ? signedBytes(trial.peakReservedBytes - facts.reserved.peakBytes) : "",
      ] as const,
      verdict: outcomeText(locale, trial),
      words: changeText(locale, trial.changes),
    };
  });
  const head = [
    message(locale, "trial_column_change"),
    message(locale, "label_allocated"),
    message(locale, "label_reserved"),
    failedBefore ? "" : message(locale, "column_change"),
  ];
  const first = [message(locale, "trial_as_it_is"), before.allocated, before.reserved, ""];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...[head, first, ...rows.map(({ cells }) => cells)].map((cells) => displayWidth(cells[column]!))),
  );
  const line = (cells: readonly string[]) =>
    `${INDENT}${padEnd(cells[0]!, widths[0]!)}${[1, 2, 3].map((at) => `  ${padStart(cells[at]!, widths[at]!)}`).join("")}`;
  const lines = [
    painter.strong(message(locale, "section_trials")),
    painter.faint(line(head).trimEnd()),
    line(first).trimEnd(),
  ];
  const under = " ".repeat(4);
  for (const { cells, verdict, words } of rows) {
    lines.push(...wrap(`${line(cells)}  ${verdict}`.trimEnd(), painter.width, under));
    lines.push(...wrap(under + words, painter.width, under).map((text) => painter.faint(text)));
  }
  for (const alike of folded)
    lines.push(
      ...wrap(
        `${INDENT}${outcomeText(locale, alike[0]!)}: ${alike.map(({ changes }) => changeName(changes)).join(", ")}`,
        painter.width,
        INDENT,
      ),
    );
  if (failedBefore) lines.push(...wrap(INDENT + smallestText(locale, trials), painter.width, INDENT));
  return lines;
}

/** The first that fits is the smallest: they were tried in order of intrusiveness. */
function smallestText(locale: Locale, trials: readonly Trial[]): string {
  const found = trials.find(({ fits }) => fits);
  return found === undefined
    ? message(locale, trials.some(({ outcome }) => outcome === "no_time") ? "trial_none_yet_fits" : "trial_none_fits")
    : message(locale, "trial_smallest", { change: changeText(locale, found.changes) });
}
