"""Pictures: vision models of timm and transformers, detection and segmentation, diffusion by its parts, a GAN, a U-Net."""

from __future__ import annotations

from typing import TYPE_CHECKING

import timm
import torch
import torch.nn.functional as F
from recipe import run, show, steps
from diffusers import AutoencoderKL, DDPMScheduler, EulerDiscreteScheduler, FluxTransformer2DModel, UNet2DConditionModel
from torch import nn
from transformers import (
    CLIPConfig,
    CLIPModel,
    Dinov2Config,
    Dinov2Model,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    SegformerConfig,
    SegformerForSemanticSegmentation,
    ViTConfig,
    ViTForImageClassification,
)

if TYPE_CHECKING:
    from typing import Any


def images(batch: Any, size: Any, dtype: Any = torch.float32) -> Any:
    return torch.randn(batch, 3, size, size, device="cuda", dtype=dtype)


def timm_training(
    name: Any,
    batch: Any = 32,
    size: Any = 224,
    autocast: Any = torch.bfloat16,
    channels_last: Any = False,
    scaler: Any = False,
    **options: Any,
) -> None:
    model = timm.create_model(name, pretrained=False, num_classes=1000, **options).cuda().train()
    if channels_last:
        model = model.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scale = torch.amp.GradScaler("cuda", enabled=scaler)
    show("model")
    for step in range(3):
        x = images(batch, size)
        if channels_last:
            x = x.contiguous(memory_format=torch.channels_last)
        y = torch.randint(0, 1000, (batch,), device="cuda")
        with torch.autocast("cuda", torch.float16 if scaler else autocast):
            loss = F.cross_entropy(model(x), y)
        show(f"forward {step}")
        scale.scale(loss).backward()
        show(f"backward {step}")
        scale.step(optimizer)
        scale.update()
        optimizer.zero_grad()
        show(f"step {step}")


def timm_vit_large() -> None:
    timm_training("vit_large_patch16_224", batch=16)


def timm_convnext() -> None:
    timm_training("convnext_small", batch=16, channels_last=True)


def timm_resnet50() -> None:
    timm_training("resnet50", batch=32, channels_last=True, scaler=True)


def timm_swin() -> None:
    timm_training("swin_base_patch4_window7_224", batch=16)


def timm_efficientnet() -> None:
    timm_training("efficientnetv2_rw_s", batch=16)


def timm_eva() -> None:
    timm_training("eva02_small_patch14_224", batch=16)


def clip() -> None:
    model = CLIPModel(CLIPConfig()).cuda().train()
    show("model")
    ids = torch.randint(10, 49000, (64, 77), device="cuda")
    steps(model, {"input_ids": ids, "pixel_values": images(64, 224), "return_loss": True}, autocast=torch.bfloat16)


def vit() -> None:
    model = ViTForImageClassification(ViTConfig(num_labels=1000)).cuda().train()
    show("model")
    steps(
        model,
        {"pixel_values": images(32, 224), "labels": torch.randint(0, 1000, (32,), device="cuda")},
        autocast=torch.float16,
    )


def segformer() -> None:
    model = SegformerForSemanticSegmentation(SegformerConfig(num_labels=19)).cuda().train()
    show("model")
    steps(model, {"pixel_values": images(4, 512), "labels": torch.randint(0, 19, (4, 512, 512), device="cuda")})


def dinov2_features() -> None:
    model = Dinov2Model(Dinov2Config(image_size=518, patch_size=14)).to("cuda", torch.float16).eval()
    show("model")
    with torch.inference_mode():
        model(images(8, 518, torch.float16))
        show("features")


