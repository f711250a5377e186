/** TensorFlow: records of `get_memory_info`, and what the BFC allocator says when it has run out (XLA's and JAX's is the same). */

import { table } from "../../base/table.ts";
import { BINARY_UNITS, figure, timeOf } from "./figures.ts";
import { lineLog, type FoundLine, type LogRow } from "./line-log.ts";
import { NOWHERE, type DeviceProcess } from "./readings-builder.ts";

/** `GPU:0` before the record on its line. */
function placeOf(text: string): DeviceProcess {
  const match = /\bGPU[:_](\d{1,3})\b/i.exec(text.slice(0, 400));
  return match === null ? NOWHERE : { device: Number(match[1]), process: -1 };
}

function record({ text, line, place, out }: FoundLine, current: string | undefined, peak: string | undefined): void {
  const seconds = timeOf(text);
  const now = current === undefined ? null : figure(current, 1);
  const highest = peak === undefined ? null : figure(peak, 1);
  if (now !== null) out.sample("allocated", place, "", now, seconds, line);
  if (highest !== null) out.sample("allocated", place, "peak", highest, seconds, line);
}

// tf.config.experimental.get_memory_info: bytes that the allocator has handed out, now and at most; a Python dictionary or JSON.
const WHOLE = /\s*["']?:\s*(\d{1,16})\s*,\s*["']peak["']\s*:\s*(\d{1,16})/;
const REVERSED = /\s*["']?:\s*(\d{1,16})\s*,\s*["']current["']\s*:\s*(\d{1,16})/;

const RECORD_ROWS: readonly LogRow[] = ["'", '"'].flatMap((quote): LogRow[] => {
  const current = `${quote}current${quote}`;
  const peak = `${quote}peak${quote}`;
  return [
    {
      mark: current,
      form: new RegExp(current + WHOLE.source, "y"),
      read: (match, found) => record(found, match[1], match[2]),
    },
    {
      mark: peak,
      form: new RegExp(peak + REVERSED.source, "y"),
      read: (match, found) => record(found, match[2], match[1]),
    },
    // one entry in a line, as indented JSON has them
    {
      mark: current,
      form: new RegExp(`${current}\\s*:\\s*(\\d{1,16})\\s*,?\\s*$`, "y"),
      read: (match, found) => record(found, match[1], undefined),
      common: true,
    },
    {
      mark: peak,
      form: new RegExp(`${peak}\\s*:\\s*(\\d{1,16})\\s*,?\\s*$`, "y"),
      read: (match, found) => record(found, undefined, match[1]),
      common: true,
    },
  ];
});

export const tensorflowRecords = lineLog({
  id: "tensorflow-memory-info",
  title: "TensorFlow get_memory_info records",
  extensions: ["json", "jsonl", "txt", "log"],
  claim: 0.6,
  signs: [/"current"\s*:\s*\d+\s*,\s*"peak"\s*:\s*\d+/, /"peak"\s*:\s*\d+\s*,\s*"current"\s*:\s*\d+/],
  place: placeOf,
  rows: RECORD_ROWS,
});

// tensorflow/core/common_runtime/bfc_allocator.cc (tsl/framework since 2.10, xla/tsl since 2.18), DumpMemoryLog; sizes with a unit
// are HumanReadableNumBytes': powers of 1024.

function sized({ out, place, line }: FoundLine, name: string, size: string, unit: string, peak = false): void {
  const value = figure(size, BINARY_UNITS[unit.toLowerCase()]!);
  if (value !== null) out.fact("allocated", place, name, value, peak, line);
}

const STATISTICS = table<readonly ["allocated" | "reserved" | "other", string, boolean]>({
  Limit: ["other", "limit of the allocator", false],
  InUse: ["allocated", "in use", false],
  MaxInUse: ["allocated", "most in use", true],
  MaxAllocSize: ["other", "largest allocation", true],
  Reserved: ["other", "reserved outside the allocator", false],
  PeakReserved: ["other", "reserved outside the allocator, most", true],
  LargestFreeBlock: ["other", "largest free block", false],
});

