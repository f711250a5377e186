/**
 * How much a process uses outside the caching allocator, by GPU or architecture. It depends on the driver, the CUDA version
 * and which kernels were loaded, so it is an interval. Rows are tried from the top; the first that names the GPU or its
 * architecture applies.
 */

import { contextGiB, type ContextBytes, type GpuData } from "./row.ts";

interface ContextRule {
  /** GPU ids; absent: every GPU of the architecture. */
  readonly ids?: readonly string[];
  readonly architecture?: string;
  readonly context: ContextBytes;
}

const OOM = "process size minus reserved in published out-of-memory messages";
const GUESS = "no figure published for this GPU; range of comparable ones";

// prettier-ignore
export const CONTEXT_RULES: readonly ContextRule[] = [
  { ids: ["t4"], context: contextGiB(0.12, 0.13, 0.4, "derived", OOM) },
  { ids: ["v100-16gb", "v100-32gb"], context: contextGiB(0.3, 0.4, 1.31, "source", "300-400 MB in pytorch/pytorch#20532; 1,343 MiB with PyTorch 1.10 on a V100") },
  { ids: ["a100-40gb", "a100-80gb", "a100-80gb-pcie", "a800-80gb"], context: contextGiB(0.49, 0.49, 1.4, "derived", `${OOM}; NVML's used memory minus reserved on an A100 was 1.37 GiB with PyTorch 2.1`) },
  { ids: ["rtx-4090"], context: contextGiB(0.46, 0.48, 0.6, "derived", OOM) },
  { ids: ["rtx-6000-ada"], context: contextGiB(0.42, 0.42, 0.55, "source", "426 MiB in unslothai/unsloth-zoo#1053") },
  { ids: ["rtx-5090"], context: contextGiB(0.58, 0.61, 0.75, "derived", OOM) },
  { architecture: "Hopper", context: contextGiB(0.5, 0.68, 0.95, "source", "recorded on an H100 with PyTorch 2.11 and driver 580: 0.51 GiB after init, 0.67 to 0.70 in generation, 0.75 after attention and convolutions, 0.92 with decompositions and a graph") },
  { architecture: "Blackwell", context: contextGiB(0.5, 0.6, 0.9, "recalled", GUESS) },
  { architecture: "Blackwell Ultra", context: contextGiB(0.5, 0.6, 0.9, "recalled", GUESS) },
  { architecture: "Ada", context: contextGiB(0.35, 0.45, 0.8, "recalled", GUESS) },
  { architecture: "Ampere", context: contextGiB(0.35, 0.45, 1.4, "recalled", GUESS) },
  { context: contextGiB(0.12, 0.3, 1.0, "recalled", GUESS) },
];

export function contextOf(data: GpuData): ContextBytes {
  return CONTEXT_RULES.find(
    (rule) =>
      (rule.ids === undefined || rule.ids.includes(data.id)) &&
      (rule.architecture === undefined || rule.architecture === data.architecture),
  )!.context;
}
