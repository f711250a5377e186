/** What a model of pictures and text is given for one picture: numbers for its tower, and the tokens that stand for it in the prompt. */

import { numberField, objectField, textField, type ModelConfig } from "../formats/model-config.ts";
import { table } from "../base/table.ts";

/** A picture cut into patches at its own size, some of which are one token. */
interface Patches {
  readonly kind: "patches";
  /** Pixels of a patch's side, and patches of a token's side. */
  readonly patch: number;
  readonly merge: number;
  /** Numbers of one patch. */
  readonly values: number;
  /** What a processor makes a picture fit into. */
  readonly leastPixels: number;
  readonly mostPixels: number;
}

/** A picture made one size, whatever it was. */
interface Square {
  readonly kind: "square";
  readonly side: number;
  readonly channels: number;
  readonly tokens: number;
  /** Training is told which tokens are pictures'. */
  readonly marked: boolean;
}

export type Looks = Patches | Square;

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

type Rule = (config: ModelConfig, vision: ModelConfig) => Looks | null;

/** preprocessor_config.json of the published models: pixels at least and at most. */
const patches =
  (usualPatch: number, leastPixels: number, mostPixels: number): Rule =>
  (_, vision) => {
    const patch = numberField(vision, "patch_size") ?? usualPatch;
    const channels = numberField(vision, "in_channels", "in_chans") ?? 3;
    const frames = numberField(vision, "temporal_patch_size") ?? 2;
    const merge = numberField(vision, "spatial_merge_size") ?? 2;
    return { kind: "patches", patch, merge, values: channels * frames * patch * patch, leastPixels, mostPixels };
  };

const square =
  (tokensOf: (perSide: number, config: ModelConfig) => number, marked = false): Rule =>
  (config, vision) => {
    const [side, patch] = [numberField(vision, "image_size"), numberField(vision, "patch_size")];
    if (side === undefined || patch === undefined) return null;
    const tokens = tokensOf(Math.floor(side / patch), config);
    return { kind: "square", side, channels: numberField(vision, "num_channels") ?? 3, tokens, marked };
  };

/** By `model_type`. Families whose processors cut a picture into tiles are not here. */
const RULES = table<Rule>({
  qwen2_vl: patches(14, 56 * 56, 28 * 28 * 16_384),
  qwen2_5_vl: patches(14, 56 * 56, 28 * 28 * 16_384),
  qwen3_vl: patches(16, 65_536, 16_777_216),
  qwen3_vl_moe: patches(16, 65_536, 16_777_216),
  // modeling_llava.py: vision_feature_select_strategy is "default", without the token of the class
  llava: square((perSide) => perSide ** 2),
  gemma3: square((_, config) => numberField(config, "mm_tokens_per_image") ?? 256, true),
  paligemma: square((perSide) => perSide ** 2, true),
});

/** null for a model that is given no pictures, or whose processor is not known. */
export function looksOf(config: ModelConfig): Looks | null {
  const vision = objectField(config, "vision_config");
  const type = textField(config, "model_type") ?? "";
  return vision === undefined || !Object.hasOwn(RULES, type) ? null : RULES[type]!(config, vision);
}

/** As Python's `round`: halves go to the even neighbour. */
function rounded(value: number): number {
  const down = Math.floor(value);
  if (value - down !== 0.5) return Math.round(value);
  return down % 2 === 0 ? down : down + 1;
}

/** Patches down and across. image_processing_qwen2_vl.py: smart_resize */
function gridOf(looks: Patches, { width, height }: PictureSize): readonly [number, number] {
  const side = looks.patch * looks.merge;
  const fit = (pixels: number): number => rounded(pixels / side) * side;
  const asked = width * height;
  let [down, across] = [fit(height), fit(width)];
  if (down * across > looks.mostPixels) {
    const shrink = Math.sqrt(asked / looks.mostPixels);
    const less = (pixels: number): number => Math.max(side, Math.floor(pixels / shrink / side) * side);
    [down, across] = [less(height), less(width)];
  } else if (down * across < looks.leastPixels) {
    const grow = Math.sqrt(looks.leastPixels / asked);
    const more = (pixels: number): number => Math.ceil((pixels * grow) / side) * side;
    [down, across] = [more(height), more(width)];
  }
  return [down / looks.patch, across / looks.patch];
}

/** Tokens that stand for one picture. */
export function pictureTokens(looks: Looks, size: PictureSize): number {
  if (looks.kind === "square") return looks.tokens;
  const [down, across] = gridOf(looks, size);
  return (down * across) / looks.merge ** 2;
}

/** The values that a tower is given for one picture: their sizes, and rows and columns of patches where those vary. */
export function pictureShape(looks: Looks, size: PictureSize): { shape: number[]; grid: [number, number] | null } {
  if (looks.kind === "square") return { shape: [looks.channels, looks.side, looks.side], grid: null };
  const [down, across] = gridOf(looks, size);
  return { shape: [down * across, looks.values], grid: [down, across] };
}

/** Python: the model's arguments by name; `batch`, `pictures`, `dtype` and `device` are variables. */
export function pictureArguments(looks: Looks, size: PictureSize): Readonly<Record<string, string>> {
  if (looks.kind === "square") {
    const { channels, side } = looks;
    const shape = `batch * pictures, ${channels}, ${side}, ${side}`;
    return { pixel_values: `torch.zeros(${shape}, dtype=dtype, device=device)` };
  }
  const [down, across] = gridOf(looks, size);
  return {
    // the processor leaves float32; the tower makes of it what it computes with
    pixel_values: `torch.zeros(batch * pictures * ${down * across}, ${looks.values}, device=device)`,
    image_grid_thw: `torch.tensor([[1, ${down}, ${across}]] * (batch * pictures), device=device)`,
  };
}
