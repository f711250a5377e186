/** The table of what several ranks or GPUs need, a row for each. */

import { formatBytes } from "../base/bytes.ts";
import { message, type Locale, type MessageCode } from "../i18n/index.ts";
import type { ReportFacts } from "./facts.ts";
import { displayWidth, padEnd, padStart } from "./width.ts";

export function needsTable(
  label: MessageCode,
  rows: readonly { readonly name: string; readonly facts: ReportFacts }[],
  locale: Locale,
): readonly string[] {
  const head = ([label, "label_allocated", "label_reserved", "label_outside_short", "label_driver"] as const).map(
    (code) => message(locale, code),
  );
  const cells = rows.map(({ name, facts }) => [
    name,
    ...[
      facts.allocated.peakBytes,
      facts.reserved.peakBytes,
      facts.outside.expectedBytes,
      facts.driver.expectedBytes,
    ].map((bytes) => (facts.traceLost ? "-" : formatBytes(bytes))),
    message(locale, `verdict_${facts.verdict}`),
  ]);
  const widths = head.map((_, i) => Math.max(...[head, ...cells].map((row) => displayWidth(row[i]!))));
  return [head, ...cells].map((row) =>
    `  ${row.map((cell, i) => (i === 0 || i > 4 ? padEnd(cell, widths[i] ?? 0) : padStart(cell, widths[i]!))).join("  ")}`.trimEnd(),
  );
}
