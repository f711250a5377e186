/** NVIDIA's own figures, from `nvidia-smi`: what there is, asked once, and what is used, reported again and again by one process. */

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { MIB } from "../base/bytes.ts";
import type { Io } from "./io.ts";

export interface SmiGpu {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly totalBytes: number;
  readonly usedBytes: number;
  readonly driver: string;
}

export type SmiGpus =
  | { readonly ok: true; readonly gpus: readonly SmiGpu[] }
  /** Why there are none: no such program, or what it said. */
  | { readonly ok: false; readonly reason: string | null };

const FORMAT = "--format=csv,noheader,nounits";
/** Starting the driver's tool on a machine with many cards takes seconds. */
const PATIENCE_MS = 30_000;
/** A loop that says nothing for so long, beyond some intervals, keeps its output to itself. */
const SILENCE_MS = 2000;
/** How long to wait for what a loop that is ended has in its pipe. */
const LAST_WORDS_MS = 500;

/** MiB as the tool prints them, as bytes; null for `[N/A]` and the like. */
function mebibytes(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) * MIB : null;
}

const cells = (line: string): string[] => line.split(",").map((cell) => cell.trim());

export function smiGpus(io: Io): SmiGpus {
  const fields = "index,uuid,name,memory.total,memory.used,driver_version";
  const asked = spawnSync("nvidia-smi", [`--query-gpu=${fields}`, FORMAT], {
    env: io.env,
    encoding: "utf8",
    timeout: PATIENCE_MS,
  });
  if (asked.error !== undefined) return { ok: false, reason: null };
  const gpus = asked.stdout.split("\n").flatMap((line): SmiGpu[] => {
    const [index = "", uuid = "", name = "", total, used, driver = ""] = cells(line);
    const totalBytes = mebibytes(total);
    if (!/^\d+$/.test(index) || totalBytes === null) return [];
    return [{ index: Number(index), uuid, name, totalBytes, usedBytes: mebibytes(used) ?? 0, driver }];
  });
  if (asked.status === 0 && gpus.length > 0) return { ok: true, gpus };
  const said = `${asked.stderr}\n${asked.stdout}`.split("\n").map((line) => line.trim());
  return { ok: false, reason: said.find((line) => line !== "") ?? null };
}

/** What one line of a loop says, and when that was: milliseconds since 1970 by the tool's own clock, as lines may wait in a pipe. */
export type SmiLine = { readonly atMs: number } & (
  | { readonly kind: "device"; readonly index: number; readonly usedBytes: number }
  | {
      readonly kind: "process";
      readonly pid: number;
      readonly uuid: string;
      readonly usedBytes: number;
      readonly name: string;
    }
);

interface Query {
  readonly args: readonly string[];
  readonly read: (line: string) => SmiLine | null;
}

/** `2024/05/06 07:08:09.123` in local time; now, where it is something else. */
function timeOf(text: string | undefined): number {
  const parts = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{3})/.exec(text ?? "");
  if (parts === null) return Date.now();
  const [year, month, day, hour, minute, second, ms] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return new Date(year, month - 1, day, hour, minute, second, ms).getTime();
}

const DEVICES: Query = {
  args: ["--query-gpu=timestamp,index,memory.used", FORMAT],
  read: (line) => {
    const [time, index = "", used] = cells(line);
    const usedBytes = mebibytes(used);
    if (!/^\d+$/.test(index) || usedBytes === null) return null;
    return { kind: "device", atMs: timeOf(time), index: Number(index), usedBytes };
  },
};
const PROCESSES: Query = {
  args: ["--query-compute-apps=timestamp,pid,used_memory,gpu_uuid,process_name", FORMAT],
  read: (line) => {
    const [time, pid = "", used, uuid = "", ...name] = cells(line);
    const usedBytes = mebibytes(used);
    if (!/^\d+$/.test(pid) || usedBytes === null) return null;
    return { kind: "process", atMs: timeOf(time), pid: Number(pid), usedBytes, uuid, name: name.join(",") };
  },
};

export interface SmiLoop {
  /** Ends what runs, and waits a moment for what it has said already. */
  stop(): Promise<void>;
}

/**
 * Tells every line of both queries about every `intervalMs`. One process for each query prints on and on; where that does not
 * work (an old driver, output that is held back), it is asked anew each time.
 */
export function smiLoop(intervalMs: number, io: Io, tell: (line: SmiLine) => void): SmiLoop {
  const devices = loopOf(DEVICES, intervalMs, io, tell);
  const processes = loopOf(PROCESSES, intervalMs, io, tell);
  // a query of processes says nothing while there are none, so only that of devices tells whether loops work
  const patience = setTimeout(
    () => {
      if (devices.hasReported()) return;
      devices.askInstead();
      processes.askInstead();
    },
    SILENCE_MS + 3 * intervalMs,
  );
  return {
    stop: async () => {
      clearTimeout(patience);
      await Promise.all([devices.stop(), processes.stop()]);
    },
  };
}

interface QueryLoop extends SmiLoop {
  hasReported(): boolean;
  /** Ends the process that prints on, if it still does. */
  askInstead(): void;
}

function loopOf(query: Query, intervalMs: number, io: Io, tell: (line: SmiLine) => void): QueryLoop {
  let stopped = false;
  let reported = false;
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  const hear = (line: string): void => {
    reported = true;
    const read = query.read(line);
    if (read !== null) tell(read);
  };
  // of its own group, so that Ctrl+C for the command does not end it
  const start = (args: readonly string[], onEnd: () => void): void => {
    child = spawn("nvidia-smi", args, { env: io.env, stdio: ["ignore", "pipe", "ignore"], detached: true });
    createInterface({ input: child.stdout! }).on("line", hear);
    // a process that cannot be started may tell both
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      child = null;
      if (!stopped) onEnd();
    };
    child.on("error", end);
    child.on("close", end);
  };
  const askAgain = (): void => start(query.args, () => (timer = setTimeout(askAgain, intervalMs)));
  start([...query.args, "-lms", String(intervalMs)], askAgain);
  return {
    hasReported: () => reported,
    askInstead: () => void child?.kill(),
    stop: async () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      const last = child;
      if (last === null) return;
      last.kill();
      let patience: NodeJS.Timeout | undefined;
      const waited = new Promise<void>((done) => (patience = setTimeout(done, LAST_WORDS_MS)));
      await Promise.race([once(last, "close"), waited]);
      clearTimeout(patience);
      // whatever it waits for, nobody else does
      last.unref();
      last.stdout?.destroy();
    },
  };
}
