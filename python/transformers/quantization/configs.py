"""What a program says about quantized weights, as transformers' utils/quantization_config.py has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any, Self

    from torch import Tensor


def _dtype(value, default):
    if value is None:
        return default
    return getattr(torch, value) if isinstance(value, str) else value


class QuantizationConfig:
    """`modules_to_not_convert` names layers that stay as they are; `pre_quantized`: a checkpoint has the weights in this form."""

    quant_method = None
    pre_quantized = False
    modules_to_not_convert = None

    @classmethod
    def from_dict(cls, values: Any) -> Self:
        return cls(**{name: value for name, value in values.items() if name != "quant_method"})


class BitsAndBytesConfig(QuantizationConfig):
    """4-bit (FP4 or NF4, with or without double quantization) or 8-bit weights of linear layers."""

    quant_method = "bitsandbytes"

    def __init__(
        self,
        load_in_8bit: bool = False,
        load_in_4bit: bool = False,
        llm_int8_threshold: float = 6.0,
        llm_int8_skip_modules: Any = None,
        llm_int8_enable_fp32_cpu_offload: bool = False,
        llm_int8_has_fp16_weight: bool = False,
        bnb_4bit_compute_dtype: Any = None,
        bnb_4bit_quant_type: str = "fp4",
        bnb_4bit_use_double_quant: bool = False,
        bnb_4bit_quant_storage: Any = None,
        **_: Any,
    ) -> None:
        if load_in_4bit and load_in_8bit:
            raise ValueError("load_in_4bit and load_in_8bit are both True, but only one can be used at the same time")
        self.load_in_8bit, self.load_in_4bit = load_in_8bit, load_in_4bit
        self.llm_int8_threshold = llm_int8_threshold
        self.llm_int8_skip_modules = self.modules_to_not_convert = llm_int8_skip_modules
        self.llm_int8_has_fp16_weight = llm_int8_has_fp16_weight
        self.bnb_4bit_compute_dtype = _dtype(bnb_4bit_compute_dtype, torch.float32)
        self.bnb_4bit_quant_type, self.bnb_4bit_use_double_quant = bnb_4bit_quant_type, bnb_4bit_use_double_quant
        self.bnb_4bit_quant_storage = _dtype(bnb_4bit_quant_storage, torch.uint8)


class GPTQConfig(QuantizationConfig):
    """Weights of 2, 3, 4 or 8 bits; `exllama_config` chooses the kernel of releases before 5."""

    quant_method = "gptq"
    pre_quantized = True

    def __init__(
        self,
        bits: int,
        tokenizer: Any = None,
        dataset: list[str] | str | None = None,
        group_size: int = 128,
        desc_act: bool = False,
        sym: bool = True,
        use_exllama: Any = None,
        exllama_config: Any = None,
        disable_exllama: Any = None,
        modules_to_not_convert: Any = None,
        backend: str | None = None,
        **_: Any,
    ) -> None:
        if bits not in (2, 3, 4, 8):
            raise ValueError(f"Only support quantization to [2,3,4,8] bits but found {bits}")
        if group_size != -1 and group_size <= 0:
            raise ValueError("group_size must be greater than 0 or equal to -1")
        self.bits, self.group_size, self.desc_act, self.sym = bits, group_size, desc_act, sym
        self.use_exllama = not disable_exllama if use_exllama is None else use_exllama
        self.exllama_version = int((exllama_config or {}).get("version", 1))
        self.backend = backend
        self.modules_to_not_convert = modules_to_not_convert


class AwqConfig(QuantizationConfig):
    """4-bit weights with zero points."""

    quant_method = "awq"
    pre_quantized = True

    def __init__(
        self,
        bits: int = 4,
        group_size: int = 128,
        zero_point: bool = True,
        version: str = "gemm",
        modules_to_not_convert: list | None = None,
        backend: str | None = None,
        **_: Any,
    ) -> None:
        self.backend = backend
        self.bits, self.group_size, self.zero_point = bits, group_size, zero_point
        self.version, self.modules_to_not_convert = version, modules_to_not_convert


class FineGrainedFP8Config(QuantizationConfig):
    """FP8 with a scale per block of 128 x 128 weights; quantized on the way where the checkpoint is not."""

    quant_method = "fp8"

    def __init__(
        self,
        activation_scheme: str = "dynamic",
        weight_block_size: tuple[int, int] = (128, 128),
        modules_to_not_convert: list | None = None,
        fmt: Any = None,
        **_: Any,
    ) -> None:
        self.activation_scheme = activation_scheme
        self.weight_block_size = None if weight_block_size is None else tuple(weight_block_size)
        self.modules_to_not_convert = modules_to_not_convert


class TorchAoConfig(QuantizationConfig):
    """A type of torchao by name or as torchao's configuration object."""

    quant_method = "torchao"

    def __init__(
        self, quant_type: Any, modules_to_not_convert: list | None = None, group_size: int = 128, **more: Any
    ) -> None:
        self.quant_type = quant_type
        self.group_size = getattr(quant_type, "group_size", None) or group_size
        self.modules_to_not_convert = modules_to_not_convert


