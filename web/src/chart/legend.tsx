/** The legend: each group with its bytes at the shown event; choosing one fades the others. */

import type { Theme } from "../theme/palette.ts";
import { shortBytes } from "./axis.ts";
import type { Chart } from "./chart-state.ts";
import { groupName } from "./group-names.ts";
import { askedAfter } from "./remainders.ts";
import { Swatch } from "./swatch.tsx";

export function Legend({ chart, theme, patterns }: { chart: Chart; theme: Theme; patterns: boolean }) {
  const { t, trace, selection } = chart;
  const data = chart.data.value;
  const { groups } = data;
  const event = chart.hover.value?.event ?? selection.shownEvent.value;
  const totals = new Float64Array(groups.list.length);
  const remainders = askedAfter(trace, groups, event, totals);
  const only = chart.onlyGroup.value;
  return (
    <ul class="chart-legend">
      <li class="chart-legend-at" title={t("legend_at", { event })}>
        {event === data.peak ? t("legend_peak") : t("legend_at", { event })}
      </li>
      {groups.list.map((group, place) => {
        if (group.mostBytes === 0) return null;
        return (
          <li key={`${group.kind}${group.key}`}>
            <button
              type="button"
              aria-pressed={only === place}
              title={group.key ?? undefined}
              onClick={() => {
                chart.onlyGroup.value = only === place ? -1 : place;
              }}
            >
              <Swatch groups={groups} group={place} theme={theme} patterns={patterns} />
              <span class="chart-legend-name">{groupName(groups.by, group, t)}</span>
              <span class="chart-legend-bytes">{shortBytes(totals[place]!)}</span>
            </button>
          </li>
        );
      })}
      {remainders > 0 && (
        <li class="chart-legend-line" title={t("remainders_title")}>
          <span>{t("remainders")}</span>
          <span class="chart-legend-bytes">{shortBytes(remainders)}</span>
        </li>
      )}
      <li class="chart-legend-line">
        <i class="chart-dash" />
        <span>{t("reserved")}</span>
        <span class="chart-legend-bytes">{shortBytes(trace.events.reservedBytes[event] ?? 0)}</span>
      </li>
      {chart.laidOver.value !== null && (
        <li class="chart-legend-line">
          <i class="chart-laid-over" />
          <span>{chart.laidOver.value.name}</span>
          <span class="chart-legend-bytes">{t("peak_flag", { peakBytes: chart.laidOver.value.peakBytes })}</span>
        </li>
      )}
    </ul>
  );
}
