/** Rows of cells as lines of text: columns padded to their widest cell, the first left-aligned, the others right. */

import { displayWidth, padEnd, padStart } from "./width.ts";

export function columns(rows: readonly (readonly string[])[], indent = "  "): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => displayWidth(cells[column] ?? ""))));
  return rows.map((cells) =>
    (
      indent +
      cells
        .map((cell, column) => (column === 0 ? padEnd(cell, widths[0]!) : padStart(cell, widths[column]!)))
        .join("  ")
    ).trimEnd(),
  );
}
