/** speedscope's file format: what is allocated at the peak, and all allocations in order, by call stack; weights are bytes. */

import { aliveAt, peakEvent } from "../trace/queries.ts";
import type { Trace } from "../trace/model.ts";
import { stackFromInside } from "./call-stack.ts";
import type { ExportFormat } from "./export-format.ts";

const SCHEMA = "https://www.speedscope.app/file-format-schema.json";

/** Frames of the file: the trace's lines, then its operators, then one for what ran before any line. */
function frameTable(trace: Trace): object[] {
  return [
    ...trace.frames.map(({ name, file, line }) => ({ name, file, line })),
    ...trace.ops.map((name) => ({ name })),
    { name: "(before any line of the program)" },
  ];
}

function stackOf(trace: Trace, frame: number, op: number): number[] {
  const stack = stackFromInside(trace, frame).reverse();
  if (op >= 0) stack.push(trace.frames.length + op);
  return stack.length === 0 ? [trace.frames.length + trace.ops.length] : stack;
}

/** One profile; neighbours with the same stack are one sample. */
function* profile(trace: Trace, name: string, blocks: Iterable<number>): Generator<string, void, undefined> {
  const weights: number[] = [];
  let before = "";
  let totalBytes = 0;
  yield `{"type":"sampled","name":${JSON.stringify(name)},"unit":"bytes","samples":[`;
  for (const index of blocks) {
    const { frame, op, bytes } = trace.blocks[index]!;
    totalBytes += bytes;
    const key = `${frame} ${op}`;
    if (key === before) {
      weights[weights.length - 1]! += bytes;
      continue;
    }
    before = key;
    yield (weights.length === 0 ? "" : ",") + JSON.stringify(stackOf(trace, frame, op));
    weights.push(bytes);
  }
  yield `],"weights":[`;
  const BATCH = 10_000;
  for (let from = 0; from < weights.length; from += BATCH) {
    yield (from === 0 ? "" : ",") + weights.slice(from, from + BATCH).join(",");
  }
  yield `],"startValue":0,"endValue":${totalBytes}}`;
}

function* write(trace: Trace): Generator<string, void, undefined> {
  yield `{"$schema":"${SCHEMA}","exporter":"vramscope","name":${JSON.stringify(trace.program)},"activeProfileIndex":0,\n`;
  yield `"shared":{"frames":[`;
  let separator = "";
  for (const frame of frameTable(trace)) {
    yield separator + JSON.stringify(frame);
    separator = ",";
  }
  yield `]},\n"profiles":[`;
  yield* profile(trace, "allocated at the peak", aliveAt(trace, peakEvent(trace)));
  yield ",\n";
  yield* profile(trace, "all allocations", trace.blocks.keys());
  yield "]}\n";
}

export const speedscope: ExportFormat = {
  id: "speedscope",
  extension: ".speedscope.json",
  label: "export_speedscope",
  write,
};
