/** What differs between PyTorch releases in the caching allocator, as data: one row per fact, selected by version. */

import { invariant } from "../base/invariant.ts";

/** The release whose rules apply when none is named. */
export const NEWEST_TORCH = "2.14";

/** Forms of the out-of-memory text; the words are in `oom.ts`. */
export type OomForm = "capacity-in-parentheses" | "sentence";

/** Everything that other files of this folder ask about a release. */
export interface TorchRules {
  /** `major * 100 + minor`, for comparisons. */
  readonly release: number;
  readonly oomForm: OomForm;
  /** "total capacty of" was spelled so in 2.1. */
  readonly oomCapacityWord: string;
  /** Last sentence of the text. */
  readonly oomHint: string;
  /** Qualified name of the Python exception. */
  readonly oomException: string;
  /** `requested_bytes` exists in the statistics and the summary. */
  readonly hasRequestedBytes: boolean;
  /** Scalar counters in `memory_stats()`. */
  readonly scalarStats: readonly ScalarStat[];
  /** Private pools appear in `memory_stats()`. */
  readonly hasPrivatePoolStats: boolean;
  /** Byte units of `memory_summary()`. */
  readonly summaryUnits: readonly string[];
  readonly summaryUnitWidth: number;
  /** `roundup_power2_divisions` applies from this value on. */
  readonly smallestDivisions: number;
}

export type ScalarStat =
  | "num_alloc_retries"
  | "num_ooms"
  | "max_split_size"
  | "num_sync_all_streams"
  | "num_device_alloc"
  | "num_device_free"
  | "num_oom_rejections";

interface From<T> {
  readonly since: number;
  readonly value: T;
}

const OLD_HINT =
  "try setting max_split_size_mb to avoid fragmentation.  See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF";

function newHint(variable: string, link: string): string {
  return `try setting ${variable}=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (${link})`;
}

const ENVIRONMENT_LINK = "https://pytorch.org/docs/stable/notes/cuda.html#environment-variables";
const OPTIMIZING_LINK =
  "https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf";

// Newest first; the first row that is not newer than the release applies.
const OOM_FORM: From<OomForm>[] = [
  { since: 201, value: "sentence" },
  { since: 0, value: "capacity-in-parentheses" },
];
const OOM_CAPACITY_WORD: From<string>[] = [
  { since: 202, value: "capacity" },
  { since: 201, value: "capacty" },
  { since: 0, value: "capacity" },
];
const OOM_HINT: From<string>[] = [
  { since: 211, value: newHint("PYTORCH_CUDA_ALLOC_CONF", OPTIMIZING_LINK) },
  { since: 209, value: newHint("PYTORCH_ALLOC_CONF", ENVIRONMENT_LINK) },
  { since: 202, value: newHint("PYTORCH_CUDA_ALLOC_CONF", ENVIRONMENT_LINK) },
  { since: 0, value: OLD_HINT },
];
const OOM_EXCEPTION: From<string>[] = [
  // Published texts of August 2024, before 2.5 was out, already have the new name (vllm-project/vllm #7721).
  { since: 204, value: "torch.OutOfMemoryError" },
  { since: 113, value: "torch.cuda.OutOfMemoryError" },
  { since: 0, value: "RuntimeError" },
];
const SCALAR_SINCE: readonly (readonly [ScalarStat, number])[] = [
  ["num_alloc_retries", 0],
  ["num_ooms", 0],
  ["max_split_size", 0],
  ["num_sync_all_streams", 203],
  ["num_device_alloc", 203],
  ["num_device_free", 203],
  ["num_oom_rejections", 213],
];

function pick<T>(rows: readonly From<T>[], release: number): T {
  const row = rows.find((candidate) => candidate.since <= release);
  invariant(row !== undefined, "a version table must start at 0");
  return row.value;
}

/** `major * 100 + minor` of `2.6`, `2.6.0`, `2.6.0+cu124`. */
export function releaseNumber(torch: string): number {
  const match = /^(\d+)\.(\d+)/.exec(torch);
  invariant(match !== null, `"${torch}" is not a PyTorch version`);
  return Number(match[1]) * 100 + Number(match[2]);
}

/** `2.6` for 206. */
export function releaseName(release: number): string {
  return `${Math.floor(release / 100)}.${release % 100}`;
}

/** The rules of a release; names a version newer than the newest known one, that one's rules apply. */
export function torchRules(torch: string): TorchRules {
  const release = releaseNumber(torch);
  const binaryUnits = release >= 200;
  return {
    release,
    oomForm: pick(OOM_FORM, release),
    oomCapacityWord: pick(OOM_CAPACITY_WORD, release),
    oomHint: pick(OOM_HINT, release),
    oomException: pick(OOM_EXCEPTION, release),
    hasRequestedBytes: release >= 200,
    scalarStats: SCALAR_SINCE.filter(([, since]) => since <= release).map(([name]) => name),
    hasPrivatePoolStats: release >= 214,
    summaryUnits: binaryUnits ? ["B  ", "KiB", "MiB", "GiB", "TiB", "PiB"] : ["B ", "KB", "MB", "GB", "TB", "PB"],
    summaryUnitWidth: binaryUnits ? 6 : 7,
    smallestDivisions: binaryUnits ? 2 : 1,
  };
}
