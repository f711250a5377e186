/** What the tests of logs ask of an opened file. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DiagnosticError } from "../../src/base/diagnostic.ts";
import type { OpenedFile } from "../../src/formats/foreign-format.ts";
import { openFile } from "../../src/formats/open-file.ts";
import { bytesReader } from "../../src/formats/range-reader.ts";
import type { Quantity } from "../../src/trace/readings.ts";
import { ROOT } from "../helpers.ts";

export const MIB = 2 ** 20;
export const GIB = 2 ** 30;
export const sample = (name: string): Uint8Array => readFileSync(join(ROOT, "test/formats/samples", name));
export const open = (name: string): OpenedFile => openFile(bytesReader(sample(name)), { name });
export const openText = (text: string, name = "x.log"): OpenedFile =>
  openFile(bytesReader(new TextEncoder().encode(text)), { name });

/** `[device, process, bytes]` of the facts of a quantity and name. */
export const facts = ({ readings }: OpenedFile, quantity: Quantity, name: string) =>
  readings!.facts
    .filter((fact) => fact.quantity === quantity && fact.name === name)
    .map(({ device, process, bytes }) => [device, process, bytes]);

export const series = ({ readings }: OpenedFile, quantity: Quantity, device = -1, label = "") =>
  readings!.series.find(
    (one) => one.quantity === quantity && one.device === device && (one.label === label || one.process >= 0),
  )!;
export const bytesOf = (opened: OpenedFile, quantity: Quantity, device = -1, label = "") => [
  ...series(opened, quantity, device, label).bytes,
];
export const notes = ({ readings }: OpenedFile) =>
  Object.fromEntries(readings!.notes.map(({ name, value }) => [name, value]));
export const codes = ({ notes: remarks }: OpenedFile) => remarks.map(({ code }) => code);

export function codeOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostic.code;
    throw error;
  }
  return "read";
}

export const gib = (value: number): number => Math.round(value * GIB);
