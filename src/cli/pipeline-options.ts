/** What `estimate` asks of a pipeline of diffusers, on the command line and on the page. */

import { row, WEIGHTS } from "../estimate/index.ts";
import { ON_CARD, type OnCard, type PipelineRequest } from "../estimate/pipeline.ts";
import type { PipelineRow } from "../models/pipeline-rows.ts";
import { valueOf, type OptionSpec, type Parsed } from "./command.ts";
import { pixelSize, type PixelSize } from "./pixel-size.ts";
import { UsageError } from "./usage-error.ts";
import { wholeNumber } from "./whole-number.ts";

/** What a pipeline is asked besides a batch, a type of weights and a GPU. */
export const PIPELINE_OPTIONS: readonly OptionSpec[] = [
  { name: "size", value: "WxH", summary: "option_pipeline_size" },
  { name: "frames", value: "N", summary: "option_frames" },
  { name: "on-card", value: "WHICH", choices: ON_CARD, defaultValue: "all", summary: "option_on_card" },
];

/** Types of weights that pipelines are loaded with. */
export const PIPELINE_TYPES: readonly string[] = ["fp32", "bf16", "fp16"];
const MOST_PIXELS = 16_384;
const MOST = 2 ** 31 - 1;

function sizeOf(parsed: Parsed, { width, height }: PixelSize): PixelSize {
  const typed = valueOf(parsed, "size");
  if (typed === undefined) return { width, height };
  const size = pixelSize(typed, MOST_PIXELS);
  if (size === null) throw new UsageError("bad_pipeline_size", { value: typed });
  return size;
}

export interface AskedPipeline {
  readonly request: PipelineRequest;
  /** Name of the type of the weights. */
  readonly weights: string;
}

/** @throws {UsageError} for what the pipeline cannot be asked */
export function askedPipeline(parsed: Parsed, pipeline: PipelineRow): AskedPipeline {
  const weights = valueOf(parsed, "weights") ?? pipeline.weights;
  if (!PIPELINE_TYPES.includes(weights))
    throw new UsageError("option_not_of_pipeline", { name: `--weights ${weights}` });
  const frames = valueOf(parsed, "frames");
  if (frames !== undefined && pipeline.frames === 1)
    throw new UsageError("option_not_of_pipeline", { name: "--frames" });
  const request = {
    batch: wholeNumber("--batch", valueOf(parsed, "batch") ?? "1", MOST),
    ...sizeOf(parsed, pipeline),
    frames: frames === undefined ? pipeline.frames : wholeNumber("--frames", frames, MOST),
    onCard: (valueOf(parsed, "on-card") ?? "all") as OnCard,
    weightBytes: row(WEIGHTS, weights).weightBytes,
  };
  return { request, weights };
}
