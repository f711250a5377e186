// A page with nothing but the timeline of a long made-up training run; what the benchmark does to it is in chart-page.bench.mjs.
import { h, render } from "preact";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { chartBase } from "../../web/src/chart/chart-data.ts";
import { createChart } from "../../web/src/chart/chart-state.ts";
import { createSelection } from "../../web/src/chart/selection.ts";
import { Timeline } from "../../web/src/chart/timeline.tsx";
import { CHART_EN } from "../../web/src/chart/words-en.ts";
import { PALETTES } from "../../web/src/theme/palette.ts";
import { longTraining } from "../long-training.mjs";

for (const [name, colour] of Object.entries(PALETTES.light)) {
  if (typeof colour === "string") document.documentElement.style.setProperty(`--chart-${name}`, colour);
}
const trace = longTraining(TraceBuilder, Number(new URLSearchParams(location.search).get("events")));
const started = performance.now();
const base = chartBase(trace);
const chart = createChart(createSelection(trace, base.peak), (key) => CHART_EN[key], base);
void chart.data.value;
const prepared = performance.now() - started;
render(h(Timeline, { chart, theme: "light" }), document.querySelector("#app"));

/** Milliseconds between frames while `move` is done once in each. */
async function frames(move, count) {
  const times = [];
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  let last = performance.now();
  for (let i = 0; i < count; i++) {
    move(i);
    await frame();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
}

const COUNT = 80;
const plot = () => document.querySelector(".chart-plot");
const point = (share) => {
  const box = plot().getBoundingClientRect();
  const at = {
    clientX: box.left + 80 + share * (box.width - 100),
    clientY: box.bottom - 60,
    pointerId: 1,
    bubbles: true,
  };
  plot().dispatchEvent(new PointerEvent("pointermove", at));
};

globalThis.benchmark = async () => {
  const results = { prepared, frames: {} };
  const measure = async (name, move) => {
    results.frames[name] = await frames(move, COUNT);
  };
  await measure("nothing", () => {});
  chart.fitAll();
  await measure("zoom in from the whole trace", () => chart.zoom(0.9));
  chart.fitAll();
  chart.zoom(0.5);
  await measure("pan half of the trace", (i) => chart.pan(i < COUNT / 2 ? 0.02 : -0.02));
  chart.zoom(0.02);
  await measure("pan a hundredth of it", (i) => chart.pan(i < COUNT / 2 ? 0.05 : -0.05));
  chart.fitAll();
  await measure("stretch heights", (i) => chart.stretch(i < COUNT / 2 ? 0.95 : 1 / 0.95, 0.1));
  chart.fitAll();
  await measure("move the pointer", (i) => point(i / COUNT));
  await measure("drag a range", (i) => chart.selectRange({ from: 1000, to: 2000 + i * 5000 }));
  return results;
};
