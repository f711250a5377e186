/** The whole trace in small, with the part that is shown: drag it, drag its edges, or draw a new one. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { PALETTES, type Theme } from "../theme/palette.ts";
import { layoutCells } from "./cells.ts";
import type { Chart } from "./chart-state.ts";
import { paintColours } from "./colours.ts";
import { usePainting, useSize } from "./hooks.ts";
import { paintCells } from "./paint.ts";
import { panned, whole, within, type View } from "./picture.ts";

/** So near an edge of the brush it is the edge that is dragged. */
const EDGE_PX = 8;
const CLICK_PX = 3;

export function Minimap({ chart, theme }: { chart: Chart; theme: Theme }) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  const cursor = useSignal("crosshair");
  const drag = useRef<{ kind: "move" | "from" | "to" | "new"; x: number; view: View } | null>(null);
  const { t, selection } = chart;

  usePainting(
    () => [chart.data.value, chart.matches.value, selection.marks.value, size.value],
    () => {
      const { width, height, ratio } = size.peek();
      if (canvas.current === null || width === 0) return;
      paintMinimap(canvas.current, chart, theme, Math.round(width * ratio), Math.round(height * ratio));
    },
    [chart, theme],
  );

  const { events } = chart.data.value;
  const view = chart.view.value;
  const all = whole(events).to;
  const isWhole = view.from <= 0 && view.to >= all;
  const eventAt = (x: number): number => (x / Math.max(1, size.peek().width)) * all;
  const kindAt = (x: number): "move" | "from" | "to" | "new" => {
    const { width } = size.peek();
    const shown = chart.view.peek();
    const from = (shown.from / all) * width;
    const to = (shown.to / all) * width;
    if (shown.from <= 0 && shown.to >= all && x > EDGE_PX && x < width - EDGE_PX) return "new";
    if (Math.abs(x - from) <= EDGE_PX && x < to) return "from";
    if (Math.abs(x - to) <= EDGE_PX) return "to";
    return x > from && x < to ? "move" : "new";
  };
  const place = (event: PointerEvent): number => event.clientX - frame.current!.getBoundingClientRect().left;

  const onPointerMove = (event: PointerEvent): void => {
    const x = place(event);
    const held = drag.current;
    if (held === null) {
      const kind = kindAt(x);
      cursor.value = kind === "move" ? "grab" : kind === "new" ? "crosshair" : "ew-resize";
      return;
    }
    const at = eventAt(x);
    const { from, to } = held.view;
    if (held.kind === "move") chart.view.value = panned(held.view, (at - eventAt(held.x)) / (to - from), events);
    else if (held.kind === "from") chart.view.value = within({ from: Math.min(at, to - 1), to }, events);
    else if (held.kind === "to") chart.view.value = within({ from, to: Math.max(at, from + 1) }, events);
    else if (Math.abs(x - held.x) > CLICK_PX) {
      const start = eventAt(held.x);
      chart.view.value = within({ from: Math.min(start, at), to: Math.max(start, at) }, events);
    }
  };
  const onPointerUp = (event: PointerEvent): void => {
    const held = drag.current;
    drag.current = null;
    const x = place(event);
    if (held === null || held.kind !== "new" || Math.abs(x - held.x) > CLICK_PX) return;
    // a click beside the part that is shown brings it there
    const half = (held.view.to - held.view.from) / 2;
    chart.view.value = within({ from: eventAt(x) - half, to: eventAt(x) + half }, events);
  };

  return (
    <div
      ref={frame}
      class="chart-minimap"
      role="slider"
      tabIndex={0}
      aria-label={t("minimap_name")}
      aria-valuemin={0}
      aria-valuemax={events}
      aria-valuenow={Math.round(view.from)}
      aria-valuetext={`${t("axis_events")}: ${Math.floor(view.from)}–${Math.ceil(Math.min(view.to, events))}`}
      style={{ cursor: cursor.value }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.25, ArrowRight: 0.25, PageUp: -1, PageDown: 1 }[event.key];
        if (step !== undefined) chart.pan(step);
        else if (event.key === "Home") chart.pan(-1e9);
        else if (event.key === "End") chart.pan(1e9);
        else return;
        event.preventDefault();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        frame.current!.setPointerCapture(event.pointerId);
        const x = place(event);
        drag.current = { kind: kindAt(x), x, view: chart.view.peek() };
      }}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => {
        drag.current = null;
      }}
      onDblClick={chart.fitAll}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div class="chart-shade" style={{ left: 0, width: `${(view.from / all) * 100}%` }} />
      <div class="chart-shade" style={{ left: `${(view.to / all) * 100}%`, right: 0 }} />
      <div
        class={`chart-brush${isWhole ? " is-whole" : ""}`}
        style={{ left: `${(view.from / all) * 100}%`, width: `${((view.to - view.from) / all) * 100}%` }}
      />
    </div>
  );
}

function paintMinimap(canvas: HTMLCanvasElement, chart: Chart, theme: Theme, width: number, height: number): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const data = chart.data.peek();
  const context = canvas.getContext("2d", { alpha: false })!;
  const palette = PALETTES[theme];
  const cells = layoutCells(data, { ...whole(data.events), widthPx: width, leastBytes: Infinity });
  const image = new ImageData(width, height);
  const matches = chart.matches.peek();
  paintCells(new Uint32Array(image.data.buffer), cells, {
    width,
    height,
    lowBytes: 0,
    bytesPerPx: Math.max(data.peakAllocatedBytes, 1) / (height * 0.85),
    gridBytes: [],
    colours: paintColours(data.groups, theme),
    patterns: null,
    // what matches is marked below; the rest stays readable as a map
    stands: null,
    onlyGroup: -1,
  });
  context.putImageData(image, 0, 0);
  const xOf = (event: number): number => Math.round(((event + 0.5) / Math.max(1, data.events)) * width);
  const unit = Math.max(1, Math.round(devicePixelRatio || 1));
  if (matches.found !== null) {
    // one tick per column, however many blocks match in it
    const columns = new Uint8Array(width + 1);
    const { lives } = data;
    for (let rank = 0; rank < lives.block.length; rank++) {
      if (matches.found[lives.block[rank]!] === 1) columns[xOf(Math.max(0, lives.from[rank]!))] = 1;
    }
    context.fillStyle = palette.surface;
    context.fillRect(0, height - 7 * unit, width, 7 * unit);
    context.fillStyle = palette.match;
    columns.forEach((hit, x) => {
      if (hit === 1) context.fillRect(x - unit, height - 6 * unit, 2 * unit, 6 * unit);
    });
  }
  context.fillStyle = palette.accent;
  for (const { from, to } of chart.selection.marks.peek()) {
    context.fillRect(xOf(from), 0, Math.max(2 * unit, xOf(to) - xOf(from)), 3 * unit);
  }
  const tick = (event: number, colour: string): void => {
    const x = xOf(event);
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x - 4 * unit, 0);
    context.lineTo(x + 4 * unit, 0);
    context.lineTo(x, 6 * unit);
    context.fill();
  };
  if (data.peak !== -1) tick(data.peak, palette.peak);
  for (const event of data.ooms) tick(event, palette.oom);
}
