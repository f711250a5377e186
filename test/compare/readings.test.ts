/** Figures of a prediction against figures that tools printed: what each difference may come from. */

import { describe, expect, it } from "vitest";
import { GIB, MIB } from "../../src/base/bytes.ts";
import { compareFigures, learnFrom, USED_BEFORE, type ReadingsComparison } from "../../src/compare/index.ts";
import type { ContextBytes } from "../../src/gpus/catalogue.ts";
import type { Quantity, ReadingFact, Readings, ReadingSeries } from "../../src/trace/readings.ts";
import { sampleTrace } from "../trace/sample.ts";

/** Peak allocated 22 MiB, at the end 20.125; reserved 40 MiB. */
const TRACE = sampleTrace();
const CONTEXT: ContextBytes = {
  lowBytes: 400 * MIB,
  expectedBytes: 500 * MIB,
  highBytes: 600 * MIB,
  mark: "source",
  evidence: "a test",
};

function fact(quantity: Quantity, mib: number, change: Partial<ReadingFact> = {}): ReadingFact {
  const bytes = mib * MIB;
  return { quantity, name: "figure", device: 0, process: 7, bytes, roundingBytes: 0, peak: true, line: -1, ...change };
}

function series(quantity: Quantity, mib: readonly number[], change: Partial<ReadingSeries> = {}): ReadingSeries {
  const bytes = Float64Array.from(mib, (value) => value * MIB);
  const seconds = bytes.map((_, index) => index);
  return { quantity, device: 0, process: 7, label: "", seconds, bytes, lines: null, roundingBytes: 0, ...change };
}

function readings(change: Partial<Readings>): Readings {
  return { schemaVersion: 1, source: "test", program: "log", series: [], facts: [], notes: [], ...change };
}

const compared = (change: Partial<Readings>) =>
  compareFigures({ trace: TRACE }, { readings: readings(change) }, CONTEXT);

/** Causes by quantity in MiB. */
function causes({ pairs }: ReadingsComparison): Record<string, Record<string, number>> {
  return Object.fromEntries(
    pairs.map(({ quantity, causes: list }) => [
      quantity,
      Object.fromEntries(list.map(({ code, bytes }) => [code, bytes / MIB])),
    ]),
  );
}

describe("figures", () => {
  it("of the allocator are equal, or unexplained", () => {
    const comparison = compared({ facts: [fact("allocated", 22), fact("reserved", 42)] });
    expect(causes(comparison)).toEqual({ allocated: {}, reserved: { unexplained: 2 } });
    expect(comparison.unexplainedBytes).toBe(2 * MIB);
  });

  it("may differ by the last digit", () => {
    const rounded = fact("allocated", 22.25, { roundingBytes: 0.5 * MIB });
    expect(causes(compared({ facts: [rounded] }))).toEqual({ allocated: { precision: 0.25 } });
  });

  it("of samples may have missed the peak", () => {
    const comparison = compared({ series: [series("allocated", [4, 21, 8])] });
    expect(causes(comparison)).toEqual({ allocated: { sampling: -1 } });
    expect(causes(compared({ series: [series("allocated", [4, 23, 8])] }))).toEqual({ allocated: { unexplained: 1 } });
  });

  it("of a process have a context within its interval, and more is explained only if the allocator is accounted for", () => {
    const process = (mib: number) => fact("process", mib);
    expect(causes(compared({ facts: [process(40 + 550)] }))).toEqual({ process: { context: 50 } });
    expect(causes(compared({ facts: [process(40 + 450)] }))).toEqual({ process: { context: -50 } });
    expect(causes(compared({ facts: [process(40 + 700)] }))).toEqual({ process: { context: 100, unexplained: 100 } });
    expect(causes(compared({ facts: [process(42 + 700), fact("reserved", 42)] }))).toEqual({
      process: { reserved: 2, context: 100, outside_allocator: 100 },
      reserved: { unexplained: 2 },
    });
  });

  it("of an error text are those of the highest moment, with what was free inside", () => {
    const told = (quantity: Quantity, mib: number, name: string) => fact(quantity, mib, { name, peak: false });
    const facts = [
      told("other", 64, "tried to allocate"),
      told("allocated", 22, "allocated by PyTorch"),
      told("other", 18, "reserved but unallocated"),
      told("process", 540, "this process"),
    ];
    const comparison = compared({ facts });
    expect(comparison.pairs.map(({ quantity, peak }) => [quantity, peak])).toEqual([
      ["allocated", true],
      ["process", true],
      ["reserved", true],
    ]);
    expect(causes(comparison)).toEqual({ allocated: {}, reserved: {}, process: {} });
    expect(learnFrom("oom.txt", { readings: readings({ facts }) }, null).measurements).toMatchObject([
      { contextBytes: 500 * MIB, when: "work" },
    ]);
  });

  it("of a device have other processes, or what was in use before", () => {
    const used = series("device_used", [100, 40 + 500 + 900]);
    const own = series("process", [40 + 500]);
    const other = series("process", [900, 850], { process: 8 });
    expect(causes(compared({ series: [used, own, other], notes: [{ name: "process", value: 7, line: -1 }] }))).toEqual({
      device_used: { other_processes: 900 },
      process: {},
    });
    const before = fact("other", 900, { name: USED_BEFORE, process: -1, peak: false });
    expect(causes(compared({ series: [used], facts: [before] }))).toEqual({ device_used: { other_processes: 900 } });
  });
});

