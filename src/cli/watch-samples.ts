/** Samples of `nvidia-smi` while a command runs, as readings: the command's own, those of others, and each device's. */

import { MIB } from "../base/bytes.ts";
import { USED_BEFORE } from "../compare/index.ts";
import type { Readings, ReadingNote, ReadingSeries } from "../trace/readings.ts";
import type { SmiGpu, SmiLine } from "./nvidia-smi.ts";
import type { ProcessTree } from "./process-tree.ts";

/** Beyond, neighbours are merged into the larger one. */
const MOST_SAMPLES = 200_000;

class Samples {
  seconds: number[] = [];
  bytes: number[] = [];
  #stride = 1;
  #inLast = 0;

  add(seconds: number, bytes: number): void {
    const last = this.bytes.length - 1;
    if (last >= 0 && this.#inLast < this.#stride) {
      this.bytes[last] = Math.max(this.bytes[last]!, bytes);
      this.#inLast += 1;
      return;
    }
    this.seconds.push(seconds);
    this.bytes.push(bytes);
    this.#inLast = 1;
    if (this.bytes.length > MOST_SAMPLES) this.#halve();
  }

  #halve(): void {
    const keep = (index: number): boolean => index % 2 === 0;
    this.bytes = this.bytes.filter((_, i) => keep(i)).map((value, i) => Math.max(value, this.bytes[2 * i + 1] ?? 0));
    this.seconds = this.seconds.filter((_, index) => keep(index));
    this.#stride *= 2;
  }
}

const LONGEST_COMMAND = 80;

/** A command on one line, as a report may show it. */
function commandText(command: readonly string[]): string {
  const text = command.join(" ").replaceAll(/[\s\p{Cc}]+/gu, " ");
  return text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
}

export interface WatchState {
  /** Bytes that the command uses now on all devices, and the most so far. */
  readonly nowBytes: number;
  readonly peakBytes: number;
  /** Whether a process of the command was seen. */
  readonly wasSeen: boolean;
}

export interface WatchedCommand {
  readonly command: readonly string[];
  readonly pid: number;
  readonly exitStatus: number;
  readonly seconds: number;
  readonly intervalMs: number;
}

export class WatchSamples {
  readonly #gpus: readonly SmiGpu[];
  readonly #tree: ProcessTree;
  readonly #devices = new Map<number, Samples>();
  /** The command's, by device. */
  readonly #own = new Map<number, Samples>();
  readonly #others = new Map<string, { device: number; pid: number; name: string; samples: Samples }>();
  /** Of the sample that is being told: bytes by device. */
  #round = new Map<number, Map<number, number>>();
  #nowBytes = 0;
  #peakBytes = 0;
  #lookedAt = -1;
  #toldAt = -Infinity;
  readonly #patience: number;

  constructor(gpus: readonly SmiGpu[], tree: ProcessTree, intervalMs: number) {
    this.#gpus = gpus;
    this.#tree = tree;
    this.#patience = (2.5 * intervalMs) / 1000;
  }

  /** Takes one line; `seconds` since the command began. */
  tell(line: SmiLine, seconds: number): void {
    if (line.kind === "device") this.#device(line.index, line.usedBytes, seconds);
    else this.#process(line, seconds);
  }

  /**
   * Devices are told in turn, so the first one of them ends a round. Processes are told by another query, which may come a little
   * late: only after some rounds without a word of them there are none.
   */
  #device(index: number, usedBytes: number, seconds: number): void {
    const isClock = index === this.#gpus[0]!.index;
    if (isClock && (this.#round.size > 0 || seconds - this.#toldAt > this.#patience)) this.endRound(seconds);
    let samples = this.#devices.get(index);
    if (samples === undefined) this.#devices.set(index, (samples = new Samples()));
    samples.add(seconds, usedBytes);
  }

  #process({ pid, uuid, usedBytes, name }: Extract<SmiLine, { kind: "process" }>, seconds: number): void {
    const device = this.#gpus.find((gpu) => gpu.uuid === uuid)?.index ?? -1;
    if (!this.#tree.has(pid) && seconds !== this.#lookedAt) {
      this.#tree.refresh();
      this.#lookedAt = seconds;
    }
    if (this.#tree.has(pid)) {
      this.#toldAt = seconds;
      let ofDevice = this.#round.get(device);
      if (ofDevice === undefined) this.#round.set(device, (ofDevice = new Map()));
      ofDevice.set(pid, usedBytes);
      return;
    }
    const key = `${device} ${pid}`;
    let other = this.#others.get(key);
    if (other === undefined) this.#others.set(key, (other = { device, pid, name, samples: new Samples() }));
    other.samples.add(seconds, usedBytes);
  }

  /** Adds up what the command's processes had since the last round. */
  endRound(seconds: number): void {
    this.#nowBytes = 0;
    for (const device of new Set([...this.#own.keys(), ...this.#round.keys()])) {
      const bytes = [...(this.#round.get(device)?.values() ?? [])].reduce((sum, value) => sum + value, 0);
      let samples = this.#own.get(device);
      if (samples === undefined) this.#own.set(device, (samples = new Samples()));
      samples.add(seconds, bytes);
      this.#nowBytes += bytes;
    }
    this.#peakBytes = Math.max(this.#peakBytes, this.#nowBytes);
    this.#round = new Map();
  }

  get state(): WatchState {
    return { nowBytes: this.#nowBytes, peakBytes: this.#peakBytes, wasSeen: this.#own.size > 0 };
  }

  readings({ command, pid, exitStatus, seconds, intervalMs }: WatchedCommand): Readings {
    const series = (quantity: "process" | "device_used", device: number, of: number, label: string, samples: Samples) =>
      ({
        quantity,
        device,
        process: of,
        label,
        seconds: Float64Array.from(samples.seconds),
        bytes: Float64Array.from(samples.bytes),
        lines: null,
        roundingBytes: MIB / 2,
      }) satisfies ReadingSeries;
    const program = commandText(command);
    const note = (name: string, value: string | number): ReadingNote => ({ name, value, line: -1 });
    return {
      schemaVersion: 1,
      source: "watch",
      program,
      series: [
        ...[...this.#own].map(([device, samples]) => series("process", device, pid, program, samples)),
        ...[...this.#others.values()].map(({ device, pid: of, name, samples }) =>
          series("process", device, of, name, samples),
        ),
        ...[...this.#devices].map(([device, samples]) => series("device_used", device, -1, "", samples)),
      ],
      facts: this.#gpus.flatMap(({ index, totalBytes, usedBytes }) => [
        {
          quantity: "device_total",
          name: "memory.total",
          device: index,
          process: -1,
          bytes: totalBytes,
          roundingBytes: MIB / 2,
          peak: false,
          line: -1,
        } as const,
        {
          quantity: "other",
          name: USED_BEFORE,
          device: index,
          process: -1,
          bytes: usedBytes,
          roundingBytes: MIB / 2,
          peak: false,
          line: -1,
        } as const,
      ]),
      notes: [
        ...this.#gpus.slice(0, 1).flatMap((gpu) => [note("gpu", gpu.name), note("driver", gpu.driver)]),
        note("process", pid),
        note("exit status", exitStatus),
        note("seconds", Math.round(seconds * 1000) / 1000),
        note("interval in ms", intervalMs),
      ],
    };
  }
}
