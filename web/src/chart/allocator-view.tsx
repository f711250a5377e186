/**
 * The allocator after the selected event: one row for each segment by address, its blocks and gaps in proportion. Rows have one
 * scale, so that their lengths compare; a block thinner than a pixel is drawn with its neighbours.
 */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { PALETTES, type Theme } from "../theme/palette.ts";
import { shortBytes } from "./axis.ts";
import { plainNote, tensorOf } from "./block-facts.ts";
import type { ChartData } from "./chart-data.ts";
import type { Chart } from "./chart-state.ts";
import { groupColour } from "./colours.ts";
import { usePainting, useSize } from "./hooks.ts";
import { mixed } from "./paint.ts";
import { allocatorAt, type AllocatorView as State, type Piece, type SegmentView } from "./segments-at.ts";
import "./chart.css";

export interface AllocatorViewProps {
  readonly chart: Chart;
  readonly theme: Theme;
  readonly noteName?: (note: string) => string;
}

const ROW = 34;
const BAR = 20;
/** Rows beyond those in sight that are drawn ahead. */
const AHEAD = 4;
const TALLEST = 12 * ROW;

export function AllocatorView({ chart, theme, noteName = plainNote }: AllocatorViewProps) {
  const { t, selection } = chart;
  const event = selection.shownEvent;
  const state = useComputed(() => allocatorAt(chart.data.value, event.value));
  const { segments, reservedBytes, usedBytes, freeBytes, largestFreeBytes } = state.value;
  const frame = useRef<HTMLDivElement>(null);
  const scrolled = useSignal(0);
  const size = useSize(frame);
  const first = Math.max(0, Math.floor(scrolled.value / ROW) - AHEAD);
  const last = Math.min(segments.length, Math.ceil((scrolled.value + Math.max(ROW, size.value.height)) / ROW) + AHEAD);
  const longest = useComputed(() => Math.max(1, ...state.value.segments.map(({ bytes }) => bytes)));

  // the segment of a block that was chosen elsewhere comes into sight
  const block = selection.block.value;
  useEffect(() => {
    const at = segments.findIndex(({ pieces }) => pieces.some((piece) => piece.block === block && block >= 0));
    const element = frame.current;
    if (at === -1 || element === null) return;
    if (at * ROW < element.scrollTop || (at + 1) * ROW > element.scrollTop + element.clientHeight) {
      element.scrollTop = at * ROW - element.clientHeight / 2;
    }
  }, [block, state.value]);

  return (
    <section class="chart chart-allocator" aria-label={t("allocator_name", { event: event.value })}>
      <header>
        <strong>{t("allocator_name", { event: event.value })}</strong>
        <span>{t("allocator_totals", { segments: segments.length, reservedBytes, usedBytes })}</span>
        <span>
          {freeBytes > 0
            ? t("allocator_free", { largestBytes: largestFreeBytes, freeBytes })
            : t("allocator_full", { reservedBytes })}
        </span>
      </header>
      {segments.length === 0 ? (
        <p class="chart-empty">{t("allocator_empty")}</p>
      ) : (
        <div
          ref={frame}
          class="chart-segments"
          style={{ height: `${Math.min(segments.length * ROW + 2, TALLEST)}px` }}
          onScroll={(scroll) => {
            scrolled.value = scroll.currentTarget.scrollTop;
          }}
        >
          <div style={{ height: `${segments.length * ROW}px` }}>
            {segments.slice(first, last).map((segment, i) => (
              <SegmentRow
                key={segment.address}
                chart={chart}
                theme={theme}
                segment={segment}
                longestBytes={longest.value}
                top={(first + i) * ROW}
                noteName={noteName}
              />
            ))}
          </div>
        </div>
      )}
      <Key chart={chart} state={state.value} />
    </section>
  );
}

function Key({ chart: { t }, state }: { readonly chart: Chart; readonly state: State }) {
  const hasPending = state.segments.some(({ pieces }) => pieces.some((piece) => piece.state === "pending"));
  return (
    <p class="chart-note">
      {t("allocator_hint")} <i class="chart-swatch chart-hatched" /> {t("state_free")}
      {hasPending && (
        <>
          {" "}
          <i class="chart-swatch chart-pending" /> {t("state_pending")}
        </>
      )}
    </p>
  );
}

interface SegmentRowProps extends Required<AllocatorViewProps> {
  readonly segment: SegmentView;
  readonly longestBytes: number;
  readonly top: number;
}

