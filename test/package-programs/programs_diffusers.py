"""diffusers in small configurations: training steps of each kind of denoiser, encoding and decoding of autoencoders, whole sampling."""

import torch
from phases import steps


def card(*shape, dtype=None):
    return torch.randn(*shape, device="cuda", dtype=dtype)


def number(*values):
    return torch.tensor(values, device="cuda")


def denoiser(make, inputs, **kinds):
    """Two training steps of a denoiser, then a pass without gradients."""

    def program(phases):
        model = make().cuda().train()
        phases.end("model")
        given = inputs(model)
        phases.end("inputs")
        target = torch.randn_like(model(**given, return_dict=False)[0].detach())
        phases.end("target")
        steps(phases, model, given, loss_of=lambda out: torch.nn.functional.mse_loss(out.sample.float(), target.float()))
        model.eval()
        with torch.no_grad():
            model(**given)
        phases.end("inference")

    return program


def unet(**changes):
    from diffusers import UNet2DConditionModel

    sizes = dict(sample_size=16, in_channels=4, out_channels=4, block_out_channels=(32, 64), layers_per_block=1, cross_attention_dim=32)
    kinds = dict(down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"), up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"), attention_head_dim=4)
    return UNet2DConditionModel(**{**sizes, **kinds, "norm_num_groups": 8, **changes})


def unet_xl():
    return unet(
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        transformer_layers_per_block=(1, 2),
        addition_embed_type="text_time",
        addition_time_embed_dim=8,
        projection_class_embeddings_input_dim=80,
        use_linear_projection=True,
        attention_head_dim=(2, 4),
    )


def checkpointed():
    model = unet()
    model.enable_gradient_checkpointing()
    return model


def sd3():
    from diffusers import SD3Transformer2DModel

    widths = dict(attention_head_dim=8, num_attention_heads=4, joint_attention_dim=32, caption_projection_dim=32, pooled_projection_dim=64)
    return SD3Transformer2DModel(sample_size=16, patch_size=2, in_channels=4, num_layers=2, out_channels=4, pos_embed_max_size=24, **widths)


def flux():
    from diffusers import FluxTransformer2DModel

    widths = dict(attention_head_dim=16, num_attention_heads=2, joint_attention_dim=32, pooled_projection_dim=32)
    return FluxTransformer2DModel(patch_size=1, in_channels=4, num_layers=1, num_single_layers=2, axes_dims_rope=(4, 4, 8), **widths)


def dit():
    from diffusers import DiTTransformer2DModel

    return DiTTransformer2DModel(sample_size=16, num_layers=2, patch_size=2, attention_head_dim=8, num_attention_heads=4, in_channels=4, out_channels=4)


def pixart():
    from diffusers import PixArtTransformer2DModel

    sizes = dict(sample_size=16, num_layers=2, patch_size=2, attention_head_dim=8, num_attention_heads=4, in_channels=4, out_channels=8)
    return PixArtTransformer2DModel(**sizes, cross_attention_dim=32, caption_channels=32, use_additional_conditions=False)


def wan():
    from diffusers import WanTransformer3DModel

    sizes = dict(num_attention_heads=2, attention_head_dim=12, in_channels=4, out_channels=4, text_dim=16, freq_dim=64, ffn_dim=32, num_layers=2)
    return WanTransformer3DModel(patch_size=(1, 2, 2), cross_attn_norm=True, qk_norm="rms_norm_across_heads", rope_max_seq_len=32, **sizes)


def ltx():
    from diffusers import LTXVideoTransformer3DModel

    sizes = dict(in_channels=8, out_channels=8, num_attention_heads=4, attention_head_dim=8, cross_attention_dim=32, num_layers=2, caption_channels=32)
    return LTXVideoTransformer3DModel(**sizes, qk_norm="rms_norm_across_heads")


def cogvideo():
    from diffusers import CogVideoXTransformer3DModel

    sizes = dict(num_attention_heads=4, attention_head_dim=8, in_channels=4, out_channels=4, time_embed_dim=8, text_embed_dim=32, num_layers=2)
    return CogVideoXTransformer3DModel(**sizes, sample_width=16, sample_height=16, sample_frames=9, patch_size=2, max_text_seq_length=16)


