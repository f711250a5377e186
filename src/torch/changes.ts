/**
 * PyTorch releases: what changed when, as data, and the rules of each. A release's rules are those of 1.12 with every change up to it applied,
 * so a new release is its number in `releases.ts` and an entry here for each change. `source` names what shows the change: "1.13", "2.6", "2.14"
 * are the source trees of these releases, "main" the development branch near 2.10 to 2.14, "#N" a thread of pytorch/pytorch placed by its date,
 * "text" a published text of that release, a release with files the Python sources of all releases, "memory" what nobody has looked up.
 */

import { MIB } from "../base/bytes.ts";
import type { AllocatorRules } from "./allocator-rules.ts";
import type { EngineRules } from "./engine-rules.ts";
import { OLDEST, OLDEST_STATS } from "./oldest-rules.ts";
import type { PythonRules } from "./python-rules.ts";
import { TORCH_VERSIONS, type TorchVersion } from "./releases.ts";

/** Everything in which releases differ. */
export interface TorchRules extends EngineRules, AllocatorRules, PythonRules {
  /** `major.minor` */
  readonly version: string;
}

/** `:4096:2:16:8` in CUBLAS_WORKSPACE_CONFIG's terms: 2 x 4 MiB and 8 x 16 KiB. */
const WORKSPACE_BYTES = 8_519_680;
const LARGE_WORKSPACE_BYTES = 32 * MIB;
const ANY_SM = { fromSm: 0, toSm: 999, bytes: WORKSPACE_BYTES };
const large = (fromSm: number, toSm = fromSm) => ({ fromSm, toSm, bytes: LARGE_WORKSPACE_BYTES });

const ENVIRONMENT_LINK = "https://pytorch.org/docs/stable/notes/cuda.html#environment-variables";
const OPTIMIZING_LINK =
  "https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf";
const expandableHint = (variable: string, link: string): string =>
  `try setting ${variable}=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (${link})`;

const STATS_OF_2_3 = [...OLDEST_STATS, "num_sync_all_streams", "num_device_alloc", "num_device_free"] as const;

export interface VersionChange {
  readonly since: TorchVersion;
  readonly source: string;
  readonly rules: Partial<Omit<TorchRules, "version">>;
}

