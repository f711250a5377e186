/** The curve over one size: which values are drawn, and where they lie in the picture. */

import { roundStep } from "./bars.ts";

export interface CurvePoint {
  readonly value: number;
  readonly allocatedBytes: number;
  readonly processBytes: number;
  readonly simulated: boolean;
}

/** Beyond the capacity by this much a curve says nothing more. */
const ENOUGH = 1.3;

/**
 * The largest value that is drawn: the first stop at which the card is full, but at least the next one after the current value and
 * no more than the last.
 */
export function lastValue(
  stops: readonly number[],
  current: number,
  capacityBytes: number,
  bytesAt: (value: number) => number,
): number {
  const beyond = stops.find((stop) => stop > current) ?? current;
  const full = stops.find((stop) => bytesAt(stop) > ENOUGH * capacityBytes) ?? stops.at(-1) ?? current;
  return Math.max(beyond, full);
}

/** Whole numbers from `first` to `last` in equal steps, about `count` of them, and `kept` among them. */
export function valuesBetween(first: number, last: number, count: number, kept: readonly number[]): readonly number[] {
  const steps = Math.min(count, last - first);
  const even = Array.from({ length: steps + 1 }, (_, index) =>
    Math.round(first + ((last - first) * index) / Math.max(1, steps)),
  );
  return [...new Set([...even, ...kept.filter((value) => value >= first && value <= last)])].sort((a, b) => a - b);
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Scales {
  readonly x: (value: number) => number;
  readonly y: (bytes: number) => number;
  readonly xTicks: readonly number[];
  /** In bytes. */
  readonly yTicks: readonly number[];
}

/** Both scales begin at zero, so that slopes can be compared. */
export function scalesOf(frame: Frame, mostValue: number, mostBytes: number, unitBytes: number): Scales {
  const inner = { width: frame.width - frame.left - frame.right, height: frame.height - frame.top - frame.bottom };
  const top = 1.05 * mostBytes;
  const yStep = roundStep(top / unitBytes, 5) * unitBytes;
  return {
    x: (value) => frame.left + (inner.width * value) / mostValue,
    y: (bytes) => frame.top + inner.height * (1 - bytes / top),
    xTicks: binaryTicks(mostValue, Math.max(2, Math.floor(inner.width / 90))),
    yTicks: Array.from({ length: Math.floor(top / yStep) + 1 }, (_, index) => index * yStep),
  };
}

/** Lengths are powers of two: so are the steps between their ticks where values are large. */
function binaryTicks(most: number, count: number): readonly number[] {
  const step = most > 128 ? 2 ** Math.ceil(Math.log2(most / count)) : Math.max(1, roundStep(most, count));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

export const pathOf = (points: readonly CurvePoint[], { x, y }: Scales, bytes: (point: CurvePoint) => number): string =>
  points
    .map((point, index) => `${index === 0 ? "M" : "L"}${x(point.value).toFixed(1)} ${y(bytes(point)).toFixed(1)}`)
    .join("");
