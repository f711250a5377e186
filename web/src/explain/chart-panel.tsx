/** One trace's chart in the page: with the page's language, theme and keys, shared by the timeline, the table and the allocator's view. */

import { useEffect } from "preact/hooks";
import { noteName } from "../../../src/report/words.ts";
import { AllocatorView } from "../chart/allocator-view.tsx";
import { BlockTable } from "../chart/block-table.tsx";
import type { ChartBase } from "../chart/chart-data.ts";
import type { Chart } from "../chart/chart-state.ts";
import { chartCommands } from "../chart/commands.ts";
import { useChart } from "../chart/hooks.ts";
import type { Selection } from "../chart/selection.ts";
import { Timeline } from "../chart/timeline.tsx";
import { CHART_EN, type ChartWord } from "../chart/words-en.ts";
import { CHART_ZH_CN } from "../chart/words-zh-CN.ts";
import { addCommands } from "../shell/commands.ts";
import { isDark, locale, patterns } from "../state/settings.ts";
import { wordsOf } from "../words/index.ts";

const t = wordsOf<ChartWord>(CHART_EN, CHART_ZH_CN);

/** The chart of a selection, with its commands while it is shown; null until a large trace is prepared. @param base as prepared by a worker */
export function usePageChart(selection: Selection | null, base?: ChartBase): Chart | null {
  const chart = useChart(selection, t, base);
  useEffect(() => (chart === null ? undefined : addCommands(chartCommands(chart))), [chart]);
  return chart;
}

/** Read while a component is drawn, so that it follows the settings. */
const settings = () => ({
  theme: isDark.value ? ("dark" as const) : ("light" as const),
  noteName: (note: string) => noteName(locale.value, note),
});

export interface PageTimelineProps {
  readonly chart: Chart;
  /** Answers why the pinned block is held, where there is a program to ask. */
  readonly onWhy?: (() => void) | undefined;
}

export function PageTimeline({ chart, onWhy }: PageTimelineProps) {
  return <Timeline chart={chart} {...settings()} patterns={patterns.value} onWhy={onWhy} />;
}

export function PageBlocks({ chart }: { readonly chart: Chart }) {
  return <BlockTable chart={chart} {...settings()} patterns={patterns.value} />;
}

export function PageSegments({ chart }: { readonly chart: Chart }) {
  return <AllocatorView chart={chart} {...settings()} patterns={patterns.value} />;
}
