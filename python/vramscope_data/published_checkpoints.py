"""Published checkpoints in their makers' own layout, where programs take a model's dimensions out of the file: OpenAI's Whisper and CLIP."""

from __future__ import annotations

import functools
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

    Shapes = Iterator[tuple[str, tuple[int, ...]]]

# openai/whisper, whisper/__init__.py: names of models; whisper/model.py: ModelDimensions
_WHISPER = re.compile(r"(?:tiny|base|small|medium|large)(?:\.en|-v[123](?:-turbo)?)?\.pt")
_DIMENSIONS = {
    "n_mels": "num_mel_bins",
    "n_audio_ctx": "max_source_positions",
    "n_audio_state": "d_model",
    "n_audio_head": "encoder_attention_heads",
    "n_audio_layer": "encoder_layers",
    "n_vocab": "vocab_size",
    "n_text_ctx": "max_target_positions",
    "n_text_state": "d_model",
    "n_text_head": "decoder_attention_heads",
    "n_text_layer": "decoder_layers",
}
# openai/CLIP, clip/clip.py: names of files
_CLIP = {
    "ViT-B-32.pt": "openai/clip-vit-base-patch32",
    "ViT-B-16.pt": "openai/clip-vit-base-patch16",
    "ViT-L-14.pt": "openai/clip-vit-large-patch14",
    "ViT-L-14-336px.pt": "openai/clip-vit-large-patch14-336",
}
# those with a convolutional network (Radford et al. 2021, table 19): picture's side, layers, width of each layer's blocks, width of texts, embedding
_RESNETS = {
    "RN50.pt": (224, (3, 4, 6, 3), 64, 512, 1024),
    "RN101.pt": (224, (3, 4, 23, 3), 64, 512, 512),
    "RN50x4.pt": (288, (4, 6, 10, 6), 80, 640, 640),
    "RN50x16.pt": (384, (6, 8, 18, 8), 96, 768, 768),
    "RN50x64.pt": (448, (3, 15, 36, 10), 128, 1024, 1024),
}
_LAYERS, _TOKENS, _CONTEXT = 12, 49_408, 77  # of the part that reads texts


class Archived(dict):
    """A scripted module, as torch.jit.load gives it: of the published one nothing is known but its tensors."""

    def eval(self) -> Self:
        return self

    def state_dict(self) -> Self:
        return self


def of(path: str) -> Any:
    """(what torch.load gives, words) for a published file, or None."""
    name = os.path.basename(path)
    if _WHISPER.fullmatch(name):
        return _whisper(name.removesuffix(".pt").replace("large-v1", "large"))
    shapes = _clip(name)
    if shapes is None:
        return None
    import torch

    made = Archived((key, torch.empty(shape)) for key, shape in shapes)
    return made, f"the published checkpoint, {len(made)} tensors"


def _config(model):
    from vramscope_hub import _published

    return (_published._named(lambda known: known == model) or {}).get("config")


def _whisper(name):
    config = _config(f"openai/whisper-{name}")
    if config is None:
        return None
    from torch._checkpoint_answers import Checkpoint

    dims = {theirs: config[ours] for theirs, ours in _DIMENSIONS.items()}
    made = {"dims": dims, "model_state_dict": Checkpoint(f"whisper {name}")}
    return made, f"the dimensions of the published model {name}, and weights of the model that loads them"


@functools.cache
def _clip(name):
    if name in _RESNETS:
        side, layers, width, texts, embedding = _RESNETS[name]
        visual = _resnet(side, layers, width, embedding)
    elif name not in _CLIP:
        return None
    else:
        config = _config(_CLIP[name])
        texts, embedding = config["text_config"]["hidden_size"], config["projection_dim"]
        visual, side = _transformer_of_pictures(config["vision_config"], embedding), 0
    return (*_texts(texts, embedding), *((f"visual.{key}", shape) for key, shape in visual))


def _texts(width, embedding) -> Shapes:
    yield "positional_embedding", (_CONTEXT, width)
    yield "text_projection", (width, embedding)
    yield "logit_scale", ()
    yield "token_embedding.weight", (_TOKENS, width)
    yield from _blocks(width, _LAYERS)
    yield from _norm("ln_final", width)


def _transformer_of_pictures(config, embedding) -> Shapes:
    width, patch = config["hidden_size"], config["patch_size"]
    yield "class_embedding", (width,)
    yield "positional_embedding", ((config["image_size"] // patch) ** 2 + 1, width)
    yield "proj", (width, embedding)
    yield "conv1.weight", (width, 3, patch, patch)
    yield from _norm("ln_pre", width)
    yield from _blocks(width, config["num_hidden_layers"])
    yield from _norm("ln_post", width)


def _blocks(width, layers) -> Shapes:
    for i in range(layers):
        at = f"transformer.resblocks.{i}"
        yield f"{at}.attn.in_proj_weight", (3 * width, width)
        yield f"{at}.attn.in_proj_bias", (3 * width,)
        yield from _linear(f"{at}.attn.out_proj", width, width)
        yield from _norm(f"{at}.ln_1", width)
        yield from _linear(f"{at}.mlp.c_fc", 4 * width, width)
        yield from _linear(f"{at}.mlp.c_proj", width, 4 * width)
        yield from _norm(f"{at}.ln_2", width)


def _resnet(side, layers, width, embedding) -> Shapes:
    for number, (outside, inside) in enumerate(((width // 2, 3), (width // 2, width // 2), (width, width // 2)), 1):
        yield from _convolution(f"conv{number}", f"bn{number}", outside, inside, 3)
    inside = width
    for layer, blocks in enumerate(layers):
        planes = width * 2**layer
        for block in range(blocks):
            at = f"layer{layer + 1}.{block}"
            yield from _convolution(f"{at}.conv1", f"{at}.bn1", planes, inside, 1)
            yield from _convolution(f"{at}.conv2", f"{at}.bn2", planes, planes, 3)
            yield from _convolution(f"{at}.conv3", f"{at}.bn3", 4 * planes, planes, 1)
            if block == 0:
                yield from _convolution(f"{at}.downsample.0", f"{at}.downsample.1", 4 * planes, inside, 1)
            inside = 4 * planes
    yield "attnpool.positional_embedding", ((side // 32) ** 2 + 1, inside)
    for name in ("k_proj", "q_proj", "v_proj"):
        yield from _linear(f"attnpool.{name}", inside, inside)
    yield from _linear("attnpool.c_proj", embedding, inside)


def _convolution(name, norm, outside, inside, side) -> Shapes:
    yield f"{name}.weight", (outside, inside, side, side)
    yield from _norm(norm, outside)
    yield f"{norm}.running_mean", (outside,)
    yield f"{norm}.running_var", (outside,)
    yield f"{norm}.num_batches_tracked", ()


def _linear(name, outside, inside) -> Shapes:
    yield f"{name}.weight", (outside, inside)
    yield f"{name}.bias", (outside,)


def _norm(name, width) -> Shapes:
    yield f"{name}.weight", (width,)
    yield f"{name}.bias", (width,)
