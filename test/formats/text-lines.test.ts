/** What readers of logs stand on: lines across chunks, sizes with their rounding, times, and series of any length. */

import { describe, expect, it } from "vitest";
import { csvFields } from "../../src/formats/logs/csv-row.ts";
import { figure, numberOf, sizeFigure, timeOf } from "../../src/formats/logs/figures.ts";
import { NOWHERE, ReadingsBuilder } from "../../src/formats/logs/readings-builder.ts";
import { eachLine, LONGEST_LINE } from "../../src/formats/logs/text-lines.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";

const MIB = 2 ** 20;

function linesOf(bytes: Uint8Array): { lines: [number, string][]; seen: ReturnType<typeof eachLine> } {
  const lines: [number, string][] = [];
  const seen = eachLine(bytesReader(bytes), (text, line) => void lines.push([line, text]));
  return { lines, seen };
}

describe("lines", () => {
  it("are whole across chunks, characters of several bytes, too", () => {
    const texts = Array.from({ length: 60_000 }, (_, index) => `${index} ${"€".repeat(index % 23)} é`);
    for (const end of ["\n", "\r\n"]) {
      const { lines, seen } = linesOf(new TextEncoder().encode(texts.join(end)));
      expect(seen).toEqual({ lines: texts.length, cutLines: 0 });
      expect(lines.every(([line, text]) => text === texts[line - 1])).toBe(true);
    }
  });

  it("are cut, counted and numbered on where they are too long", () => {
    const long = "x".repeat(3 * MIB);
    const { lines, seen } = linesOf(new TextEncoder().encode(`a\n${long}\nb\n`));
    expect(lines.map(([line, text]) => [line, text.length])).toEqual([
      [1, 1],
      [2, LONGEST_LINE],
      [3, 1],
    ]);
    expect(seen).toEqual({ lines: 3, cutLines: 1 });
  });

  it("have what a progress bar overwrote, under one number", () => {
    const { lines } = linesOf(new TextEncoder().encode("one\r two\r\rthree\nfour"));
    expect(lines).toEqual([
      [1, "one"],
      [1, " two"],
      [1, "three"],
      [2, "four"],
    ]);
  });
});

describe("figures", () => {
  it("know what their last digit leaves open", () => {
    expect(figure("12.5", MIB)).toEqual({ bytes: 12.5 * MIB, roundingBytes: Math.round(MIB / 20) });
    expect(figure("12", MIB)).toEqual({ bytes: 12 * MIB, roundingBytes: MIB / 2 });
    expect(figure("512", 1)).toEqual({ bytes: 512, roundingBytes: 0 });
    expect(figure("1,024", 1)).toEqual({ bytes: 1024, roundingBytes: 0 });
    expect(sizeFigure("1.25 GiB")?.bytes).toBe(1.25 * 2 ** 30);
    expect([figure("99999999999999999999", MIB), figure("NaN", 1), sizeFigure("3 parsecs"), numberOf("1e999")]).toEqual(
      [null, null, null, null],
    );
  });

  it("read times as logs write them", () => {
    const at = Date.UTC(2025, 2, 14, 9, 26, 53) / 1000;
    for (const text of [
      "2025-03-14 09:26:53,250 INFO",
      "[2025-03-14T09:26:53.25Z]",
      "2025/03/14 09:26:53.250, 0",
      "[03/14/2025-09:26:53.25] x",
    ]) {
      expect(timeOf(text)).toBe(at + 0.25);
    }
    expect(timeOf("Fri Mar 14 09:26:53 2025")).toBe(at);
    expect(timeOf("INFO 03-14 09:26:53 [core.py:58]")).toBeNull();
  });

  it("stand between commas, quoted or not", () => {
    expect(csvFields('a, "b, ""c""", ,d')).toEqual(["a", 'b, "c"', "", "d"]);
    expect(csvFields('"open, end')).toEqual(["open, end"]);
  });
});

describe("readings", () => {
  it("keep the highest of neighbours when there are millions", () => {
    const out = new ReadingsBuilder();
    const count = 4_100_000;
    const peakAt = 3_333_333;
    for (let index = 0; index < count; index++) {
      const bytes = index === peakAt ? 10 ** 12 : index;
      out.sample("device_used", { device: 0, process: -1 }, "", { bytes, roundingBytes: 0 }, 100 + index, index + 1);
    }
    const { readings, notes } = out.finish("test", "file");
    const [series] = readings.series;
    expect(series!.bytes.length).toBeLessThan(count);
    const most = series!.bytes.reduce((high, value) => Math.max(high, value), 0);
    expect(most).toBe(10 ** 12);
    const row = series!.bytes.indexOf(most);
    expect([series!.lines![row], series!.seconds![row]]).toEqual([peakAt + 1, peakAt]);
    expect(series!.bytes.at(-1)).toBe(count - 1);
    expect(notes.map(({ code }) => code)).toEqual(["log_thinned"]);
  });

  it("say once what a log says with more and with fewer digits", () => {
    const out = new ReadingsBuilder();
    out.fact("weights", NOWHERE, "weights", figure("13.50", 2 ** 30)!, false, 1);
    out.fact("weights", NOWHERE, "weights", figure("13.4966", 2 ** 30)!, false, 2);
    out.fact("weights", NOWHERE, "weights", figure("14.2", 2 ** 30)!, false, 3);
    const { facts } = out.finish("test", "file").readings;
    expect(facts.map(({ bytes, line }) => [bytes, line])).toEqual([
      [Math.round(13.4966 * 2 ** 30), 1],
      [Math.round(14.2 * 2 ** 30), 3],
    ]);
  });
});
