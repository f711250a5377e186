/** What the graph keeps for backward when it keeps most: each tensor, the node and slot that hold it, and how it was let go. */

import { formatBytes } from "../../../src/base/bytes.ts";
import { savedTable, type SavedOwner } from "../../../src/explain/saved-table.ts";
import { message } from "../../../src/i18n/index.ts";
import type { Trace } from "../../../src/trace/model.ts";
import { locale } from "../state/settings.ts";
import { explainWords as t } from "./words.ts";

const MOST_ROWS = 200;

export interface SavedProps {
  readonly trace: Trace;
  readonly table: ReturnType<typeof savedTable>;
  readonly onBlock: (index: number) => void;
}

export function Saved({ trace, table, onBlock }: SavedProps) {
  if (table === null) return <p class="soft">{t("saved_none")}</p>;
  const allocated = Math.max(1, trace.events.allocatedBytes[table.event] ?? 1);
  const lineOf = (frame: number): string => {
    const place = trace.frames[frame];
    if (place === undefined) return "";
    return place.file === trace.program ? String(place.line) : `${place.file.split("/").at(-1)}:${place.line}`;
  };
  const endOf = (owner: SavedOwner): string =>
    message(locale.value, `saved_end_${owner.end}`, { where: lineOf(owner.endFrame) });
  return (
    <>
      <p>
        {t("saved_intro", {
          bytes: table.keptBytes,
          count: table.kept.length,
          share: ((table.keptBytes / allocated) * 100).toFixed(1),
        })}
      </p>
      <div class="scroll">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col" class="n">
                {t("saved_bytes")}
              </th>
              <th scope="col" class="n">
                {t("saved_line")}
              </th>
              <th scope="col">{t("saved_form")}</th>
              <th scope="col">{t("saved_node")}</th>
              <th scope="col">{t("saved_end")}</th>
            </tr>
          </thead>
          <tbody>
            {table.kept.slice(0, MOST_ROWS).map(({ index, block, owners }) => (
              <tr key={index}>
                <td class="n" title={`${block.bytes.toLocaleString("en-US")} bytes`}>
                  <button type="button" class="link" onClick={() => onBlock(index)}>
                    {formatBytes(block.bytes)}
                  </button>
                </td>
                <td class="n">{lineOf(block.frame)}</td>
                <td>
                  {owners.map((owner, at) => (
                    <div key={at}>{owner.form}</div>
                  ))}
                </td>
                <td>
                  {owners.map((owner, at) => (
                    <div key={at}>
                      <code>
                        {owner.node}.{owner.slot}
                      </code>
                    </div>
                  ))}
                </td>
                <td>
                  {owners.map((owner, at) => (
                    <div key={at}>{endOf(owner)}</div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