def unet2d():
    from diffusers import UNet2DModel

    kinds = dict(down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"), attention_head_dim=8)
    return UNet2DModel(sample_size=32, block_out_channels=(32, 64), layers_per_block=1, norm_num_groups=8, **kinds)


def text_inputs(height, width):
    return lambda model: {"sample": card(2, 4, height, width), "timestep": number(1, 2), "encoder_hidden_states": card(2, 8, 32)}


def xl_inputs(model):
    added = {"text_embeds": card(2, 32), "time_ids": card(2, 6)}
    return text_inputs(16, 16)(model) | {"added_cond_kwargs": added}


def sd3_inputs(model):
    return {
        "hidden_states": card(2, 4, 16, 16),
        "encoder_hidden_states": card(2, 8, 32),
        "pooled_projections": card(2, 64),
        "timestep": number(1, 2),
    }


def flux_inputs(model):
    given = {"hidden_states": card(2, 64, 4), "encoder_hidden_states": card(2, 8, 32), "pooled_projections": card(2, 32)}
    return given | {"timestep": card(2), "img_ids": card(64, 3), "txt_ids": card(8, 3)}


def wan_inputs(model):
    return {"hidden_states": card(1, 4, 2, 16, 16), "timestep": number(1), "encoder_hidden_states": card(1, 8, 16)}


def ltx_inputs(model):
    mask = torch.ones(1, 8, dtype=torch.bool, device="cuda")
    given = {"hidden_states": card(1, 2 * 8 * 8, 8), "encoder_hidden_states": card(1, 8, 32), "encoder_attention_mask": mask}
    return given | {"timestep": number(1), "num_frames": 2, "height": 8, "width": 8}


def cogvideo_inputs(model):
    return {"hidden_states": card(1, 3, 4, 16, 16), "encoder_hidden_states": card(1, 16, 32), "timestep": number(1)}


def dit_inputs(model):
    return {"hidden_states": card(2, 4, 16, 16), "timestep": number(1, 2), "class_labels": number(3, 4)}


def pixart_inputs(model):
    added = {"resolution": None, "aspect_ratio": None}
    given = {"hidden_states": card(2, 4, 16, 16), "encoder_hidden_states": card(2, 8, 32), "timestep": number(1, 2)}
    return given | {"added_cond_kwargs": added}


def controlnet(phases):
    from diffusers import ControlNetModel

    model = unet().cuda().requires_grad_(False)
    control = ControlNetModel.from_unet(model, conditioning_embedding_out_channels=(16, 32)).cuda()
    phases.end("model")
    given = text_inputs(16, 16)(model)
    picture = card(2, 3, 32, 32)

    def both(**inputs):
        down, middle = control(**inputs, controlnet_cond=picture, return_dict=False)
        return model(**inputs, down_block_additional_residuals=down, mid_block_additional_residual=middle)

    both.parameters = control.parameters
    steps(phases, both, given, loss_of=lambda out: out.sample.float().pow(2).mean())


def lora(phases):
    from peft import LoraConfig

    model = unet().cuda().requires_grad_(False)
    model.add_adapter(LoraConfig(r=4, init_lora_weights="gaussian", target_modules=["to_k", "to_q", "to_v", "to_out.0"]))
    model.cuda()
    phases.end("model")
    steps(phases, model, text_inputs(16, 16)(model), loss_of=lambda out: out.sample.float().pow(2).mean())


def half(phases):
    model = unet().to("cuda", torch.float16).eval()
    phases.end("model")
    given = {"sample": card(2, 4, 24, 32, dtype=torch.float16), "timestep": number(1), "encoder_hidden_states": card(2, 8, 32, dtype=torch.float16)}
    for _ in range(2):
        with torch.no_grad():
            model(**given)
        phases.end("inference")


def kl(size=128, **calls):
    def program(phases):
        vae = small_vae().cuda()
        for name in calls.get("enabled", ()):
            getattr(vae, f"enable_{name}")()
        phases.end("model")
        image = card(2, 3, size, size)
        latents = vae.encode(image).latent_dist.sample()
        phases.end("encoder")
        image = vae.decode(latents).sample
        phases.end("decoder")
        image.mean().backward()
        phases.end("backward")
        del image, latents
        with torch.no_grad():
            vae.decode(card(2, 4, size // 2, size // 2))
        phases.end("decoded without gradients")

    return program


def small_vae(latent_channels=4, **changes):
    from diffusers import AutoencoderKL

    kinds = dict(down_block_types=["DownEncoderBlock2D"] * 2, up_block_types=["UpDecoderBlock2D"] * 2, block_out_channels=[32, 64])
    return AutoencoderKL(**kinds, layers_per_block=1, latent_channels=latent_channels, norm_num_groups=8, sample_size=64, **changes)


def video_vae(phases):
    from diffusers import AutoencoderKLWan

    vae = AutoencoderKLWan(base_dim=8, z_dim=4, dim_mult=[1, 1, 1, 1], num_res_blocks=1, temperal_downsample=[False, True, True]).cuda()
    phases.end("model")
    latents = vae.encode(card(1, 3, 9, 32, 32)).latent_dist.sample()
    phases.end("encoder")
    video = vae.decode(latents).sample
    phases.end("decoder")
    video.mean().backward()
    phases.end("backward")


def clip(kind="CLIPTextModel", **changes):
    import transformers

    config = transformers.CLIPTextConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, vocab_size=512, **changes)
    return getattr(transformers, kind)(config)


def from_first(kind):
    """A scheduler that is told where it begins, as Flux' pipeline does: else it looks its first time up among all, which asks for values."""

    class FromFirst(kind):
        def set_timesteps(self, *args, **kwargs):
            super().set_timesteps(*args, **kwargs)
            self.set_begin_index(0)

    return FromFirst()


def sampled(make, sizes=((64, 64), (64, 96)), **given):
    """A whole pipeline from embeddings of a prompt to a picture, at several resolutions."""

    def program(phases):
        pipeline = make().to("cuda")
        pipeline.set_progress_bar_config(disable=True)
        phases.end("model")
        for height, width in sizes:
            inputs = {name: card(*shape) for name, shape in given.items()}
            result = pipeline(**inputs, height=height, width=width, num_inference_steps=5, output_type="pt")
            phases.end(f"{height} x {width}")
            del result, inputs

    return program


def sd_pipeline():
    from diffusers import PNDMScheduler, StableDiffusionPipeline

    parts = dict(tokenizer=None, safety_checker=None, feature_extractor=None, requires_safety_checker=False)
    return StableDiffusionPipeline(vae=small_vae(), text_encoder=clip(), unet=unet(sample_size=32), scheduler=PNDMScheduler(skip_prk_steps=True, steps_offset=1), **parts)


def xl_pipeline():
    from diffusers import EulerDiscreteScheduler, StableDiffusionXLPipeline

    projecting = clip("CLIPTextModelWithProjection", projection_dim=32)
    parts = dict(tokenizer=None, tokenizer_2=None, text_encoder_2=projecting, add_watermarker=False)
    return StableDiffusionXLPipeline(vae=small_vae(), text_encoder=clip(), unet=unet_xl(), scheduler=from_first(EulerDiscreteScheduler), **parts)


def sd3_pipeline():
    from diffusers import FlowMatchEulerDiscreteScheduler, StableDiffusion3Pipeline

    names = ("text_encoder", "text_encoder_2", "text_encoder_3", "tokenizer", "tokenizer_2", "tokenizer_3")
    vae = small_vae(shift_factor=0.06, scaling_factor=1.5)
    return StableDiffusion3Pipeline(transformer=sd3(), vae=vae, scheduler=from_first(FlowMatchEulerDiscreteScheduler), **dict.fromkeys(names))


def flux_pipeline():
    from diffusers import FlowMatchEulerDiscreteScheduler, FluxPipeline

    names = ("text_encoder", "text_encoder_2", "tokenizer", "tokenizer_2")
    vae = small_vae(latent_channels=1, shift_factor=0.06, scaling_factor=1.5)
    return FluxPipeline(transformer=flux(), vae=vae, scheduler=FlowMatchEulerDiscreteScheduler(), **dict.fromkeys(names))


IMPORTS = ("diffusers.pipelines.stable_diffusion.pipeline_stable_diffusion", "diffusers.pipelines.flux.pipeline_flux", "peft")
PROGRAMS = {
    "SD 1.5 UNet, training": denoiser(unet, text_inputs(16, 16)),
    "SD 1.5 UNet, training, 24 x 40": denoiser(unet, text_inputs(24, 40)),
    "SD 1.5 UNet, training, checkpoints": denoiser(checkpointed, text_inputs(16, 16)),
    "SD 1.5 UNet, half precision": half,
    "SD 1.5 UNet, LoRA": lora,
    "SD 1.5 ControlNet, training": controlnet,
    "SDXL UNet, training": denoiser(unet_xl, xl_inputs),
    "UNet2D, training": denoiser(unet2d, lambda model: {"sample": card(2, 3, 32, 32), "timestep": number(1, 2)}),
    "SD3, training": denoiser(sd3, sd3_inputs),
    "Flux, training": denoiser(flux, flux_inputs),
    "DiT, training": denoiser(dit, dit_inputs),
    "PixArt, training": denoiser(pixart, pixart_inputs),
    "Wan video, training": denoiser(wan, wan_inputs),
    "LTX video, training": denoiser(ltx, ltx_inputs),
    "CogVideoX video, training": denoiser(cogvideo, cogvideo_inputs),
    "AutoencoderKL": kl(),
    "AutoencoderKL, tiles": kl(size=96, enabled=("tiling", "slicing")),
    "AutoencoderKLWan": video_vae,
    "SD 1.5 sampling": sampled(sd_pipeline, prompt_embeds=(1, 8, 32), negative_prompt_embeds=(1, 8, 32)),
    "SDXL sampling": sampled(
        xl_pipeline,
        prompt_embeds=(1, 8, 32),
        negative_prompt_embeds=(1, 8, 32),
        pooled_prompt_embeds=(1, 32),
        negative_pooled_prompt_embeds=(1, 32),
    ),
    "SD3 sampling": sampled(
        sd3_pipeline,
        prompt_embeds=(1, 8, 32),
        negative_prompt_embeds=(1, 8, 32),
        pooled_prompt_embeds=(1, 64),
        negative_pooled_prompt_embeds=(1, 64),
    ),
    "Flux sampling": sampled(flux_pipeline, prompt_embeds=(1, 8, 32), pooled_prompt_embeds=(1, 32)),
}
