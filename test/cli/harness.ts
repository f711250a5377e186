/** Runs the command line in a test: streams are collected, the run of a program is a stand-in. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../src/cli/io.ts";
import { runCommandLine } from "../../src/cli/program.ts";
import { resolveMachine } from "../../src/session/machine.ts";
import type { RunOptions, RunResult } from "../../src/python/run-types.ts";
import { MIB } from "../../src/base/bytes.ts";
import { sampleTrace } from "../trace/sample.ts";

/** A result like that of a program that ran to its end. */
export function sampleResult(change: Partial<RunResult> = {}, options: Partial<RunOptions> = {}): RunResult {
  const { gpu } = resolveMachine(options.gpu === undefined ? {} : { gpu: options.gpu });
  return {
    schemaVersion: 1,
    status: "ok",
    exitStatus: 0,
    errorText: null,
    gpus: [],
    stoppedAt: null,
    traceLost: false,
    stdout: "hello\n",
    outputLeftOut: { stdout: 0, stderr: 0 },
    stderr: "",
    trace: { ...sampleTrace(), torch: options.torch ?? "2.14", capacityBytes: gpu.totalBytes },
    stats: {
      peakAllocatedBytes: 22 * MIB,
      peakReservedBytes: 40 * MIB,
      allocatedBytes: 20 * MIB,
      reservedBytes: 40 * MIB,
      peakEvent: 5,
    },
    gpu,
    torch: options.torch ?? "2.14",
    seconds: 0.5,
    ...change,
  };
}

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Options that the run was started with, or null when it was not. */
  readonly options: RunOptions | null;
}

export interface Setup {
  readonly result?: Partial<RunResult>;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly tty?: boolean;
  readonly fail?: Error;
}

export async function cli(args: readonly string[], setup: Setup = {}): Promise<Outcome> {
  const streams = { out: "", err: "" };
  let started: RunOptions | null = null;
  const info = { isTty: setup.tty ?? false, columns: undefined };
  const io: Io = {
    out: (text) => void (streams.out += text),
    err: (text) => void (streams.err += text),
    outInfo: info,
    errInfo: { isTty: false, columns: undefined },
    env: setup.env ?? {},
    cwd: setup.cwd ?? process.cwd(),
    readStdin: () => setup.stdin ?? "",
    readStdinBytes: () => new TextEncoder().encode(setup.stdin ?? ""),
    signal: new AbortController().signal,
    loadRun: async () => async (options) => {
      started = options;
      if (setup.fail !== undefined) throw setup.fail;
      const result = sampleResult(setup.result, options);
      if (result.stdout !== "") options.onOutput?.("stdout", result.stdout);
      if (result.stderr !== "") options.onOutput?.("stderr", result.stderr);
      return result;
    },
  };
  const code = await runCommandLine(args, io);
  return { code, ...streams, options: started };
}

/** A folder with a script `net.py` in it. */
export function scriptFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vramscope-test-"));
  writeFileSync(join(folder, "net.py"), "w = weight()\ny = net(w)\n");
  return folder;
}
