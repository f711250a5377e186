/**
 * What class a configuration without `architectures` means, by its type: the first that transformers itself has for it, in the order
 * of text from text, sound or pictures, masked words, left to right, objects, segments, classes, depth, films, letters of sound, and
 * last the model without a head (src/transformers/models/auto/modeling_auto.py, 5.12). Types that read left to right are not listed.
 */

import { table } from "../base/table.ts";

/** Types by the ending of their class. */
const TYPES = table<string>({
  Model:
    "aimv2 aimv2_vision_model audioflamingo3_encoder autoformer bark blip_2_qformer bridgetower bros canine chinese_clip_vision_model " +
    "clap clip_text_model clip_vision_model dac decision_transformer dinov3_convnext dinov3_vit dpr edgetam edgetam_video " +
    "edgetam_vision_model efficientloftr encodec encoder-decoder exaone4_5_vision fastspeech2_conformer " +
    "fastspeech2_conformer_with_hifigan flava gemma3n_audio gemma3n_vision gemma4_audio gemma4_vision glm4v_moe_text glm4v_moe_vision " +
    "glm4v_text glm4v_vision glm_image glm_image_text glm_image_vision glm_image_vqmodel glm_ocr_text glm_ocr_vision glmasr_encoder " +
    "grounding-dino groupvit higgs_audio_v2_tokenizer idefics3_vision informer internvl_vision lasr_encoder layoutlmv2 layoutlmv3 " +
    "lightglue lilt lxmert markuplm maskformer-swin mgp-str mimi mlcd mlcd_vision_model mm-grounding-dino openai_privacy_filter owlv2 " +
    "owlvit parakeet_encoder parakeet_rnnt parakeet_tdt patchtsmixer patchtst pe_audio pe_audio_encoder pe_audio_video " +
    "pe_audio_video_encoder pe_video pe_video_encoder pixio pixtral pp_ocrv5_mobile_rec pp_ocrv5_server_rec pp_ocrv6_small_rec " +
    "pp_ocrv6_tiny_rec qianfan_ocr_vision qwen2_5_vl_text qwen2_audio_encoder qwen2_vl_text qwen3_5_moe_vision qwen3_5_vision " +
    "qwen3_vl_moe_text qwen3_vl_moe_vision qwen3_vl_text qwen3_vl_vision sam sam2 sam2_hiera_det_model sam2_video sam2_vision_model " +
    "sam3 sam3_lite_text sam3_lite_text_text_model sam3_tracker sam3_tracker_video sam3_video sam3_vision_model sam3_vit_model sam_hq " +
    "sam_hq_vision_model sam_vision_model seggpt siglip2_vision_model siglip_vision_model smolvlm_vision speech-encoder-decoder " +
    "splinter swin2sr t5gemma2_encoder time_series_transformer timesfm timesfm2_5 timm_backbone tvp univnet uvdoc " +
    "vibevoice_acoustic_tokenizer vibevoice_acoustic_tokenizer_decoder vibevoice_acoustic_tokenizer_encoder video_llama_3_vision vilt " +
    "vision-encoder-decoder vision-text-dual-encoder visual_bert vit_mae vitdet vits voxtral_encoder voxtral_realtime_encoder " +
    "voxtral_realtime_text xclip xcodec",
  ForMaskedLM:
    "albert bert big_bird camembert convbert data2vec-text deberta deberta-v2 distilbert electra ernie esm eurobert fnet funnel ibert " +
    "jina_embeddings_v3 layoutlm longformer luke megatron-bert mobilebert modernbert modernvbert mpnet mra nomic_bert nystromformer " +
    "perceiver reformer rembert roberta roberta-prelayernorm roc_bert roformer squeezebert tapas xlm-roberta xlm-roberta-xl xmod yoso",
  CLIPModel: "align altclip chinese_clip clip clipseg metaclip_2",
  ForConditionalGeneration:
    "aria audioflamingo3 aya_vision bart bigbird_pegasus blenderbot blenderbot-small blip blip-2 chameleon clvp cohere2_vision " +
    "cohere_asr cosmos3_omni csm deepseek_ocr2 deepseek_vl deepseek_vl_hybrid dia emu3 ernie4_5_vl_moe exaone4_5 fast_vlm florence2 " +
    "fsmt gemma3 gemma3n gemma4 gemma4_unified glm46v glm4v glm4v_moe glm_ocr glmasr glmga got_ocr2 granite4_vision granite_speech " +
    "granite_speech_plus higgs_audio_v2 idefics idefics2 idefics3 instructblip instructblipvideo internvl janus kosmos-2 kosmos-2.5 " +
    "kyutai_speech_to_text led lfm2_vl lighton_ocr llama4 llava llava_next llava_next_video llava_onevision longt5 m2m_100 mbart " +
    "minicpmv4_6 minimax_m3_vl mistral3 mllama moonshine moonshine_streaming moshi mt5 musicflamingo musicgen musicgen_melody mvp " +
    "nllb-moe ovis2 paddleocr_vl paligemma pegasus pegasus_x perception_lm pi0 pix2struct plbart pop2piano pp_chart2table " +
    "pp_formulanet prophetnet qianfan_ocr qwen2_5_omni qwen2_5_omni_thinker qwen2_5_vl qwen2_audio qwen2_vl qwen3_5 qwen3_5_moe " +
    "qwen3_omni_moe qwen3_omni_moe_thinker qwen3_vl qwen3_vl_moe seamless_m4t seamless_m4t_v2 shieldgemma2 smolvlm speech_to_text " +
    "speecht5 switch_transformers t5 t5gemma t5gemma2 udop umt5 vibevoice_asr video_llama_3 video_llava vipllava voxtral " +
    "voxtral_realtime whisper",
  ForAudioClassification: "audio-spectrogram-transformer",
  ForImageClassification:
    "beit bit convnext convnextv2 cvt data2vec-vision deit dinat dinov2 dinov2_with_registers donut-swin efficientnet focalnet " +
    "hgnet_v2 hiera ijepa imagegpt levit mobilenet_v1 mobilenet_v2 mobilevit mobilevitv2 poolformer pp_lcnet pvt pvt_v2 regnet resnet " +
    "segformer swiftformer swin swinv2 textnet timm_wrapper vit vit_msn",
  ForDepthEstimation: "chmv2 depth_anything depth_pro glpn prompt_depth_anything zoedepth",
  ForObjectDetection:
    "conditional_detr d_fine dab-detr deformable_detr deimv2 detr lw_detr omdet-turbo pp_doclayout_v2 pp_doclayout_v3 " +
    "pp_ocrv5_mobile_det pp_ocrv5_server_det pp_ocrv6_medium_det pp_ocrv6_small_det rf_detr rt_detr rt_detr_v2 table-transformer " +
    "yolos",
  ForCTC:
    "data2vec-audio hubert lasr_ctc parakeet_ctc sew sew-d unispeech unispeech-sat wav2vec2 wav2vec2-bert wav2vec2-conformer wavlm",
  ForSemanticSegmentation: "dpt sapiens2 upernet",
  ForUniversalSegmentation: "eomt eomt_dinov3 mask2former maskformer oneformer videomt",
  MTModel: "marian",
  SiglipModel: "siglip siglip2",
  ForVideoClassification: "timesformer videomae vivit vjepa2",
});

const ENDINGS = new Map(
  Object.entries(TYPES).flatMap(([ending, types]) => types.split(" ").map((type) => [type, ending] as const)),
);

/** The ending of the class's name, or null where the type says nothing else than left to right. */
export const endingOfType = (type: string): string | null => ENDINGS.get(type) ?? null;
