/** The report on the hand-made sample: its figures are those of the sample's comments, its lines fit the terminal. */

import { describe, expect, it } from "vitest";
import { GIB, MIB } from "../../src/base/bytes.ts";
import { findGpu, type GpuRow } from "../../src/gpus/catalogue.ts";
import { jsonReport, plainPainter, reportFacts, textReport, type ReportInput } from "../../src/report/index.ts";
import { commonPath, shownRows, unitFor } from "../../src/report/line-table.ts";
import { bar } from "../../src/report/paint.ts";
import { displayWidth } from "../../src/report/width.ts";
import { noteName, partsText } from "../../src/report/words.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import type { Trace } from "../../src/trace/model.ts";
import { META, sampleTrace } from "../trace/sample.ts";

const found = findGpu("a100-80gb");
if (!found.ok) throw new Error("the catalogue has no default");
const gpu: GpuRow = {
  ...found.value,
  context: { lowBytes: MIB, expectedBytes: 2 * MIB, highBytes: 4 * MIB, mark: "source", evidence: "test" },
};

const SOURCE = [
  "w = weight()",
  "y = net(w)",
  "y.sum().backward()",
  ...Array<string>(7).fill(""),
  "    h = w @ x",
  "    return self.proj(h)",
];

function input(change: Partial<ReportInput> & { capacityBytes?: number } = {}): ReportInput {
  const trace: Trace = { ...sampleTrace(), capacityBytes: change.capacityBytes ?? 64 * MIB };
  return {
    status: "ok",
    exitStatus: 0,
    trace,
    stats: {
      peakAllocatedBytes: 22 * MIB,
      peakReservedBytes: 40 * MIB,
      allocatedBytes: 20.125 * MIB,
      reservedBytes: 40 * MIB,
      peakEvent: 5,
    },
    gpu,
    torch: "1.13",
    ...change,
  };
}
function text(
  given: ReportInput,
  options: { locale?: "en" | "zh"; width?: number; ascii?: boolean; detail?: "none" | "summary" | "lines" } = {},
) {
  return textReport(reportFacts(given), given.trace, {
    locale: options.locale ?? "en",
    detail: options.detail ?? "lines",
    painter: plainPainter(options.width ?? 80, options.ascii ?? false),
    sourceOf: (file) => (file === "net.py" ? SOURCE : undefined),
  });
}

describe("verdict", () => {
  const verdict = (change: Parameters<typeof input>[0]) => reportFacts(input(change)).verdict;
  it("holds the interval of context against the GPU", () => {
    expect(verdict({ capacityBytes: 44 * MIB })).toBe("fits");
    expect(verdict({ capacityBytes: 43 * MIB })).toBe("tight");
    expect(verdict({ capacityBytes: 41 * MIB })).toBe("tight");
    expect(verdict({ capacityBytes: 41 * MIB - 1 })).toBe("does_not_fit");
  });
  it("follows what happened", () => {
    expect(verdict({ status: "out_of_memory" })).toBe("does_not_fit");
    expect(verdict({ status: "timeout" })).toBe("not_finished");
    expect(verdict({ status: "system_exit", exitStatus: 3 })).toBe("not_finished");
    expect(verdict({ status: "system_exit", exitStatus: 0 })).toBe("fits");
  });
  it("knows the limit, which is on reserved memory", () => {
    expect(reportFacts(input({ limitBytes: 40 * MIB })).overLimit).toBe(false);
    expect(reportFacts(input({ limitBytes: 40 * MIB - 1 })).overLimit).toBe(true);
  });
  it("counts headroom from the expected figure", () => {
    expect(reportFacts(input()).driver).toEqual({ lowBytes: 41 * MIB, expectedBytes: 42 * MIB, highBytes: 44 * MIB });
    expect(reportFacts(input()).headroomBytes).toBe(22 * MIB);
  });
});

