/** `vramscope estimate` for serving engines and for weights alone: computed from headers and configurations; a family without a list of weights is counted by a run. */

import { shownJson } from "../base/shown-text.ts";
import { CONFIG_FILE, DEFAULT_INFERENCE, generated, headOf, ROOMY_BYTES, type Recipe } from "../estimate/index.ts";
import { findModel } from "../models/catalogue.ts";
import { describesDecoder } from "../models/model-shape.ts";
import { estimateServing, servedFormat, weightsIn, type ServingInput } from "../serving/engines.ts";
import { formatFits } from "../serving/format-fits.ts";
import { servingCard } from "../serving/serving-card.ts";
import { usedBytes } from "../serving/serving.ts";
import { ModelFileError } from "../formats/model-file-error.ts";
import type { ModelFiles } from "../formats/model-folder.ts";
import { byDtype } from "../formats/model-tensor.ts";
import type { Capacity } from "../gpus/capacity.ts";
import { DEFAULT_GPU, GPUS } from "../gpus/catalogue.ts";
import { withProfile } from "../gpus/profile.ts";
import type { Locale } from "../i18n/index.ts";
import {
  formatsOnCards,
  formatTable,
  servingCardLines,
  servingTable,
  servingText,
  weightsText,
  type WeightsFacts,
} from "../report/serving-text.ts";
import { DEFAULT_TORCH } from "../torch/releases.ts";
import { widthOf } from "./colour.ts";
import { valueOf, type Parsed } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { ModelError } from "./model-error.ts";
import { modelFilesAt } from "./model-files.ts";
import { profileFor } from "./profiles.ts";
import { cardsNamed, servingOptions, servingRequest, type ServingRequest } from "./serving-options.ts";
import { UsageError } from "./usage-error.ts";
import { namedTorch } from "./named-machine.ts";

interface Named {
  readonly name: string;
  readonly input: ServingInput;
  readonly files: ModelFiles | null;
}

function named(typed: string, io: Io): Named {
  const files = modelFilesAt(typed, io);
  if (files !== null) {
    // Packed integers of a quantized file are no parameters.
    const isPlain = files.kind === "safetensors" && files.config?.["quantization_config"] === undefined;
    const counted = isPlain ? files.tensors.reduce((sum, { elements }) => sum + elements, 0) : undefined;
    const parameters = counted ?? files.index?.totalParameters ?? undefined;
    return { name: typed, input: { config: files.config, gguf: files.gguf, parameters }, files };
  }
  const found = findModel(typed);
  if (!found.ok) throw new ModelError(found.error.code, found.error.args);
  const { name, config, parameters, published } = found.value;
  return { name, input: { config, parameters: Math.max(parameters, published ?? 0) }, files: null };
}

/** The size that a file's own header tells. */
function factsOfFiles(files: ModelFiles): WeightsFacts | null {
  if (files.weightBytes === null) return null;
  const known = files.tensors.length > 0;
  return {
    bytes: files.weightBytes,
    parameters: known ? files.tensors.reduce((sum, { elements }) => sum + elements, 0) : null,
    tensors: known ? files.tensors.length : (files.index?.tensorNames.length ?? null),
    shards: known ? null : (files.index?.shards.length ?? null),
    format: null,
    types: byDtype(files.tensors),
    dataIsCut: files.dataIsCut,
  };
}

function factsOf({ input, files }: Named, request: ServingRequest): WeightsFacts {
  const own = files === null || request.quant !== undefined ? null : factsOfFiles(files);
  if (own !== null) return own;
  if (input.config === null) throw new ModelError("engine_needs_config");
  const answer = weightsIn({ ...input, config: input.config }, request.quant);
  if (!answer.ok) throw new UsageError(answer.error.code, answer.error.args);
  const { format, bytes, parameters } = answer.value;
  return { bytes, parameters, tensors: null, shards: null, format, types: [], dataIsCut: false };
}

/** The card with what was measured on it; only NVIDIA's are. */
function withMeasuredContext(card: Capacity, parsed: Parsed, io: Io): Capacity {
  const gpu = GPUS.find(({ id }) => id === card.id);
  if (gpu === undefined) return card;
  const profile = profileFor(valueOf(parsed, "profile"), gpu.id, io);
  return { ...card, contextBytes: withProfile(gpu, profile).context.expectedBytes };
}

