/** Round numbers along the edges of a picture: bytes in binary units, events in tens. */

import { formatBytes, GIB, KIB, MIB } from "../../../src/base/bytes.ts";

export interface Tick {
  readonly at: number;
  readonly label: string;
}

/** Steps in a unit: halves and doubles below a thousand, so that 256 MiB and 512 MiB are among them. */
const STEPS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** About `wanted` heights between two amounts, all in one unit. */
export function byteTicks(lowBytes: number, highBytes: number, wanted: number): Tick[] {
  const ideal = (highBytes - lowBytes) / Math.max(1, wanted);
  if (!(ideal > 0)) return [];
  const [unit, name] = ideal >= GIB / 2 ? [GIB, "GiB"] : ideal >= MIB / 2 ? [MIB, "MiB"] : [KIB, "KiB"];
  const step = unit * (STEPS.find((candidate) => candidate * unit >= ideal * 0.75) ?? 1024);
  const ticks: Tick[] = [];
  for (let at = Math.ceil(lowBytes / step) * step; at <= highBytes; at += step) {
    ticks.push({ at, label: at === 0 ? "0" : `${grouping(at / unit)} ${name}` });
  }
  return ticks;
}

const grouping = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

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
