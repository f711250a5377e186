/**
 * PyTorch versions: what changed when, as data. A version's rules are those of 1.12 with every change up to it applied, so
 * a new version is one entry here. `source` names what shows the change: "1.13", "2.6", "2.14" are the source trees of these
 * releases, "main" the development branch near 2.10 to 2.14, "#N" a thread of pytorch/pytorch placed by its date, "memory"
 * what nobody has looked up.
 */

import { MIB } from "../base/bytes.ts";
import { failure, success, type Outcome } from "../base/diagnostic.ts";
import { nearestNames } from "../base/nearest.ts";
import type { TorchRules } from "./rules.ts";

export type { AttentionKernel, LtWorkspaceMode, TorchRules, WorkspaceSize } from "./rules.ts";

/** Oldest first. */
export const TORCH_VERSIONS = [
  "1.12",
  "1.13",
  "2.0",
  "2.1",
  "2.2",
  "2.3",
  "2.4",
  "2.5",
  "2.6",
  "2.7",
  "2.8",
  "2.9",
  "2.10",
  "2.11",
  "2.12",
  "2.13",
  "2.14",
] as const;
export type TorchVersion = (typeof TORCH_VERSIONS)[number];

/** The newest version whose rules are known. */
export const DEFAULT_TORCH: TorchVersion = TORCH_VERSIONS[TORCH_VERSIONS.length - 1]!;

/** `:4096:2:16:8` in CUBLAS_WORKSPACE_CONFIG's terms: 2 x 4 MiB and 8 x 16 KiB. */
const WORKSPACE_BYTES = 8_519_680;
const LARGE_WORKSPACE_BYTES = 32 * MIB;
const ANY_SM = { fromSm: 0, toSm: 999, bytes: WORKSPACE_BYTES };
const large = (fromSm: number, toSm = fromSm) => ({ fromSm, toSm, bytes: LARGE_WORKSPACE_BYTES });

const OLDEST: Omit<TorchRules, "version"> = {
  cublasWorkspaceCounted: false,
  cublasWorkspaceSizes: [],
  ltWorkspaceMode: "transient",
  ltWorkspaceBytes: MIB,
  ltWorkspaceVariable: false,
  ltUnifiedVariable: false,
  ltNeedsMatrix: false,
  linearFlattens: "3d",
  matmulFolding: "always",
  matmulSqueezesBatchOfOne: false,
  hasScaledDotProductAttention: false,
  attentionOrder: ["math"],
  cudnnAttentionFirstOnSm: [],
  flashFromSm: 75,
  flashToSm: 90,
  flashMaxHeadDim: 128,
  flashRngStateOnGpu: false,
  flashPartialHeadRounding: 32,
  mathAttentionUpcasts: false,
  safeSoftmax: false,
  attentionGroupedHeads: false,
  hasRmsNorm: false,
  fusedRmsNorm: false,
  rmsNormAutocastsToFloat32: false,
  layerNormPartialSums: false,
  convolutionChannelsLast: "all",
  maxUnpoolGradientCopies: true,
  asStridedGradientCopies: true,
  groupNormCopiesToContiguous: true,
  groupNormKernelWithStatistics: false,
  instanceNormAveragesAlways: true,
  cosineClampsByTensor: false,
  reduceVector16Bit: 4,
  reduceDividesFastDim: false,
  reduceVectorFrom: 129,
  zeroGradSetToNone: false,
  foreachDefault: false,
  foreachAdamTemporaries: 2,
  autocastCacheKeepsGraph: false,
  customFunctionTakesGradients: false,
  takeAlongDimWraps: false,
  quantileRanksInDouble: false,
  shortNodeNamesInErrors: false,
  boolArithmeticError: "RuntimeError",
  tensordotUsesDot: false,
  tiesShareGradients: false,
  atan2GuardsInfinity: false,
};

interface VersionChange {
  readonly since: TorchVersion;
  readonly source: string;
  readonly rules: Partial<TorchRules>;
}