describe("logs of serving engines", () => {
  const predicted = {
    readings: readings({
      facts: [
        fact("weights", 16_000, { peak: false }),
        fact("kv_cache", 50_000, { peak: false, roundingBytes: 300 * MIB }),
      ],
      notes: [{ name: "KV cache tokens", value: 400_000, line: -1 }],
    }),
  };
  const against = (change: Partial<Readings>) => compareFigures(predicted, { readings: readings(change) }, null);

  it("may lie within what an estimate leaves open", () => {
    const comparison = against({ facts: [fact("kv_cache", 49_800, { peak: false })] });
    expect(causes(comparison)).toEqual({ kv_cache: { interval: -200 } });
  });

  it("give the cache what other parts leave", () => {
    const notes = [{ name: "KV cache tokens", value: 380_000, line: 9 }];
    const facts = [fact("weights", 17_000, { peak: false }), fact("kv_cache", 48_500, { peak: false })];
    expect(causes(against({ facts, notes }))).toEqual({
      weights: { unexplained: 1000 },
      kv_cache: { interval: -300, other_parts: -1000, unexplained: -200 },
    });
  });

  it("name parts on one line, a total among them, and what one sequence needs", () => {
    const parts = [
      fact("kv_cache", 25_000, { name: "K", line: 4, peak: false }),
      fact("kv_cache", 25_000, { name: "V", line: 4, peak: false }),
      fact("kv_cache", 900, { name: "one sequence", line: 9, peak: false }),
    ];
    expect(causes(against({ facts: parts }))).toEqual({ kv_cache: {} });
    const total = fact("kv_cache", 50_000, { name: "all", line: 4, peak: false });
    expect(causes(against({ facts: [total, ...parts] }))).toEqual({ kv_cache: {} });
  });

  it("count tokens, whatever the log calls them", () => {
    const { counts } = against({ notes: [{ name: "GPU KV cache tokens", value: 390_000, line: 8 }] });
    expect(counts).toEqual([{ name: "KV cache tokens", predicted: 400_000, recorded: 390_000 }]);
  });
});

describe("lines of a program", () => {
  it("are compared by the highest allocated bytes after them", () => {
    const after = series("allocated", [4, 20, 8, 8, 20.125], {
      label: "after line",
      lines: Int32Array.from([1, 11, 2, 99, 3]),
    });
    const { lines } = compared({ series: [after] });
    expect(lines).toEqual({
      file: "net.py",
      lines: 4,
      different: [{ line: 11, predictedBytes: 17 * MIB, recordedBytes: 20 * MIB }],
    });
  });
});

describe("calibration", () => {
  it("takes process minus reserved of the same moment, and the start apart", () => {
    const start = [
      fact("process", 420, { name: "process after the start of CUDA", peak: false, roundingBytes: MIB / 2 }),
      fact("other", 0, { name: "reserved at the start of CUDA", peak: false }),
    ];
    const end = [
      fact("process", 1540, { peak: false, roundingBytes: MIB / 2 }),
      fact("reserved", 1024, { peak: false }),
    ];
    const notes = [{ name: "gpu", value: "NVIDIA A100-SXM4-80GB", line: -1 }];
    expect(learnFrom("readings.json", { readings: readings({ facts: [...start, ...end], notes }) }, null)).toEqual({
      measurements: [
        { file: "readings.json", contextBytes: 420 * MIB, roundingBytes: MIB / 2, when: "start" },
        { file: "readings.json", contextBytes: 516 * MIB, roundingBytes: MIB / 2, when: "work" },
      ],
      cublasWorkspaceBytes: null,
      gpu: "a100-80gb",
      driver: null,
      torch: null,
    });
  });

  it("takes reserved bytes of the prediction where the file has none, and nothing where there are none at all", () => {
    const watched = { readings: readings({ series: [series("process", [300, 540])] }) };
    expect(learnFrom("watch.json", watched, null).measurements).toEqual([]);
    expect(learnFrom("watch.json", watched, { trace: TRACE }).measurements).toMatchObject([
      { contextBytes: 500 * MIB },
    ]);
    const tooSmall = { readings: readings({ series: [series("process", [30])] }) };
    expect(learnFrom("watch.json", tooSmall, { trace: TRACE }).measurements).toEqual([]);
  });

  it("finds the workspace that cuBLAS keeps in a recording", () => {
    expect(learnFrom("s.pickle", { trace: TRACE }, null)).toMatchObject({
      cublasWorkspaceBytes: 8.125 * MIB,
      gpu: "a100-80gb",
    });
  });
});

it("sizes of a device are nothing to compare", () => {
  expect(compared({ facts: [fact("device_total", (80 * GIB) / MIB)] }).pairs).toEqual([]);
});