function answer(model: Named, request: ServingRequest, parsed: Parsed, locale: Locale, io: Io): ExitCode {
  const width = widthOf(io.env, io.outInfo);
  if (request.engine === null) {
    const facts = factsOf(model, request);
    io.out(
      request.json
        ? `${shownJson({ schemaVersion: 1, model: model.name, weights: facts }, 2)}\n`
        : weightsText(model.name, facts, locale, width),
    );
    return EXIT.ok;
  }
  const { engine } = request;
  const answers = cardsNamed(valueOf(parsed, "gpu") ?? DEFAULT_GPU).map((gpu) => {
    const options = servingOptions(parsed, withMeasuredContext(gpu, parsed, io));
    const found = estimateServing(engine, model.input, options);
    if (!found.ok) throw new UsageError(found.error.code, found.error.args);
    const card = servingCard(engine, model.input, options, found.value);
    return { gpu, estimate: found.value, card };
  });
  const [only, ...more] = answers;
  if (request.json) {
    const servings = answers.map(({ gpu, estimate, card }) => {
      const fits = request.fit ? formatFits(engine, model.input, servingOptions(parsed, gpu)) : null;
      return {
        gpu: gpu.id,
        card: { ...card, text: servingCardLines(card, locale) },
        ...estimate,
        usedBytes: Math.round(usedBytes(estimate)),
        ...(fits === null ? {} : { formats: fits }),
      };
    });
    const document = { schemaVersion: 1, model: model.name, servings };
    io.out(`${shownJson(document, 2)}\n`);
  } else if (more.length === 0) {
    const isDefault = request.quant === undefined;
    // a configuration that says how its weights are quantized needs no word about it
    const isOwn = isDefault && model.input.config?.["quantization_config"] !== undefined;
    const format = isOwn ? null : servedFormat(engine, model.input, request.quant);
    const settings = Object.entries({ gpu: DEFAULT_GPU, ...only!.estimate.settings });
    const taken = settings.filter(([name]) => !parsed.values.has(name)).map(([name, value]) => `--${name} ${value}`);
    const about = { format, isDefault, taken };
    const text = servingText(model.name, only!.gpu, only!.estimate, only!.card, about, locale, width);
    io.out(request.fit ? `${text}\n${fitText(model, engine, only!.gpu, parsed, locale, width)}` : text);
  } else {
    io.out(servingTable(answers, locale, width));
    const found = request.fit
      ? answers.flatMap(({ gpu }) => {
          const fits = formatFits(engine, model.input, servingOptions(parsed, gpu));
          return fits === null ? [] : [{ gpu, fits }];
        })
      : [];
    if (found.length > 0) io.out(`\n${formatsOnCards(found, locale, width)}`);
  }
  return answers.some(({ estimate }) => estimate.fits) ? EXIT.ok : EXIT.doesNotFit;
}

function fitText(model: Named, engine: string, gpu: Capacity, parsed: Parsed, locale: Locale, width: number): string {
  const fits = formatFits(engine, model.input, servingOptions(parsed, gpu));
  return fits === null ? "" : formatTable(fits, gpu, locale, width);
}

/** Files that hold weights and no configuration to simulate. */
const WEIGHT_FILE = /\.(gguf|safetensors|safetensors\.index\.json)$/i;

const weightsRequest = (parsed: Parsed): ServingRequest => ({
  engine: null,
  fit: false,
  weightsOnly: true,
  quant: undefined,
  json: parsed.flags.has("json"),
});

/** Of a family that engines do not serve no list of weights is kept: its own program, run for one token, tells how many there are. */
async function counted(model: Named, { weightsOnly }: ServingRequest, parsed: Parsed, io: Io): Promise<Named> {
  const { config, parameters } = model.input;
  if (!weightsOnly || config === null || parameters !== undefined || describesDecoder(config)) return model;
  const torch = namedTorch(valueOf(parsed, "torch") ?? DEFAULT_TORCH);
  const { openEstimateRuns } = await import("../python/estimate-runs.ts");
  const files = { [CONFIG_FILE]: JSON.stringify(config) };
  const runs = openEstimateRuns({ torch, files, signal: io.signal });
  try {
    const recipe: Recipe = { ...DEFAULT_INFERENCE, prompt: 1, newTokens: 0 };
    const made = await runs.run(generated(recipe, headOf(config)), DEFAULT_GPU, ROOMY_BYTES);
    if (made.status !== "ok") return model;
    return { ...model, input: { ...model.input, parameters: made.digest.elements.parameters } };
  } finally {
    runs.close();
  }
}

/** The exit status, or null where the command line asks for something else. Throws {@link ModelError} and {@link UsageError}. */
export async function servingAnswer(typed: string, parsed: Parsed, locale: Locale, io: Io): Promise<ExitCode | null> {
  const request = servingRequest(parsed) ?? (WEIGHT_FILE.test(typed) ? weightsRequest(parsed) : null);
  if (request === null) return null;
  try {
    return answer(await counted(named(typed, io), request, parsed, io), request, parsed, locale, io);
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    throw new ModelError(error.code.replaceAll("-", "_"), { ...error.args, path: typed });
  }
}