/** Oldest first; entries of one version add up. */
export const VERSION_CHANGES: readonly VersionChange[] = [
  { since: "1.13", source: "text", rules: { oomException: "torch.cuda.OutOfMemoryError" } },
  { since: "1.13", source: "#80181", rules: { loaderIteratorsHaveNext: false } },
  {
    since: "2.0",
    source: "2.6; sizes by #89027, #91564",
    rules: { cublasWorkspaceCounted: true, cublasWorkspaceSizes: [large(90), ANY_SM] },
  },
  {
    since: "2.0",
    source: "1.13 and 2.6",
    rules: {
      zeroGradSetToNone: true,
      foreachDefault: true,
      foreachAdamDecaysInPlace: false,
      attentionUnflattensProjections: true,
      attentionByKernel: true,
      hasRequestedBytes: true,
      summaryUnits: ["B  ", "KiB", "MiB", "GiB", "TiB", "PiB"],
      summaryUnitWidth: 6,
    },
  },
  {
    since: "2.0",
    source: "1.13 and 2.6 differ; release from memory",
    rules: { matmulFolding: "where_viewable", reduceDividesFastDim: true },
  },
  { since: "2.0", source: "2.14; release from memory", rules: { spectrumFormRequired: true, hasSixModule: false } },
  {
    since: "2.0",
    source: "2.6; first generation of the flash kernel from memory",
    rules: { attentionOrder: ["flash", "efficient", "math"] },
  },
  { since: "2.0", source: "recorded: adapters/injected-into-a-transformer", rules: { meanSavesInput: true } },
  { since: "2.0", source: "recorded: losses/nll-mse-bce-and-kl", rules: { gradientsAddInPlace: true } },
  { since: "2.0", source: "recorded: elementwise/special-functions", rules: { unfoldCopiesApart: true } },
  { since: "2.0", source: "2.0: torch/nn/utils/clip_grad.py", rules: { clippingKeepsNorms: true } },
  { since: "2.0", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.14.3" } },

  {
    since: "2.1",
    source: "2.6",
    rules: { linearFlattens: "nd", matmulSqueezesBatchOfOne: true, ltWorkspaceVariable: true },
  },

  {
    since: "2.1",
    source: "2.1: torch/utils/_foreach_utils.py, torch/optim/adam.py, torch/nn/utils/clip_grad.py",
    rules: { foreachGroupsReversed: true, foreachAdamAddsEpsilonInPlace: true, gradNormsByVectorNorm: true },
  },
  {
    since: "2.1",
    source: "recorded: what cosine_similarity of 2.0 and 2.1 does",
    rules: { cosineTakesVectorNorms: true },
  },
  {
    since: "2.1",
    source: "2.1: torch/optim/adam.py, adagrad.py, optimizer.py and lr_scheduler.py",
    rules: {
      foreachAdamDropsGradients: true,
      foreachAdagradWritesInPlace: true,
      loadingCopiesStates: false,
      oneCycleHoldsItself: false,
    },
  },
  {
    since: "2.1",
    source: "recorded: number ** tensor, graph nodes of reshape",
    rules: { powerMakesBaseATensor: false, reshapeViewsContiguous: true },
  },
  {
    since: "2.1",
    source: "recorded: topk, gradient of an embedding",
    rules: { sortOffsetBytes: 8, scanByKeyBytes: 1279 },
  },
  {
    since: "2.1",
    source: "recorded: checkpointing/every-other-layer-under-autocast",
    rules: { checkpointsStopEarly: true },
  },
  { since: "2.1", source: "recorded: elementwise/special-functions", rules: { sortPairsPerThread: 17 } },
  { since: "2.1", source: "recorded: attention/masks-of-several-shapes", rules: { efficientTakesMask: true } },
  {
    since: "2.1",
    source: "recorded: attention/causal-self-attention-in-three-dtypes",
    rules: { efficientTakesDropout: true, efficientFirstBySize: false },
  },
  { since: "2.1", source: "text", rules: { oomForm: "sentence", oomCapacityWord: "capacty" } },
  { since: "2.1", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.18.1" } },

  {
    since: "2.2",
    source: "text",
    rules: { oomCapacityWord: "capacity", oomHint: expandableHint("PYTORCH_CUDA_ALLOC_CONF", ENVIRONMENT_LINK) },
  },
  { since: "2.2", source: "memory", rules: { flashFromSm: 80, flashMaxHeadDim: 256 } },
  {
    since: "2.2",
    source: "recorded: normalization/rms-norm-by-hand, and what MeanBackward1 of 2.1 and 2.2 saves",
    rules: { meanSavesInput: false, meanOfDimensionsSavesInput: false },
  },
  {
    since: "2.2",
    source: "recorded: attention/masks-of-several-shapes of 2.1 and 2.3",
    rules: { maskPadding: "strides_8" },
  },
  { since: "2.2", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.19.3" } },

  { since: "2.3", source: "recorded: elementwise/special-functions", rules: { logcumsumexpFillsByTensor: true } },
  { since: "2.3", source: "2.6; release from memory", rules: { scalarStats: STATS_OF_2_3 } },
  { since: "2.3", source: "recorded: optimizers/clipping", rules: { foreachNormsAreViews: false } },
  {
    since: "2.3",
    source: "recorded: losses/nll-mse-bce-and-kl, and pos_weight",
    rules: { logitsLoss: "log_sigmoid_in_statement" },
  },
  { since: "2.3", source: "2.3: torch/optim/adamax.py", rules: { adamaxWritesMaximum: true } },
  { since: "2.3", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.20.5" } },

  { since: "2.4", source: "recorded: losses/nll-mse-bce-and-kl, and pos_weight", rules: { logitsLoss: "log_sigmoid" } },
  {
    since: "2.4",
    source: "text of August 2024, before 2.5 was out (vllm-project/vllm #7721)",
    rules: { oomException: "torch.OutOfMemoryError" },
  },

  {
    since: "2.5",
    source: "2.6",
    rules: {
      mathAttentionUpcasts: true,
      safeSoftmax: true,
      attentionGroupedHeads: true,
      attentionOrder: ["flash", "efficient", "math", "cudnn"],
    },
  },
  {
    since: "2.5",
    source: "recorded: separate operators of attention with 2.5 and 2.6, multinomial with each release",
    rules: { safeSoftmaxCopies: true, multinomialKeptChecks: 2 },
  },

  {
    since: "2.5",
    source: "recorded: nonzero, gradient of an embedding",
    rules: { selectTileItems: 2304, uniqueTileItems: 1792 },
  },
  { since: "2.5", source: "recorded: attention/masks-of-several-shapes", rules: { boolMaskNumbers: "where_not" } },
  { since: "2.5", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.21.5" } },
  { since: "2.6", source: "recorded on each release: rms_norm", rules: { rmsNormCasts: "before_weight" } },
  { since: "2.6", source: "2.6: torch/nn/utils/clip_grad.py", rules: { clippingKeepsNorms: false } },
  {
    since: "2.6",
    source: "recorded: separate operators of attention with 2.5 and 2.6",
    rules: { safeSoftmaxCopies: false },
  },
  { since: "2.7", source: "recorded on each release: rms_norm", rules: { rmsNormCasts: "last" } },
  {
    since: "2.7",
    source: "main",
    rules: { flashRngStateOnGpu: true, flashPartialHeadRounding: 64, layerNormPartialSums: true },
  },
  {
    since: "2.7",
    source: "recorded: topk, gradient of an embedding",
    rules: { topkKeepsTwo: true, uniqueStateBytes: 16 },
  },
  { since: "2.7", source: "recorded: attention/masks-of-several-shapes", rules: { boolMaskNumbers: "where" } },
  { since: "2.7", source: "2.7: torch/optim/adam.py", rules: { adamGroupsSayDecoupled: true } },
  { since: "2.7", source: "main for the bound, release from memory", rules: { flashToSm: 999 } },
  { since: "2.7", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.26.2" } },

  { since: "2.8", source: "#151163", rules: { ltUnifiedVariable: true } },
  { since: "2.8", source: "2.8: torch/autograd/profiler_util.py", rules: { profilerUnitsInCapitals: true } },

  {
    since: "2.8",
    source: "recorded on each release: tensordot, gather",
    rules: { tensordotUsesDot: true, gatherTakesInt32: true },
  },
  {
    since: "2.9",
    source: "main",
    rules: { oomHint: expandableHint("PYTORCH_ALLOC_CONF", ENVIRONMENT_LINK) },
  },
  {
    since: "2.9",
    source: "read in torch/distributed/tensor/experimental/_attention.py of 2.6 to 2.9: _context_parallel_buffers",
    rules: { contextParallelOrder: "select" },
  },
  { since: "2.9", source: "recorded on each release: slices", rules: { slicesSkipWholeRanges: true } },
  { since: "2.9", source: "recorded on each release: einsum(weight, x)", rules: { einsumSwapsOperands: true } },
  { since: "2.9", source: "main (#156495)", rules: { ltWorkspaceMode: "persistent" } },
  { since: "2.9", source: "main", rules: { fusedRmsNorm: true } },
  {
    since: "2.9",
    source: "2.9: torch/_higher_order_ops/flex_attention.py, torch/_inductor/kernel/flex",
    rules: { flexKernelKeepsMaxima: true },
  },
  { since: "2.9", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.27.5" } },

  {
    since: "2.10",
    source: "2.14: Reduce.cuh; #165055 (October 2025) by date",
    rules: { reduceVector16Bit: 8, reduceVectorsOfAnyWidth: true, reduceVectorFrom: 128 },
  },
  {
    since: "2.10",
    source:
      "read in torch/distributed/tensor/experimental/_context_parallel/_attention.py of 2.10: _context_parallel_buffers",
    rules: { contextParallelOrder: "rows" },
  },
  { since: "2.10", source: "recorded: products/linear-of-each-rank; 2.11 went back", rules: { ltNeedsMatrix: true } },
  {
    since: "2.10",
    source: "recorded on each release: atan2, take_along_dim",
    rules: { atan2GuardsInfinity: true, takeAlongDimWraps: true },
  },
  { since: "2.10", source: "recorded: topk", rules: { topkSumsDigits: true } },
  { since: "2.10", source: "2.10: torch/nn/functional.py", rules: { embeddingBagOwnOffsetsEndEarly: true } },
  {
    since: "2.10",
    source: "2.10: torch/_higher_order_ops/flex_attention.py",
    rules: { flexScoresFromFloats: true },
  },

  {
    since: "2.11",
    source:
      "read in torch/distributed/tensor/experimental/_context_parallel/_attention.py of 2.11: _context_parallel_buffers",
    rules: { contextParallelOrder: "gather" },
  },
  {
    since: "2.11",
    source: "main",
    rules: { oomHint: expandableHint("PYTORCH_CUDA_ALLOC_CONF", OPTIMIZING_LINK) },
  },
  {
    since: "2.11",
    source: "recorded: products/linear-of-each-rank and autocast/weight-cache",
    rules: { ltNeedsMatrix: false, autocastCacheKeepsGraph: true },
  },
  {
    since: "2.11",
    source: "recorded: scans, nonzero, gradient of an embedding, errors",
    rules: { scanExtraBytes: 256, uniqueTileItems: 1344, anomalyHintChecksNan: true },
  },
  {
    since: "2.11",
    source: "recorded on each release: elementwise/special-functions, instance_norm in evaluation, cosine_similarity",
    rules: { ldexpIsOperator: true, instanceNormAveragesAlways: false, cosineClampsByTensor: true },
  },
  {
    since: "2.11",
    source: "2.11: torch/_higher_order_ops/flex_attention.py",
    rules: { flexSkipsGradientOfLogsumexp: true },
  },
  { since: "2.11", source: "main (#162073 and its run-time guard)", rules: { cudnnAttentionFirstOnSm: [90, 100] } },
  { since: "2.11", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.28.9" } },

  {
    since: "2.12",
    source: "2.12: torch/nn/functional.py, torch/nn/init.py, torch/nn/modules, torch/cuda/memory.py",
    rules: {
      attentionReleasesProjections: true,
      truncNormalRejects: true,
      normTextsSayBias: true,
      interpolateErrorListsLanczos: true,
      scalarStats: [...STATS_OF_2_3, "num_oom_rejections"],
    },
  },
  {
    since: "2.12",
    source: "#175344 (19 February 2026), by date",
    rules: { cublasWorkspaceSizes: [large(90, 109), large(120, 129), ANY_SM] },
  },
  {
    since: "2.12",
    source: "recorded on each release: rms_norm, multinomial, any of columns",
    rules: { rmsNormAutocastsToFloat32: true, multinomialKeptChecks: 4, truthCombinesBytes: true },
  },
  { since: "2.12", source: "recorded with 2.11 and 2.12: histc", rules: { histogramsKeepBounds: true } },
  {
    since: "2.12",
    source: "recorded with 2.11 and 2.12: gradient of trace",
    rules: { traceGradientEndsAtDiagonal: true },
  },
  { since: "2.12", source: "main; release by date", rules: { ltNeedsMatrix: true } },
  { since: "2.12", source: "main (#175879)", rules: { ltWorkspaceMode: "shared", ltWorkspaceBytes: 0 } },
  { since: "2.12", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.29.7" } },

  {
    since: "2.13",
    source: "recorded on each release: elementwise/special-functions, errors, custom functions with a broadcast input",
    rules: {
      nextafterHasGradient: true,
      shortNodeNamesInErrors: true,
      gradErrorsNameInputs: true,
      customFunctionTakesGradients: true,
    },
  },
  { since: "2.13", source: "recorded: gradient of an embedding", rules: { embeddingSortsByBits: true } },
  {
    since: "2.13",
    source: "2.13: torch/nn/functional.py, torch/autograd/__init__.py",
    rules: { attentionReshapesOutput: true, emptyInputsErrorNamesGrad: true },
  },

  {
    since: "2.14",
    source: "recorded: _fused_sdp_choice and memory of 2.13 and 2.14 with fewer heads of key and value",
    rules: { efficientTakesGroupedHeads: true, fusedSharesOneHead: true },
  },
  {
    since: "2.14",
    source: "recorded: attention/encoder-layers-in-training, attention/encoder-layers-in-evaluation",
    rules: { efficientRngStateOnGpu: true },
  },
  {
    since: "2.14",
    source: "recorded on each release: clamp, fmax, bools subtracted, group_norm, quantile, max_unpool2d",
    rules: {
      groupNormKernelWithStatistics: true,
      groupNormAveragesWide: true,
      quantileRanksInDouble: true,
      maxUnpoolGradientCopies: false,
      tiesShareGradients: true,
      boolArithmeticError: "NotImplementedError",
      groupNormCopiesToContiguous: false,
      groupNormSumsSingleValues: false,
    },
  },
  {
    since: "2.14",
    source: "recorded with 2.13 and 2.14: attention of three dimensions",
    rules: { attentionTakesThreeDimensions: true },
  },
  {
    since: "2.14",
    source: "2.6 and 2.14 differ; release unknown",
    rules: { hasPrivatePoolStats: true },
  },
  {
    since: "2.14",
    source: "#189312 (10 July 2026), by date",
    rules: { cublasWorkspaceSizes: [large(90, 109), large(110), large(120, 129), ANY_SM] },
  },

  // of this release only the Python sources were read
  { since: "2.14", source: "METADATA of the wheel for Linux", rules: { ncclVersion: "2.30.7" } },
  { since: "2.15", source: "2.15: torch/optim/_muon.py", rules: { muonCopiesGradient: true } },
];

/** The rules of a known version. */
export function rulesFor(version: TorchVersion): TorchRules {
  const last = TORCH_VERSIONS.indexOf(version);
  const changes = VERSION_CHANGES.filter((change) => TORCH_VERSIONS.indexOf(change.since) <= last);
  return Object.assign({ ...OLDEST, version }, ...changes.map((change) => change.rules)) as TorchRules;
}
