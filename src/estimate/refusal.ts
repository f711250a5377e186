/** Why a model cannot be estimated, and what can still be told about it. */

import { diagnostic, type Diagnostic } from "../base/diagnostic.ts";
import { nearestNames } from "../base/nearest.ts";
import { field } from "../formats/json-text.ts";
import { numberField, textConfig, type ModelConfig } from "../formats/model-config.ts";
import { ModelFileError, shown } from "../formats/model-file-error.ts";
import { modelTypeOf } from "../models/heads.ts";
import { modelShape } from "../models/model-shape.ts";
import { parameterCount, weightList } from "../models/weight-list.ts";

/** More layers than any model has take longer to simulate than anybody waits. */
const MOST_LAYERS = 1024;
const LAYER_NAMES = ["num_hidden_layers", "n_layer", "num_layers", "encoder_layers", "decoder_layers"] as const;

/** What is wrong with a configuration before anything runs; null: nothing. */
export function refusalOf(config: ModelConfig, path: string): Diagnostic | null {
  const type = field(config, "model_type");
  if (type === undefined || type === null || type === "") return diagnostic("model_no_type", { path });
  if (typeof type !== "string")
    return diagnostic("config_bad_field", { path, field: "model_type", value: shown(type) });
  for (const part of [config, textConfig(config)]) {
    for (const name of LAYER_NAMES) {
      const value = numberField(part, name);
      if (value !== undefined && value > MOST_LAYERS)
        return diagnostic("config_bad_field", { path, field: name, value });
    }
  }
  return null;
}

/** The stand-in's list of what it has follows these words. */
const UNKNOWN_TYPE = /no (?:model of type|\w+ for model type) '[^']*'[.;] [Ii]t has: (.*)$/;
const MOST_CHARACTERS = 200;

/** The last line of a program's error, as something that a person can act on; `parameters` as they were published, if that is known. */
export function explainFailure(
  line: string,
  config: ModelConfig,
  { name: path, parameters }: { readonly name: string; readonly parameters: number | null },
): Diagnostic {
  const known = UNKNOWN_TYPE.exec(line)?.[1]?.split(", ");
  if (known === undefined) {
    const error = line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line;
    return diagnostic("estimate_program_fails", { error });
  }
  const type = modelTypeOf(config) ?? "";
  const [nearest = "llama"] = nearestNames(type, known);
  if (parameters !== null)
    return diagnostic("model_unknown_type_published", { path, type: shown(type), weightsBytes: 2 * parameters });
  const bytes = weightBytes({ ...config, model_type: nearest });
  const args = { path, type: shown(type), nearest };
  return bytes === null
    ? diagnostic("model_unknown_type", args)
    : diagnostic("model_unknown_type_weights", { ...args, weightsBytes: bytes });
}

/** Bytes of the weights in 16 bits, if they follow from the sizes; null otherwise. */
function weightBytes(config: ModelConfig): number | null {
  try {
    return 2 * parameterCount(weightList(modelShape(config), config));
  } catch (error) {
    if (error instanceof ModelFileError) return null;
    throw error;
  }
}
