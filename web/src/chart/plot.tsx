/** The plot: two canvases, the stack below and what follows the pointer above, and the tooltip. */

import { useComputed, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Theme } from "../theme/palette.ts";
import type { Chart, Hover } from "./chart-state.ts";
import { arrowAction } from "./commands.ts";
import { drawOverlay } from "./draw-overlay.ts";
import { drawPlot, PlotRoom, type Drawn } from "./draw-plot.ts";
import { attachGestures } from "./gestures.ts";
import { usePainting, useSize } from "./hooks.ts";
import { cellAt, pickAt } from "./pick.ts";
import { around } from "./picture.ts";
import { bytesAt, plotGeometry } from "./plot-geometry.ts";
import { Tooltip } from "./tooltip.tsx";

export interface PlotProps {
  readonly chart: Chart;
  readonly theme: Theme;
  readonly patterns: boolean;
  readonly noteName: (note: string) => string;
  /** How many blocks the picture does not show one by one; written with every picture. */
  readonly merged: Signal<number>;
}

export function Plot({ chart, theme, patterns, noteName, merged }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const below = useRef<HTMLCanvasElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const room = useRef(new PlotRoom());
  const size = useSize(frame);
  const { selection, t } = chart;
  const geometry = useComputed(() => plotGeometry(size.value.width, size.value.height));

  const fit = (canvas: HTMLCanvasElement): void => {
    const { width, height, ratio } = size.peek();
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w) canvas.width = w;
    if (canvas.height !== h) canvas.height = h;
  };
  const paintAbove = (): void => {
    const canvas = above.current;
    if (canvas === null || drawn.current === null) return;
    fit(canvas);
    drawOverlay(canvas.getContext("2d")!, drawn.current, {
      theme,
      hover: chart.hover.peek(),
      event: selection.event.peek(),
      block: selection.block.peek(),
      range: selection.range.peek(),
      marks: selection.marks.peek(),
    });
  };
  usePainting(
    () => [
      chart.data.value,
      chart.view.value,
      chart.height.value,
      chart.heights.value,
      chart.matches.value,
      chart.onlyGroup.value,
      chart.laidOver.value,
      size.value,
    ],
    () => {
      const canvas = below.current;
      const { width, height, ratio } = size.peek();
      if (canvas === null || width === 0 || height === 0) return;
      fit(canvas);
      drawn.current = drawPlot(
        canvas.getContext("2d", { alpha: false })!,
        {
          data: chart.data.peek(),
          view: chart.view.peek(),
          heightMode: chart.height.peek(),
          heights: chart.heights.peek(),
          geometry: geometry.peek(),
          ratio,
          theme,
          patterns,
          found: chart.matches.peek().found,
          onlyGroup: chart.onlyGroup.peek(),
          laidOver: chart.laidOver.peek(),
          t,
        },
        room.current,
      );
      merged.value = drawn.current.cells.mergedBlocks;
      paintAbove();
    },
    [chart, theme, patterns, t("axis_events")],
  );
  usePainting(
    () => [
      chart.hover.value,
      selection.event.value,
      selection.block.value,
      selection.range.value,
      selection.marks.value,
    ],
    paintAbove,
    [chart, theme],
  );

  /** What lies at a place, in CSS pixels of the frame. */
  const at = (x: number, y: number): Hover | null => {
    if (drawn.current === null) return null;
    const { scale, cells, ratio } = drawn.current;
    const px = Math.floor((x - scale.plot.left) * ratio);
    const cell = cellAt(cells, px);
    if (cell === -1 || y < 0 || y > scale.plot.top + scale.plot.height) return null;
    const picked = pickAt(cells, px, bytesAt(scale, y));
    return {
      x,
      y,
      event: cells.at[cell]!,
      block: picked?.block ?? -1,
      group: picked?.group ?? -1,
      bottomBytes: picked?.bottomBytes ?? 0,
      bandBytes: picked === null ? 0 : picked.topBytes - picked.bottomBytes,
    };
  };
  useEffect(() => {
    const detach = attachGestures(frame.current!, {
      state: () => {
        const { left, width } = geometry.peek().plot;
        return { view: chart.view.peek(), events: chart.data.peek().events, left, width };
      },
      stretch: (factor, y) => {
        const { top, height } = geometry.peek().plot;
        chart.hover.value = null;
        chart.stretch(factor, Math.min(1, Math.max(0, (top + height - y) / height)));
      },
      lift: (px) => chart.lift(px / geometry.peek().plot.height),
      setView: (view) => {
        chart.hover.value = null;
        chart.view.value = view;
      },
      setRange: chart.selectRange,
      hover: (place) => {
        chart.hover.value = place === null ? null : at(place.x, place.y);
      },
      click: (x, y) => {
        frame.current?.focus({ preventScroll: true });
        const found = at(x, y);
        if (found === null) return;
        chart.selectRange(null);
        chart.pin(found.event, found.block);
      },
      doubleClick: (x, y) => {
        const found = at(x, y);
        const block = chart.trace.blocks[found?.block ?? -1];
        const { events } = chart.data.peek();
        if (found === null || found.group === -1) chart.fitAll();
        else if (block === undefined) chart.showHeights(found.bottomBytes, found.bottomBytes + found.bandBytes);
        else {
          const to = block.freeEvent === -1 ? events : block.freeEvent + 1;
          chart.view.value = around({ from: Math.max(0, block.allocEvent), to }, events);
        }
      },
    });
    return () => {
      detach();
      chart.hover.value = null;
    };
  }, [chart]);

  return (
    <div
      ref={frame}
      class="chart-plot"
      role="application"
      tabIndex={0}
      aria-label={t("chart_name")}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        const action = arrowAction(chart, event.key);
        if (action === null) return;
        event.preventDefault();
        action();
      }}
    >
      <canvas ref={below} aria-hidden="true" />
      <canvas ref={above} aria-hidden="true" />
      <Tooltip chart={chart} theme={theme} patterns={patterns} size={size} noteName={noteName} />
    </div>
  );
}
