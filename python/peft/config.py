"""What adapters there shall be."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class TaskType(str, Enum):
    SEQ_CLS = "SEQ_CLS"
    SEQ_2_SEQ_LM = "SEQ_2_SEQ_LM"
    CAUSAL_LM = "CAUSAL_LM"
    TOKEN_CLS = "TOKEN_CLS"
    QUESTION_ANS = "QUESTION_ANS"
    FEATURE_EXTRACTION = "FEATURE_EXTRACTION"


class PeftConfig:
    peft_type = None


class LoraConfig(PeftConfig):
    """
    Adapters of rank `r` on `target_modules`: names or endings of names of modules, or "all-linear".

    Options whose layers the stand-in lacks raise NotImplementedError.
    """

    peft_type = "LORA"
    _absent = {
        "use_bdlora": None,
        "target_parameters": None,
        "trainable_token_indices": None,
        "layer_replication": None,
        "alora_invocation_tokens": None,
    }

    def __init__(
        self,
        r: int = 8,
        target_modules: Any = None,
        exclude_modules: Any = None,
        lora_alpha: int = 8,
        lora_dropout: float = 0.0,
        fan_in_fan_out: bool = False,
        bias: str = "none",
        use_rslora: bool = False,
        modules_to_save: Any = None,
        init_lora_weights: bool = True,
        layers_to_transform: Any = None,
        rank_pattern: Any = None,
        alpha_pattern: Any = None,
        use_dora: bool = False,
        lora_bias: bool = False,
        task_type: Any = None,
        inference_mode: bool = False,
        **more: Any,
    ) -> None:
        for name, value in more.items():
            if name in self._absent and value:
                raise NotImplementedError(f"vramscope's stand-in for peft has no LoraConfig({name}=...)")
        if not isinstance(r, int) or r <= 0:
            raise ValueError(f"`r` should be a positive integer value but the value passed is {r}")
        self.r, self.lora_alpha, self.lora_dropout = r, lora_alpha, lora_dropout
        self.target_modules = set(target_modules) if isinstance(target_modules, (list, tuple)) else target_modules
        self.exclude_modules, self.modules_to_save = exclude_modules, modules_to_save
        self.fan_in_fan_out, self.bias, self.use_rslora = fan_in_fan_out, bias, use_rslora
        self.init_lora_weights, self.layers_to_transform = init_lora_weights, layers_to_transform
        self.rank_pattern, self.alpha_pattern = rank_pattern or {}, alpha_pattern or {}
        self.use_dora, self.lora_bias = use_dora, lora_bias
        self.task_type, self.inference_mode = task_type, inference_mode


# Layers that get adapters when nobody says which, by model type.
DEFAULT_TARGETS = {
    **dict.fromkeys(("t5", "mt5"), ("q", "v")),
    **dict.fromkeys(
        """bart opt gptj gpt_neo llama llama4 mistral mixtral stablelm gemma gemma2 gemma3_text qwen2 qwen3""".split(),
        ("q_proj", "v_proj"),
    ),
    **dict.fromkeys(("bloom", "gpt_neox", "chatglm", "falcon"), ("query_key_value",)),
    **dict.fromkeys(("bert", "roberta", "xlm-roberta", "electra", "layoutlm"), ("query", "value")),
    **dict.fromkeys(("gpt2", "gpt_bigcode"), ("c_attn",)),
    "phi": ("q_proj", "v_proj", "fc1", "fc2"),
    "mpt": ("Wqkv",),
    "codegen": ("qkv_proj",),
    "nemotron_h": ("q_proj", "k_proj", "v_proj", "o_proj"),
}
