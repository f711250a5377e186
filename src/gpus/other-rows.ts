/**
 * Cards of other vendors that programs run on here: AMD's with the same caching allocator, others as so much memory. What that means is in
 * the report of each run.
 */

import { GIB, MIB } from "../base/bytes.ts";
import { OTHER_ACCELERATORS, type OtherAccelerator } from "./other.ts";
import { metalBytes } from "./metal.ts";
import { contextGiB, smOf, type ContextBytes, type GpuRow } from "./row.ts";

/** How a vendor's memory relates to the simulation; `code` words it in reports. */
interface VendorRule {
  readonly vendor: string;
  readonly code: "gpu_hip" | "gpu_mps" | "gpu_capacity";
  /** What PyTorch answers as compute capability, by architecture; absent: that of an A100. */
  readonly capabilities: Readonly<Record<string, string>>;
  /** Workspace of the matrix library for each handle and stream, by architecture; absent: as with CUDA. */
  readonly workspaceMiB: Readonly<Record<string, number>>;
  readonly context: ContextBytes;
}

const NOTHING = "no figure published for this vendor";

const VENDORS: readonly VendorRule[] = [
  {
    vendor: "AMD",
    code: "gpu_hip",
    capabilities: { CDNA: "9.0", CDNA2: "9.0", CDNA3: "9.4", CDNA4: "9.5", RDNA3: "11.0", RDNA4: "12.0" },
    // CublasHandlePool.cpp, parseChosenWorkspaceSize: 128 MiB on gfx94 and gfx95, 32 MiB on others
    workspaceMiB: { CDNA: 32, CDNA2: 32, CDNA3: 128, CDNA4: 128, RDNA2: 32, RDNA3: 32, RDNA4: 32 },
    context: contextGiB(0.3, 0.6, 2, "recalled", NOTHING),
  },
  {
    vendor: "Apple",
    code: "gpu_mps",
    capabilities: {},
    workspaceMiB: {},
    context: contextGiB(0, 0.1, 0.5, "recalled", NOTHING),
  },
  {
    vendor: "Intel",
    code: "gpu_capacity",
    capabilities: {},
    workspaceMiB: {},
    context: contextGiB(0.2, 0.5, 2, "recalled", NOTHING),
  },
  {
    vendor: "Huawei",
    code: "gpu_capacity",
    capabilities: {},
    workspaceMiB: {},
    context: contextGiB(0.5, 1, 3, "recalled", NOTHING),
  },
];

/** What AMD's tools show is this much less than the box says. */
const HIDDEN_MIB = 16;

/** Bytes that programs can have of a card with `memoryGiB`. */
export function otherTotalBytes({ vendor, memoryGiB, memoryMiB, unified }: OtherAccelerator): number {
  if (memoryMiB !== undefined) return memoryMiB * MIB;
  if (unified === true && vendor === "Apple") return metalBytes(memoryGiB * GIB);
  return memoryGiB * GIB - (unified === true ? 0 : HIDDEN_MIB * MIB);
}

const DEFAULT_CAPABILITY = "8.0";

function rowOf(data: OtherAccelerator, rule: VendorRule): GpuRow {
  const computeCapability = rule.capabilities[data.architecture] ?? DEFAULT_CAPABILITY;
  const workspace = rule.workspaceMiB[data.architecture];
  const totalBytes = otherTotalBytes(data);
  return {
    id: data.id,
    name: data.name,
    vendor: data.vendor,
    otherAllocator: rule.code,
    aliases: [],
    architecture: data.architecture,
    computeCapability,
    sm: smOf(computeCapability),
    smCount: 108,
    threadsPerSm: 2048,
    memoryMiB: data.memoryMiB ?? data.memoryGiB * 1024,
    memoryMark: data.memoryMiB === undefined ? "recalled" : "source",
    totalBytes,
    totalMark: data.memoryMiB === undefined ? "recalled" : "source",
    context: rule.context,
    workspaceBytes: workspace === undefined ? null : workspace * MIB,
    memoryType: data.memoryType,
    bandwidthGBs: data.bandwidthGBs ?? null,
    segment: data.unified === true ? "unified" : "datacenter",
    note: data.note ?? null,
  };
}

/** In the order of the catalogue; vendors whose programs run here. */
export const OTHER_GPUS: readonly GpuRow[] = OTHER_ACCELERATORS.flatMap((data) => {
  const rule = VENDORS.find(({ vendor }) => vendor === data.vendor);
  return rule === undefined ? [] : [rowOf(data, rule)];
});

const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
/** Shorter ends of names mean nothing: `x`, `16gb`. */
const SHORTEST = 2;
const MOST_GIB = 2048;

/** By id, name, or end of it: `mi300x`, `m4-max-40-core`; with the memory of a machine that shares it: `m3-max-64gb`. */
export function findOtherGpu(name: string): GpuRow | undefined {
  const key = squeezed(name);
  if (key.length < SHORTEST || /^\d/.test(key)) return undefined;
  const named = (wanted: string) =>
    OTHER_GPUS.find((row) => row.id === name || squeezed(row.id) === wanted || squeezed(row.name) === wanted) ??
    (/^\d+(gb|core)?$/.test(wanted) || wanted.length < SHORTEST
      ? undefined
      : (OTHER_GPUS.find((row) => squeezed(row.id.replace(/^[a-z]+-/, "")) === wanted) ??
        OTHER_GPUS.find((row) => wanted.length >= 4 && squeezed(row.id).endsWith(wanted))));
  const exact = named(key);
  if (exact !== undefined) return exact;
  const sized = /^(.+?)(\d{1,4})-?gi?b?$/.exec(
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, "-"),
  );
  const base = sized === null ? "" : squeezed(sized[1]!);
  const memoryGiB = Number(sized?.[2] ?? 0);
  if (base.length < SHORTEST || memoryGiB < 1 || memoryGiB > MOST_GIB) return undefined;
  const data = OTHER_ACCELERATORS.find(
    ({ id, unified }) => unified === true && (squeezed(id).startsWith(base) || squeezed(id).startsWith(`apple${base}`)),
  );
  const rule = VENDORS.find(({ vendor }) => vendor === data?.vendor);
  if (data === undefined || rule === undefined) return undefined;
  // `apple-m3-max-30-core` with 64 GB is `apple-m3-max-64gb`, a name that is found again
  const stem = data.id.startsWith("apple-") && !base.startsWith("apple") ? `apple-${sized![1]!}` : sized![1]!;
  const id = `${stem.replace(/-+$/, "")}-${memoryGiB}gb`;
  const family = data.name.replace(/ \d+-core$/, "").replace(/ \(\d+GB\)$/, "");
  const { memoryMiB: _, ...rest } = data;
  return rowOf({ ...rest, id, name: `${family} ${memoryGiB}GB`, memoryGiB }, rule);
}
