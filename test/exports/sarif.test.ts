/** SARIF by the rules of its specification, 2.1.0: what a consumer must find, and what it must not. */

import { describe, expect, it } from "vitest";
import { exportText, findExport } from "../../src/exports/index.ts";
import { fileReference } from "../../src/exports/sarif.ts";
import { traceFacts } from "../../src/exports/trace-facts.ts";
import { FINDING_CODES, type Finding } from "../../src/explain/index.ts";
import { sampleTrace } from "../trace/sample.ts";

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { text: string };
  readonly locations: {
    physicalLocation: { artifactLocation: { uri: string }; region?: { startLine: number } };
  }[];
}
interface Log {
  readonly $schema: string;
  readonly version: string;
  readonly runs: {
    tool: { driver: { name: string; rules: { id: string; name: string; shortDescription: { text: string } }[] } };
    results: Result[];
    columnKind: string;
  }[];
}

const trace = sampleTrace();
const finding = (code: Finding["code"], frame: number): Finding => ({ code, args: {}, parts: [], frame, event: 0 });
const findings = [finding("float32_logits", 0), finding("oom_request", 0), finding("float32_logits", -1)];
const log = JSON.parse(
  [...findExport("sarif").write(trace, { facts: { ...traceFacts(trace), findings } })].join(""),
) as Log;

describe("SARIF", () => {
  it("is a log of version 2.1.0 with one run and a named tool", () => {
    expect([log.version, log.runs.length, log.runs[0]!.tool.driver.name]).toEqual(["2.1.0", 1, "VRAMScope"]);
    expect(log.$schema).toMatch(/sarif-schema-2\.1\.0\.json$/);
  });

  it("has each rule once, and results that point at theirs (3.27.6)", () => {
    const { rules } = log.runs[0]!.tool.driver;
    expect(rules.map(({ id }) => id)).toEqual(["float32_logits", "oom_request"]);
    for (const { ruleId, ruleIndex } of log.runs[0]!.results) expect(rules[ruleIndex]!.id).toBe(ruleId);
    for (const { id, name, shortDescription } of rules) {
      expect(FINDING_CODES).toContain(id);
      expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
      expect(shortDescription.text).not.toBe("");
    }
  });

  it("has a level, a text, and a place where the finding has one (3.27.10 to 12)", () => {
    const { results } = log.runs[0]!;
    expect(results.map(({ level }) => level)).toEqual(["note", "error", "note"]);
    expect(results.map(({ locations }) => locations.length)).toEqual([1, 1, 0]);
    for (const { message, locations } of results) {
      expect(message.text).not.toBe("");
      for (const { physicalLocation } of locations) {
        expect(physicalLocation.artifactLocation.uri).toBe(fileReference(trace.frames[0]!.file));
        expect(physicalLocation.region!.startLine).toBe(trace.frames[0]!.line);
      }
    }
  });

  it("writes paths as references of URIs (3.4.3)", () => {
    expect(fileReference("src/a b#1.py")).toBe("src/a%20b%231.py");
    expect(fileReference("/home/ü/a.py")).toBe("file:///home/%C3%BC/a.py");
    expect(fileReference("C:\\x\\a.py")).toBe("file:///C:/x/a.py");
    expect(fileReference("<stdin>")).toBeNull();
  });

  it("is there without findings, too", () => {
    expect((JSON.parse(exportText("sarif", trace)) as Log).runs[0]!.results).toEqual(expect.any(Array));
  });
});