/** Oldest first; entries of one version add up. */
export const VERSION_CHANGES: readonly VersionChange[] = [
  {
    since: "2.0",
    source: "2.6; sizes by #89027, #91564",
    rules: { cublasWorkspaceCounted: true, cublasWorkspaceSizes: [large(90), ANY_SM] },
  },
  { since: "2.0", source: "1.13 and 2.6", rules: { zeroGradSetToNone: true, foreachDefault: true } },
  {
    since: "2.0",
    source: "1.13 and 2.6 differ; release from memory",
    rules: { matmulFolding: "where_viewable", reduceDividesFastDim: true, foreachAdamTemporaries: 1 },
  },
  {
    since: "2.0",
    source: "2.6; first generation of the flash kernel from memory",
    rules: { hasScaledDotProductAttention: true, attentionOrder: ["flash", "efficient", "math"] },
  },

  {
    since: "2.1",
    source: "2.6",
    rules: { linearFlattens: "nd", matmulSqueezesBatchOfOne: true, ltWorkspaceVariable: true },
  },

  { since: "2.2", source: "memory", rules: { flashFromSm: 80, flashMaxHeadDim: 256 } },

  { since: "2.4", source: "2.6", rules: { hasRmsNorm: true } },

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
    since: "2.7",
    source: "main",
    rules: { flashRngStateOnGpu: true, flashPartialHeadRounding: 64, layerNormPartialSums: true },
  },
  { since: "2.7", source: "main for the bound, release from memory", rules: { flashToSm: 999 } },

  { since: "2.8", source: "#151163", rules: { ltUnifiedVariable: true } },
  {
    since: "2.8",
    source: "2.6 and 2.14 differ (recorded); release from memory",
    rules: { takeAlongDimWraps: true, quantileRanksInDouble: true, maxUnpoolGradientCopies: false },
  },

  { since: "2.9", source: "main (#156495)", rules: { ltWorkspaceMode: "persistent" } },
  { since: "2.9", source: "main; release by date", rules: { ltNeedsMatrix: true } },
  { since: "2.9", source: "main", rules: { fusedRmsNorm: true } },
  { since: "2.9", source: "2.14; release from memory", rules: { rmsNormAutocastsToFloat32: true } },
  {
    since: "2.9",
    source: "2.6 and 2.14 differ (recorded); release from memory",
    rules: {
      autocastCacheKeepsGraph: true,
      customFunctionTakesGradients: true,
      asStridedGradientCopies: false,
      groupNormCopiesToContiguous: false,
      groupNormKernelWithStatistics: true,
      instanceNormAveragesAlways: false,
      cosineClampsByTensor: true,
    },
  },
  {
    since: "2.9",
    source: "2.6 and 2.14 differ (recorded); release unknown",
    rules: {
      tiesShareGradients: true,
      atan2GuardsInfinity: true,
      shortNodeNamesInErrors: true,
      boolArithmeticError: "NotImplementedError",
      tensordotUsesDot: true,
    },
  },

  { since: "2.10", source: "main (#165055) by date", rules: { reduceVector16Bit: 8, reduceVectorFrom: 128 } },

  { since: "2.11", source: "main (#162073 and its run-time guard)", rules: { cudnnAttentionFirstOnSm: [90, 100] } },

  {
    since: "2.12",
    source: "#175344 (19 February 2026), by date",
    rules: { cublasWorkspaceSizes: [large(90, 109), large(120, 129), ANY_SM] },
  },
  { since: "2.12", source: "main (#175879)", rules: { ltWorkspaceMode: "shared", ltWorkspaceBytes: 0 } },

  {
    since: "2.14",
    source: "#189312 (10 July 2026), by date",
    rules: { cublasWorkspaceSizes: [large(90, 109), large(110), large(120, 129), ANY_SM] },
  },
];

export type VersionErrorCode = "unknown_torch" | "unknown_torch_nearest";

/** `2.6`, `2.6.0`, `2.6.0+cu124` and `v2.6` are all 2.6. */
function majorMinor(typed: string): string {
  return /^v?(\d+\.\d+)(?:\.\d+)?(?:[+a-z].*)?$/i.exec(typed.trim())?.[1] ?? typed;
}

/** The known version that a text means; otherwise the nearest one. */
export function findTorch(typed: string): Outcome<TorchVersion, VersionErrorCode> {
  const version = majorMinor(typed);
  const known = TORCH_VERSIONS.find((candidate) => candidate === version);
  if (known !== undefined) return success(known);
  const nearest = nearestVersion(version) ?? nearestNames(version, TORCH_VERSIONS)[0];
  if (nearest === undefined) return failure("unknown_torch", { version: typed, newest: DEFAULT_TORCH });
  return failure("unknown_torch_nearest", { version: typed, nearest });
}

/** By number, not by spelling: the neighbour of 2.15 is 2.14. */
function nearestVersion(version: string): TorchVersion | undefined {
  const parts = /^(\d{1,3})(?:\.(\d{1,3}))?$/.exec(version);
  if (parts === null) return undefined;
  const order = (major: string | number, minor: string | number) => Number(major) * 1000 + Number(minor);
  const wanted = order(parts[1]!, parts[2] ?? 0);
  let best: TorchVersion = TORCH_VERSIONS[0];
  for (const candidate of TORCH_VERSIONS) {
    const [major, minor] = candidate.split(".") as [string, string];
    const [bestMajor, bestMinor] = best.split(".") as [string, string];
    if (Math.abs(order(major, minor) - wanted) < Math.abs(order(bestMajor, bestMinor) - wanted)) best = candidate;
  }
  return best;
}

/** The rules of a known version. */
export function rulesFor(version: TorchVersion): TorchRules {
  const last = TORCH_VERSIONS.indexOf(version);
  let rules: TorchRules = { ...OLDEST, version };
  for (const change of VERSION_CHANGES) {
    if (TORCH_VERSIONS.indexOf(change.since) <= last) rules = { ...rules, ...change.rules };
  }
  return rules;
}
