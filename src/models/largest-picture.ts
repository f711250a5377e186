/** The largest picture that a model of pictures and text is given: engines try it before they serve. */

import { table } from "../base/table.ts";
import { numberField, objectField, textField, type ModelConfig } from "../formats/model-config.ts";
import { looksOf } from "./pictures.ts";

export interface LargestPicture {
  /** Tokens that stand for it. */
  readonly tokens: number;
  /** Numbers that the tower is given. */
  readonly values: number;
}

type Rule = (config: ModelConfig, vision: ModelConfig) => LargestPicture | null;

/** A picture of any shape, up to `image_size` along each side; so many patches of a side are one token. */
const upToSide =
  (usualMerge: number): Rule =>
  (config, vision) => {
    const [side, patch] = [numberField(vision, "image_size"), numberField(vision, "patch_size")];
    if (side === undefined || patch === undefined) return null;
    const merge = numberField(config, "spatial_merge_size") ?? usualMerge;
    const channels = numberField(vision, "num_channels") ?? 3;
    return { tokens: Math.floor(side / (patch * merge)) ** 2, values: channels * side ** 2 };
  };

/** By `model_type`, where a picture before a prompt is not described in pictures.ts. */
const RULES = table<Rule>({ mistral3: upToSide(2), pixtral: upToSide(1) });

/** null for a model that is given no pictures, or whose processor is not known. */
export function largestPicture(config: ModelConfig): LargestPicture | null {
  const looks = looksOf(config);
  if (looks?.kind === "square") return { tokens: looks.tokens, values: looks.channels * looks.side ** 2 };
  if (looks?.kind === "patches") {
    const patches = Math.floor(looks.mostPixels / looks.patch ** 2);
    return { tokens: Math.floor(patches / looks.merge ** 2), values: patches * looks.values };
  }
  const vision = objectField(config, "vision_config");
  const type = textField(config, "model_type") ?? "";
  return vision === undefined || !Object.hasOwn(RULES, type) ? null : RULES[type]!(config, vision);
}
