/** Our own readings and estimates as files: what they say, that they come back as written, and what is made of broken ones. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../src/base/diagnostic.ts";
import { estimateFile } from "../../src/formats/estimate-file.ts";
import type { ForeignFormat } from "../../src/formats/foreign-format.ts";
import { openFile, sniffFormat } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { readingsFile, writeReadings } from "../../src/formats/readings-file.ts";
import { isMessageCode } from "../../src/i18n/index.ts";
import { ROOT } from "../helpers.ts";

const SAMPLES: Readonly<Record<string, ForeignFormat>> = {
  "watch.json": readingsFile, // of a stand-in for nvidia-smi
  "record.json": readingsFile, // PyTorch 2.14 on a stand-in for the device
  "estimate-vllm.json": estimateFile,
};
const bytesOf = (name: string): Uint8Array => readFileSync(join(ROOT, "test/formats/own", name));
const textOf = (name: string): string => new TextDecoder().decode(bytesOf(name));
const open = (content: Uint8Array | string, name = "x.json") =>
  openFile(bytesReader(typeof content === "string" ? new TextEncoder().encode(content) : content), { name });

/** Code of the diagnostic, or `read`. */
function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostic.code;
    throw error;
  }
  return "read";
}

describe("samples", () => {
  it.each(Object.entries(SAMPLES))("%s is told by its content", (name, format) => {
    expect(sniffFormat(bytesReader(bytesOf(name)), "unknown")?.id).toBe(format.id);
  });

  it("of readings come back as they were written", () => {
    for (const name of ["watch.json", "record.json"]) {
      const { readings } = open(bytesOf(name));
      expect(open(writeReadings(readings!)).readings).toEqual(readings);
    }
  });

  it("of a recorded program have lines and counters", () => {
    const { readings } = open(bytesOf("record.json"));
    const after = readings!.series.find(({ label, quantity }) => label === "after line" && quantity === "allocated")!;
    expect([Math.max(...after.bytes), after.lines![1], after.bytes[1]]).toEqual([34890752, 13, 4200448]);
    expect(readings!.facts.find(({ name }) => name === "max_memory_allocated")).toMatchObject({
      bytes: 38566400,
      peak: true,
    });
  });

  it("of an estimate have parts added up, and a cache as open as the others together", () => {
    const { facts, notes } = open(bytesOf("estimate-vllm.json")).readings!;
    const weights = facts.find(({ quantity }) => quantity === "weights")!;
    expect(weights.bytes).toBe(16060522496 + 33554432);
    const open_ = (quantity: string) => facts.find((fact) => fact.quantity === quantity)!.roundingBytes;
    expect(open_("kv_cache")).toBe(open_("activations") + open_("context") + open_("graphs"));
    expect(notes).toContainEqual({ name: "KV cache tokens", value: 461040, line: -1 });
  });
});

describe("broken files", () => {
  const watch = JSON.parse(textOf("watch.json")) as Record<string, unknown> & { series: Record<string, unknown>[] };
  const changed = (change: object): string => JSON.stringify({ ...watch, ...change });
  const withSeries = (change: object): string => changed({ series: [{ ...watch.series[0], ...change }] });

  it.each([
    ["cut off", textOf("watch.json").slice(0, 500), "readings_not_json"],
    ["of a later schema", changed({ schemaVersion: 2 }), "readings_newer_schema"],
    ["without a schema", changed({ schemaVersion: "1" }), "readings_bad_field"],
    ["with columns of different lengths", withSeries({ seconds: [1] }), "readings_bad_field"],
    ["with a negative size", withSeries({ bytes: [-1], seconds: [0] }), "readings_bad_field"],
    ["with a text for a size", withSeries({ bytes: ["1"], seconds: [0] }), "readings_bad_field"],
    ["with a line beyond 32 bits", withSeries({ bytes: [1], seconds: [0], lines: [2 ** 40] }), "readings_bad_field"],
    ["with an unknown quantity", withSeries({ quantity: "__proto__" }), "readings_bad_field"],
    ["with facts that are none", changed({ facts: [null] }), "readings_bad_field"],
    ["without notes", changed({ notes: undefined }), "readings_bad_field"],
  ])("%s", (_, text, code) => {
    expect(codeOf(() => open(text))).toBe(code);
    expect(isMessageCode(code)).toBe(true);
  });

  it("of estimates", () => {
    const estimate = JSON.parse(textOf("estimate-vllm.json")) as Record<string, unknown>;
    const code = (change: object) => codeOf(() => open(JSON.stringify({ ...estimate, ...change })));
    expect(code({ servings: [] })).toBe("estimate_file_bad_field");
    expect(code({ servings: [{ parts: [{ code: "weights", bytes: -1, lowBytes: 0, highBytes: 0 }] }] })).toBe(
      "estimate_file_bad_field",
    );
    expect(code({ schemaVersion: 9 })).toBe("estimate_file_newer_schema");
    expect(codeOf(() => open(textOf("estimate-vllm.json").slice(0, 900)))).toBe("estimate_file_not_json");
  });
});
