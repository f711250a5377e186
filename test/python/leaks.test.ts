/**
 * Runs that end and runs that are aborted leave nothing in the process that asked for them: descriptors, threads, processes.
 * VRAMSCOPE_LEAK_RUNS=1000 says how many of each; a small number runs with the other tests.
 */

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { vramscope as built } from "../built.ts";

const RUNS = Number(process.env["VRAMSCOPE_LEAK_RUNS"] ?? 8);
const ATTEMPTS: readonly (readonly [source: string, abortMs: number | null])[] = [
  ["print(1)", null],
  ["while True: pass", 0],
  ["while True: pass", 100],
  ["import time\nwhile True: sum(range(10**7))", 1500],
  ["import torch\nwhile True: torch.ones(10, device='cuda')", 2500],
];

interface Held {
  readonly descriptors: number;
  readonly threads: number;
  readonly children: number;
}

const held = (): Held => ({
  descriptors: readdirSync("/proc/self/fd").length,
  threads: Number(/Threads:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]),
  children: readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean).length,
});

/** The process that is kept ready for the next run has gone when nobody has asked for one in ten seconds. */
const settled = async (): Promise<Held> => {
  await sleep(12_000);
  return held();
};

describe.skipIf(process.platform !== "linux")("the library", () => {
  it("gives back what ended and aborted runs held", { timeout: 120_000 + RUNS * 20_000 }, async () => {
    const rounds = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        const [source, abortMs] = ATTEMPTS[i % ATTEMPTS.length]!;
        const controller = new AbortController();
        if (abortMs === 0) controller.abort();
        else if (abortMs !== null) setTimeout(() => controller.abort(), abortMs);
        const { status } = await built.run({ script: "a.py", source, passes: "all", signal: controller.signal });
        expect(status).toBe(abortMs === null ? "ok" : "interrupted");
      }
    };
    await rounds(ATTEMPTS.length);
    const before = await settled();
    await rounds(RUNS);
    const after = await settled();
    expect(after.children).toBe(before.children);
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
    expect(after.threads).toBeLessThanOrEqual(before.threads);
  });
});
