/** The HTML report and the pictures: self-contained, well-formed, and safe whatever the program is called. */

import { describe, expect, test } from "vitest";
import type { AutogradGraph } from "../../src/autograd/graph-view.ts";
import { exportText } from "../../src/exports/index.ts";
import { layered } from "../../src/exports/layers.ts";
import { timelineColumns } from "../../src/exports/timeline.ts";
import { TraceBuilder } from "../../src/trace/builder.ts";
import { categoriesAt, peakEvent } from "../../src/trace/queries.ts";
import { CATEGORIES, type Trace } from "../../src/trace/model.ts";
import { MIB } from "../../src/base/bytes.ts";
import { block, META, sampleTrace } from "../trace/sample.ts";
import { longTrace } from "./long-trace.ts";

const EVIL = `</script></style></title><img src=x onerror=alert(1)>'"&\u0000\ud800`;

function hostileTrace(): Trace {
  const t = new TraceBuilder();
  const frame = t.frame(-1, EVIL, 3, EVIL);
  t.segment("segment_alloc", 0, 2 * MIB, { frame, op: t.op(EVIL) }, 0, 2 * MIB);
  const fields = { frame, op: t.op(EVIL), module: t.module(EVIL), dtype: EVIL, shape: [1], note: EVIL };
  t.alloc(block({ address: 0, bytes: 512, ...fields }), 512, 2 * MIB);
  t.assumption(EVIL, { op: EVIL }, frame);
  return t.finish({ ...META, program: EVIL, gpu: EVIL, torch: EVIL });
}

const VOID = new Set(["meta", "br"]);

/** Tags in order, checked to be closed in order; elements of SVG may close themselves. */
function tagsOf(markup: string): string[] {
  const open: string[] = [];
  const tags: string[] = [];
  const text = markup.replace(/^<!doctype html>/, "").replace(/<style>[^<]*<\/style>/g, "");
  for (const [, closing, name, rest] of text.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*="[^"<]*")*\s*\/?)>/gi,
  )) {
    if (closing) expect(open.pop()).toBe(name);
    else {
      tags.push(name!);
      if (!VOID.has(name!) && !rest!.endsWith("/")) open.push(name!);
    }
  }
  expect(open).toEqual([]);
  // nothing that looks like a tag is left
  expect(text.replaceAll(/<\/?[a-z][a-z0-9]*(?:\s+[a-zA-Z][a-zA-Z0-9-]*="[^"<]*")*\s*\/?>/gi, "")).not.toContain("<");
  return tags;
}

const sourceOf = () => ["w = weight()", "y = net(w)", "y.sum().backward()"];

describe("the HTML report", () => {
  test.each(["en", "zh"] as const)("is one well-formed page without script or network: %s", (locale) => {
    for (const trace of [sampleTrace(), longTrace(3000), hostileTrace(), new TraceBuilder().finish(META)]) {
      const html = exportText("html", trace, { locale, sourceOf });
      const tags = new Set(tagsOf(html));
      expect(html.startsWith("<!doctype html>")).toBe(true);
      for (const tag of ["script", "img", "link", "iframe", "a", "form", "object"]) expect(tags).not.toContain(tag);
      expect(html).toContain(`default-src 'none'`);
      expect(html).not.toMatch(/\s(src|href|on\w+)\s*=\s*"/);
      expect(html).not.toMatch(/\p{Surrogate}/u);
      expect(html).not.toContain("\u0000");
    }
  });

  test("has verdict, three numbers, composition, lines with source and findings", () => {
    const html = exportText("html", sampleTrace(), { locale: "en", sourceOf });
    const text = html.replaceAll(/<style>[^<]*<\/style>/g, "").replaceAll(/<[^>]+>/g, "\n");
    for (const words of [
      "memory_allocated()",
      "memory_reserved()",
      "nvidia-smi",
      "parameters",
      "activations",
      "net.py:12",
      "y.sum().backward()",
      "aten::addmm",
    ]) {
      expect(text).toContain(words);
    }
  });

  test("speaks the reader's language", () => {
    expect(exportText("html", sampleTrace(), { locale: "zh" })).toContain('lang="zh-CN"');
    expect(exportText("html", sampleTrace(), { locale: "zh" })).toContain("峰值");
  });

  test("fits a phone and both colour schemes", () => {
    const html = exportText("html", sampleTrace());
    expect(html).toContain("width=device-width");
    expect(html).toContain("@media (max-width: 620px)");
    expect(html).toContain("prefers-color-scheme: dark");
  });
});

describe("the timeline", () => {
  test("shows the peak, and categories that sum to it", () => {
    const trace = longTrace(5000);
    const columns = timelineColumns(trace, 100);
    expect(columns.length).toBe(100);
    const peak = peakEvent(trace);
    const highest = columns.reduce((a, b) => (b.allocatedBytes > a.allocatedBytes ? b : a));
    expect(highest.allocatedBytes).toBe(trace.events.allocatedBytes[peak]);
    for (const column of columns) {
      expect(column.bytes.reduce((sum, bytes) => sum + bytes, 0)).toBe(column.allocatedBytes);
      for (const { category, bytes } of categoriesAt(trace, column.event)) {
        expect(column.bytes[CATEGORIES.indexOf(category)]).toBe(bytes);
      }
    }
  });

  test("of a short trace has a column per event", () => {
    expect(timelineColumns(sampleTrace(), 460).length).toBe(sampleTrace().events.kind.length);
  });
});

describe("the autograd graph", () => {
  const tensor = { shape: [4, 4], dtype: "float32", bytes: 64, block: 0 };
  const graph: AutogradGraph = {
    nodes: [
      { name: EVIL, frame: 0, module: -1, saved: [{ slot: "self", ...tensor }], leaf: null, next: [1, 2] },
      { name: "MmBackward0", frame: 0, module: 0, saved: [{ slot: "mat2", ...tensor }], leaf: null, next: [2] },
      { name: "AccumulateGrad", frame: 0, module: -1, saved: [], leaf: tensor, next: [] },
    ],
    roots: [0],
    leftOut: 0,
    event: 5,
  };

  test("as DOT: nodes, edges, and no way out of a label", () => {
    const dot = exportText("graph", hostileTrace(), { graph });
    const statements = dot.split("\n").slice(4, -2);
    const label = String.raw`"(?:[^"\\]|\\.)*"`;
    for (const line of statements) {
      expect(line).toMatch(new RegExp(String.raw`^  (?:n\d+ \[label=${label}, fillcolor="#\w{6}"\]|n\d+ -> n\d+);$`));
    }
    expect(statements.filter((line) => line.includes("->")).length).toBe(3);
    // two slots on one storage are one
    expect(dot).toContain("3 nodes keep 64 bytes");
  });

  test("as SVG: well-formed, each node below those that lead to it", () => {
    const svg = exportText("graph-svg", hostileTrace(), { graph });
    const tags = tagsOf(svg);
    expect(tags.filter((tag) => tag === "rect").length).toBe(3);
    const tops = [...svg.matchAll(/<rect class="\w+" x="[\d.]+" y="([\d.]+)"/g)].map((match) => Number(match[1]));
    expect(tops[1]).toBeGreaterThan(tops[0]!);
    expect(tops[2]).toBeGreaterThan(tops[1]!);
  });

  test("layers: a node is as deep as the longest way to it", () => {
    expect(layered([[1, 2], [3], [3], [4], []]).map(({ layer }) => layer)).toEqual([0, 1, 1, 2, 3]);
    expect(layered([]).length).toBe(0);
  });
});
