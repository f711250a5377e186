/** One bar: what is used, piece by piece, on what there is. */

import { estimateWords as t, exactly, gib } from "./words.ts";

export interface BarPiece {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  /** A colour of CSS. */
  readonly colour: string;
}

interface BarProps {
  /** Says all of it to who does not see it. */
  readonly label: string;
  readonly gpu: string;
  readonly capacityBytes: number;
  /** Bytes of the whole width. */
  readonly scaleBytes: number;
  readonly pieces: readonly BarPiece[];
  readonly isOver: boolean;
}

export function CapacityBar({ label, gpu, capacityBytes, scaleBytes, pieces, isOver }: BarProps) {
  const percent = (bytes: number): string => `${(100 * bytes) / scaleBytes}%`;
  let at = 0;
  return (
    <div class="est-bar" role="img" aria-label={label}>
      <div class="est-room" style={{ width: percent(capacityBytes) }} />
      {pieces.map(({ id, name, bytes, colour }) => {
        const left = at;
        at += bytes;
        return (
          <div
            key={id}
            class={`est-piece est-piece-${id}`}
            style={{ left: percent(left), width: percent(bytes), backgroundColor: colour }}
            title={`${name}: ${gib(bytes)} (${exactly(bytes)})`}
          />
        );
      })}
      <div
        class={`est-edge ${isOver ? "bad" : ""}`}
        style={{ left: percent(capacityBytes) }}
        title={t("edge_title", { gpu, capacity: gib(capacityBytes) })}
      />
    </div>
  );
}

interface LegendProps {
  readonly pieces: readonly BarPiece[];
}

export function BarLegend({ pieces }: LegendProps) {
  return (
    <ul class="est-legend">
      {pieces.map(({ id, name, bytes, colour }) => (
        <li key={id}>
          <span class={`est-swatch est-piece-${id}`} style={{ backgroundColor: colour }} />
          <span>{name}</span>
          <span class="num soft">{gib(bytes)}</span>
        </li>
      ))}
      <li>
        <span class="est-swatch est-swatch-edge" />
        <span>{t("legend_capacity")}</span>
      </li>
    </ul>
  );
}
