/** The options of an allocator configuration: one row each, with the releases that know it and what it sets. */

import { MIB } from "../base/bytes.ts";
import { AllocConfError } from "./config-error.ts";
import type { MutableConfig } from "./config.ts";
import { DIVISION_SLOTS, MIN_LARGE_BYTES } from "./constants.ts";

export type OptionValue = string | readonly (readonly [string, string])[];

export interface AllocOption {
  readonly name: string;
  /** First release that knows it. */
  readonly since: number;
  /** First release that does not know it any more. */
  readonly until: number;
  /** Its value may be a list. */
  readonly list?: true;
  /** It is read before the others. */
  readonly first?: true;
  apply(config: MutableConfig, value: OptionValue, release: number): void;
}

const ALWAYS = Infinity;

function refuse(option: string, value: OptionValue, expected: string): never {
  const shown = typeof value === "string" ? value : `[${value.map((pair) => pair.join(":")).join(",")}]`;
  throw new AllocConfError("alloc-conf-bad-value", { option, value: shown, expected });
}

function wholeNumber(option: string, value: OptionValue, expected: string): number {
  if (typeof value !== "string" || !/^\d{1,15}$/.test(value)) refuse(option, value, expected);
  return Number(value);
}

function fraction(option: string, value: OptionValue, expected: string): number {
  if (typeof value !== "string" || !/^\d*\.?\d+(e-?\d+)?$|^\d+\.$/i.test(value)) refuse(option, value, expected);
  return Number(value);
}

function truth(option: string, value: OptionValue): boolean {
  if (value !== "True" && value !== "False") refuse(option, value, "True or False");
  return value === "True";
}

const isPowerOfTwo = (value: number): boolean => value > 0 && Number.isInteger(Math.log2(value));

/** Smallest size in MiB: before 2.9 more than 20, since then at least the size of large segments. */
function sizeAtLeastSegment(option: string, config: MutableConfig, value: OptionValue, release: number): number {
  const smallest = release >= 209 ? config.largeSegmentBytes / MIB : option === "max_split_size_mb" ? 21 : 20;
  const expected = `a whole number of MiB, at least ${smallest}`;
  const mib = wholeNumber(option, value, expected);
  if (mib < smallest) refuse(option, value, expected);
  return mib * MIB;
}

function divisions(option: string, value: OptionValue, release: number): number[] {
  const slots = Array.from({ length: DIVISION_SLOTS }, () => 0);
  if (typeof value === "string") {
    const smallest = release < 200 ? 2 : 1;
    const expected = `a power of two, at least ${smallest}${release < 200 ? "" : ", or a list such as [256:1,512:2,>:4]"}`;
    const all = wholeNumber(option, value, expected);
    if (!isPowerOfTwo(all) || all < smallest) refuse(option, value, expected);
    return slots.fill(all);
  }
  if (release < 200) refuse(option, value, "one power of two (lists exist since PyTorch 2.0)");
  const expected = "pairs size:divisions, sizes in MiB and powers of two or >, divisions powers of two or 0";
  let last = -1;
  for (const [key, text] of value) {
    const count = wholeNumber(option, text, expected);
    if (count !== 0 && !isPowerOfTwo(count)) refuse(option, value, expected);
    if (key === ">") {
      slots.fill(count, last + 1);
      continue;
    }
    const size = wholeNumber(option, key, expected);
    if (!isPowerOfTwo(size)) refuse(option, value, expected);
    const slot = Math.min(Math.log2(size), DIVISION_SLOTS - 1);
    if (last < 0) slots.fill(count, 0, slot);
    slots[slot] = count;
    last = slot;
  }
  return slots;
}

/** An option that does not move device memory (threads, host memory, locks, capture). */
function inert(name: string, since: number, kind: "truth" | "number"): AllocOption {
  return {
    name,
    since,
    until: ALWAYS,
    apply(config, value) {
      if (kind === "truth") truth(name, value);
      else wholeNumber(name, value, "a whole number");
      config.withoutEffect = [...config.withoutEffect, name];
    },
  };
}

export const ALLOC_OPTIONS: readonly AllocOption[] = [
  {
    name: "max_split_size_mb",
    since: 0,
    until: ALWAYS,
    apply(config, value, release) {
      config.maxSplitBytes = sizeAtLeastSegment(this.name, config, value, release);
    },
  },
  {
    name: "max_non_split_rounding_mb",
    since: 205,
    until: ALWAYS,
    apply(config, value, release) {
      config.maxNonSplitRoundingBytes = sizeAtLeastSegment(this.name, config, value, release);
    },
  },
  {
    name: "roundup_power2_divisions",
    since: 112,
    until: ALWAYS,
    list: true,
    apply(config, value, release) {
      config.roundupDivisions = divisions(this.name, value, release);
    },
  },
  {
    name: "roundup_bypass_threshold_mb",
    since: 112,
    until: 200,
    apply(config, value) {
      config.roundupBypassBytes = wholeNumber(this.name, value, "a whole number of MiB") * MIB;
    },
  },
  {
    name: "garbage_collection_threshold",
    since: 112,
    until: ALWAYS,
    apply(config, value) {
      const expected = "a number between 0 and 1, both excluded";
      const threshold = fraction(this.name, value, expected);
      if (!(threshold > 0 && threshold < 1)) refuse(this.name, value, expected);
      config.garbageCollectionThreshold = threshold;
    },
  },
  {
    name: "expandable_segments",
    since: 201,
    until: ALWAYS,
    apply(config, value) {
      config.expandableSegments = truth(this.name, value);
    },
  },
  {
    name: "backend",
    since: 200,
    until: ALWAYS,
    apply(config, value) {
      if (value !== "native" && value !== "cudaMallocAsync") refuse(this.name, value, "native or cudaMallocAsync");
      config.backend = value;
    },
  },
  {
    name: "large_segment_size_mb",
    since: 210,
    until: ALWAYS,
    first: true,
    apply(config, value) {
      const smallest = MIN_LARGE_BYTES / MIB + 1;
      const expected = `a whole number of MiB, at least ${smallest}`;
      const mib = wholeNumber(this.name, value, expected);
      if (mib < smallest) refuse(this.name, value, expected);
      config.largeSegmentBytes = mib * MIB;
    },
  },
  {
    name: "per_process_memory_fraction",
    since: 212,
    until: ALWAYS,
    apply(config, value) {
      const expected = "a number from 0 to 1";
      const share = fraction(this.name, value, expected);
      if (share > 1) refuse(this.name, value, expected);
      config.memoryFraction = share;
    },
  },
  {
    name: "throw_on_cudamalloc_oom",
    since: 212,
    until: ALWAYS,
    apply(config, value) {
      config.rejectsEarly = truth(this.name, value);
    },
  },
  inert("release_lock_on_cudamalloc", 201, "truth"),
  inert("release_lock_on_hipmalloc", 201, "truth"),
  inert("pinned_use_cuda_host_register", 201, "truth"),
  inert("pinned_use_hip_host_register", 201, "truth"),
  inert("pinned_num_register_threads", 201, "number"),
  inert("pinned_use_background_threads", 206, "truth"),
  inert("pinned_reserve_segment_size_mb", 210, "number"),
  inert("pinned_max_round_threshold_mb", 214, "number"),
  inert("pinned_max_cached_size_mb", 214, "number"),
  inert("pinned_free_catch_all", 213, "truth"),
  inert("graph_capture_record_stream_reuse", 210, "truth"),
];
