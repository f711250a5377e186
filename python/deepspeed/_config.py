"""DeepSpeed's JSON: what decides about memory, with its defaults (runtime/config.py, runtime/zero/config.py)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from typing import Any


def enabled(part: Any) -> bool:
    return bool(part) and bool(part.get("enabled"))


class Settings:
    def __init__(self, config: Any) -> None:
        if isinstance(config, str):
            with open(config) as file:
                config = json.load(file)
        if not isinstance(config, dict):
            raise ValueError(
                f"Expected a string path to an existing deepspeed config, or a dictionary. Received: {config}"
            )
        automatic = sorted(self._automatic(config))
        if automatic:
            raise ValueError(f"'auto' is for transformers' Trainer, which fills it in: {', '.join(automatic)}")
        self.config = config
        if enabled(config.get("bf16")) and enabled(config.get("fp16")):
            raise ValueError("bf16 and fp16 modes cannot be simultaneously enabled")
        self.dtype = (
            torch.bfloat16 if enabled(config.get("bf16")) else torch.float16 if enabled(config.get("fp16")) else torch.float32
        )  # fmt: skip
        narrow = isinstance(config.get("bf16"), dict) and config["bf16"].get("bf16_master_weights_and_grads")
        # copies, gradients and states of the optimizer (runtime/config.py)
        self.main = torch.bfloat16 if narrow else torch.float32
        self.accumulation = config.get("gradient_accumulation_steps") or 1
        zero = config.get("zero_optimization") or {}
        self.stage = zero.get("stage", 0)
        if self.stage not in (1, 2, 3):
            raise NotImplementedError(f"ZeRO stage {self.stage}: stages 1, 2 and 3 are there")
        overlap = zero.get("overlap_comm")
        self.overlap = self.stage == 3 if overlap is None else overlap
        self.contiguous = zero.get("contiguous_gradients", True)
        self.bucket = int(zero.get("reduce_bucket_size", 5e8))
        self.sub_group = int(zero.get("sub_group_size", 1e9))
        self.prefetch = int(zero.get("stage3_prefetch_bucket_size", 5e7))
        self.persistence = int(zero.get("stage3_param_persistence_threshold", 1e5))
        self.live = int(zero.get("stage3_max_live_parameters", 1e9))
        self.reuse = int(zero.get("stage3_max_reuse_distance", 1e9))
        self.offload_optimizer = self._device(zero, "offload_optimizer") or bool(zero.get("cpu_offload"))
        self.offload_parameters = self.stage == 3 and self._device(zero, "offload_param")

    @staticmethod
    def _device(zero, name):
        return (zero.get(name) or {}).get("device", "none") in ("cpu", "nvme")

    def _automatic(self, part, path=""):
        for key, value in part.items():
            if isinstance(value, dict):
                yield from self._automatic(value, f"{path}{key}.")
            elif value == "auto":
                yield path + key

    def optimizer(self, parameters: Any) -> Any:
        """The optimizer that the JSON names; DeepSpeed's fused Adam allocates as the loop over one flat tensor does."""
        asked = self.config.get("optimizer") or {}
        name = str(asked.get("type", "")).lower()
        params = {
            key: value
            for key, value in (asked.get("params") or {}).items()
            if key in ("lr", "betas", "eps", "weight_decay")
        }
        kinds = {
            "adam": torch.optim.AdamW,
            "adamw": torch.optim.AdamW,
            "sgd": torch.optim.SGD,
            "adagrad": torch.optim.Adagrad,
        }
        if name not in kinds:
            raise NotImplementedError(
                f"optimizer {asked.get('type')!r}: {', '.join(kinds)} are there; or give one of torch.optim"
            )
        return kinds[name](parameters, **params)
