/** The table of source lines: what each, with what it called, did to memory. */

import { formatBytes, formatChange } from "../../../src/base/bytes.ts";
import type { LineRow } from "../../../src/trace/lines.ts";
import { explainWords as t } from "./words.ts";

const MOST_ROWS = 400;

export interface LineRowsProps {
  readonly rows: readonly LineRow[];
  readonly onRow: (row: LineRow) => void;
  /** Text of a line, or an empty text. */
  readonly sourceOf: (file: string, line: number) => string;
}

export function LineRows({ rows, onRow, sourceOf }: LineRowsProps) {
  return (
    <div class="scroll">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">{t("column_line")}</th>
            <th scope="col" class="n">
              {t("column_after")}
            </th>
            <th scope="col" class="n">
              {t("column_net")}
            </th>
            <th scope="col" class="n">
              {t("column_peak")}
            </th>
            <th scope="col" class="n">
              {t("column_allocations")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row) => (
            <tr key={`${row.file}:${row.line}`}>
              <td class="source-cell">
                <button type="button" class="link" onClick={() => onRow(row)}>
                  {row.file.split("/").at(-1)}:{row.line}
                </button>{" "}
                <code>{sourceOf(row.file, row.line).trim()}</code>
              </td>
              <td class="n">{formatBytes(row.allocatedAfterBytes)}</td>
              <td class="n">{formatChange(row.changeBytes)}</td>
              <td class="n">{formatBytes(row.peakBytes)}</td>
              <td class="n">{row.allocations}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
