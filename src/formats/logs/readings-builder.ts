/** Collects the figures of a file into `Readings`, in bounded memory however long the file is. */

import { grown } from "../../trace/columns.ts";
import type { Assumption } from "../../trace/model.ts";
import type { Quantity, ReadingFact, ReadingNote, Readings, ReadingSeries } from "../../trace/readings.ts";
import type { Figure } from "./figures.ts";

/** Processes times quantities of a large machine are far fewer. */
const MOST_SERIES = 2048;
const MOST_FACTS = 8192;
/** A log that says one thing so often repeats a sample, not a fact. */
const MOST_OF_ONE_NAME = 64;
const MOST_NOTES = 1024;
const MOST_TOTALS = 64;
/** All series together; beyond, neighbours are merged into the larger one of them. */
const MOST_SAMPLES = 4_000_000;
const LONGEST_NAME = 160;

/** Which device and process a figure is of; -1 when the tool does not say. */
export interface DeviceProcess {
  readonly device: number;
  readonly process: number;
}
export const NOWHERE: DeviceProcess = { device: -1, process: -1 };

/** A foreign name as a report may show it: short, on one line, without control characters. */
export function nameText(text: string): string {
  const plain = text
    .slice(0, LONGEST_NAME * 2)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, " ")
    .trim();
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}…` : plain;
}

class SeriesColumns {
  readonly quantity: Quantity;
  readonly device: number;
  readonly process: number;
  readonly label: string;
  roundingBytes = 0;
  bytes = new Float64Array(0);
  seconds = new Float64Array(0);
  lines = new Int32Array(0);
  length = 0;
  hasTimes = true;
  hasLines = true;
  /** Samples that make one row. */
  stride = 1;
  #inRow = 0;

  constructor(quantity: Quantity, { device, process }: DeviceProcess, label: string) {
    this.quantity = quantity;
    this.device = device;
    this.process = process;
    this.label = label;
  }

  /** Whether a row was added. */
  add(bytes: number, seconds: number | null, line: number): boolean {
    if (seconds === null) this.hasTimes = false;
    if (line < 1) this.hasLines = false;
    if (this.#inRow > 0 && this.#inRow < this.stride) {
      this.#inRow++;
      if (bytes > this.bytes[this.length - 1]!) this.#set(this.length - 1, bytes, seconds, line);
      return false;
    }
    this.#inRow = 1;
    if (this.length >= this.bytes.length) {
      this.bytes = grown(this.bytes, this.length);
      this.seconds = grown(this.seconds, this.length);
      this.lines = grown(this.lines, this.length);
    }
    this.#set(this.length++, bytes, seconds, line);
    return true;
  }

  #set(row: number, bytes: number, seconds: number | null, line: number): void {
    this.bytes[row] = bytes;
    this.seconds[row] = seconds ?? 0;
    this.lines[row] = Math.max(0, Math.min(line, 2 ** 31 - 1));
  }

  /** Keeps the larger of each two rows. */
  halve(): void {
    let to = 0;
    for (let row = 0; row < this.length; row += 2) {
      const from = row + 1 < this.length && this.bytes[row + 1]! > this.bytes[row]! ? row + 1 : row;
      this.bytes[to] = this.bytes[from]!;
      this.seconds[to] = this.seconds[from]!;
      this.lines[to] = this.lines[from]!;
      to++;
    }
    // The last row goes on collecting where it is not full.
    if (this.length % 2 === 0) this.#inRow += this.stride;
    this.length = to;
    this.stride *= 2;
  }

  finish(start: number): ReadingSeries {
    const { quantity, device, process, label, roundingBytes, length } = this;
    return {
      quantity,
      device,
      process,
      label,
      roundingBytes,
      bytes: this.bytes.slice(0, length),
      seconds: this.hasTimes ? this.seconds.slice(0, length).map((time) => time - start) : null,
      lines: this.hasLines ? this.lines.slice(0, length) : null,
    };
  }
}

export class ReadingsBuilder {
  readonly #series = new Map<string, SeriesColumns>();
  readonly #facts: ReadingFact[] = [];
  readonly #notes: ReadingNote[] = [];
  readonly #byName = new Map<string, readonly number[]>();
  readonly #seenNotes = new Set<string>();
  readonly #assumptions = new Map<string, Assumption>();
  readonly #totals = new Map<string, { quantity: Quantity; place: DeviceProcess; name: string; bytes: number }>();
  #samples = 0;
  #start: number | null = null;
  #left = 0;
  #thinned = false;

  /** Whether anything was found. */
  get isEmpty(): boolean {
    return this.#series.size === 0 && this.#facts.length === 0;
  }

  /** One value of a quantity that changes. `seconds` on any clock, or null; `line` -1 when there is none. */
  sample(
    quantity: Quantity,
    place: DeviceProcess,
    label: string,
    value: Figure,
    seconds: number | null,
    line: number,
  ): void {
    const key = `${quantity} ${place.device} ${place.process} ${label}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      if (this.#series.size >= MOST_SERIES) {
        this.#left++;
        return;
      }
      series = new SeriesColumns(quantity, place, nameText(label));
      this.#series.set(key, series);
    }
    if (seconds !== null) this.#start ??= seconds;
    series.roundingBytes = Math.max(series.roundingBytes, value.roundingBytes);
    if (series.add(value.bytes, seconds, line)) this.#samples++;
    if (this.#samples > MOST_SAMPLES) this.#thin();
  }

  /**
   * One figure with a name. Figures of one quantity on one device are parts of it, so what is said twice, perhaps with fewer digits,
   * is one; the more exact figure stays.
   */
  fact(quantity: Quantity, place: DeviceProcess, name: string, value: Figure, peak: boolean, line: number): void {
    const shown = nameText(name);
    const key = `${quantity} ${place.device} ${place.process} ${shown}`;
    const fact: ReadingFact = { quantity, ...place, name: shown, ...value, peak, line };
    const known = this.#byName.get(key) ?? [];
    for (const index of known) {
      const before = this.#facts[index]!;
      if (Math.abs(before.bytes - value.bytes) > before.roundingBytes + value.roundingBytes) continue;
      if (value.roundingBytes < before.roundingBytes) this.#facts[index] = { ...fact, line: before.line };
      return;
    }
    if (this.#facts.length >= MOST_FACTS || known.length >= MOST_OF_ONE_NAME) {
      this.#left++;
      return;
    }
    this.#byName.set(key, [...known, this.#facts.push(fact) - 1]);
  }

  /** Whether there is a figure of this quantity on this device. */
  has(quantity: Quantity, place: DeviceProcess): boolean {
    return this.#facts.some((fact) => fact.quantity === quantity && fact.device === place.device);
  }

  /** Adds exact bytes to the one fact of this name. */
  total(quantity: Quantity, place: DeviceProcess, name: string, bytes: number): void {
    const key = `${quantity} ${place.device} ${place.process} ${name}`;
    const known = this.#totals.get(key);
    if (known !== undefined) known.bytes += bytes;
    else if (this.#totals.size < MOST_TOTALS) this.#totals.set(key, { quantity, place, name, bytes });
  }

  /** A figure that is no number of bytes; the same said twice is one. */
  note(name: string, value: string | number, line: number): void {
    const shown = typeof value === "string" ? nameText(value) : value;
    const key = `${name} ${shown}`;
    if (shown === "" || this.#seenNotes.has(key)) return;
    if (this.#notes.length >= MOST_NOTES) {
      this.#left++;
      return;
    }
    this.#seenNotes.add(key);
    this.#notes.push({ name: nameText(name), value: shown, line });
  }

  /** Something about the file that is not in it: what was left out or taken for granted. */
  assume(code: string, args: Readonly<Record<string, string | number>> = {}, count = 1): void {
    const key = `${code} ${JSON.stringify(args)}`;
    const known = this.#assumptions.get(key);
    this.#assumptions.set(key, { code, args, frame: -1, count: (known?.count ?? 0) + count });
  }

  /** As {@link assume}, but how often it is met says nothing. */
  once(code: string, args: Readonly<Record<string, string | number>> = {}): void {
    const key = `${code} ${JSON.stringify(args)}`;
    if (!this.#assumptions.has(key)) this.assume(code, args);
  }

  #thin(): void {
    this.#thinned = true;
    this.#samples = 0;
    for (const series of this.#series.values()) {
      series.halve();
      this.#samples += series.length;
    }
  }

  finish(source: string, program: string): { readonly readings: Readings; readonly notes: readonly Assumption[] } {
    for (const { quantity, place, name: what, bytes } of this.#totals.values()) {
      if (Number.isSafeInteger(bytes)) this.fact(quantity, place, what, { bytes, roundingBytes: 0 }, false, -1);
    }
    if (this.#thinned) this.assume("log_thinned");
    if (this.#left > 0) this.assume("log_left_out", { figures: this.#left });
    const start = this.#start ?? 0;
    return {
      readings: {
        schemaVersion: 1,
        source,
        program,
        series: [...this.#series.values()].map((series) => series.finish(start)),
        facts: this.#facts,
        notes: this.#notes,
      },
      notes: [...this.#assumptions.values()],
    };
  }
}
