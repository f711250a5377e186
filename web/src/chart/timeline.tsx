/** The timeline: controls, plot, minimap, legend, what is selected, and the whole in one sentence for screen readers. */

import { useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Theme } from "../theme/palette.ts";
import { blockFacts, plainNote } from "./block-facts.ts";
import type { Chart } from "./chart-state.ts";
import { Legend } from "./legend.tsx";
import { Minimap } from "./minimap.tsx";
import { HEIGHTS, type HeightMode } from "./picture.ts";
import { Plot } from "./plot.tsx";
import { GROUPINGS } from "./selection.ts";
import { summaryText } from "./summary.ts";
import { Swatch } from "./swatch.tsx";
import { Facts, savedRowsOf } from "./tooltip.tsx";
import "./chart.css";

export interface TimelineProps {
  readonly chart: Chart;
  readonly theme: Theme;
  /** Hatching and dots beside the colours. */
  readonly patterns?: boolean;
  /** Words for a block's note; the codes themselves otherwise. */
  readonly noteName?: (note: string) => string;
  /** Answers why the pinned block is held, where somebody can. */
  readonly onWhy?: (() => void) | undefined;
}

export function Timeline({ chart, theme, patterns = false, noteName = plainNote, onWhy }: TimelineProps) {
  const { t } = chart;
  const merged = useSignal(0);
  const { events, peakAllocatedBytes } = chart.data.value;
  if (events === 0 || peakAllocatedBytes === 0) {
    return (
      <section class="chart chart-timeline chart-empty" aria-label={t("chart_name")}>
        <strong>{t("empty_title")}</strong>
        <span>{t("empty_hint")}</span>
      </section>
    );
  }
  return (
    <section class="chart chart-timeline" aria-label={t("chart_name")}>
      <Controls chart={chart} />
      <Plot chart={chart} theme={theme} patterns={patterns} noteName={noteName} merged={merged} />
      <Minimap chart={chart} theme={theme} />
      <Legend chart={chart} theme={theme} patterns={patterns} />
      <Pinned chart={chart} theme={theme} patterns={patterns} noteName={noteName} onWhy={onWhy} />
      <Summary chart={chart} />
      <MergedNote chart={chart} merged={merged} />
    </section>
  );
}

/** Stands where the timeline will be while a large trace is prepared. */
export function TimelineLoading({ text }: { readonly text: string }) {
  return (
    <section class="chart chart-timeline chart-loading" aria-busy="true">
      <div class="chart-plot" />
      <p role="status">{text}</p>
    </section>
  );
}

/** How many blocks the picture does not show one by one. */
function MergedNote({ chart: { t }, merged }: { readonly chart: Chart; readonly merged: ReadonlySignal<number> }) {
  return merged.value === 0 ? null : <p class="chart-note">{t("merged_note", { count: merged.value })}</p>;
}

