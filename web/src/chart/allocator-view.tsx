/** The allocator after the selected event: the segments of each pool and stream by address, their blocks, and what is free between. */

import { useComputed, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type { Theme } from "../theme/palette.ts";
import { shortBytes } from "./axis.ts";
import { plainNote, placeOf, tensorOf } from "./block-facts.ts";
import type { Chart } from "./chart-state.ts";
import { BAR, drawSegments, ROW } from "./draw-segments.ts";
import { usePainting, useSize } from "./hooks.ts";
import { segmentAt, segmentRows } from "./segment-rows.ts";
import { allocatorAt, type Piece, type SegmentView } from "./segments-at.ts";
import type { Translate } from "./words.ts";
import "./chart.css";
import "./tables.css";

export interface AllocatorViewProps {
  readonly chart: Chart;
  readonly theme: Theme;
  readonly patterns?: boolean;
  readonly noteName?: (note: string) => string;
}

interface Pool {
  readonly key: string;
  readonly name: string;
  readonly segments: SegmentView[];
  reservedBytes: number;
  usedBytes: number;
}

/** Segments of one pool and stream together: the allocator never serves one from another. */
function poolsOf(segments: readonly SegmentView[], t: Translate): Pool[] {
  const pools = new Map<string, Pool>();
  for (const segment of segments) {
    const key = `${segment.pool} ${segment.isExpandable} ${segment.stream}`;
    let pool = pools.get(key);
    if (pool === undefined) {
      const parts = [t(`pool_${segment.pool}`)];
      if (segment.isExpandable) parts.push(t("expandable"));
      if (segment.stream !== 0) parts.push(t("stream", { stream: String(segment.stream) }));
      pools.set(key, (pool = { key, name: parts.join(", "), segments: [], reservedBytes: 0, usedBytes: 0 }));
    }
    pool.segments.push(segment);
    pool.reservedBytes += segment.bytes;
    pool.usedBytes += segment.usedBytes;
  }
  return [...pools.values()].sort((a, b) => b.reservedBytes - a.reservedBytes);
}

export function AllocatorView({ chart, theme, patterns = false, noteName = plainNote }: AllocatorViewProps) {
  const { t, selection } = chart;
  const event = selection.shownEvent;
  const state = useComputed(() => allocatorAt(chart.data.value, event.value));
  const { segments, reservedBytes, usedBytes, freeBytes, largestFreeBytes } = state.value;
  const pools = useMemo(() => poolsOf(segments, t), [segments, t("pool_large")]);
  const hasPending = segments.some(({ pieces }) => pieces.some((piece) => piece.state === "pending"));
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
      {segments.length === 0 && (
        <div class="chart-empty">
          <span>{t("allocator_empty")}</span>
        </div>
      )}
      {pools.map((pool) => (
        <PoolPicture key={pool.key} chart={chart} theme={theme} patterns={patterns} pool={pool} noteName={noteName} />
      ))}
      <p class="chart-note">
        {t("allocator_hint")} <i class="chart-swatch chart-hatched" /> {t("state_free")}
        {hasPending && (
          <>
            {" "}
            <i class="chart-swatch chart-pending" /> {t("state_pending")}
          </>
        )}
      </p>
    </section>
  );
}

interface Over {
  readonly piece: Piece;
  readonly segment: SegmentView;
  readonly x: number;
  readonly y: number;
}

function PoolPicture({
  chart,
  theme,
  patterns,
  pool,
  noteName,
}: Required<AllocatorViewProps> & { readonly pool: Pool }) {
  const { t, selection, trace } = chart;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(frame);
  const over = useSignal<Over | null>(null);
  const width = Math.max(40, size.value.width);
  const rows = useMemo(() => segmentRows(pool.segments, width), [pool.segments, width]);
  usePainting(
    () => [chart.data.value, size.value, selection.block.value, chart.matches.value, over.value],
    () => {
      const { width, height, ratio } = size.peek();
      const element = canvas.current;
      if (element === null || width === 0) return;
      element.width = Math.round(width * ratio);
      element.height = Math.round(height * ratio);
      drawSegments(element, rows, {
        data: chart.data.peek(),
        theme,
        patterns,
        chosen: selection.block.peek(),
        over: over.peek()?.piece.block ?? -1,
        found: chart.matches.peek().found,
        ratio,
      });
    },
    [chart, theme, patterns, rows],
  );
  const at = (event: MouseEvent): Over | null => {
    const box = frame.current!.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const found = segmentAt(rows, x, y / ROW);
    if (found === null || y % ROW > BAR + 2) return null;
    const { segment } = found;
    const address = segment.address + ((x - found.left) / found.width) * segment.bytes;
    const piece = segment.pieces.find((one) => address < one.address + one.bytes);
    return piece === undefined ? null : { piece, segment, x, y };
  };
  const used = t("segment_used", { usedBytes: pool.usedBytes, segmentBytes: pool.reservedBytes });
  const count = t("pool_segments", { count: pool.segments.length });
  const words = ({ piece, segment }: Over): string[] => {
    const inSegment = `${t("pool_segment")} 0x${segment.address.toString(16)}: ${t("segment_used", { usedBytes: segment.usedBytes, segmentBytes: segment.bytes })}`;
    if (piece.block === -1) return [`${shortBytes(piece.bytes)} · ${t("state_free")}`, inSegment];
    const record = trace.blocks[piece.block]!;
    const title = [`#${piece.block}`, shortBytes(piece.bytes), tensorOf(record, noteName)];
    const made = [t(`category_${record.category}`), placeOf(trace, record.frame), trace.ops[record.op] ?? ""];
    const pending = piece.state === "pending" ? [t("state_pending")] : [];
    return [title, made].map((parts) => parts.filter((part) => part !== "").join(" · ")).concat(pending, inSegment);
  };
  const isRight = over.value !== null && over.value.x > size.value.width / 2;
  return (
    <div class="chart-pool">
      <h4>
        {pool.name} <span>{count}</span> <span>{used}</span>
      </h4>
      <div
        ref={frame}
        class="chart-segments"
        role="img"
        aria-label={`${pool.name}: ${count}, ${used}`}
        style={{ height: `${rows.rows * ROW}px` }}
        onMouseMove={(event) => {
          over.value = at(event);
        }}
        onMouseLeave={() => {
          over.value = null;
        }}
        onClick={(event) => {
          const found = at(event);
          if (found !== null) selection.block.value = found.piece.block;
        }}
      >
        <canvas ref={canvas} aria-hidden="true" />
        {over.value !== null && (
          <div
            class="chart-tip"
            style={{
              [isRight ? "right" : "left"]: `${isRight ? size.value.width - over.value.x + 12 : over.value.x + 12}px`,
              top: `${(Math.floor(over.value.y / ROW) + 1) * ROW}px`,
              maxWidth: `${Math.min(340, size.value.width - 16)}px`,
            }}
          >
            {words(over.value).map((line, i) => (
              <div key={line} class={i === 0 ? "chart-tip-title" : ""}>
                {line}
              </div>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