function SegmentRow({ chart, theme, segment, longestBytes, top, noteName }: SegmentRowProps) {
  const { t, selection, trace } = chart;
  const bar = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(bar);
  const over = useSignal<Piece | null>(null);
  usePainting(
    () => [chart.data.value, size.value, selection.block.value, chart.matches.value],
    () => {
      const { width, height, ratio } = size.peek();
      if (canvas.current === null || width === 0) return;
      const found = chart.matches.peek().found;
      const look = { data: chart.data.peek(), theme, chosen: selection.block.peek(), found };
      drawSegment(canvas.current, segment, Math.round(width * ratio), Math.round(height * ratio), ratio, look);
    },
    [chart, theme, segment],
  );
  const pieceAt = (event: MouseEvent): Piece | null => {
    const box = bar.current!.getBoundingClientRect();
    const address = segment.address + ((event.clientX - box.left) / box.width) * segment.bytes;
    return segment.pieces.find((piece) => address >= piece.address && address < piece.address + piece.bytes) ?? null;
  };
  const words = (piece: Piece): string => {
    if (piece.block === -1) return `${t("state_free")} ${shortBytes(piece.bytes)}`;
    const record = trace.blocks[piece.block]!;
    return [`#${piece.block}`, shortBytes(piece.bytes), tensorOf(record, noteName), t(`category_${record.category}`)]
      .filter((part) => part !== "")
      .join(" · ");
  };
  const name = [
    t(`pool_${segment.pool}`),
    segment.isExpandable ? t("expandable") : "",
    segment.stream === 0 ? "" : t("stream", { stream: segment.stream }),
  ].filter((part) => part !== "");
  const used = t("segment_used", { usedBytes: segment.usedBytes, segmentBytes: segment.bytes });
  return (
    <div class="chart-segment" style={{ top: `${top}px`, height: `${ROW}px` }}>
      <div class="chart-segment-name" title={`0x${segment.address.toString(16)}`}>
        <span>{name.join(", ")}</span>
        <span class="chart-legend-bytes">{used}</span>
      </div>
      <div class="chart-segment-room">
        <div
          ref={bar}
          class="chart-segment-bar"
          role="img"
          aria-label={`${name.join(", ")}: ${used}`}
          title={over.value === null ? undefined : words(over.value)}
          style={{ width: `max(4px, ${(segment.bytes / longestBytes) * 100}%)`, height: `${BAR}px` }}
          onMouseMove={(event) => {
            over.value = pieceAt(event);
          }}
          onMouseLeave={() => {
            over.value = null;
          }}
          onClick={(event) => {
            const piece = pieceAt(event);
            if (piece !== null) selection.block.value = piece.block;
          }}
        >
          <canvas ref={canvas} aria-hidden="true" />
        </div>
      </div>
    </div>
  );
}

interface Look {
  readonly data: ChartData;
  readonly theme: Theme;
  readonly chosen: number;
  readonly found: Uint8Array | null;
}

function drawSegment(
  canvas: HTMLCanvasElement,
  segment: SegmentView,
  width: number,
  height: number,
  ratio: number,
  { data, theme, chosen, found }: Look,
): void {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext("2d")!;
  const palette = PALETTES[theme];
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, width, height);
  hatch(context, 0, width, height, ratio, palette.cached);
  const perPx = segment.bytes / width;
  const unit = Math.max(1, Math.round(ratio));
  let drawnTo = -1;
  let outline: [number, number] | null = null;
  for (const piece of segment.pieces) {
    if (piece.block === -1) continue;
    const x0 = Math.round((piece.address - segment.address) / perPx);
    const x1 = Math.max(x0 + 1, Math.round((piece.address + piece.bytes - segment.address) / perPx));
    if (piece.block === chosen) outline = [x0, x1];
    // what ends in a column that is drawn already would only be painted over
    if (x1 <= drawnTo) continue;
    drawnTo = x1;
    const colour = groupColour(data.groups, data.groups.ofBlock[piece.block]!, theme);
    const isFaint = found !== null && found[piece.block] === 0;
    context.fillStyle = isFaint ? mixed(colour, palette.surface, 0.78) : colour;
    if (piece.state === "pending") {
      context.fillStyle = palette.surface;
      context.fillRect(x0, 0, x1 - x0, height);
      context.fillStyle = colour;
      for (let y = 0; y < height; y += 4 * unit) context.fillRect(x0, y, x1 - x0, 2 * unit);
    } else context.fillRect(x0, 0, x1 - x0, height);
    if (x1 - x0 >= 4 * unit) {
      context.fillStyle = palette.surface;
      context.fillRect(x1 - unit, 0, unit, height);
    }
  }
  if (outline !== null) {
    const [x0, x1] = outline;
    context.strokeStyle = palette.surface;
    context.lineWidth = 4 * ratio;
    context.strokeRect(x0, 0, Math.max(2, x1 - x0), height);
    context.strokeStyle = palette.accent;
    context.lineWidth = 3 * ratio;
    context.strokeRect(x0 + ratio, ratio, Math.max(2, x1 - x0 - 2 * ratio), height - 2 * ratio);
  }
}

function hatch(
  context: CanvasRenderingContext2D,
  from: number,
  to: number,
  height: number,
  ratio: number,
  colour: string,
): void {
  context.strokeStyle = colour;
  context.lineWidth = ratio;
  context.globalAlpha = 0.55;
  context.beginPath();
  for (let x = from - height; x < to; x += 6 * ratio) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.globalAlpha = 1;
}
