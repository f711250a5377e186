/** Numbers and sizes as tools print them, with what their last digit leaves open. */

import { table } from "../../base/table.ts";
import { GIB, KIB, MIB } from "../../base/bytes.ts";

export interface Figure {
  readonly bytes: number;
  /** Half of the last digit printed. */
  readonly roundingBytes: number;
}

/** Units that mean powers of 1024 whatever the tool writes; most tools that write `MB` divide by 1048576. */
export const BINARY_UNITS = table<number>({
  b: 1,
  byte: 1,
  bytes: 1,
  k: KIB,
  kb: KIB,
  kib: KIB,
  m: MIB,
  mb: MIB,
  mib: MIB,
  g: GIB,
  gb: GIB,
  gib: GIB,
  t: 1024 * GIB,
  tb: 1024 * GIB,
  tib: 1024 * GIB,
});

/** Units as SI has them, where `MB` is a million. */
export const DECIMAL_UNITS = table<number>({
  ...BINARY_UNITS,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
});

const NUMBER = /^[+-]?(?:\d{1,24}(?:\.\d{0,24})?|\.\d{1,24})(?:[eE][+-]?\d{1,3})?$/;

/** The number that a text is, with separators of thousands, or null. */
export function numberOf(text: string): number | null {
  if (text.length > 64) return null;
  const plain = text.trim().replaceAll(",", "");
  if (!NUMBER.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** `text` times `unitBytes`, or null when it is no number or more bytes than can be told apart. */
export function figure(text: string, unitBytes: number): Figure | null {
  const value = numberOf(text);
  if (value === null) return null;
  const bytes = Math.round(value * unitBytes);
  if (!Number.isSafeInteger(bytes)) return null;
  const point = text.indexOf(".");
  const decimals = point === -1 ? 0 : /^\d*/.exec(text.slice(point + 1))![0].length;
  const roundingBytes = unitBytes === 1 && decimals === 0 ? 0 : (unitBytes / 10 ** decimals) * 0.5;
  return { bytes, roundingBytes: Math.round(roundingBytes) };
}

/** `1.25 GiB`, `512MB`, `3072`: a figure with its unit, or null. */
export function sizeFigure(text: string, units = BINARY_UNITS): Figure | null {
  const match = /^\s*([+-]?[\d.,]{1,30})\s*([A-Za-z]{0,5})\s*$/.exec(text.slice(0, 64));
  const unit = match === null ? undefined : units[match[2] === "" ? "b" : match[2]!.toLowerCase()];
  return match === null || unit === undefined ? null : figure(match[1]!, unit);
}

// 2024-05-06 07:08:09.123, 2024/05/06 07:08:09, [2024-05-06T07:08:09Z], 05/06/2024-07:08:09
const YEAR_FIRST = /(\d{4})[-/](\d{2})[-/](\d{2})[T ,]\s?(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?/;
const YEAR_LAST = /(\d{2})\/(\d{2})\/(\d{4})[- ](\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
// Mon May  6 07:08:09 2024
const C_TIME = /\b([A-Z][a-z]{2})\s{1,2}(\d{1,2})\s(\d{2}):(\d{2}):(\d{2})\s(?:[A-Z]{1,5}\s)?(\d{4})\b/;
/** A time stands at the beginning of a line. */
const TIME_WITHIN = 100;

function seconds(year: string, month: number, day: string, clock: readonly string[], fraction = "0"): number | null {
  const [hour = "0", minute = "0", second = "0"] = clock;
  const time = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  return Number.isFinite(time) ? time / 1000 + Number(`0.${fraction}`) : null;
}

/** Seconds of the time that a line begins with, on the clock of the machine that wrote it, or null. */
export function timeOf(line: string): number | null {
  const head = line.slice(0, TIME_WITHIN);
  const first = YEAR_FIRST.exec(head);
  if (first !== null) {
    return seconds(first[1]!, Number(first[2]) - 1, first[3]!, [first[4]!, first[5]!, first[6]!], first[7]);
  }
  const last = YEAR_LAST.exec(head);
  if (last !== null) {
    return seconds(last[3]!, Number(last[1]) - 1, last[2]!, [last[4]!, last[5]!, last[6]!], last[7]);
  }
  const long = C_TIME.exec(head);
  const month = long === null ? -1 : MONTHS.indexOf(long[1]!.toLowerCase());
  return long === null || month < 0 ? null : seconds(long[6]!, month, long[2]!, [long[3]!, long[4]!, long[5]!]);
}
