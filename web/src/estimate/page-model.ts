/** The model that the page speaks of: published, given as a configuration, or told by the headers of its files. */

import { diagnostic, type Diagnostic } from "../../../src/base/diagnostic.ts";
import { describesDecoder } from "../../../src/models/model-shape.ts";
import { parameterCount, weightList } from "../../../src/models/weight-list.ts";
import { modelShape } from "../../../src/models/model-shape.ts";
import type { ServingInput } from "../../../src/serving/engines.ts";
import { configText, findModel, onlyStated, refusalOf, type StatedSize } from "../../../src/estimate/index.ts";
import { readModelConfig, type ModelConfig } from "../../../src/formats/model-config.ts";
import { ModelFileError } from "../../../src/formats/model-file-error.ts";
import { findPipeline } from "../../../src/models/pipelines.ts";
import type { PipelineRow } from "../../../src/models/pipeline-rows.ts";
import type { ModelFiles } from "../../../src/formats/model-folder.ts";

export interface PageModel {
  readonly name: string;
  /** Null where only tensors are known. */
  readonly config: ModelConfig | null;
  /** The configuration as a program reads it. */
  readonly text: string | null;
  /** Parameters of the whole model, where they are known without running it. */
  readonly parameters: number | null;
  /** The same for engines, which count what a checkpoint has. */
  readonly servedParameters: number | undefined;
  /** What alone confirms a configuration that was put together from descriptions. */
  readonly unsure: StatedSize | null;
  readonly files: ModelFiles | null;
  /** Why it cannot be simulated; null: nothing known against it. */
  readonly refusal: Diagnostic | null;
}

/** As the command line words it: its codes have underscores. */
export function diagnosticOf(error: ModelFileError, path: string): Diagnostic {
  return diagnostic(error.code.replaceAll("-", "_"), { ...error.args, path });
}

/** Parameters that follow from the sizes of a configuration; null where they do not. */
function countedOf(config: ModelConfig): number | null {
  try {
    return describesDecoder(config) ? parameterCount(weightList(modelShape(config), config)) : null;
  } catch (error) {
    if (error instanceof ModelFileError) return null;
    throw error;
  }
}

export function publishedModel(name: string): PageModel | Diagnostic {
  const pipeline = findPipeline(name);
  if (pipeline !== null) return pipelineModel(pipeline.name, pipeline.row);
  const found = findModel(name);
  if (!found.ok) return found.error;
  const { name: full, parameters, published } = found.value;
  const text = configText(found.value);
  const config = readModelConfig(text);
  return {
    name: full,
    config,
    text,
    parameters,
    servedParameters: Math.max(parameters, published ?? 0),
    unsure: onlyStated(found.value),
    files: null,
    refusal: refusalOf(config, full),
  };
}

/** Several models, which no configuration describes. */
function pipelineModel(name: string, { parts }: PipelineRow): PageModel {
  return {
    name,
    config: null,
    text: null,
    parameters: parts.reduce((sum, part) => sum + part.parameters, 0),
    servedParameters: undefined,
    unsure: null,
    files: null,
    refusal: null,
  };
}

export function givenModel(name: string, text: string): PageModel | Diagnostic {
  try {
    return configuredModel(name, readModelConfig(text), null);
  } catch (error) {
    if (error instanceof ModelFileError) return diagnosticOf(error, name);
    throw error;
  }
}

function configuredModel(name: string, config: ModelConfig, files: ModelFiles | null): PageModel {
  return {
    name,
    config,
    text: JSON.stringify(config),
    parameters: countedOf(config),
    servedParameters: undefined,
    unsure: null,
    files,
    refusal: refusalOf(config, name),
  };
}

/** Of files: packed integers of a quantized checkpoint are no parameters. */
export function filesModel(name: string, files: ModelFiles): PageModel {
  const isPlain = files.kind === "safetensors" && files.config?.["quantization_config"] === undefined;
  const counted = isPlain ? files.tensors.reduce((sum, { elements }) => sum + elements, 0) : undefined;
  const servedParameters = counted ?? files.index?.totalParameters ?? undefined;
  const known = files.config === null ? null : configuredModel(name, files.config, files);
  return {
    name,
    config: known?.config ?? null,
    text: known?.text ?? null,
    parameters: servedParameters ?? known?.parameters ?? null,
    servedParameters,
    unsure: null,
    files,
    refusal: known?.refusal ?? null,
  };
}

export const servingInput = ({ config, servedParameters, files }: PageModel): ServingInput => ({
  config,
  gguf: files?.gguf ?? null,
  ...(servedParameters === undefined ? {} : { parameters: servedParameters }),
});
