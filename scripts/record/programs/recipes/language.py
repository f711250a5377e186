"""Language models of transformers: training in usual ways, generation by every kind of cache and search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import transformers
from peft import LoraConfig, get_peft_model
from recipe import arguments, phases_of_steps, rows, run, show, steps, tokens
from transformers import (
    BertConfig,
    DeepseekV3Config,
    Gemma3TextConfig,
    GptOssConfig,
    LlamaConfig,
    MambaConfig,
    MixtralConfig,
    Qwen2Config,
    Qwen3MoeConfig,
    T5Config,
    Trainer,
)

if TYPE_CHECKING:
    from typing import Any


def made(config: Any, kind: Any = "AutoModelForCausalLM", dtype: Any = torch.bfloat16, **options: Any) -> Any:
    torch.set_default_dtype(dtype)
    with torch.device("cuda"):
        model = getattr(transformers, kind).from_config(config, **options)
    torch.set_default_dtype(torch.float32)
    show("model")
    return model


def llama(layers: Any = 4, **changes: Any) -> Any:
    return LlamaConfig(
        **dict(
            vocab_size=128256,
            hidden_size=4096,
            intermediate_size=14336,
            num_hidden_layers=layers,
            num_attention_heads=32,
            num_key_value_heads=8,
        )
        | changes
    )


def qwen(layers: Any = 6, **changes: Any) -> Any:
    return Qwen2Config(
        **dict(
            vocab_size=151936,
            hidden_size=896,
            intermediate_size=4864,
            num_hidden_layers=layers,
            num_attention_heads=14,
            num_key_value_heads=2,
            tie_word_embeddings=True,
        )
        | changes
    )


def trained(config: Any, batch: Any = 2, length: Any = 1024, **options: Any) -> None:
    model = made(config, **options)
    model.train()
    ids = tokens(model, batch, length)
    steps(model, {"input_ids": ids, "labels": ids})


def llama_full() -> None:
    trained(llama())


def llama_padded() -> None:
    model = made(llama(2)).train()
    ids = tokens(model, 4, 768)
    mask = torch.ones_like(ids)
    mask[0, 500:] = 0
    mask[2, 300:] = 0
    steps(model, {"input_ids": ids, "labels": ids.masked_fill(mask == 0, -100), "attention_mask": mask})


def mixtral() -> None:
    trained(
        MixtralConfig(
            vocab_size=32000,
            hidden_size=2048,
            intermediate_size=4096,
            num_hidden_layers=2,
            num_attention_heads=16,
            num_key_value_heads=8,
            num_local_experts=8,
        )
    )


def qwen3_moe() -> None:
    trained(
        Qwen3MoeConfig(
            vocab_size=151936,
            hidden_size=1024,
            moe_intermediate_size=384,
            num_hidden_layers=3,
            num_attention_heads=16,
            num_key_value_heads=4,
            num_experts=64,
            num_experts_per_tok=8,
            head_dim=128,
        )
    )


def deepseek_v3() -> None:
    trained(
        DeepseekV3Config(
            vocab_size=32000,
            hidden_size=1024,
            intermediate_size=2048,
            moe_intermediate_size=512,
            num_hidden_layers=3,
            num_attention_heads=16,
            num_key_value_heads=16,
            n_routed_experts=32,
            num_experts_per_tok=4,
            n_group=4,
            topk_group=2,
            first_k_dense_replace=1,
        )
    )


def gpt_oss() -> None:
    trained(
        GptOssConfig(
            vocab_size=50000,
            hidden_size=1024,
            intermediate_size=1024,
            num_hidden_layers=4,
            num_attention_heads=16,
            num_key_value_heads=4,
            num_local_experts=16,
            head_dim=64,
        )
    )


def gemma3() -> None:
    trained(
        Gemma3TextConfig(
            vocab_size=262144,
            hidden_size=1152,
            intermediate_size=6912,
            num_hidden_layers=6,
            num_attention_heads=4,
            num_key_value_heads=1,
            head_dim=256,
            sliding_window=512,
        )
    )


def mamba() -> None:
    trained(MambaConfig(vocab_size=50280, hidden_size=768, num_hidden_layers=3), batch=2, length=256)


def t5() -> None:
    model = made(
        T5Config(
            d_model=768, d_ff=3072, num_layers=4, num_heads=12, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1
        ),
        "AutoModelForSeq2SeqLM",
    ).train()
    ids = tokens(model, 8, 256)
    steps(model, {"input_ids": ids, "labels": ids[:, :128].contiguous()})
    model.eval()
    with torch.no_grad():
        model.generate(ids, max_new_tokens=32, min_new_tokens=32, num_beams=4)
    show("beams")


def lora_autocast() -> None:
    """LoRA in float32 over a model in bfloat16, with a head that is trained whole."""
    model = get_peft_model(
        made(llama(3)),
        LoraConfig(
            r=16, lora_alpha=32, target_modules="all-linear", modules_to_save=["lm_head"], task_type="CAUSAL_LM"
        ),
    )
    ids = tokens(model.base_model.model, 2, 1024)
    steps(model.train(), {"input_ids": ids, "labels": ids}, autocast=torch.bfloat16)


def dora() -> None:
    model = get_peft_model(
        made(llama(2)),
        LoraConfig(
            r=16,
            use_dora=True,
            target_modules=["q_proj", "v_proj", "down_proj"],
            lora_dropout=0.05,
            task_type="CAUSAL_LM",
        ),
    )
    ids = tokens(model.base_model.model, 2, 1024)
    steps(model.train(), {"input_ids": ids, "labels": ids})


def with_trainer(config: Any, **changes: Any) -> None:
    model = made(config)
    length = changes.pop("length", 1024)
    evaluated = {"eval_dataset": rows(config.vocab_size, 4, length)} if "eval_strategy" in changes else {}
    Trainer(
        model=model,
        args=arguments(**changes),
        train_dataset=rows(config.vocab_size, 12, length),
        callbacks=[phases_of_steps()],
        **evaluated,
    ).train()
    show("trained")


def trainer_checkpoints() -> None:
    with_trainer(llama(4), bf16=True, gradient_checkpointing=True, optim="adamw_torch_fused")


def trainer_adafactor() -> None:
    with_trainer(qwen(12), bf16=True, optim="adafactor", eval_strategy="steps", eval_steps=2)


def trainer_accumulation() -> None:
    with_trainer(qwen(8), gradient_accumulation_steps=3, max_steps=2, optim="adamw_torch", max_grad_norm=0.5)


def trainer_compiled() -> None:
    with_trainer(qwen(4), bf16=True, torch_compile=True)


def bert() -> None:
    model = made(BertConfig(), "AutoModelForSequenceClassification", torch.float32)
    data = [
        {"input_ids": row["input_ids"], "attention_mask": torch.ones(128, dtype=torch.long), "labels": i % 2}
        for i, row in enumerate(rows(30522, 96, 128))
    ]
    args = arguments(per_device_train_batch_size=32, fp16=True, eval_strategy="epoch", num_train_epochs=1, max_steps=-1)
    Trainer(model=model, args=args, train_dataset=data, eval_dataset=data[:40], callbacks=[phases_of_steps()]).train()
    show("trained")


def generated(
    config: Any, batch: Any = 4, length: Any = 512, new: Any = 64, model_options: Any = None, **options: Any
) -> None:
    model = made(config, **(model_options or {})).eval()
    model.generation_config.pad_token_id = 0
    model.generation_config.eos_token_id = None
    ids = tokens(model, batch, length)
    for _ in range(2):
        model.generate(ids, max_new_tokens=new, attention_mask=torch.ones_like(ids), **options)
        show("generated")


def generate_sampled() -> None:
    generated(llama(4), do_sample=True, top_p=0.9, top_k=50, temperature=0.7)


def generate_beams() -> None:
    generated(qwen(8), num_beams=4, do_sample=False)


def generate_static() -> None:
    generated(llama(4), cache_implementation="static", disable_compile=True, do_sample=False)


def generate_static_compiled() -> None:
    generated(qwen(4), cache_implementation="static", do_sample=False)


def generate_offloaded() -> None:
    generated(llama(4), cache_implementation="offloaded", do_sample=False)


def generate_sliding() -> None:
    generated(
        Gemma3TextConfig(
            vocab_size=262144,
            hidden_size=1152,
            intermediate_size=6912,
            num_hidden_layers=6,
            num_attention_heads=4,
            num_key_value_heads=1,
            head_dim=256,
            sliding_window=512,
        ),
        length=1000,
        do_sample=False,
    )


def generate_eager() -> None:
    generated(llama(2), length=1024, new=16, model_options={"attn_implementation": "eager"}, do_sample=False)


def generate_scores() -> None:
    generated(
        qwen(4), new=48, output_scores=True, return_dict_in_generate=True, output_hidden_states=True, do_sample=False
    )


def generate_lookup() -> None:
    generated(qwen(8), batch=1, prompt_lookup_num_tokens=8, do_sample=False)


def generate_moe() -> None:
    generated(
        Qwen3MoeConfig(
            vocab_size=151936,
            hidden_size=1024,
            moe_intermediate_size=384,
            num_hidden_layers=3,
            num_attention_heads=16,
            num_key_value_heads=4,
            num_experts=64,
            head_dim=128,
        ),
        new=32,
        do_sample=False,
    )


if __name__ == "__main__":
    run(globals())
