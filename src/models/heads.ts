/** Which class of transformers a configuration means, and what such a model is given. */

import { field } from "../formats/json-text.ts";
import { looksOf, type Looks } from "./pictures.ts";
import { endingOfType } from "./type-heads.ts";
import {
  flagField,
  numberField,
  objectField,
  textConfig,
  textField,
  type ModelConfig,
} from "../formats/model-config.ts";

export interface Head {
  /** Auto class that finds the model. */
  readonly auto: string;
  /** Python expression of the inputs of a training step, by argument; `batch` and `length` are variables. */
  readonly training: Readonly<Record<string, string>>;
  /** Python lines of the function `loss_of`, where the model itself has no loss. */
  readonly loss: readonly string[] | null;
  /** Whether it can generate text. */
  readonly generates: boolean;
  /** What it generates text from, where that is no text. */
  readonly source: string | null;
  readonly encoderDecoder: boolean;
  /** What it is given for a picture before the text; null: none. */
  readonly looks: Looks | null;
  /** Whether sequences have a length that can be chosen. */
  readonly hasLength: boolean;
  /** Seconds of sound that it is given; null: none. */
  readonly seconds: number | null;
  /** Fields that say how wide feed-forward layers are inside, as Python names them from the configuration on. */
  readonly innerWidths: readonly string[];
}

const SEQ2SEQ = "AutoModelForSeq2SeqLM";
const TOKENS = "torch.zeros(batch, length, dtype=torch.int64, device=device)";
const CLASSES = "torch.zeros(batch, dtype=torch.int64, device=device)";
const wholeOr = (value: unknown, otherwise: number): number =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : otherwise;
function pixels(config: ModelConfig): string {
  const size = field(objectField(config, "vision_config") ?? config, "image_size");
  const [height, width] = Array.isArray(size) ? size : [size, size];
  return `${wholeOr(height, 224)}, ${wholeOr(width, 224)}`;
}
const image = (config: ModelConfig, frames = ""): string => {
  const channels = numberField(objectField(config, "vision_config") ?? config, "num_channels") ?? 3;
  return `torch.zeros(batch, ${frames}${channels}, ${pixels(config)}, dtype=dtype, device=device)`;
};

const INNER_WIDTHS = [
  "intermediate_size",
  "moe_intermediate_size",
  "shared_expert_intermediate_size",
  "n_inner",
  "ffn_dim",
  "d_ff",
  "encoder_ffn_dim",
  "decoder_ffn_dim",
];
function innerWidths(config: ModelConfig): string[] {
  const inner = objectField(config, "text_config");
  const path = inner === undefined ? "" : "text_config.";
  return INNER_WIDTHS.filter((name) => typeof field(inner ?? config, name) === "number").map((name) => path + name);
}

interface HeadRow {
  /** Ending of a name in `architectures`. */
  readonly ending: string;
  readonly make: (config: ModelConfig) => Head;
}

const text =
  (auto: string, training: Head["training"], generates: boolean): HeadRow["make"] =>
  (config) => ({
    auto,
    training,
    loss: null,
    generates,
    source: null,
    looks: looksOf(config),
    encoderDecoder: auto === SEQ2SEQ || (flagField(config, "is_encoder_decoder") ?? false),
    hasLength: true,
    seconds: null,
    innerWidths: innerWidths(config),
  });
/** What is given and answered as a whole, without a length. */
const whole =
  (auto: string, training: (config: ModelConfig) => Head["training"], seconds: number | null = null): HeadRow["make"] =>
  (config) => ({
    auto,
    training: training(config),
    loss: null,
    generates: false,
    source: null,
    looks: null,
    encoderDecoder: false,
    hasLength: false,
    seconds,
    innerWidths: innerWidths(config),
  });
const picture = (auto: string, labels?: (config: ModelConfig) => string): HeadRow["make"] =>
  whole(auto, (config) => ({
    pixel_values: image(config),
    ...(labels === undefined ? {} : { labels: labels(config) }),
  }));

const SOUND_SECONDS = 10;
/** Samples of 16 kHz where convolutions hear the wave itself; else bands of 10 ms, as many as the configuration says. */
const sound = (auto: string, labels: string): HeadRow["make"] =>
  whole(
    auto,
    (config) => {
      const bands = numberField(
        objectField(config, "encoder_config") ?? config,
        "num_mel_bins",
        "feature_projection_input_dim",
      );
      const steps = wholeOr(field(config, "max_length"), 100 * SOUND_SECONDS);
      if (field(config, "conv_dim") !== undefined || bands === undefined)
        return { input_values: `torch.zeros(batch, ${16_000 * SOUND_SECONDS}, dtype=dtype, device=device)`, labels };
      const name = field(config, "max_length") === undefined ? "input_features" : "input_values";
      return { [name]: `torch.zeros(batch, ${steps}, ${bands}, dtype=dtype, device=device)`, labels };
    },
    SOUND_SECONDS,
  );

/** Speech as a spectrum of so many bands; the encoder halves its length. */
const speech: HeadRow["make"] = (config) => {
  const spectrum = `torch.zeros(batch, ${numberField(config, "num_mel_bins")}, 2 * config.max_source_positions, dtype=dtype, device=device)`;
  return {
    auto: "AutoModelForSpeechSeq2Seq",
    training: { input_features: spectrum, labels: TOKENS },
    loss: null,
    generates: true,
    source: spectrum,
    looks: null,
    encoderDecoder: true,
    hasLength: true,
    seconds: null,
    innerWidths: innerWidths(config),
  };
};
/** Pictures and texts that are compared; the length is that of the text tower. */
const comparison: HeadRow["make"] = (config) => ({
  auto: "AutoModel",
  training: {
    input_ids: TOKENS.replace("length", "config.text_config.max_position_embeddings"),
    pixel_values: image(config),
    return_loss: "True",
  },
  loss: null,
  generates: false,
  source: null,
  looks: null,
  encoderDecoder: false,
  hasLength: false,
  seconds: null,
  innerWidths: [],
});

