/** A million events: everything that a report computes stays fast. The committed benchmark measures; this only catches collapses. */

import { describe, expect, it } from "vitest";
import { savedTable } from "../../src/explain/saved-table.ts";
import { explain } from "../../src/explain/index.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { compositionAt } from "../../src/trace/composition.ts";
import type { Trace } from "../../src/trace/model.ts";
import { peakEvent } from "../../src/trace/queries.ts";
import { verifyTrace } from "../../src/trace/verify.ts";

type Make = (builder: typeof TraceBuilder, events: number) => Trace;
const { longTraining, oneLine } = (await import(
  new URL("../../bench/long-training.mjs", import.meta.url).href
)) as Record<"longTraining" | "oneLine", Make>;

const EVENTS = 1_000_000;
/** Five times the benchmark's limit: machines in tests are shared. */
const GENEROUS_SECONDS = 10;

describe("a million events", () => {
  it.each([
    ["training steps", longTraining],
    ["one line", oneLine],
  ])("of %s", (_, make) => {
    expect(verifyTrace(make(TraceBuilder, 3000))).toEqual([]);
    const trace = make(TraceBuilder, EVENTS);
    expect(trace.events.kind.length).toBeGreaterThanOrEqual(EVENTS);
    const started = performance.now();
    const peak = peakEvent(trace);
    const { shares, remainderBytes, allocatedBytes } = compositionAt(trace, peak, "category");
    compositionAt(trace, peak, "line");
    savedTable(trace);
    explain(trace);
    expect((performance.now() - started) / 1000).toBeLessThan(GENEROUS_SECONDS);
    expect(shares.reduce((sum, share) => sum + share.bytes, remainderBytes)).toBe(allocatedBytes);
  });
});