def qwen_vl() -> None:
    """A picture of 644 x 644 in a prompt: prefill, generation, a training step."""
    config = Qwen2_5_VLConfig(
        text_config=dict(
            vocab_size=151936,
            hidden_size=2048,
            intermediate_size=11008,
            num_hidden_layers=4,
            num_attention_heads=16,
            num_key_value_heads=2,
            rope_parameters={"rope_type": "default", "mrope_section": [16, 24, 24], "rope_theta": 1000000.0},
        ),
        vision_config=dict(depth=6, out_hidden_size=2048, fullatt_block_indexes=[3, 5]),
        image_token_id=151655,
        vision_start_token_id=151652,
        vision_end_token_id=151653,
    )
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = Qwen2_5_VLForConditionalGeneration(config)
    torch.set_default_dtype(torch.float32)
    show("model")
    side = 46
    grid = torch.tensor([[1, side, side]], device="cuda")
    pixels = torch.randn(side * side, 1176, device="cuda")
    ids = torch.tensor([[10, 151652] + [151655] * (side * side // 4) + [151653] + [20] * 30], device="cuda")
    given = dict(
        input_ids=ids,
        attention_mask=torch.ones_like(ids),
        pixel_values=pixels,
        image_grid_thw=grid,
        mm_token_type_ids=(ids == 151655).int(),
    )
    model.eval().generate(**given, max_new_tokens=16, min_new_tokens=16, do_sample=False, pad_token_id=0)
    show("generated")
    steps(model.train(), given | {"labels": ids}, 2)


def unet_sd15() -> None:
    model = (
        UNet2DConditionModel(
            sample_size=64, cross_attention_dim=768, attention_head_dim=8, block_out_channels=(320, 640, 1280, 1280)
        )
        .cuda()
        .train()
    )
    model.enable_gradient_checkpointing()
    scheduler = DDPMScheduler()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    show("model")
    for step in range(2):
        latents, noise = torch.randn(2, 4, 64, 64, device="cuda"), torch.randn(2, 4, 64, 64, device="cuda")
        when = torch.randint(0, 1000, (2,), device="cuda")
        text = torch.randn(2, 77, 768, device="cuda")
        with torch.autocast("cuda", torch.float16):
            loss = F.mse_loss(model(scheduler.add_noise(latents, noise, when), when, text).sample.float(), noise)
        show(f"forward {step}")
        loss.backward()
        show(f"backward {step}")
        optimizer.step()
        optimizer.zero_grad()
        show(f"step {step}")


def unet_sdxl() -> None:
    """Denoising at 1,024 x 1,024 with guidance, then the decoder."""
    torch.set_default_dtype(torch.float16)
    with torch.device("cuda"):
        model = UNet2DConditionModel(
            sample_size=128,
            block_out_channels=(320, 640, 1280),
            down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
            up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
            transformer_layers_per_block=(1, 2, 10),
            attention_head_dim=(5, 10, 20),
            cross_attention_dim=2048,
            addition_embed_type="text_time",
            addition_time_embed_dim=256,
            projection_class_embeddings_input_dim=2816,
            use_linear_projection=True,
        )
        vae = AutoencoderKL(
            block_out_channels=(128, 256, 512, 512),
            down_block_types=("DownEncoderBlock2D",) * 4,
            up_block_types=("UpDecoderBlock2D",) * 4,
            layers_per_block=2,
            latent_channels=4,
            sample_size=1024,
        )
    torch.set_default_dtype(torch.float32)
    show("models")
    scheduler = EulerDiscreteScheduler()
    scheduler.set_timesteps(3)
    half = dict(device="cuda", dtype=torch.float16)
    latents = torch.randn(1, 4, 128, 128, **half)
    text = torch.randn(2, 77, 2048, **half)
    added = {"text_embeds": torch.randn(2, 1280, **half), "time_ids": torch.randn(2, 6, **half)}
    with torch.no_grad():
        for when in scheduler.timesteps:
            scaled = scheduler.scale_model_input(torch.cat([latents] * 2), when)
            noise = model(scaled, when, text, added_cond_kwargs=added).sample
            first, second = noise.chunk(2)
            latents = scheduler.step(first + 5.0 * (second - first), when, latents).prev_sample.half()
            show("denoised")
        vae.decode(latents).sample
        show("decoded")
        vae.enable_tiling()
        vae.decode(latents).sample
        show("decoded in tiles")


def flux() -> None:
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = FluxTransformer2DModel(num_layers=3, num_single_layers=6, guidance_embeds=True)
    torch.set_default_dtype(torch.float32)
    show("model")
    half = dict(device="cuda", dtype=torch.bfloat16)
    given = dict(
        hidden_states=torch.randn(1, 4096, 64, **half),
        encoder_hidden_states=torch.randn(1, 512, 4096, **half),
        pooled_projections=torch.randn(1, 768, **half),
        timestep=torch.ones(1, **half),
        guidance=torch.ones(1, **half),
        img_ids=torch.zeros(4096, 3, **half),
        txt_ids=torch.zeros(512, 3, **half),
    )
    with torch.no_grad():
        for _ in range(2):
            model(**given)
            show("denoised")
    model.enable_gradient_checkpointing()
    steps(
        model.train(),
        given,
        2,
        torch.optim.SGD(model.parameters(), lr=1e-3),
        lambda out: out.sample.float().pow(2).mean(),
    )


class Double(nn.Sequential):
    def __init__(self, i: Any, o: Any) -> None:
        super().__init__(
            nn.Conv2d(i, o, 3, padding=1),
            nn.BatchNorm2d(o),
            nn.ReLU(inplace=True),
            nn.Conv2d(o, o, 3, padding=1),
            nn.BatchNorm2d(o),
            nn.ReLU(inplace=True),
        )


class UNet(nn.Module):
    def __init__(self, widths: Any = (64, 128, 256, 512)) -> None:
        super().__init__()
        self.down = nn.ModuleList(Double(i, o) for i, o in zip((3, *widths), widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(o, i, 2, stride=2) for i, o in zip(widths, widths[1:]))
        self.join = nn.ModuleList(Double(2 * i, i) for i in widths[:-1])
        self.head = nn.Conv2d(widths[0], 2, 1)

    def forward(self, x: Any) -> Any:
        kept = []
        for block in self.down:
            x = block(x)
            kept.append(x)
            x = F.max_pool2d(x, 2)
        x = kept.pop()
        for up, join in zip(reversed(self.up), reversed(self.join)):
            x = join(torch.cat([kept.pop(), up(x)], 1))
        return self.head(x)


def unet_segmentation() -> None:
    model = UNet().cuda().train()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-4, momentum=0.9, foreach=True)
    scale = torch.amp.GradScaler("cuda")
    show("model")
    for step in range(3):
        x, y = images(4, 384), torch.randint(0, 2, (4, 384, 384), device="cuda")
        with torch.autocast("cuda", torch.float16):
            loss = F.cross_entropy(model(x), y)
        show(f"forward {step}")
        optimizer.zero_grad(set_to_none=True)
        scale.scale(loss).backward()
        scale.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scale.step(optimizer)
        scale.update()
        show(f"step {step}")


def dcgan() -> None:
    wide = 64
    generator = nn.Sequential(
        *[
            part
            for i, o, s, p in (
                (100, wide * 8, 1, 0),
                (wide * 8, wide * 4, 2, 1),
                (wide * 4, wide * 2, 2, 1),
                (wide * 2, wide, 2, 1),
            )
            for part in (nn.ConvTranspose2d(i, o, 4, s, p, bias=False), nn.BatchNorm2d(o), nn.ReLU(True))
        ],
        nn.ConvTranspose2d(wide, 3, 4, 2, 1, bias=False),
        nn.Tanh(),
    ).cuda()
    judge = nn.Sequential(
        nn.Conv2d(3, wide, 4, 2, 1, bias=False),
        nn.LeakyReLU(0.2, True),
        *[
            part
            for i, o in ((wide, wide * 2), (wide * 2, wide * 4), (wide * 4, wide * 8))
            for part in (nn.Conv2d(i, o, 4, 2, 1, bias=False), nn.BatchNorm2d(o), nn.LeakyReLU(0.2, True))
        ],
        nn.Conv2d(wide * 8, 1, 4, 1, 0, bias=False),
        nn.Sigmoid(),
    ).cuda()
    first, second = (torch.optim.Adam(net.parameters(), lr=2e-4, betas=(0.5, 0.999)) for net in (judge, generator))
    criterion = nn.BCELoss()
    show("models")
    for step in range(3):
        real = images(128, 64)
        label = torch.full((128,), 1.0, device="cuda")
        judge.zero_grad()
        criterion(judge(real).view(-1), label).backward()
        fake = generator(torch.randn(128, 100, 1, 1, device="cuda"))
        criterion(judge(fake.detach()).view(-1), label.fill_(0.0)).backward()
        first.step()
        show(f"judge {step}")
        generator.zero_grad()
        criterion(judge(fake).view(-1), label.fill_(1.0)).backward()
        second.step()
        show(f"generator {step}")


if __name__ == "__main__":
    run(globals())