function Controls({ chart }: { readonly chart: Chart }) {
  const { t, selection } = chart;
  return (
    <div class="chart-controls">
      <label>
        <span>{t("colour_by")}</span>
        <select
          value={selection.grouping.value}
          onChange={(event) => {
            selection.grouping.value = GROUPINGS[event.currentTarget.selectedIndex]!;
          }}
        >
          {GROUPINGS.map((by) => (
            <option key={by} value={by}>
              {t(`by_${by}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t("height")}</span>
        <select
          value={chart.height.value}
          onChange={(event) => {
            chart.height.value = event.currentTarget.value as HeightMode;
          }}
        >
          {HEIGHTS.map((mode) => (
            <option key={mode} value={mode}>
              {t(`height_${mode}`)}
            </option>
          ))}
        </select>
      </label>
      <Search chart={chart} />
      <div class="chart-buttons">
        <button
          type="button"
          aria-label={t("command_zoom_out")}
          title={t("command_zoom_out")}
          onClick={() => chart.zoom(2)}
        >
          −
        </button>
        <button
          type="button"
          aria-label={t("command_zoom_in")}
          title={t("command_zoom_in")}
          onClick={() => chart.zoom(0.5)}
        >
          +
        </button>
        <button type="button" onClick={chart.fitAll}>
          {t("button_all")}
        </button>
        <button type="button" onClick={chart.goToPeak}>
          {t("button_peak")}
        </button>
      </div>
    </div>
  );
}

function Search({ chart }: { readonly chart: Chart }) {
  const { t, selection } = chart;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const before = chart.searchAsked.peek();
    // at once, so that what is typed next goes into the field
    return chart.searchAsked.subscribe((asked) => {
      if (asked === before) return;
      field.current?.focus();
      field.current?.select();
    });
  }, [chart]);
  const { found, count, bytes, problem } = chart.matches.value;
  const text = ((): string => {
    if (problem !== null) return t("search_bad", { problem });
    if (found === null) return "";
    if (count === 0) return t("search_none");
    return t("search_count", { count, total: found.length, foundBytes: bytes });
  })();
  return (
    <div class="chart-search">
      <input
        ref={field}
        type="search"
        aria-label={t("search_label")}
        placeholder={t("search_placeholder")}
        value={selection.search.value}
        aria-invalid={problem !== null}
        onInput={(event) => {
          selection.search.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Enter") {
            event.preventDefault();
            chart.toMatch(event.shiftKey ? -1 : 1);
          } else if (event.key === "Escape") {
            selection.search.value = "";
            event.currentTarget.blur();
          }
        }}
      />
      <span role="status" class={problem === null ? "" : "is-bad"}>
        {text}
      </span>
    </div>
  );
}

type PinnedProps = Required<Omit<TimelineProps, "onWhy">> & Pick<TimelineProps, "onWhy">;

/** The pinned block with all that is known of it. */
function Pinned({ chart, theme, patterns, noteName, onWhy }: PinnedProps) {
  const { t, trace, selection } = chart;
  const block = selection.block.value;
  if (trace.blocks[block] === undefined) return null;
  const { title, rows } = blockFacts(trace, block, savedRowsOf(trace, block), t, noteName);
  const { groups } = chart.data.value;
  return (
    <div class="chart-pinned">
      <header>
        <strong>
          <Swatch groups={groups} group={groups.ofBlock[block]!} theme={theme} patterns={patterns} />
          {title}
        </strong>
        <div class="chart-buttons">
          {onWhy !== undefined && (
            <button type="button" onClick={onWhy}>
              {t("button_why")}
            </button>
          )}
          <button
            type="button"
            disabled={trace.blocks[block].allocEvent === -1}
            onClick={() => chart.toLinked("alloc")}
          >
            {t("button_alloc")}
          </button>
          <button type="button" disabled={trace.blocks[block].freeEvent === -1} onClick={() => chart.toLinked("free")}>
            {t("button_free")}
          </button>
          <button type="button" onClick={chart.fitSelection}>
            {t("button_fit")}
          </button>
          <button
            type="button"
            aria-label={t("command_clear")}
            title={t("command_clear")}
            onClick={() => chart.pin(-1, -1)}
          >
            ×
          </button>
        </div>
      </header>
      <Facts rows={rows} />
    </div>
  );
}

/** Changes that follow each other fast are announced once. */
const TELL_AFTER_MS = 400;

function Summary({ chart }: { readonly chart: Chart }) {
  const { selection, t } = chart;
  const announced = useSignal("");
  const text = summaryText(
    chart.data.value,
    { event: selection.event.value, range: selection.range.value, block: selection.block.value },
    t,
  );
  useEffect(() => {
    const timer = setTimeout(() => (announced.value = text), TELL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class={`chart-summary${selection.block.value >= 0 ? " visually-hidden" : ""}`} aria-live="polite">
      {announced.value}
    </p>
  );
}
