/** A small chart of figures over samples: lines of at most a few series, told apart by dashes as well as by colour. */

import { useRef } from "preact/hooks";
import { formatBytes } from "../../../src/base/bytes.ts";
import { useSize } from "../chart/hooks.ts";
import { viewerWords as t } from "./words.ts";

export interface ChartSeries {
  readonly name: string;
  readonly bytes: Float64Array;
  /** Places of the samples on the axis; null: one after another. */
  readonly at: Float64Array | null;
}

export interface SeriesChartProps {
  readonly series: readonly ChartSeries[];
  /** What the axis counts. */
  readonly axis: string;
  /** Each series fills the width by itself, whatever its length. */
  readonly stretched?: boolean;
}

/** Before it is laid out. */
const USUAL_WIDTH = 640;
const HEIGHT = 150;
const LEFT = 74;
const TOP = 8;
const BOTTOM = 20;
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

/** Highest and lowest sample of each pixel, so that no peak is lost. */
function pathOf({ bytes, at }: ChartSeries, width: number, lastPlace: number, highestBytes: number): string {
  const columns = width - LEFT;
  const first = at?.[0] ?? 0;
  const span = Math.max(1e-9, lastPlace - first);
  const lows = new Float64Array(columns + 1).fill(Infinity);
  const highs = new Float64Array(columns + 1).fill(-Infinity);
  for (let i = 0; i < bytes.length; i++) {
    const x = Math.round((((at?.[i] ?? i) - first) / span) * columns);
    const value = bytes[i]!;
    if (value < lows[x]!) lows[x] = value;
    if (value > highs[x]!) highs[x] = value;
  }
  const y = (value: number): string => (HEIGHT - BOTTOM - (value / highestBytes) * (HEIGHT - BOTTOM - TOP)).toFixed(1);
  const parts: string[] = [];
  for (let x = 0; x <= columns; x++) {
    if (lows[x] === Infinity) continue;
    const command = parts.length === 0 ? "M" : "L";
    parts.push(`${command}${LEFT + x} ${y(highs[x]!)}`);
    if (lows[x] !== highs[x]) parts.push(`L${LEFT + x} ${y(lows[x]!)}`);
  }
  return parts.join("");
}

export function SeriesChart({ series, axis, stretched = false }: SeriesChartProps) {
  const frame = useRef<HTMLElement>(null);
  const size = useSize(frame);
  const width = size.value.width > 0 ? size.value.width : USUAL_WIDTH;
  const drawn = series.filter(({ bytes }) => bytes.length > 0);
  if (drawn.length === 0) return null;
  const highestBytes = Math.max(
    1,
    ...drawn.map(({ bytes }) => bytes.reduce((high, value) => Math.max(high, value), 0)),
  );
  const lastOf = ({ bytes, at }: ChartSeries): number => at?.at(-1) ?? bytes.length - 1;
  const last = Math.max(...drawn.map(lastOf));
  const names = drawn.map(({ name }) => name).join(", ");
  return (
    <figure class="series-chart" ref={frame}>
      <svg width={width} height={HEIGHT} role="img" aria-label={t("chart_of", { names, axis })}>
        {[0, 0.5, 1].map((share) => {
          const y = HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
          return (
            <g key={share}>
              <line class="grid" x1={LEFT} x2={width} y1={y} y2={y} />
              <text x={LEFT - 6} y={y + 4} text-anchor="end">
                {formatBytes(Math.round(highestBytes * share))}
              </text>
            </g>
          );
        })}
        {drawn.map((one, index) => (
          <path
            key={index}
            class={`line line-${index % DASHES.length}`}
            stroke-dasharray={DASHES[index % DASHES.length]}
            d={pathOf(one, width, stretched ? lastOf(one) : last, highestBytes)}
          />
        ))}
        <text x={width} y={HEIGHT - 5} text-anchor="end">
          {axis}
        </text>
      </svg>
      {drawn.length > 1 && (
        <figcaption>
          {drawn.map(({ name }, index) => (
            <span key={index}>
              <svg width="26" height="8" aria-hidden="true">
                <line
                  class={`line line-${index % DASHES.length}`}
                  stroke-dasharray={DASHES[index % DASHES.length]}
                  x1="0"
                  x2="26"
                  y1="4"
                  y2="4"
                />
              </svg>
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
