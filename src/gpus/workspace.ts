/**
 * Sizes of the workspaces that PyTorch gives to cuBLAS and cuBLASLt, by version, GPU and environment.
 * Mirrors parseChosenWorkspaceSize (aten/src/ATen/cuda/CublasHandlePool.cpp) and _parseChosenWorkspaceSize (CUDABlas.cpp).
 */

import { KIB } from "../base/bytes.ts";
import { diagnostic, type Diagnostic } from "../base/diagnostic.ts";
import type { GpuRow } from "./catalogue.ts";
import type { LtWorkspaceMode } from "../torch/engine-rules.ts";
import type { TorchRules } from "../torch/changes.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type WorkspaceWarningCode = "bad_cublas_workspace_config" | "bad_cublaslt_workspace_size";

/**
 * Bytes that a `CUBLAS_WORKSPACE_CONFIG` asks for: the sum of SIZE x COUNT KiB over its `:SIZE:COUNT` pairs; null when it does
 * not consist of such pairs. As in PyTorch, pairs are looked for anywhere and what is between them is ignored.
 */
export function parseCublasWorkspaceConfig(text: string): number | null {
  let totalBytes = 0;
  let pairs = 0;
  for (const [, size, count] of text.matchAll(/:(\d+):(\d+)/g)) {
    totalBytes += Number(size) * Number(count) * KIB;
    pairs += 1;
  }
  return pairs === 0 || !Number.isSafeInteger(totalBytes) ? null : totalBytes;
}

export interface WorkspaceChoice {
  /** 0: none is allocated. */
  readonly bytes: number;
  readonly warning: Diagnostic<WorkspaceWarningCode> | null;
}

function defaultCublasBytes(rules: TorchRules, gpu: GpuRow): number {
  if (gpu.workspaceBytes !== null) return gpu.workspaceBytes;
  return rules.cublasWorkspaceSizes.find((row) => gpu.sm >= row.fromSm && gpu.sm <= row.toSm)?.bytes ?? 0;
}

/** The cuBLAS workspace that each handle gets per stream from the caching allocator. */
export function cublasWorkspace(rules: TorchRules, gpu: GpuRow, env: Environment = {}): WorkspaceChoice {
  if (!rules.cublasWorkspaceCounted) return { bytes: 0, warning: null };
  const configured = env["CUBLAS_WORKSPACE_CONFIG"];
  if (configured === undefined) return { bytes: defaultCublasBytes(rules, gpu), warning: null };
  const bytes = parseCublasWorkspaceConfig(configured);
  if (bytes !== null) return { bytes, warning: null };
  return {
    bytes: defaultCublasBytes(rules, gpu),
    warning: diagnostic("bad_cublas_workspace_config", { value: configured }),
  };
}

/** Bytes of {@link cublasWorkspace}. */
export function cublasWorkspaceBytes(rules: TorchRules, gpu: GpuRow, env: Environment = {}): number {
  return cublasWorkspace(rules, gpu, env).bytes;
}

export interface LtWorkspaceChoice extends WorkspaceChoice {
  readonly mode: LtWorkspaceMode;
}

/** cuBLASLt's workspace; `CUBLASLT_WORKSPACE_SIZE` is in KiB. With mode `shared` there are no bytes of its own. */
export function ltWorkspace(rules: TorchRules, env: Environment = {}): LtWorkspaceChoice {
  if (
    rules.ltWorkspaceMode === "shared" ||
    (rules.ltUnifiedVariable && env["TORCH_CUBLASLT_UNIFIED_WORKSPACE"] === "1")
  ) {
    return { mode: "shared", bytes: 0, warning: null };
  }
  const mode = rules.ltWorkspaceMode;
  const configured = env["CUBLASLT_WORKSPACE_SIZE"];
  if (configured === undefined || !rules.ltWorkspaceVariable) {
    return { mode, bytes: rules.ltWorkspaceBytes, warning: null };
  }
  const bytes = /^\s*\+?\d+/.test(configured) ? Number.parseInt(configured, 10) * KIB : Number.NaN;
  if (Number.isSafeInteger(bytes)) return { mode, bytes, warning: null };
  return {
    mode,
    bytes: rules.ltWorkspaceBytes,
    warning: diagnostic("bad_cublaslt_workspace_size", { value: configured }),
  };
}
