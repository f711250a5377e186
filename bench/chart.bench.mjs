// The chart's picture of a million events without a browser: preparation, and layout and painting of one picture at several zooms.
// usage: node bench/chart.bench.mjs [--events N] [--width PX]
import { TraceBuilder } from "../dist/engine.js";
import { bundled } from "./bundled.mjs";
import { longTraining, oneLine } from "./long-training.mjs";

const { chartBase, chartData, layoutCells, paintCells, SpanRoom } = await bundled([
  "web/src/chart/cells.ts",
  "web/src/chart/chart-data.ts",
  "web/src/chart/paint.ts",
]);

const PREPARE_SECONDS = 1;
const FRAME_MS = 33;
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at > 0 ? Number(process.argv[at + 1]) : fallback;
};
const events = option("events", 1_000_000);
const width = option("width", 1400);
const height = 420;
const GROUPINGS = ["category", "module", "line", "dtype", "op", "phase"];

const timed = (work) => {
  const started = performance.now();
  const result = work();
  return [performance.now() - started, result];
};

let failed = false;
for (const [name, make] of [
  ["training steps", longTraining],
  ["one line", oneLine],
]) {
  const trace = make(TraceBuilder, events);
  const [baseMs, base] = timed(() => chartBase(trace));
  const all = GROUPINGS.map((by) => [by, ...timed(() => chartData(trace, by, base))]);
  console.log(`${name}: ${base.events} events, ${trace.blocks.length} blocks, ${width} x ${height} pixels`);
  console.log(
    `  prepared in ${baseMs.toFixed(0)} ms, and ${all.map(([by, ms]) => `${by} ${ms.toFixed(0)}`).join(", ")}`,
  );
  failed ||= baseMs + Math.max(...all.map(([, ms]) => ms)) > PREPARE_SECONDS * 1000;
  const data = all[0][2];
  const colours = data.groups.list.map((_, group) => group * 1000);
  const look = { fill: colours, edge: colours, faintFill: colours, faintEdge: colours, surface: 0, grid: 1 };
  const pixels = new Uint32Array(width * height);
  const room = new SpanRoom();
  const bytesPerPx = base.peakAllocatedBytes / height;
  for (const share of [1, 0.3, 0.1, 0.01, 0.001, 0.0001]) {
    const times = [];
    let cells;
    for (let frame = 0; frame < 12; frame++) {
      const size = base.events * share;
      const step = size / width;
      const from = Math.floor(((base.events - size) * frame) / 12 / step) * step;
      const [ms] = timed(() => {
        cells = layoutCells(data, { from, to: from + size, widthPx: width, leastBytes: bytesPerPx }, room);
        paintCells(pixels, cells, {
          width,
          height,
          lowBytes: 0,
          bytesPerPx,
          gridBytes: [],
          colours: look,
          patterns: null,
          stands: null,
          onlyGroup: -1,
        });
      });
      times.push(ms);
    }
    times.sort((a, b) => a - b);
    failed ||= times[6] > FRAME_MS;
    console.log(
      `  ${(share * 100).toFixed(2).padStart(6)} % of it: median ${times[6].toFixed(1)} ms, slow ${times.at(-2).toFixed(1)} ms, ${cells.start[cells.count]} spans, ${cells.drawnBlocks} blocks drawn, ${cells.mergedBlocks} merged`,
    );
  }
}
if (failed) console.log(`over the limits: ${PREPARE_SECONDS} s to prepare, ${FRAME_MS} ms a picture`);
process.exitCode = failed ? 1 : 0;
