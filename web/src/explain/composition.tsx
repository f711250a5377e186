/** What allocated memory consists of at an event: a bar by category, and a table by category, line or module. */

import { useSignal } from "@preact/signals";
import { formatBytes } from "../../../src/base/bytes.ts";
import { categoryName } from "../../../src/report/words.ts";
import { compositionAt } from "../../../src/trace/composition.ts";
import { CATEGORIES, type Category, type Trace } from "../../../src/trace/model.ts";
import type { Grouping } from "../../../src/trace/queries.ts";
import { locale } from "../state/settings.ts";
import { explainWords as t } from "./words.ts";
import "./composition.css";

const VIEWS = ["category", "line", "module"] as const satisfies readonly Grouping[];
const MOST_ROWS = 40;

export interface CompositionProps {
  readonly trace: Trace;
  readonly event: number;
  /** Hears a row of the view by line: `file:line`. */
  readonly onPlace: ((place: string) => void) | null;
  /** The view that is shown at first. */
  readonly first?: (typeof VIEWS)[number];
}

export function Composition({ trace, event, onPlace, first = "category" }: CompositionProps) {
  const by = useSignal<(typeof VIEWS)[number]>(first);
  const byCategory = compositionAt(trace, event, "category");
  const total = Math.max(1, byCategory.allocatedBytes);
  const ordered = CATEGORIES.flatMap((category) => byCategory.shares.filter(({ key }) => key === category));
  const shown = by.value === "category" ? byCategory : compositionAt(trace, event, by.value);
  const rows = by.value === "category" ? ordered : shown.shares;
  const nameOf = (key: string | null): string => {
    if (key === null || key === "") return t("group_other");
    return by.value === "category" ? categoryName(locale.value, key as Category) : key;
  };
  const percent = (bytes: number): string => t("share_of", { percent: ((bytes / total) * 100).toFixed(1) });
  return (
    <div class="composition">
      <div class="composition-bar" aria-hidden="true">
        {ordered.map(({ key, bytes }) => (
          <i
            key={key}
            class={`category-${key}`}
            style={{ width: `${(bytes / total) * 100}%` }}
            title={`${categoryName(locale.value, key as Category)}: ${formatBytes(bytes)}`}
          />
        ))}
      </div>
      <div class="views" role="group" aria-label={t("column_share")}>
        {VIEWS.map((view) => (
          <button key={view} type="button" aria-pressed={by.value === view} onClick={() => (by.value = view)}>
            {t(`by_${view}`)}
          </button>
        ))}
      </div>
      <div class="scroll">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{t(`by_${by.value}`)}</th>
              <th scope="col" class="n">
                {t("column_bytes")}
              </th>
              <th scope="col" class="n">
                {t("column_share")}
              </th>
              <th scope="col" class="n">
                {t("column_blocks")}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map(({ key, bytes, blocks }) => (
              <tr key={key}>
                <td>
                  {by.value === "category" && <span class={`swatch category-${key}`} aria-hidden="true" />}
                  {by.value === "line" && key !== null && onPlace !== null ? (
                    <button type="button" class="link" onClick={() => onPlace(key)}>
                      {key}
                    </button>
                  ) : (
                    nameOf(key)
                  )}
                </td>
                <td class="n" title={`${bytes.toLocaleString("en-US")} bytes`}>
                  {formatBytes(bytes)}
                </td>
                <td class="n">{percent(bytes)}</td>
                <td class="n">{blocks}</td>
              </tr>
            ))}
            {shown.remainderBytes > 0 && (
              <tr class="soft" title={t("remainder_title")}>
                <td>{t("remainder_name")}</td>
                <td class="n" title={`${shown.remainderBytes.toLocaleString("en-US")} bytes`}>
                  {formatBytes(shown.remainderBytes)}
                </td>
                <td class="n">{percent(shown.remainderBytes)}</td>
                <td class="n">{shown.remainderBlocks}</td>
              </tr>
            )}
            {shown.unlistedBytes > 0 && (
              <tr class="soft">
                <td>{t("group_other")}</td>
                <td class="n">{formatBytes(shown.unlistedBytes)}</td>
                <td class="n">{percent(shown.unlistedBytes)}</td>
                <td class="n" />
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </div>
  );
}
