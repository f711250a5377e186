/** NVIDIA's own figures, from `nvidia-smi`: what there is, asked once, and what is used, told again and again by one process. */

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
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

/** What one line of a loop says. */
export type SmiLine =
  | { readonly kind: "device"; readonly index: number; readonly usedBytes: number }
  | {
      readonly kind: "process";
      readonly pid: number;
      readonly uuid: string;
      readonly usedBytes: number;
      readonly name: string;
    };

interface Query {
  readonly args: readonly string[];
  readonly read: (line: string) => SmiLine | null;
}

const DEVICES: Query = {
  args: ["--query-gpu=index,memory.used", FORMAT],
  read: (line) => {
    const [index = "", used] = cells(line);
    const usedBytes = mebibytes(used);
    return /^\d+$/.test(index) && usedBytes !== null ? { kind: "device", index: Number(index), usedBytes } : null;
  },
};
const PROCESSES: Query = {
  args: ["--query-compute-apps=pid,used_memory,gpu_uuid,process_name", FORMAT],
  read: (line) => {
    const [pid = "", used, uuid = "", ...name] = cells(line);
    const usedBytes = mebibytes(used);
    if (!/^\d+$/.test(pid) || usedBytes === null) return null;
    return { kind: "process", pid: Number(pid), usedBytes, uuid, name: name.join(",") };
  },
};

export interface SmiLoop {
  /** Ends what runs; nothing is told afterwards. */
  stop(): void;
}

/**
 * Tells every line of both queries about every `intervalMs`. One process for each query prints on and on; where that does not
 * work (an old driver, output that is held back), it is asked anew each time.
 */
export function smiLoop(intervalMs: number, io: Io, tell: (line: SmiLine) => void): SmiLoop {
  const loops = [loopOf(DEVICES, intervalMs, io, tell), loopOf(PROCESSES, intervalMs, io, tell)];
  return { stop: () => loops.forEach((loop) => loop.stop()) };
}

function loopOf(query: Query, intervalMs: number, io: Io, tell: (line: SmiLine) => void): SmiLoop {
  let stopped = false;
  let heard = false;
  let child: ChildProcess | null = null;
  let timer: NodeJS.Timeout | null = null;
  const hear = (line: string): void => {
    heard = true;
    const read = stopped ? null : query.read(line);
    if (read !== null) tell(read);
  };
  // of its own group, so that Ctrl+C for the command does not end it
  const start = (args: readonly string[], onEnd: () => void): void => {
    child = spawn("nvidia-smi", args, { env: io.env, stdio: ["ignore", "pipe", "ignore"], detached: true });
    createInterface({ input: child.stdout! }).on("line", hear);
    child.on("error", onEnd);
    child.on("close", onEnd);
  };
  const askAgain = (): void => {
    if (stopped) return;
    start(query.args, () => {
      child = null;
      if (!stopped) timer = setTimeout(askAgain, intervalMs);
    });
  };
  start([...query.args, "-lms", String(intervalMs)], () => {
    child = null;
    askAgain();
  });
  // a query of processes says nothing while there are none, so only devices tell whether a loop works
  if (query === DEVICES) {
    timer = setTimeout(
      () => {
        if (!heard) child?.kill();
      },
      SILENCE_MS + 3 * intervalMs,
    );
  }
  return {
    stop: () => {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      child?.kill();
      child?.unref();
    },
  };
}
