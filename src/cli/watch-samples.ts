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

/** Asking for processes may take as long. */
const SHORTEST_PATIENCE_MS = 500;
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
  readonly #startMs: number;
  readonly #patience: number;
  readonly #devices = new Map<number, Samples>();
  /** The command's, by device. */
  readonly #own = new Map<number, Samples>();
  readonly #others = new Map<string, { device: number; pid: number; name: string; samples: Samples }>();
  /** Of the sample that is being told: bytes of the command's processes by device, and when that was. */
  #round = new Map<number, Map<number, number>>();
  #roundAt = -1;
  /** When a process of the command was told last, and a device. */
  #toldAt = -Infinity;
  #clock = 0;
  #nowBytes = 0;
  #peakBytes = 0;
  #lookedAt = -1;

  /** `startMs`: when the command began, in milliseconds since 1970. */
  constructor(gpus: readonly SmiGpu[], tree: ProcessTree, intervalMs: number, startMs: number) {
    this.#gpus = gpus;
    this.#tree = tree;
    this.#startMs = startMs;
    this.#patience = Math.max(2.5 * intervalMs, SHORTEST_PATIENCE_MS) / 1000;
  }

  tell(line: SmiLine): void {
    const seconds = Math.max(0, line.atMs - this.#startMs) / 1000;
    if (line.kind === "process") this.#process(line, seconds);
    else {
      let samples = this.#devices.get(line.index);
      if (samples === undefined) this.#devices.set(line.index, (samples = new Samples()));
      samples.add(seconds, line.usedBytes);
      this.#clock = seconds;
    }
  }

  #process({ pid, uuid, usedBytes, name }: Extract<SmiLine, { kind: "process" }>, seconds: number): void {
    if (seconds !== this.#roundAt) this.#endRound(seconds);
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

  /** Adds up what the command's processes had in the sample that is complete; the next one is that of `seconds`. */
  #endRound(seconds: number): void {
    if (this.#round.size > 0) {
      this.#nowBytes = 0;
      for (const device of new Set([...this.#own.keys(), ...this.#round.keys()])) {
        const bytes = [...(this.#round.get(device)?.values() ?? [])].reduce((sum, value) => sum + value, 0);
        let samples = this.#own.get(device);
        if (samples === undefined) this.#own.set(device, (samples = new Samples()));
        samples.add(this.#roundAt, bytes);
        this.#nowBytes += bytes;
      }
      this.#peakBytes = Math.max(this.#peakBytes, this.#nowBytes);
      this.#round = new Map();
    }
    this.#roundAt = seconds;
  }

  get state(): WatchState {
    // nobody says that there are no processes: they are not told any more
    const isGone = this.#clock - this.#toldAt > this.#patience;
    return {
      nowBytes: isGone ? 0 : this.#nowBytes,
      peakBytes: this.#peakBytes,
      wasSeen: this.#own.size > 0,
    };
  }

  /** No more lines will come. */
  end(): void {
    this.#endRound(-1);
  }

  /** A series with zeros at the times of samples of devices at which no process of the command was told for a while. */
  #withGaps(own: Samples): Samples {
    const clock = this.#devices.get(this.#gpus[0]!.index)?.seconds ?? [];
    const filled = new Samples();
    let next = 0;
    own.seconds.forEach((seconds, index) => {
      const before = own.seconds[index - 1] ?? -Infinity;
      for (; next < clock.length && clock[next]! < seconds; next++) {
        if (clock[next]! - before > this.#patience) filled.add(clock[next]!, 0);
      }
      filled.add(seconds, own.bytes[index]!);
    });
    const last = own.seconds.at(-1) ?? 0;
    for (; next < clock.length; next++) if (clock[next]! - last > this.#patience) filled.add(clock[next]!, 0);
    return filled;
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
        ...[...this.#own].map(([device, samples]) => series("process", device, pid, program, this.#withGaps(samples))),
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