export const bfcDump = lineLog({
  id: "tensorflow-bfc",
  title: "TensorFlow or JAX out-of-memory dump (BFC allocator)",
  claim: 0.9,
  place: placeOf,
  rows: [
    {
      mark: "ran out of memory trying to allocate ",
      form: /ran out of memory trying to allocate ([\d.]+)([KMGT]?i?B)(?: \(rounded to (\d+)\))?(?: ?requested by op (\S{1,200}))?/y,
      read: (match, found) => {
        const { out, place, line } = found;
        const exact = match[3] === undefined ? null : figure(match[3], 1);
        if (exact !== null) out.fact("requested", place, "tried to allocate", exact, false, line);
        else {
          const value = figure(match[1]!, BINARY_UNITS[match[2]!.toLowerCase()]!);
          if (value !== null) out.fact("requested", place, "tried to allocate", value, false, line);
        }
        if (match[4] !== undefined) out.note("operator", match[4], line);
      },
    },
    {
      mark: "BFCAllocator dump for ",
      form: /BFCAllocator dump for (\w{1,60})/y,
      gives: [{ note: "allocator" }],
    },
    {
      mark: "Bin (",
      form: /Bin \((\d+)\):\s+Total Chunks: (\d+), Chunks in use: (\d+)\./y,
      common: true,
    },
    {
      mark: " at ",
      form: / at (?:0x)?[0-9a-f]{4,16} of size (\d{1,16})\b/y,
      read: (match, { text, place, out }) => {
        const isFree = /\bFree\s+$/.test(text.slice(0, match.index + 1).slice(-12));
        if (isFree) out.total("other", place, "chunks free", Number(match[1]));
      },
      common: true,
    },
    {
      mark: " Chunks of size ",
      form: / Chunks of size (\d{1,16}) totalling ([\d.]+)([KMGT]?i?B)/y,
      read: (match, found) => {
        const before = /(\d{1,9})$/.exec(found.text.slice(0, match.index).slice(-12));
        const count = before === null ? 0 : Number(before[1]);
        const bytes = count * Number(match[1]);
        // The total is rounded; the count and the size are not.
        if (count > 0 && Number.isSafeInteger(bytes)) {
          const name = `${count} × ${match[1]} bytes`;
          found.out.fact("other", found.place, name, { bytes, roundingBytes: 0 }, false, found.line);
        }
      },
    },
    {
      mark: "Sum Total of in-use chunks: ",
      form: /Sum Total of in-use chunks: ([\d.]+)([KMGT]?i?B)/y,
      read: (match, found) => sized(found, "in-use chunks", match[1]!, match[2]!),
    },
    {
      mark: "total_region_allocated_bytes_: ",
      form: /total_region_allocated_bytes_: (\d+) memory_limit_: (\d+) available bytes: (-?\d+)/y,
      gives: [
        { fact: "reserved", name: "in the pool", unit: 1 },
        { fact: "other", name: "limit of the allocator", unit: 1 },
        { fact: "other", name: "not yet taken of the limit", unit: 1 },
      ],
    },
    {
      mark: "Total bytes in pool: ",
      form: /Total bytes in pool: (\d+) memory_limit_: (\d+) available bytes: (-?\d+)/y,
      gives: [
        { fact: "reserved", name: "in the pool", unit: 1 },
        { fact: "other", name: "limit of the allocator", unit: 1 },
        { fact: "other", name: "not yet taken of the limit", unit: 1 },
      ],
    },
    ...Object.entries(STATISTICS).map(([key, [quantity, name, peak]]): LogRow => ({
      mark: `${key}: `,
      form: new RegExp(`${key}:\\s+(\\d{1,16})\\s*$`, "y"),
      read: (match, { text, place, out, line }) => {
        // The statistics stand alone in their lines; `InUse: ` is the end of `MaxInUse: `.
        const value = text.startsWith(key) ? figure(match[1]!, 1) : null;
        if (value !== null && value.bytes > 0) out.fact(quantity, place, name, value, peak, line);
      },
      common: true,
    })),
    {
      mark: "NumAllocs: ",
      form: /NumAllocs:\s+(\d{1,16})\s*$/y,
      gives: [{ note: "allocations" }],
      common: true,
    },
  ],
});