class HqqConfig(QuantizationConfig):
    """Weights of `nbits` with a scale and a zero point per group."""

    quant_method = "hqq"

    def __init__(self, nbits: int = 4, group_size: int = 64, skip_modules: list[str] | None = None, **_: Any) -> None:
        self.bits, self.group_size = nbits, group_size or 64
        self.modules_to_not_convert = ["lm_head"] if skip_modules is None else skip_modules


class EetqConfig(QuantizationConfig):
    quant_method = "eetq"

    def __init__(self, weights: str = "int8", modules_to_not_convert: list | None = None, **_: Any) -> None:
        self.modules_to_not_convert = modules_to_not_convert


class QuantoConfig(QuantizationConfig):
    quant_method = "quanto"

    def __init__(
        self, weights: Tensor = "int8", activations: Any = None, modules_to_not_convert: list | None = None, **_: Any
    ) -> None:
        if weights not in ("int8", "int4", "float8"):
            raise NotImplementedError(f"vramscope's quanto has weights of int8, int4 and float8, not {weights!r}")
        self.bits = 4 if weights == "int4" else 8
        self.modules_to_not_convert = modules_to_not_convert


CONFIGS = {
    kind.quant_method: kind
    for kind in (
        BitsAndBytesConfig,
        GPTQConfig,
        AwqConfig,
        FineGrainedFP8Config,
        TorchAoConfig,
        HqqConfig,
        EetqConfig,
        QuantoConfig,
    )
}


def config_of(config: Any) -> Any:
    """A configuration object of what a program or a config.json gives. The latter describes the checkpoint."""
    if not isinstance(config, dict):
        return config
    method = config.get("quant_method")
    if method is None:
        method = "bitsandbytes" if config.get("load_in_4bit") or config.get("load_in_8bit") else None
    if method not in CONFIGS:
        raise NotImplementedError(
            f"vramscope loads no weights of quant_method {method!r} under transformers; it has: {', '.join(sorted(CONFIGS))}"
        )
    made = CONFIGS[method].from_dict(config)
    made.pre_quantized = True
    return made


def former_config(arguments: dict[str, Any]) -> BitsAndBytesConfig | None:
    """What `load_in_8bit` and `load_in_4bit` of from_pretrained ask for, which releases before 5 took; they are taken out."""
    given = {name: arguments.pop(name) for name in ("load_in_8bit", "load_in_4bit") if name in arguments}
    for name in given:
        note("former_name", library="transformers.from_pretrained", name=name)
    return BitsAndBytesConfig(**given) if any(given.values()) else None


def _loads_as_wide(config):
    """FP8 weights are undone while loading where the GPU has no FP8. transformers/quantizers/quantizer_finegrained_fp8.py"""
    if config.quant_method != "fp8" or torch.cuda.get_device_capability() >= (8, 9):
        return False
    note("checkpoint_not_quantized", "method", "fp8")
    return True


def used_config(config: Any) -> Any:
    """The configuration object under which weights are loaded, or None."""
    made = None if config is None else config_of(config)
    return None if made is None or _loads_as_wide(made) else made


def unsaid_dtype(config: Any) -> Any:
    """The type of what is not quantized where neither program nor checkpoint says one: update_dtype of transformers/quantizers."""
    return torch.float16 if config.quant_method in ("gptq", "awq", "bitsandbytes", "eetq") else None


def checkpoint_config(config: Any) -> Any:
    """What a model's config.json says about its own weights, or None. Forms that are not modelled are loaded as they are computed."""
    config_dict = getattr(config, "quantization_config", None)
    if isinstance(config_dict, dict) and config_dict.get("quant_method") not in CONFIGS:
        note("checkpoint_not_quantized", "method", str(config_dict.get("quant_method")))
        return None
    return config_dict
