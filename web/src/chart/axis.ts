/** Round numbers along the edges of a picture: bytes in binary units, events in tens. */

import { formatBytes, GIB, KIB, MIB } from "../../../src/base/bytes.ts";

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Steps in a unit: halves and doubles below a thousand, so that 256 MiB and 512 MiB are among them. */
const STEPS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

const UNITS = [
  [KIB, "KiB"],
  [MIB, "MiB"],
  [GIB, "GiB"],
] as const;

/** About `wanted` heights between two amounts, all in the largest unit of which the highest has one. */
export function byteTicks(lowBytes: number, highBytes: number, wanted: number): Tick[] {
  const ideal = (highBytes - lowBytes) / Math.max(1, wanted);
  if (!(ideal > 0)) return [];
  const finest = ideal >= GIB / 2 ? GIB : ideal >= MIB / 2 ? MIB : KIB;
  const step = finest * (STEPS.find((candidate) => candidate * finest >= ideal * 0.75) ?? 1024);
  const highest = Math.floor(highBytes / step) * step;
  const [unit, name] = UNITS.findLast(([size]) => highest >= size) ?? UNITS[0];
  const ticks: Tick[] = [];
  for (let at = Math.ceil(lowBytes / step) * step; at <= highBytes; at += step) {
    ticks.push({ at, label: at === 0 ? "0" : `${grouping(at / unit)} ${name}` });
  }
  return ticks;
}

const grouping = (value: number): string => value.toLocaleString("en-US");

/** About `wanted` whole events between two places. */
export function eventTicks(from: number, to: number, wanted: number): Tick[] {
  const ideal = Math.max(1, (to - from) / Math.max(1, wanted));
  const scale = 10 ** Math.floor(Math.log10(ideal));
  const step = scale * ([1, 2, 5].find((candidate) => candidate * scale >= ideal) ?? 10);
  const ticks: Tick[] = [];
  for (let at = Math.ceil(from / step) * step; at < to; at += step) ticks.push({ at, label: grouping(at) });
  return ticks;
}

/** `37.2 GiB` with as few digits as tell it. */
export function shortBytes(bytes: number): string {
  return formatBytes(bytes).replace(/\.00 /, " ");
}
