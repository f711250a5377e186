// Traces of a million events: composition at the peak, tables and all findings, against 2 s and 1 GB.
// usage: node bench/trace.bench.mjs [--events N]; npm run bench runs it, too.
import { findGpu, TraceBuilder } from "../dist/engine.js";
import { savedTable } from "../dist/explain/saved-table.js";
import { explain, plainPainter, reportFacts, textReport } from "../dist/index.js";
import { compositionAt, largestAt } from "../dist/trace/composition.js";
import { freeMemoryAt } from "../dist/trace/free-memory.js";
import { lineTable } from "../dist/trace/lines.js";
import { peakEvent } from "../dist/trace/queries.js";
import { longTraining, oneLine } from "./long-training.mjs";

const LIMIT_SECONDS = 2;
const LIMIT_MIB = 1000;
const GROUPINGS = ["category", "module", "line", "op", "dtype"];

const at = process.argv.indexOf("--events");
const events = at > 0 ? Number(process.argv[at + 1]) : 1_000_000;
const gpu = findGpu("a100-80gb").value;

let failed = false;
for (const [name, make] of [
  ["training steps", longTraining],
  ["one line", oneLine],
]) {
  const trace = make(TraceBuilder, events);
  const timings = [];
  const timed = (what, work) => {
    const started = performance.now();
    const result = work();
    timings.push([what, (performance.now() - started) / 1000]);
    return result;
  };
  const peak = timed("peak", () => peakEvent(trace));
  timed("composition", () => GROUPINGS.map((by) => compositionAt(trace, peak, by)));
  timed("largest blocks", () => largestAt(trace, peak, 10));
  timed("free memory", () => freeMemoryAt(trace, peak));
  timed("saved tensors", () => savedTable(trace));
  timed("lines", () => lineTable(trace));
  const findings = timed("findings", () => explain(trace));
  const seconds = timings.reduce((sum, [, time]) => sum + time, 0);
  const mebibytes = process.memoryUsage().rss / 2 ** 20;
  const peakAllocatedBytes = trace.events.allocatedBytes[peak];
  const stats = { peakAllocatedBytes, peakReservedBytes: 0, allocatedBytes: 0, reservedBytes: 0, peakEvent: peak };
  const facts = timed("report", () =>
    reportFacts({ status: "ok", exitStatus: 0, trace, gpu, torch: trace.torch, stats }),
  );
  const options = { locale: "en", detail: "lines", painter: plainPainter(100), sourceOf: () => undefined };
  timed("its text", () => textReport(facts, trace, options));
  console.log(`${name}: ${trace.events.kind.length} events, ${findings.length} findings`);
  for (const [what, time] of timings) console.log(`  ${what.padEnd(16)}${time.toFixed(2).padStart(6)} s`);
  const over = seconds > LIMIT_SECONDS || mebibytes > LIMIT_MIB;
  failed ||= over;
  console.log(
    `  up to findings  ${seconds.toFixed(2).padStart(6)} s (limit ${LIMIT_SECONDS}), ${mebibytes.toFixed(0)} MiB (limit ${LIMIT_MIB})${over ? "  over the limit" : ""}`,
  );
}
process.exitCode = failed ? 1 : 0;