/** Vectors of texts: those of one text's tokens are averaged, and a batch's texts are told apart by their products. */
const embedding: HeadRow["make"] = (config) => ({
  ...text("AutoModel", { input_ids: TOKENS }, false)(config),
  loss: [
    "def loss_of(**inputs):",
    "    vectors = F.normalize(model(**inputs).last_hidden_state.mean(dim=1), dim=-1)",
    "    scores = vectors @ vectors.T / 0.05",
    "    return F.cross_entropy(scores, torch.arange(len(scores), device=device))",
  ],
});

/** What a training step is told of the right answer, and a pass that only answers is not given. */
export const ANSWERS: readonly string[] = ["labels", "return_loss", "start_positions", "end_positions"];

/** In the order in which they are tried. */
const HEADS: readonly HeadRow[] = [
  { ending: "ForCausalLM", make: text("AutoModelForCausalLM", { input_ids: TOKENS, labels: TOKENS }, true) },
  { ending: "LMHeadModel", make: text("AutoModelForCausalLM", { input_ids: TOKENS, labels: TOKENS }, true) },
  { ending: "ForMaskedLM", make: text("AutoModelForMaskedLM", { input_ids: TOKENS, labels: TOKENS }, false) },
  {
    ending: "ForSequenceClassification",
    make: text("AutoModelForSequenceClassification", { input_ids: TOKENS, labels: CLASSES }, false),
  },
  {
    ending: "ForTokenClassification",
    make: text("AutoModelForTokenClassification", { input_ids: TOKENS, labels: TOKENS }, false),
  },
  {
    ending: "ForQuestionAnswering",
    make: text(
      "AutoModelForQuestionAnswering",
      { input_ids: TOKENS, start_positions: CLASSES, end_positions: CLASSES },
      false,
    ),
  },
  { ending: "ForImageClassification", make: picture("AutoModelForImageClassification", () => CLASSES) },
  { ending: "ForImageClassificationWithTeacher", make: picture("AutoModelForImageClassification") },
  { ending: "ForObjectDetection", make: picture("AutoModelForObjectDetection") },
  { ending: "ForDepthEstimation", make: picture("AutoModelForDepthEstimation") },
  { ending: "ForMaskedImageModeling", make: picture("AutoModelForMaskedImageModeling") },
  { ending: "ForUniversalSegmentation", make: picture("AutoModelForUniversalSegmentation") },
  {
    ending: "ForSemanticSegmentation",
    make: picture(
      "AutoModelForSemanticSegmentation",
      (config) => `torch.zeros(batch, ${pixels(config)}, dtype=torch.int64, device=device)`,
    ),
  },
  {
    ending: "ForVideoClassification",
    make: whole("AutoModelForVideoClassification", (config) => ({
      pixel_values: image(config, `${wholeOr(field(config, "num_frames"), 16)}, `),
      labels: CLASSES,
    })),
  },
  { ending: "ForCTC", make: sound("AutoModelForCTC", "torch.zeros(batch, 100, dtype=torch.int64, device=device)") },
  { ending: "ForAudioClassification", make: sound("AutoModelForAudioClassification", CLASSES) },
  {
    ending: "ForConditionalGeneration",
    make: (config) =>
      objectField(config, "vision_config") === undefined
        ? numberField(config, "num_mel_bins") === undefined
          ? text(SEQ2SEQ, { input_ids: TOKENS, labels: TOKENS }, true)(config)
          : speech(config)
        : text("AutoModelForImageTextToText", { input_ids: TOKENS, labels: TOKENS }, true)(config),
  },
  { ending: "MTModel", make: text(SEQ2SEQ, { input_ids: TOKENS, labels: TOKENS }, true) },
  { ending: "EncoderModel", make: text("AutoModelForTextEncoding", { input_ids: TOKENS }, false) },
  { ending: "CLIPModel", make: comparison },
  { ending: "SiglipModel", make: comparison },
  { ending: "Model", make: embedding },
  { ending: "ForPreTraining", make: text("AutoModelForMaskedLM", { input_ids: TOKENS, labels: TOKENS }, false) },
];

const BY_DEFAULT = HEADS[0]!;

export function headOf(config: ModelConfig): Head {
  const names = field(config, "architectures");
  const architecture = Array.isArray(names) && typeof names[0] === "string" ? names[0] : "";
  // a class without a row, or none at all: what transformers has for the type
  const meant = [architecture, endingOfType(modelTypeOf(config) ?? "") ?? ""];
  const found = meant.map((name) => HEADS.find((candidate) => name.endsWith(candidate.ending)));
  return (found.find((row) => row !== undefined) ?? BY_DEFAULT).make(config);
}

/** The longest sequence that the model's positions allow, where the configuration says so. */
export function longestSequence(config: ModelConfig): number | null {
  return (
    numberField(
      textConfig(config),
      "max_position_embeddings",
      "n_positions",
      "n_ctx",
      "seq_length",
      "max_seq_len",
      "max_target_positions",
    ) ?? null
  );
}

/** `model_type`, which every configuration of transformers has. */
export function modelTypeOf(config: ModelConfig): string | null {
  return textField(config, "model_type") ?? null;
}
