/**
 * Every format of the list against 10,000 inputs (20,000 by `npm run fuzz`) made from its samples by a fixed seed: bytes changed, cut out, doubled, put in, numbers
 * made huge or negative. Each is read or refused with a diagnostic: no other exception, no hang, no large memory.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../../src/base/diagnostic.ts";
import { MIB } from "../../src/base/bytes.ts";
import { exportBytes } from "../../src/exports/index.ts";
import type { ForeignFormat } from "../../src/formats/foreign-format.ts";
import { FOREIGN_FORMATS } from "../../src/formats/foreign-formats.ts";
import { openFile, sniffFormat } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import { en } from "../../src/i18n/en.ts";
import { contradictions } from "../../src/trace/contradictions.ts";
import { writeTrace } from "../../src/trace/file.ts";
import { verifyTrace } from "../../src/trace/verify.ts";
import { ROOT } from "../helpers.ts";
import { sampleTrace } from "../trace/sample.ts";

/** `npm run fuzz` takes more, and another seed where one is given. */
const ROUNDS = Number(process.env["VRAMSCOPE_FUZZ_ROUNDS"] ?? 10_000);
const SEED = Number(process.env["VRAMSCOPE_FUZZ_SEED"] ?? 20_260_101);
/** Longer samples are used from their beginning, so that 10,000 of them take seconds. */
const LONGEST_SAMPLE = 2500;
/** No input is longer than this, so none may take this long, on the slowest machine. */
const MOST_MILLISECONDS = 3000;
const MOST_HEAP_BYTES = 512 * MIB;

function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const HOSTILE = [
  "99999999999999999999999",
  "-1",
  "NaN",
  "1e308",
  "0",
  "\u0000",
  "\ufffd",
  '"__proto__":',
  "[[[[[[[[",
  "}}}}",
  "\n".repeat(50),
  " ".repeat(500),
  "|".repeat(200),
  "9".repeat(400),
  "a".repeat(3000),
].map((text) => new TextEncoder().encode(text));

function splice(bytes: Uint8Array, from: number, to: number, middle: Uint8Array): Uint8Array {
  const result = new Uint8Array(from + middle.length + bytes.length - to);
  result.set(bytes.subarray(0, from));
  result.set(middle, from);
  result.set(bytes.subarray(to), from + middle.length);
  return result;
}

/** The digits at or after a place, as a range; empty where there are none near. */
function digitsFrom(bytes: Uint8Array, place: number): [number, number] {
  const isDigit = (at: number) => bytes[at]! >= 0x30 && bytes[at]! <= 0x39;
  let from = place;
  while (from < bytes.length && from < place + 64 && !isDigit(from)) from++;
  let to = from;
  while (to < bytes.length && isDigit(to)) to++;
  return [from, to];
}

function mutated(sample: Uint8Array, random: (below: number) => number): Uint8Array {
  let bytes: Uint8Array = Uint8Array.from(sample);
  for (let change = random(5); change >= 0; change--) {
    const at = random(bytes.length + 1);
    const length = random(40);
    const end = Math.min(bytes.length, at + length);
    switch (random(7)) {
      case 0:
        if (at < bytes.length) bytes[at] = random(256);
        break;
      case 1:
        bytes = splice(bytes, at, end, new Uint8Array(0));
        break;
      case 2:
        bytes = splice(bytes, at, at, bytes.slice(at, end));
        break;
      case 3:
        bytes = splice(
          bytes,
          at,
          at,
          Uint8Array.from({ length: length % 8 }, () => random(256)),
        );
        break;
      case 4:
        bytes = bytes.slice(0, at);
        break;
      case 5:
        bytes = splice(bytes, at, end, HOSTILE[random(HOSTILE.length)]!);
        break;
      default: {
        const [from, to] = digitsFrom(bytes, at);
        bytes = splice(bytes, from, to, HOSTILE[random(5)]!);
      }
    }
  }
  return bytes;
}

/** Files by the format that they are recognised as. */
function samplesByFormat(): Map<string, Uint8Array[]> {
  const samples = new Map<string, Uint8Array[]>();
  const add = (name: string, bytes: Uint8Array): void => {
    const format = sniffFormat(bytesReader(bytes), name);
    if (format !== null) samples.set(format.id, [...(samples.get(format.id) ?? []), bytes]);
  };
  for (const folder of ["test/formats/samples", "test/formats/own"]) {
    for (const name of readdirSync(join(ROOT, folder))) add(name, readFileSync(join(ROOT, folder, name)));
  }
  const pickles = JSON.parse(readFileSync(join(ROOT, "test/formats/pickle-samples.json"), "utf8")) as {
    snapshots: Record<string, string>;
  };
  for (const [name, base64] of Object.entries(pickles.snapshots)) add(`${name}.pickle`, Buffer.from(base64, "base64"));
  add("ours.pickle", exportBytes("snapshot", sampleTrace()));
  add("chrome.json", exportBytes("chrome", sampleTrace()));
  add("trace.json", new TextEncoder().encode(writeTrace(sampleTrace())));
  return samples;
}

/** Reads an input as this format, and as whatever it looks like; a problem as text, or null. */
function attempt(format: ForeignFormat, bytes: Uint8Array, sniffs: boolean): string | null {
  const started = performance.now();
  try {
    const opened = sniffs
      ? openFile(bytesReader(bytes), { name: "input" })
      : format.read(bytesReader(bytes), { name: "input" });
    const problem = opened.trace === null ? undefined : verifyTrace(opened.trace, { limit: 1 })[0];
    // what a recording says is shown as it is, with a sentence beside it where it cannot have been
    if (problem !== undefined && contradictions(opened.trace!).length === 0)
      return `${problem.code} ${JSON.stringify(problem.args)}`;
  } catch (error) {
    if (!(error instanceof DiagnosticError))
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (!Object.hasOwn(en, error.diagnostic.code)) return `no wording for ${error.diagnostic.code}`;
  }
  const milliseconds = performance.now() - started;
  return milliseconds > MOST_MILLISECONDS ? `${Math.round(milliseconds)} ms` : null;
}

const samples = samplesByFormat();

describe("changed samples are read or refused", () => {
  it.each(FOREIGN_FORMATS.filter(({ id }) => samples.has(id)).map((format) => [format.id, format] as const))(
    "%s",
    (id, format) => {
      const random = randomNumbers(SEED);
      const own = samples.get(id)!.map((sample) => sample.slice(0, LONGEST_SAMPLE));
      const problems: string[] = [];
      for (let round = 0; round < ROUNDS && problems.length < 3; round++) {
        const bytes = mutated(own[round % own.length]!, random);
        const problem = attempt(format, bytes, round % 10 === 0);
        if (problem !== null) problems.push(`round ${round}: ${problem.slice(0, 600)}`);
      }
      expect(problems).toEqual([]);
      expect(process.memoryUsage().heapUsed).toBeLessThan(MOST_HEAP_BYTES);
    },
    Math.max(120_000, ROUNDS * 12),
  );

  it("covers the formats of PyTorch and our own", () => {
    for (const id of [
      "pytorch-snapshot",
      "vramscope-trace",
      "vramscope-chrome",
      "memory-summary",
      "memory-stats",
      "oom-text",
    ]) {
      expect(samples.has(id), id).toBe(true);
    }
  });
});
