/** The model that a command line names: a config.json, a folder with one, or a published model by name. */

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { configText, findModel, onlyStated, type StatedSize } from "../estimate/index.ts";
import { MAX_CONFIG_BYTES, readModelConfig, type ModelConfig } from "../formats/model-config.ts";
import { isPipelineName, PIPELINE_INDEX } from "../models/pipelines.ts";
import { ModelFileError } from "../formats/model-file-error.ts";
import { isModelId } from "../packages/hub-client.ts";
import type { Io } from "./io.ts";
import { ModelError, modelFileProblem } from "./model-error.ts";
import { modelPlace } from "./model-place.ts";

export interface NamedModel {
  /** As reports call it. */
  readonly name: string;
  readonly config: ModelConfig;
  /** Text of a config.json. */
  readonly text: string;
  /** The published count, for models of the catalogue. */
  readonly parameters: number | null;
  /** What alone confirms a configuration that was put together from descriptions. */
  readonly unsure: StatedSize | null;
}

/** @throws {ModelError} in one line, whatever the file holds */
export function modelArgument(typed: string, io: Io): NamedModel {
  const path = modelPlace(typed, io);
  const stats = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === null || stats === undefined) return published(typed);
  const file = stats.isDirectory() ? join(path, "config.json") : path;
  const size = statSync(file, { throwIfNoEntry: false });
  if (size === undefined && existsSync(join(path, PIPELINE_INDEX)))
    throw new ModelError("model_is_pipeline", { name: typed });
  if (size === undefined || !size.isFile()) throw new ModelError("model_no_config", { path: typed });
  if (size.size > MAX_CONFIG_BYTES)
    throw new ModelError("model_config_too_large", { path: typed, most: MAX_CONFIG_BYTES });
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ModelError("cannot_read", {
      path: typed,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
  try {
    return { name: typed, config: readModelConfig(text), text, parameters: null, unsure: null };
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    throw modelFileProblem(error, typed, stats.isDirectory());
  }
}

function published(typed: string): NamedModel {
  const found = findModel(typed);
  if (!found.ok && isPipelineName(typed)) throw new ModelError("model_is_pipeline", { name: typed });
  if (!found.ok) {
    const { code, args } = found.error;
    throw new ModelError(isModelId(typed) ? code.replace("unknown_model", "unknown_model_id") : code, args);
  }
  const { name, parameters } = found.value;
  const text = configText(found.value);
  return { name, config: readModelConfig(text), text, parameters, unsure: onlyStated(found.value) };
}
