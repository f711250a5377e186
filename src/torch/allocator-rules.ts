/** What PyTorch releases differ in where the caching allocator reports: its texts, statistics and units; `changes.ts` says which release has which. */

/** Forms of the out-of-memory text; the words are in `alloc/oom.ts`. */
export type OomForm = "capacity-in-parentheses" | "sentence";

export type ScalarStat =
  | "num_alloc_retries"
  | "num_ooms"
  | "max_split_size"
  | "num_sync_all_streams"
  | "num_device_alloc"
  | "num_device_free"
  | "num_oom_rejections";

export interface AllocatorRules {
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
}
