/** What a pipeline of diffusers takes of a card: its parts one by one, and each phase with what is on the card meanwhile. */

import type { GpuRow } from "../gpus/row.ts";
import type { PipelinePart, PipelineRow } from "../models/pipeline-rows.ts";
import type { Fit } from "./chain.ts";

/** Which parts are on the card: all of them, the one that runs, or the layer that runs. */
export const ON_CARD = ["all", "part", "layer"] as const;
export type OnCard = (typeof ON_CARD)[number];

export interface PipelineRequest {
  readonly batch: number;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly onCard: OnCard;
  /** Bytes of one number of the weights. */
  readonly weightBytes: number;
}

export interface PipelinePhase {
  readonly part: PipelinePart;
  /** Weights and buffers that are on the card, those of other parts included. */
  readonly residentBytes: number;
  readonly activationBytes: number;
}

export interface PipelineEstimate {
  readonly request: PipelineRequest;
  readonly gpu: GpuRow;
  readonly weightBytes: number;
  readonly phases: readonly PipelinePhase[];
  readonly peak: PipelinePhase;
  /** With the context; the higher end has convolutions' workspaces and the highest context. */
  readonly neededBytes: number;
  readonly highBytes: number;
  readonly capacityBytes: number;
  readonly fit: Fit;
}

const FLOAT32_BYTES = 4;

/** A decoder that is upcast works in 32 bits whatever the weights are. */
const bytesOf = (part: PipelinePart, { weightBytes }: PipelineRequest): number =>
  part.upcast === true ? FLOAT32_BYTES : weightBytes;

export const partBytes = (part: PipelinePart, request: PipelineRequest): number =>
  (part.parameters + (part.bufferValues ?? 0)) * request.weightBytes;

function residentBytes(row: PipelineRow, running: PipelinePart, request: PipelineRequest): number {
  const own = (running.parameters + (running.bufferValues ?? 0)) * bytesOf(running, request);
  if (request.onCard === "layer") return running.largestLayer * bytesOf(running, request);
  if (request.onCard === "part") return own;
  const others = row.parts.filter((part) => part !== running);
  return own + others.reduce((sum, part) => sum + partBytes(part, request), 0);
}

/** Numbers that are alive at once in a pass, by what was recorded at two sizes. */
function activationBytes(part: PipelinePart, request: PipelineRequest): number {
  const { activations } = part;
  if (activations === undefined) return 0;
  const { batch, width, height, frames } = request;
  const area = Math.ceil(width / activations.stride) * Math.ceil(height / activations.stride);
  const times = Math.ceil((frames - 1) / activations.frameStride) + 1;
  const values = activations.fixed + activations.perPlace * area * times + (activations.perPlaceOnce ?? 0) * area;
  return batch * values * bytesOf(part, request);
}

export function estimatePipeline(row: PipelineRow, request: PipelineRequest, gpu: GpuRow): PipelineEstimate {
  const phases = row.parts.map((part): PipelinePhase => ({
    part,
    residentBytes: residentBytes(row, part, request),
    activationBytes: activationBytes(part, request),
  }));
  const sum = (phase: PipelinePhase): number => phase.residentBytes + phase.activationBytes;
  const peak = phases.reduce((most, phase) => (sum(phase) > sum(most) ? phase : most));
  const neededBytes = sum(peak) + gpu.context.expectedBytes;
  // Assumed: workspaces of convolutions are at most as large as what they work on. No set of measured runs was held against it.
  const highest = phases.reduce((most, phase) => Math.max(most, sum(phase) + phase.activationBytes), 0);
  const highBytes = highest + gpu.context.highBytes;
  const capacityBytes = gpu.totalBytes;
  // what a published run took with parts on the host is far above what works at once, and the cause is not known
  const canBeSure = request.onCard === "all";
  return {
    request,
    gpu,
    weightBytes: row.parts.reduce((total, part) => total + partBytes(part, request), 0),
    phases,
    peak,
    neededBytes,
    highBytes,
    capacityBytes,
    fit: neededBytes > capacityBytes ? "does_not_fit" : highBytes <= capacityBytes && canBeSure ? "fits" : "tight",
  };
}
