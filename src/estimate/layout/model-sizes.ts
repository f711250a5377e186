/** A published configuration as the sizes that a layout cuts; what Megatron-Core cannot build is refused. */

import type { ModelConfig } from "../../formats/model-config.ts";
import { numberField } from "../../formats/model-config.ts";
import { decoderConfig, modelShape } from "../../models/model-shape.ts";
import { looksOf } from "../../models/pictures.ts";
import { hasTowers, parametersOfTowers, towerModel } from "../../models/towers.ts";
import { chosenFor } from "../../models/trait-choices.ts";
import { ReadingError } from "./reading.ts";
import type { ModelSizes } from "./training-job.ts";

/** @throws {ReadingError} for layers that are no attention; {@link ModelFileError} for a broken configuration. */
export function modelSizes(whole: ModelConfig, name: string): ModelSizes {
  const shape = modelShape(whole);
  const { config } = decoderConfig(whole);
  const attention = shape.layers.find((layer) => layer.attention !== null)?.attention;
  if (attention === undefined || attention === null || shape.layers.some((layer) => layer.state !== null))
    throw new ReadingError("launch_other_program", { name, what: "layers with a state instead of attention" });
  const { traits } = shape;
  const feeds = shape.layers.map(({ feed }) => feed);
  const mixed = feeds.find((feed) => feed !== null && feed.experts > 0) ?? null;
  const dense = feeds.find((feed) => feed !== null && feed.experts === 0) ?? null;
  const latent = attention.kind === "latent" ? attention : null;
  const grouped = attention.kind === "grouped" ? attention : null;
  const learned = traits.learnedPositions;
  const [tower, looks] = [towerModel(whole), looksOf(whole)];
  return {
    hidden: shape.hidden,
    layers: shape.layers.length,
    heads: attention.heads,
    groups: grouped?.kvHeads ?? attention.heads,
    headDim: grouped?.headDim ?? 0,
    ffn: dense?.width ?? mixed!.expertWidth,
    vocab: shape.vocab,
    positions: learned === null ? 0 : (shape.positions ?? 0) + learned,
    rotary: learned === null,
    gated: (dense ?? mixed)!.gated,
    layerNorm: traits.norm === "weight+bias",
    linearBias: chosenFor(traits.outBias, config),
    queryBias: chosenFor(traits.qkvBias, config),
    queryNorm: latent === null && traits.qkNorm !== "none",
    tied: shape.tied,
    experts:
      mixed === null
        ? null
        : {
            experts: mixed.experts,
            topk: mixed.expertsPerToken,
            ffn: mixed.expertWidth,
            sharedFfn: mixed.width,
            sharedGate: traits.sharedGate && mixed.width > 0,
            dispatcher: "alltoall",
            grouped: true,
            wideRouter: true,
            bias: traits.expertScores,
            latent: 0,
          },
    expertLayers: feeds.flatMap((feed, i) => (feed !== null && feed.experts > 0 ? [i] : [])),
    latent:
      latent === null
        ? null
        : {
            queryRank: latent.queryRank,
            rank: latent.rank,
            plain: latent.plainDim,
            rope: latent.ropeDim,
            value: latent.valueDim,
          },
    tower: parametersOfTowers(whole, shape.hidden) ?? 0,
    ...(hasTowers(whole) ? { hasTowers: true } : {}),
    ...(tower === null || looks === null ? {} : { sees: { tower, looks } }),
    extraPredictions: numberField(config, "num_nextn_predict_layers") ?? 0,
  };
}
