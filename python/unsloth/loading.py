"""Models of unsloth: loaded by transformers, quantized by bitsandbytes, given adapters by peft."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import torch
from torch._stand_ins import note

from . import saving

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
_PICTURES = ("vision", "visual", "image", "patch")
_ATTENTION = ("attn", "attention")
_FEED_FORWARD = ("mlp", "feed_forward", "ffn")


def is_bfloat16_supported() -> bool:
    return torch.cuda.is_bf16_supported()


is_bf16_supported = is_bfloat16_supported


class FastModel:
    """Any model: one that reads pictures where its configuration has a part for them, else a decoder of text."""

    _auto = None

    @classmethod
    def from_pretrained(
        cls,
        model_name: str = "unsloth/Llama-3.2-1B-Instruct",
        max_seq_length: int = 2048,
        dtype: torch.dtype | None = None,
        load_in_4bit: bool = True,
        load_in_8bit: bool = False,
        load_in_16bit: bool = False,
        full_finetuning: bool = False,
        auto_model: Any = None,
        use_gradient_checkpointing: bool | str = "unsloth",
        fast_inference: bool = False,
        **more: Any,
    ) -> tuple:
        """The model and its tokenizer, or its processor where it has one. The dtype is bfloat16 where the card has it, else float16."""
        from transformers import AutoConfig

        dtype = dtype or (torch.bfloat16 if is_bfloat16_supported() else torch.float16)
        taken = {name: more[name] for name in ("token", "revision", "trust_remote_code") if name in more}
        config = AutoConfig.from_pretrained(model_name, **taken)
        if fast_inference:
            note("unsloth_without_engine")
        _tell_ignored(more, (*taken, "attn_implementation", *_WITHOUT_EFFECT))
        kind = auto_model or cls._kind(config)
        quantized = {} if hasattr(config, "quantization_config") else _quantization(load_in_4bit, load_in_8bit, dtype)
        if full_finetuning or load_in_16bit:
            quantized = {}
        model = kind.from_pretrained(
            model_name, config=config, dtype=dtype, device_map={"": 0}, **quantized, **taken, **_attention(more)
        )
        model.max_seq_length = max_seq_length
        saving.add_methods(model)
        if full_finetuning:
            cls._checkpoint(model, use_gradient_checkpointing)
        return model, _tokenizer(model_name, config, max_seq_length, taken)

    @classmethod
    def _kind(cls, config):
        import transformers

        if cls._auto is not None:
            return getattr(transformers, cls._auto)
        sees = getattr(config, "vision_config", None) is not None
        return transformers.AutoModelForImageTextToText if sees else transformers.AutoModelForCausalLM

    @staticmethod
    def _checkpoint(model, wanted):
        if not wanted:
            return
        if wanted == "unsloth":
            note("unsloth_inputs_on_card")
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": True})
        model.enable_input_require_grads()

    @classmethod
    def get_peft_model(
        cls,
        model: torch.nn.Module,
        r: int = 16,
        target_modules: Iterable[str] | str | None = None,
        lora_alpha: int = 16,
        lora_dropout: float = 0.0,
        bias: str = "none",
        use_gradient_checkpointing: bool | str = "unsloth",
        random_state: int = 3407,
        use_rslora: bool = False,
        modules_to_save: Iterable[str] | None = None,
        loftq_config: Any = None,
        **more: Any,
    ) -> Any:
        """The model with LoRA on the named layers, on all that the flags `finetune_*` allow where none is named."""
        from peft import LoraConfig, get_peft_model

        torch.manual_seed(random_state)
        parts = {name.removeprefix("finetune_"): more.pop(name, True) for name in _PARTS}
        if target_modules is None:
            target_modules = (
                _allowed_layers(model, parts) if cls._auto != "AutoModelForCausalLM" else list(_PROJECTIONS)
            )
        elif target_modules == "all-linear" and not all(parts.values()):
            target_modules = _allowed_layers(model, parts)
        # the token embeddings and the head are trained whole
        whole = [
            name
            for name in ("embed_tokens", "lm_head")
            if not isinstance(target_modules, str) and name in target_modules
        ]
        if whole:
            target_modules = [name for name in target_modules if name not in whole]
            modules_to_save = [*(modules_to_save or ()), *whole]
        known = ("layers_to_transform", "layers_pattern", "task_type", "target_parameters", "init_lora_weights")
        _tell_ignored({**more, "loftq_config": loftq_config or None}, (*known, *_WITHOUT_EFFECT))
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        cls._checkpoint(model, use_gradient_checkpointing)
        config = LoraConfig(
            r=r,
            lora_alpha=lora_alpha,
            lora_dropout=lora_dropout,
            bias=bias,
            target_modules=target_modules,
            use_rslora=use_rslora,
            modules_to_save=modules_to_save,
            **{name: more[name] for name in known if more.get(name) is not None},
        )
        adapted = get_peft_model(model, config)
        adapted.max_seq_length = getattr(model, "max_seq_length", None)
        saving.add_methods(adapted)
        return adapted

    @staticmethod
    def for_inference(model: torch.nn.Module) -> torch.nn.Module:
        return model.eval()

    @staticmethod
    def for_training(model: torch.nn.Module, use_gradient_checkpointing: bool = True) -> torch.nn.Module:
        return model.train()


class FastLanguageModel(FastModel):
    """A decoder of text."""

    _auto = "AutoModelForCausalLM"


class FastVisionModel(FastModel):
    """A model that reads pictures."""

    _auto = "AutoModelForImageTextToText"


_PARTS = (
    "finetune_vision_layers",
    "finetune_language_layers",
    "finetune_attention_modules",
    "finetune_mlp_modules",
    "finetune_audio_layers",
)


# what changes no memory here: where files come from, how they are read, and lengths that come with the data
_WITHOUT_EFFECT = ("fix_tokenizer", "use_exact_model_name", "max_seq_length", "temporary_location", "max_lora_rank")


def _tell_ignored(arguments, known):
    for name, value in arguments.items():
        if name not in known and value is not None:
            note("unsloth_ignored", "name", name)


def _quantization(in_4_bits, in_8_bits, dtype):
    if not in_4_bits and not in_8_bits:
        return {}
    from transformers import BitsAndBytesConfig

    if in_8_bits:
        return {"quantization_config": BitsAndBytesConfig(load_in_8bit=True)}
    return {
        "quantization_config": BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_use_double_quant=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_compute_dtype=dtype,
        )
    }


def _attention(more):
    wanted = more.get("attn_implementation")
    return {} if wanted is None else {"attn_implementation": wanted}


def _tokenizer(model_name, config, max_seq_length, taken):
    from transformers import AutoProcessor, AutoTokenizer

    if getattr(config, "vision_config", None) is not None or getattr(config, "audio_config", None) is not None:
        return AutoProcessor.from_pretrained(model_name, **taken)
    tokenizer = AutoTokenizer.from_pretrained(model_name, **taken)
    tokenizer.model_max_length = max_seq_length
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    tokenizer.padding_side = "right"
    _gives_ids(tokenizer)
    return tokenizer


def _gives_ids(tokenizer):
    """The releases of transformers that unsloth's programs name give the ids of a conversation alone, later ones a table of inputs."""
    apply = tokenizer.apply_chat_template

    @functools.wraps(apply)
    def apply_chat_template(*args, **more):
        if "return_dict" not in more:
            note("unsloth_ids_alone")
        return apply(*args, **{"return_dict": False, **more})

    tokenizer.apply_chat_template = apply_chat_template


def _allowed_layers(model, parts):
    """Full names of the linear layers in the parts that are to be trained."""

    def allowed(name):
        path = name.split(".")
        sees = any(word in step for step in path for word in _PICTURES)
        if not parts["vision_layers"] and sees:
            return False
        if not parts["language_layers"] and not sees:
            return False
        attends = any(word in step for step in path for word in _ATTENTION)
        feeds = any(word in step for step in path for word in _FEED_FORWARD)
        return (attends and parts["attention_modules"]) or (feeds and parts["mlp_modules"])

    return [n for n, module in model.named_modules() if isinstance(module, torch.nn.Linear) and allowed(n)]
