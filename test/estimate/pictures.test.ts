/** Pictures before a prompt: the sizes to which processors bring them, and the program that is run. */

import { describe, expect, it } from "vitest";
import { DEFAULT_INFERENCE, findModel, headOf, programOf, promptTokens } from "../../src/estimate/index.ts";
import { looksOf, pictureTokens } from "../../src/models/pictures.ts";
import { vramscope } from "../helpers.ts";

const configOf = (name: string) => {
  const found = findModel(name);
  if (!found.ok) throw new Error(found.error.code);
  return found.value.config;
};

describe("tokens of a picture", () => {
  // `smart_resize` of transformers 5.12.1 with the bounds of the published preprocessor_config.json
  it.each([
    ["qwen2.5-vl-7b", 1280, 720, 1196],
    ["qwen2.5-vl-7b", 1008, 1008, 1296],
    ["qwen2.5-vl-7b", 20, 20, 4],
    ["qwen2.5-vl-7b", 8000, 6000, 16_170],
    ["qwen2.5-vl-7b", 70, 4000, 286],
    ["qwen2.5-vl-7b", 490, 630, 396],
    ["qwen3-vl-8b", 1280, 720, 880],
    ["qwen3-vl-8b", 20, 20, 64],
    ["qwen3-vl-8b", 8000, 6000, 16_170],
    ["qwen3-vl-8b", 70, 4000, 250],
    // model cards: 24 x 24 of the tower's patches, 256 tokens of Gemma 3, 16 x 16 of PaliGemma at 224 pixels
    ["llava-1.5-7b", 1280, 720, 576],
    ["gemma-3-4b", 1280, 720, 256],
    ["google/paligemma-3b-pt-224", 1280, 720, 256],
  ])("%s, %i x %i: %i", (name, width, height, tokens) => {
    expect(pictureTokens(looksOf(configOf(name))!, { width, height })).toBe(tokens);
  });

  it("come before the prompt", () => {
    const head = headOf(configOf("qwen2.5-vl-7b"));
    const recipe = { ...DEFAULT_INFERENCE, prompt: 100, pictures: 2, pictureWidth: 1280, pictureHeight: 720 };
    expect(promptTokens(recipe, head)).toBe(100 + 2 * 1196);
    expect(programOf(recipe, head)).toContain("pictures * 1196");
  });
});

describe("on the command line", () => {
  it("a model without a known processor is refused in one line", async () => {
    const { code, err } = await vramscope(["estimate", "gpt2", "--images", "1"]);
    expect([code, err.split("\n").length]).toEqual([3, 2]);
    expect(err).toContain("vramscope run");
  });

  it.each([
    ["--image-size", "big"],
    ["--image-size", "0x10"],
    ["--images", "some"],
  ])("%s %s is wrong usage", async (option, value) => {
    const { code, err } = await vramscope(["estimate", "qwen2.5-vl-7b", option, value]);
    expect([code, err.split("\n").length]).toEqual([2, 2]);
  });

  it("a picture costs its tokens and its tower's work", { timeout: 300_000 }, async () => {
    const estimate = async (...more: string[]) => {
      const { code, out } = await vramscope([
        "estimate",
        "gemma-3-4b",
        "--prompt",
        "64",
        "--new",
        "4",
        "--json",
        ...more,
      ]);
      expect(code).toBe(0);
      return JSON.parse(out) as { estimates: { chain: { allocated: { bytes: number } } }[] };
    };
    const [text, seen] = [await estimate(), await estimate("--images", "4")];
    const bytes = (found: typeof text): number => found.estimates[0]!.chain.allocated.bytes;
    expect(bytes(seen)).toBeGreaterThan(bytes(text));
  });
});
