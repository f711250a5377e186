/** What a class of transformers is given and answers with: texts, pictures, films or sound, and who generates. */

import { describe, expect, it } from "vitest";
import { programOf } from "../../src/estimate/index.ts";
import { DEFAULT_INFERENCE } from "../../src/estimate/recipe.ts";
import { headOf } from "../../src/models/heads.ts";

const config = (architecture: string, more: Readonly<Record<string, unknown>> = {}) =>
  ({ architectures: [architecture], model_type: "any", ...more }) as never;

describe("a head", () => {
  it.each([
    ["BertForQuestionAnswering", {}, "AutoModelForQuestionAnswering", "input_ids"],
    ["YolosForObjectDetection", { image_size: [800, 1344] }, "AutoModelForObjectDetection", "3, 800, 1344"],
    ["SegformerForSemanticSegmentation", {}, "AutoModelForSemanticSegmentation", "3, 224, 224"],
    ["DPTForDepthEstimation", { image_size: 384 }, "AutoModelForDepthEstimation", "3, 384, 384"],
    ["VideoMAEForVideoClassification", { num_frames: 16 }, "AutoModelForVideoClassification", "16, 3, 224, 224"],
    ["Wav2Vec2ForCTC", { conv_dim: [512] }, "AutoModelForCTC", "input_values=torch.zeros(batch, 160000"],
    [
      "Wav2Vec2BertForCTC",
      { feature_projection_input_dim: 160 },
      "AutoModelForCTC",
      "input_features=torch.zeros(batch, 1000, 160",
    ],
    [
      "ASTForAudioClassification",
      { num_mel_bins: 128, max_length: 1024 },
      "AutoModelForAudioClassification",
      "input_values=torch.zeros(batch, 1024, 128",
    ],
  ])("of %s generates nothing, and is given what it takes", (architecture, more, auto, given) => {
    const head = headOf(config(architecture, more));
    expect(head).toMatchObject({ auto, generates: false });
    const program = programOf({ ...DEFAULT_INFERENCE, prompt: 64 }, head);
    expect(program).toContain(given);
    expect(program).not.toMatch(/labels|_positions|generate/);
  });

  it("of sound says how long it is", () => {
    expect(headOf(config("HubertForCTC", { conv_dim: [512] })).seconds).toBe(10);
    expect(headOf(config("BertForQuestionAnswering")).seconds).toBeNull();
  });

  it.each([
    ["bert", {}, "AutoModelForMaskedLM"],
    ["vit", {}, "AutoModelForImageClassification"],
    ["detr", {}, "AutoModelForObjectDetection"],
    ["wav2vec2", { conv_dim: [512] }, "AutoModelForCTC"],
    ["whisper", { num_mel_bins: 80 }, "AutoModelForSpeechSeq2Seq"],
    ["t5", {}, "AutoModelForSeq2SeqLM"],
    ["clip", {}, "AutoModel"],
    ["llava", { vision_config: {} }, "AutoModelForImageTextToText"],
    ["llama", {}, "AutoModelForCausalLM"],
    ["something_new", {}, "AutoModelForCausalLM"],
  ])("of a configuration without a class follows from its type: %s", (type, more, auto) => {
    expect(headOf({ model_type: type, ...more } as never).auto).toBe(auto);
  });

  it("of a class without a row follows from the type, too", () => {
    const detr = { architectures: ["DetrForSegmentation"], model_type: "detr" } as never;
    expect(headOf(detr)).toMatchObject({ auto: "AutoModelForObjectDetection", generates: false });
  });

  it("is told apart by the whole name of a class", () => {
    expect(headOf(config("MarianMTModel"))).toMatchObject({ auto: "AutoModelForSeq2SeqLM", generates: true });
    expect(headOf(config("T5EncoderModel"))).toMatchObject({ auto: "AutoModelForTextEncoding", generates: false });
  });
});
