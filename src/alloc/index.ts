/** The caching allocator as a library of its own: nothing here knows tensors, programs or traces. */

export { type Block } from "./block.ts";
export { CachingAllocator, type AllocatorOptions } from "./caching-allocator.ts";
export {
  allocConfigFromEnvironment,
  DEFAULT_ALLOC_CONFIG,
  parseAllocConf,
  type AllocatorConfig,
  type Environment,
  knowsAllocOption,
} from "./config.ts";
export { AllocConfError, type AllocConfErrorCode } from "./config-error.ts";
export { ALLOC_OPTIONS } from "./config-options.ts";
export { AscendingMemory, RangedMemory, RecordedMemory, type AddressRange, type DriverMemory } from "./driver.ts";
export { type AllocatorEvent, type AllocatorEventKind } from "./events.ts";
export { historyStart } from "./history-start.ts";
export { formatSize, OutOfMemoryError, oomText, type OomFacts } from "./oom.ts";
export { type PoolId } from "./pool.ts";
export { TRACE_ACTIONS, type RecordedActions, type RecordedHistory, type TraceAction } from "./recorded.ts";
export { replayHistory, type ReplayMismatch, type ReplayOptions, type ReplayResult } from "./replay.ts";
export { roundRequest, segmentBytesFor } from "./rounding.ts";
export { type BlockSnapshot, type BlockState, type SegmentSnapshot } from "./snapshot.ts";
export { memorySummaryText } from "./summary.ts";
