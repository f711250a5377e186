/** The timeline of one trace in the page: with the page's language, theme and keys. */

import { useEffect, useMemo } from "preact/hooks";
import { noteName } from "../../../src/report/words.ts";
import type { ChartBase } from "../chart/chart-data.ts";
import { createChart } from "../chart/chart-state.ts";
import { chartCommands } from "../chart/commands.ts";
import type { Selection } from "../chart/selection.ts";
import { Timeline } from "../chart/timeline.tsx";
import { CHART_EN, type ChartWord } from "../chart/words-en.ts";
import { CHART_ZH_CN } from "../chart/words-zh-CN.ts";
import { addCommands } from "../shell/commands.ts";
import { isDark, locale, patterns } from "../state/settings.ts";
import { wordsOf } from "../words/index.ts";

const t = wordsOf<ChartWord>(CHART_EN, CHART_ZH_CN);

export interface ChartPanelProps {
  readonly selection: Selection;
  /** What a worker has prepared; prepared here when missing. */
  readonly base?: ChartBase;
}

export function ChartPanel({ selection, base }: ChartPanelProps) {
  const chart = useMemo(() => createChart(selection, t, base), [selection, base]);
  useEffect(() => {
    const removeCommands = addCommands(chartCommands(chart));
    return () => {
      removeCommands();
      chart.dispose();
    };
  }, [chart]);
  return (
    <Timeline
      chart={chart}
      theme={isDark.value ? "dark" : "light"}
      patterns={patterns.value}
      noteName={(note) => noteName(locale.value, note)}
    />
  );
}
