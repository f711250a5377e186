/**
 * The engine without Python and without Node: allocator, traces, GPU and version data, and sessions that run operators.
 * It runs in browsers and workers too.
 *
 * @example The caching allocator alone. 8 MiB take a new segment of 20 MiB; what lies behind them is split off.
 * ```js
 * import { CachingAllocator } from "vramscope/engine";
 *
 * const allocator = new CachingAllocator({ totalBytes: 16 * 2 ** 30, torch: "2.6" });
 * const block = allocator.malloc(8 * 2 ** 20);
 * allocator.memoryAllocated(); // 8388608
 * allocator.memoryReserved(); // 20971520
 * allocator.free(block);
 * ```
 *
 * @example Operators without Python. What a scope makes and does not return dies at its end.
 * ```js
 * import { createSession, dtype } from "vramscope/engine";
 *
 * const { session, allocator } = createSession({ gpu: "a100", torch: "2.6" });
 * session.scope(() => {
 *   const a = session.ops.empty([1024, 1024], dtype("float32"), "cuda");
 *   session.ops.mm(a, a);
 *   allocator.memoryAllocated(); // 2 x 4 MiB and the cuBLAS workspace: 16908288
 * });
 * allocator.memoryAllocated(); // the workspace stays: 8519680
 * ```
 */

export * from "./alloc/index.ts";
export { fixed2, formatBytes, formatChange, GIB, KIB, MIB } from "./base/bytes.ts";
export { DiagnosticError } from "./base/diagnostic.ts";
export type { Diagnostic, DiagnosticArgs, Outcome } from "./base/diagnostic.ts";
export { parseSize } from "./base/parse-size.ts";
export { DEFAULT_GPU, findGpu, GPUS } from "./gpus/catalogue.ts";
export type { ContextBytes, Evidence, GpuErrorCode, GpuRow, GpuSegment } from "./gpus/catalogue.ts";
export { DEFAULT_TORCH, findTorch, TORCH_VERSIONS } from "./torch/releases.ts";
export type { TorchVersion, VersionErrorCode } from "./torch/releases.ts";
export { cublasWorkspaceBytes, ltWorkspace } from "./gpus/workspace.ts";
export { createSession } from "./session/create.ts";
export type { SimulatedProcess } from "./session/create.ts";
export type { MachineOverrides, MachineSettings } from "./session/machine.ts";
export { Session } from "./session/session.ts";
export { dtype } from "./tensor/dtype.ts";
export type { DType } from "./tensor/dtype.ts";
export { TorchError } from "./tensor/shape.ts";
export type { Shape } from "./tensor/shape.ts";
export { Tensor } from "./tensor/tensor.ts";
export { TraceBuilder } from "./trace/builder.ts";
export type { NewBlock, Origin, SegmentKind, TraceMeta } from "./trace/builder.ts";
export { DEFAULT_LIMITS, readTrace, TRACE_FORMAT, TRACE_SCHEMA_VERSION, writeTrace } from "./trace/file.ts";
export type { ReadLimits, TraceFileErrorCode } from "./trace/file.ts";
export { compositionAt, largestAt } from "./trace/composition.ts";
export type { Composition } from "./trace/composition.ts";
export { freeMemoryAt } from "./trace/free-memory.ts";
export type { FreeMemory } from "./trace/free-memory.ts";
export { deathOf, savedByBlock } from "./trace/lifetime.ts";
export type { Death, DeathKind } from "./trace/lifetime.ts";
export { lineTable } from "./trace/lines.ts";
export type { LineRow } from "./trace/lines.ts";
export { CATEGORIES, EVENT_KINDS, PHASES, SAVED_ENDS } from "./trace/model.ts";
export type {
  Assumption,
  BlockRecord,
  Category,
  EventColumns,
  EventKind,
  FailedRequest,
  Frame,
  Phase,
  SavedEnd,
  SavedTensors,
  Trace,
} from "./trace/model.ts";
export { eventOf, parsePoint } from "./trace/points.ts";
export type { Point } from "./trace/points.ts";
export {
  aliveAt,
  allocatedBefore,
  categoriesAt,
  chargedTotals,
  composition,
  peakEvent,
  peakReservedBytes,
  phasePeaks,
} from "./trace/queries.ts";
export type { ChargedTotals, Grouping, PhasePeak, Share } from "./trace/queries.ts";
export { verifyTrace } from "./trace/verify.ts";
export type { TraceProblemCode, VerifyOptions } from "./trace/verify.ts";