describe("text", () => {
  it("says the three numbers, the peak, its composition and why", () => {
    expect(text(input())).toBe(`net.py on A100 80GB SXM · PyTorch 1.13 rules

  fits        22.00 MiB of 64.00 MiB left
  why         activations: 16.00 MiB of 22.00 MiB, 73%; 13.00 MiB of it made at
              net.py:11
  allocated   22.00 MiB  peak of memory_allocated(); 20.12 MiB at the end
  reserved    40.00 MiB  peak of memory_reserved(); 40.00 MiB at the end
  nvidia-smi  42.00 MiB  reserved + context and libraries (1.00 MiB to 4.00 MiB,
                         published)

  peak  net.py:12  aten::addmm  in Net.proj
        return self.proj(h)

At the peak
  parameters           4.00 MiB   18%  ████████
  activations         16.00 MiB   73%  ████████████████████████████████
  workspaces           1.00 MiB    5%  ██
  unsplit remainders   1.00 MiB    5%  ██

Peak by phase
  forward   22.00 MiB
  backward  20.12 MiB

By line, in MiB
  after the line; what it changed each time it ran; highest while it ran, with
  what it called
  line  allocated  change  peak in it  source               module
     1       4.00   +4.00        4.00  w = weight()
     2       8.00   +4.00       22.00  y = net(w)           Net
     3      20.12  +12.12       20.12  y.sum().backward()
    11      17.00  +13.00       17.00  h = w @ x            Net
    12      21.00   +4.00       22.00  return self.proj(h)  Net.proj

Why
  - net.py:3: backward runs on a thread with its own handle, whose first product
    (aten::mm) takes a second cuBLAS workspace, 8.12 MiB, and keeps it.
  - net.py:3 changes what is allocated by 12.12 MiB = 8.12 MiB cuBLAS workspace
    + 4.00 MiB gradients.
  - net.py:12: the peak of 22.00 MiB = 21.00 MiB after aten::addmm + 1.00 MiB
    cuBLASLt workspace that it took and gave back.
  - net.py:11: aten::mm needs 12.00 MiB and counts 13.00 MiB. It took a free
    block of 13.00 MiB, the best fit; a remainder of at most 1 MiB (here
    1.00 MiB) is not split off.
  More about each: vramscope explain workspace_backward, change_parts,
  peak_scratch, unsplit_reused

Assumed
  - net.py:3: the program read a value from the GPU; it got a placeholder (0 or
    True)

Not verified
  aten::mm
`);
  });

  it.each([
    ["en", 40, true],
    ["en", 60, false],
    ["en", 120, false],
    ["zh", 40, false],
    ["zh", 80, false],
  ] as const)("fits its width (%s, %i, ascii %s)", (locale, width, ascii) => {
    const report = text(input(), { locale, width, ascii });
    for (const line of report.split("\n")) expect([line, displayWidth(line) <= width]).toEqual([line, true]);
    // oxlint-disable-next-line no-control-regex
    if (ascii) expect(report).toMatch(/^[\x00-\x7f]*$/);
  });

  it("has three degrees", () => {
    expect(text(input(), { detail: "none" })).toBe("");
    const summary = text(input(), { detail: "summary" });
    expect(summary).toContain("At the peak");
    expect(summary).not.toContain("By line");
    expect(summary).not.toContain("Why");
  });

  it("tells what ended a program that did not finish", () => {
    expect(text(input({ status: "timeout" }))).toContain(
      "not finished  the time limit was reached; the figures go up to there",
    );
    expect(text(input({ status: "system_exit", exitStatus: 7 }))).toContain("the program ended with status 7");
  });

  it("tells the failed request when memory ran out", () => {
    const t = new TraceBuilder();
    t.oom(
      90 * MIB,
      { frame: t.frame(-1, "net.py", 2, "f"), op: t.op("aten::mm"), module: -1, phase: "forward" },
      10 * MIB,
      20 * MIB,
    );
    const given = input({ status: "out_of_memory", trace: t.finish(META) });
    expect(text(given)).toContain("does not fit  90.00 MiB more asked for; 20.00 MiB of 64.00 MiB reserved");
  });

  it("says so when nothing was put on the GPU", () => {
    const stats = { peakAllocatedBytes: 0, peakReservedBytes: 0, allocatedBytes: 0, reservedBytes: 0, peakEvent: -1 };
    const report = text(input({ trace: new TraceBuilder().finish(META), stats }));
    expect(report).toContain("The program put nothing on the GPU.");
    expect(report).not.toContain("NaN");
  });
});

describe("JSON", () => {
  it("is plain data with a schema version and the program's output inside", () => {
    const given = input();
    const extras = { exitStatus: 0, errorText: null, stdout: "hello\n", stderr: "", warnings: [] };
    const report = JSON.parse(JSON.stringify(jsonReport(reportFacts(given), given.trace, extras, "en")));
    expect(report).toMatchObject({
      schemaVersion: 1,
      verdict: "fits",
      allocated: { peakBytes: 22 * MIB, endBytes: 20.125 * MIB },
      reserved: { peakBytes: 40 * MIB },
      asNvidiaSmiShows: { lowBytes: 41 * MIB, expectedBytes: 42 * MIB, highBytes: 44 * MIB },
      peak: { file: "net.py", line: 12, op: "aten::addmm", module: "Net.proj" },
      output: { stdout: "hello\n", stderr: "" },
      error: null,
      unverifiedOps: ["aten::mm"],
    });
    expect(report.lines).toHaveLength(5);
    // those with most bytes first
    expect(report.findings.map(({ code }: { code: string }) => code)).toEqual([
      "workspace_backward",
      "change_parts",
      "peak_scratch",
      "unsplit_reused",
    ]);
    expect(report.findings[2]).toMatchObject({ place: { file: "net.py", line: 12 } });
    expect(report.card.cause).toMatchObject({ category: "activation", bytes: 16 * MIB, where: "net.py:11" });
    expect(report.assumptions).toMatchObject([{ code: "unknown_value", count: 1, place: { line: 3 } }]);
  });
});

describe("pieces", () => {
  it("shows what paths have in common", () => {
    expect(commonPath(["layers.0.attn", "layers.1.mlp"])).toBe("layers.*");
    expect(commonPath(["Net", "Net.proj"])).toBe("Net");
    expect(commonPath(["a", "b"])).toBe("");
    expect(commonPath(["a.b"])).toBe("a.b");
    expect(commonPath([])).toBe("");
  });
  it("chooses one unit", () => {
    expect(unitFor(100)).toMatchObject({ name: "KiB" });
    expect(unitFor(80 * GIB)).toMatchObject({ name: "MiB" });
    expect(unitFor(2000 * GIB)).toMatchObject({ name: "GiB" });
  });
  it("keeps the rows that moved most, in the order of the source", () => {
    const rows = reportFacts(input()).lines;
    expect(shownRows(rows, "net.py", 3).map((row) => row.line)).toEqual([2, 3, 11]);
  });
  it("draws bars", () => {
    expect(bar(1, 4, false)).toBe("████");
    expect(bar(0.5, 4, true)).toBe("##");
    expect(bar(0.0001, 4, false)).toBe("▏");
    expect(bar(0, 4, false)).toBe("");
  });
  it("names notes, known or not", () => {
    expect(noteName("en", "cublas_workspace:backward")).toBe("cuBLAS workspace");
    expect(noteName("en", "some_new_buffer")).toBe("some new buffer");
    expect(
      partsText("en", [
        { category: "gradient", note: null, bytes: -MIB },
        { category: "input", note: null, bytes: 512 },
      ]),
    ).toBe("- 1.00 MiB gradients + 512 bytes inputs");
  });
});
