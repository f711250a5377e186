/** What texts about memory that ran out say: rows of words and figures, for every wording that PyTorch has had and for those of its backends. */

import { table } from "../../base/table.ts";
import type { Quantity } from "../../trace/readings.ts";
import { figure, type Figure } from "./figures.ts";
import { GIB, KIB, MIB } from "../../base/bytes.ts";

const UNITS = table<number>({
  bytes: 1,
  B: 1,
  KiB: KIB,
  KB: KIB,
  MiB: MIB,
  MB: MIB,
  GiB: GIB,
  GB: GIB,
});
const SIZE = String.raw`(\d{1,19}(?:\.\d{1,9})?) ?(bytes|B|[KMG]i?B)`;

/** Texts that a failed request is known by. */
export const OOM_MARKS: readonly string[] = [
  "out of memory. Tried to allocate",
  "backend out of memory (",
  "would exceed allowed memory. (out of memory)",
  "OutOfMemoryError: Allocation on device",
  "CUDA error: out of memory",
  "CUDA error: CUBLAS_STATUS_ALLOC_FAILED",
  "cuda runtime error (2) : out of memory",
  "DefaultCPUAllocator: can't allocate memory",
  "DefaultCPUAllocator: not enough memory",
  'CUDACachingAllocator.cpp": NVML_SUCCESS == r INTERNAL ASSERT FAILED',
];

/** What a size in the text is called, in the order of the report. */
export type OomPart =
  | "tried"
  | "total"
  | "free"
  | "allowed"
  | "allocated"
  | "privatePools"
  | "reserved"
  | "unallocated"
  | "cached"
  | "thisProcess"
  | "elsewhere"
  | "host";

interface PartRow {
  readonly part: OomPart;
  readonly quantity: Quantity;
  /** What a report calls it. */
  readonly name: string;
  readonly form: RegExp;
}

const before = (words: string) => new RegExp(`${words}\\s{0,4}:?\\s{0,4}${SIZE}`);
const after = (words: string) => new RegExp(`${SIZE} ${words}`);

/** Each is looked for by itself, since releases differ in which sentences there are and in their order. */
export const OOM_PARTS: readonly PartRow[] = [
  { part: "tried", quantity: "other", name: "tried to allocate", form: before("Tried to allocate") },
  { part: "tried", quantity: "other", name: "tried to allocate", form: before("Requested") },
  { part: "total", quantity: "device_total", name: "total capacity", form: after("total capacity") },
  { part: "total", quantity: "device_total", name: "total capacity", form: before("total capaci?ty of") },
  { part: "total", quantity: "device_total", name: "device limit", form: before("Device limit") },
  { part: "free", quantity: "device_free", name: "free", form: before("of which") },
  { part: "free", quantity: "device_free", name: "free", form: after("free(?=[;.)])") },
  { part: "free", quantity: "device_free", name: "free", form: before("Free \\(according to CUDA\\)") },
  { part: "allowed", quantity: "device_total", name: "allowed", form: after("allowed;") },
  { part: "allowed", quantity: "device_total", name: "allowed", form: before("max allowed") },
  { part: "allowed", quantity: "device_total", name: "allowed", form: before("memory fraction\\)") },
  { part: "allocated", quantity: "allocated", name: "allocated by PyTorch", form: after("already allocated") },
  { part: "allocated", quantity: "allocated", name: "allocated by PyTorch", form: after("is allocated by PyTorch") },
  { part: "allocated", quantity: "allocated", name: "allocated by PyTorch", form: before("Currently allocated") },
  { part: "allocated", quantity: "allocated", name: "allocated by PyTorch", form: before("MPS allocated") },
  {
    part: "privatePools",
    quantity: "graphs",
    name: "allocated in private pools",
    form: after("allocated in private pools"),
  },
  { part: "reserved", quantity: "reserved", name: "reserved by PyTorch", form: after("reserved in total by PyTorch") },
  {
    part: "unallocated",
    quantity: "other",
    name: "reserved but unallocated",
    form: after("is reserved by PyTorch but unallocated"),
  },
  { part: "cached", quantity: "other", name: "cached beyond what is allocated", form: after("cached\\)") },
  { part: "thisProcess", quantity: "process", name: "this process", form: before("this process has") },
  { part: "elsewhere", quantity: "other", name: "other allocations", form: before("other allocations") },
  { part: "host", quantity: "host", name: "tried to allocate on the host", form: before("you tried to allocate") },
];

/** Other processes on the device, as NVML lists them. */
const PROCESSES = new RegExp(`Process (\\d{1,10}) has ${SIZE} memory in use`, "g");
const MOST_PROCESSES = 64;
const DEVICES = [/\bGPU (\d{1,3})\b/, /\(NPU (\d{1,3});/, /on device (\d{1,3}) would exceed/];

/** Which releases write so, by signs in the text; the first that is there. */
const WORDINGS: readonly (readonly [sign: RegExp, releases: string])[] = [
  [/optimizing-memory-usage-with-pytorch-cuda-alloc-conf/, "2.11 and later"],
  [/PYTORCH_ALLOC_CONF=/, "2.9 to 2.10"],
  [/expandable_segments:True/, "2.2 to 2.8"],
  [/total capacty of/, "2.1"],
  [/is reserved by PyTorch but unallocated/, "2.1 and later"],
  [/reserved in total by PyTorch\) If reserved memory is/, "1.10 to 2.0"],
  [/reserved in total by PyTorch\)/, "1.4 to 1.9"],
  [/ cached\)/, "1.0 to 1.3"],
  [/cuda runtime error \(2\)/, "0.4 and earlier"],
];

export interface OomText {
  readonly sizes: ReadonlyMap<OomPart, Figure>;
  /** Rows of {@link OOM_PARTS} that the sizes were found by, in their order. */
  readonly rows: readonly PartRow[];
  readonly processes: readonly { readonly process: number; readonly size: Figure }[];
  readonly device: number;
  readonly releases: string | null;
}

function sizeOf(number: string, unit: string): Figure | null {
  return figure(number, UNITS[unit] ?? 1);
}

/** What one such text says; `text` is on one line. */
export function readOom(text: string): OomText {
  const sizes = new Map<OomPart, Figure>();
  const rows: PartRow[] = [];
  for (const row of OOM_PARTS) {
    const { part, form } = row;
    if (sizes.has(part)) continue;
    const match = form.exec(text);
    const size = match === null ? null : sizeOf(match[1]!, match[2]!);
    if (size === null) continue;
    sizes.set(part, size);
    rows.push(row);
  }
  const processes: { process: number; size: Figure }[] = [];
  for (const [, process, number, unit] of text.matchAll(PROCESSES)) {
    const size = sizeOf(number!, unit!);
    if (size !== null && processes.length < MOST_PROCESSES) processes.push({ process: Number(process), size });
  }
  const device = DEVICES.map((form) => form.exec(text)?.[1]).find((found) => found !== undefined);
  return {
    sizes,
    rows,
    processes,
    device: device === undefined ? -1 : Number(device),
    releases: WORDINGS.find(([sign]) => sign.test(text))?.[1] ?? null,
  };
}
