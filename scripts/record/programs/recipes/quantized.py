"""Weights and optimizers of fewer bits: bitsandbytes and torchao, loaded and trained as their documents say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import tempfile

import bitsandbytes as bnb
import torch
from peft import LoraConfig, get_peft_model, prepare_model_for_kbit_training
from recipe import arguments, phases_of_steps, rows, run, show, steps, tokens
from language import llama, made, qwen
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, Trainer

if TYPE_CHECKING:
    from typing import Any


def saved(config: Any) -> Any:
    """A folder of the model in bfloat16, as a download leaves it."""
    folder = tempfile.mkdtemp()
    AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).save_pretrained(folder)
    return folder


def loaded(config: Any, **options: Any) -> Any:
    model = AutoModelForCausalLM.from_pretrained(saved(config), dtype=torch.bfloat16, device_map={"": 0}, **options)
    show("loaded")
    return model


def bits(**options: Any) -> Any:
    return BitsAndBytesConfig(**options)


def nf4(double: Any = True) -> Any:
    return bits(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=double,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


def load_plain() -> None:
    model = loaded(llama(3))
    with torch.no_grad():
        model(tokens(model, 2, 512))
    show("forward")


def qlora() -> None:
    model = prepare_model_for_kbit_training(loaded(llama(4), quantization_config=nf4()))
    show("prepared")
    model = get_peft_model(
        model, LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05, target_modules="all-linear", task_type="CAUSAL_LM")
    )
    args = arguments(per_device_train_batch_size=2, gradient_checkpointing=True, bf16=True, optim="paged_adamw_8bit")
    Trainer(model=model, args=args, train_dataset=rows(128256, 12, 1024), callbacks=[phases_of_steps()]).train()
    show("trained")


def nf4_generate() -> None:
    model = loaded(llama(4), quantization_config=nf4(False)).eval()
    model.generation_config.eos_token_id = None
    for batch in (1, 4):
        model.generate(tokens(model, batch, 256), max_new_tokens=24, do_sample=False, pad_token_id=0)
        show(f"generated {batch}")


def int8() -> None:
    model = loaded(llama(3), quantization_config=bits(load_in_8bit=True))
    with torch.no_grad():
        model(tokens(model, 2, 512))
    show("forward")
    model = get_peft_model(
        prepare_model_for_kbit_training(model),
        LoraConfig(r=8, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"),
    )
    ids = tokens(model.base_model.model, 2, 512)
    steps(model.train(), {"input_ids": ids, "labels": ids}, autocast=torch.bfloat16)


def trainer_8bit() -> None:
    model = made(qwen(8))
    Trainer(
        model=model,
        args=arguments(bf16=True, optim="adamw_bnb_8bit"),
        train_dataset=rows(151936, 12, 1024),
        callbacks=[phases_of_steps()],
    ).train()
    show("trained")


def optimizers_8bit() -> None:
    model = made(qwen(4)).train()
    ids = tokens(model, 2, 512)
    for kind in (bnb.optim.AdamW8bit, bnb.optim.PagedAdamW, bnb.optim.Lion8bit):
        steps(model, {"input_ids": ids, "labels": ids}, 2, kind(model.parameters(), lr=1e-4))
        model.zero_grad()


def torchao_weights(config: Any) -> None:
    from torchao.quantization import quantize_

    model = made(llama(3)).eval()
    quantize_(model, config)
    show("quantized")
    with torch.no_grad():
        model(tokens(model, 2, 512))
        show("forward")
        model(tokens(model, 1, 1))
        show("one token")


def torchao_int8_weights() -> None:
    from torchao.quantization import Int8WeightOnlyConfig

    torchao_weights(Int8WeightOnlyConfig())


def torchao_int8_dynamic() -> None:
    from torchao.quantization import Int8DynamicActivationInt8WeightConfig

    torchao_weights(Int8DynamicActivationInt8WeightConfig())


def torchao_float8_weights() -> None:
    from torchao.quantization import Float8WeightOnlyConfig

    torchao_weights(Float8WeightOnlyConfig())


def torchao_float8_dynamic() -> None:
    from torchao.quantization import Float8DynamicActivationFloat8WeightConfig

    torchao_weights(Float8DynamicActivationFloat8WeightConfig())


def torchao_float8_training() -> None:
    from torchao.float8 import convert_to_float8_training

    model = made(llama(2)).train()
    convert_to_float8_training(model, module_filter_fn=lambda module, name: name != "lm_head")
    ids = tokens(model, 2, 1024)
    steps(model, {"input_ids": ids, "labels": ids})


def torchao_optimizers() -> None:
    from torchao.optim import AdamW8bit, CPUOffloadOptimizer

    model = made(qwen(4)).train()
    ids = tokens(model, 2, 512)
    offloaded = CPUOffloadOptimizer(model.parameters(), torch.optim.AdamW, lr=1e-4, fused=True)
    steps(model, {"input_ids": ids, "labels": ids}, 2, offloaded)
    model.zero_grad()
    steps(model, {"input_ids": ids, "labels": ids}, 2, AdamW8bit(model.parameters(), lr=1e-4))


if __name__ == "__main__":
    run(globals())
