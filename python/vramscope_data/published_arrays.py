"""Arrays of well-known .npz files that are not here, and those that the names of others tell: their shapes and types."""

from __future__ import annotations

import os
import re

# by the file's name: what the published file holds. MNIST as Keras hands it out; the views of the notebook that introduced NeRF
_FILES = {
    "mnist.npz": {
        "x_train": ((60_000, 28, 28), "uint8"),
        "y_train": ((60_000,), "uint8"),
        "x_test": ((10_000, 28, 28), "uint8"),
        "y_test": ((10_000,), "uint8"),
    },
    "tiny_nerf_data.npz": {
        "images": ((106, 100, 100, 3), "float32"),
        "poses": ((106, 4, 4), "float32"),
        "focal": ((), "float64"),
    },
}
# google-research/vision_transformer, vit_jax/configs/models.py: width, feed forward, heads, layers of the files that are called so
_VISION = re.compile(r"ViT-([BLH])_(\d+)(?:-224)?\.npz")
_VISION_SIZES = {"B": (768, 3072, 12, 12), "L": (1024, 4096, 16, 24), "H": (1280, 5120, 16, 32)}
_CLASSES = 21_843  # of ImageNet-21k
_SIDE, _COUNT = 64, 1000
# what an array is called -> its axes behind the first
_USUAL = (
    (re.compile(r"^(?:.*_)?(?:images?|imgs?|pictures|frames)$", re.IGNORECASE), ((_SIDE, _SIDE, 3), "uint8")),
    (re.compile(r"^(?:.*_)?(?:masks?|segmentations?)$", re.IGNORECASE), ((_SIDE, _SIDE), "uint8")),
    (re.compile(r"^(?:.*_)?(?:poses|extrinsics|c2w|cam2world)$", re.IGNORECASE), ((4, 4), "float32")),
)


def of(path: str | None) -> dict:
    """What the published file of this name holds: {name: (shape, dtype)}; nothing where none is known."""
    name = os.path.basename(path or "")
    vision = _VISION.fullmatch(name)
    return _FILES.get(name, {}) if vision is None else _vision(*_VISION_SIZES[vision[1]], int(vision[2]))


def _vision(width, wide, heads, layers, patch):
    """The arrays of a Vision Transformer as Flax names them."""
    found = {
        "cls": (1, 1, width),
        "embedding/kernel": (patch, patch, 3, width),
        "embedding/bias": (width,),
        "Transformer/posembed_input/pos_embedding": (1, (224 // patch) ** 2 + 1, width),
        **_scaled("Transformer/encoder_norm", width),
        "pre_logits/kernel": (width, width),
        "pre_logits/bias": (width,),
        "head/kernel": (width, _CLASSES),
        "head/bias": (_CLASSES,),
    }
    for i in range(layers):
        at = f"Transformer/encoderblock_{i}"
        attention = f"{at}/MultiHeadDotProductAttention_1"
        for part in ("query", "key", "value"):
            found[f"{attention}/{part}/kernel"] = width, heads, width // heads
            found[f"{attention}/{part}/bias"] = heads, width // heads
        found |= {f"{attention}/out/kernel": (heads, width // heads, width), f"{attention}/out/bias": (width,)}
        found |= _scaled(f"{at}/LayerNorm_0", width) | _scaled(f"{at}/LayerNorm_2", width)
        for part, inside, outside in (("0", width, wide), ("1", wide, width)):
            found |= {f"{at}/MlpBlock_3/Dense_{part}/kernel": (inside, outside)}
            found |= {f"{at}/MlpBlock_3/Dense_{part}/bias": (outside,)}
    return {name: (shape, "float32") for name, shape in found.items()}


def _scaled(name, width):
    return {f"{name}/scale": (width,), f"{name}/bias": (width,)}


def usual(name: str) -> tuple | None:
    """(shape, dtype) of an array that is called so, or None."""
    return next((((_COUNT, *axes), dtype) for called, (axes, dtype) in _USUAL if called.search(name)), None)
