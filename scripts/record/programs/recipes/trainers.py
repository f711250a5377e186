"""trl's trainers at the widths of small published models, Liger's kernels, sentence-transformers and accelerate's loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import trl
from trl.trainer import dpo_trainer, grpo_trainer, reward_trainer, sft_trainer  # noqa: F401  trl imports them when they are asked for
from accelerate import Accelerator
from datasets import Dataset
from peft import LoraConfig
from recipe import arguments, phases_of_steps, run, show, steps, tokens
from language import llama, made, qwen
from sentence_transformers import SentenceTransformer, losses
from sentence_transformers.models import Pooling
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast, Qwen2ForSequenceClassification

if TYPE_CHECKING:
    from typing import Any


def tokenizer(vocabulary: Any = 151936) -> Any:
    """One token for each word; padding is on the left."""
    one = Tokenizer(models.WordLevel({f"w{i}": i for i in range(vocabulary)}, unk_token="w3"))
    one.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=one, pad_token="w0", bos_token="w1", eos_token="w2", unk_token="w3", padding_side="left"
    )


def ids(length: Any, first: Any) -> Any:
    return [3 + (first * 31 + i * 7) % 150000 for i in range(length)]


def dataset(**columns: Any) -> Any:
    return Dataset.from_dict(columns)


def trained(name: Any, data: Any, config: Any = None, **changes: Any) -> None:
    peft = changes.pop("peft_config", None)
    given = changes.pop("given", {})
    kind = getattr(trl, f"{name}Config")
    args = arguments(kind, **(dict(bf16=True, gradient_checkpointing=False) | changes))
    one = getattr(trl, f"{name}Trainer")(
        made(config or qwen(6)),
        args=args,
        train_dataset=data,
        processing_class=tokenizer(),
        callbacks=[phases_of_steps()],
        peft_config=peft,
        **given,
    )
    show("trainer")
    one.train()
    show("trained")


def lora() -> Any:
    return LoraConfig(r=16, target_modules="all-linear", task_type="CAUSAL_LM")


def texts() -> Any:
    return dataset(input_ids=[ids(n, i) for i, n in enumerate([700, 1024, 350, 900] * 3)])


def sft() -> None:
    trained("SFT", texts(), max_length=1024)


def sft_packed() -> None:
    trained("SFT", texts(), max_length=1024, packing=True, gradient_checkpointing=True)


def sft_lora() -> None:
    trained("SFT", texts(), config=llama(3), max_length=1024, peft_config=lora(), gradient_checkpointing=True)


def sft_liger() -> None:
    trained("SFT", texts(), max_length=1024, use_liger_kernel=True)


def words(count: Any, first: Any) -> Any:
    return " ".join(f"w{i}" for i in ids(count, first))


def spoken_pairs() -> Any:
    return dataset(
        prompt=[words(128, i) for i in range(12)],
        chosen=[words(256, i + 20) for i in range(12)],
        rejected=[words(200, i + 40) for i in range(12)],
    )


def dpo() -> None:
    trained("DPO", spoken_pairs(), max_length=512, given={"ref_model": made(qwen(6))})


def dpo_lora() -> None:
    trained("DPO", spoken_pairs(), max_length=512, peft_config=lora())


def grpo() -> Any:
    def length(completions: Any, **_: Any) -> Any:
        return [float(len(text)) for text in completions]

    prompts = dataset(prompt=[words(128, i) for i in range(12)])
    trained(
        "GRPO",
        prompts,
        given={"reward_funcs": length},
        per_device_train_batch_size=8,
        num_generations=4,
        max_completion_length=48,
        generation_kwargs={"min_new_tokens": 48},
    )


def rlhf_reward() -> None:
    torch.manual_seed(0)
    model = Qwen2ForSequenceClassification(qwen(4, num_labels=1, pad_token_id=0)).to("cuda", torch.bfloat16)
    data = dataset(chosen=[words(256, i) for i in range(12)], rejected=[words(200, i + 40) for i in range(12)])
    args = arguments(trl.RewardConfig, bf16=True, gradient_checkpointing=False, max_length=512)
    trl.RewardTrainer(
        model, args=args, train_dataset=data, processing_class=tokenizer(), callbacks=[phases_of_steps()]
    ).train()
    show("trained")


def liger_by_hand() -> None:
    from liger_kernel.transformers import apply_liger_kernel_to_llama

    apply_liger_kernel_to_llama()
    model = made(llama(2)).train()
    given = tokens(model, 2, 1024)
    steps(model, {"input_ids": given, "labels": given})


def accelerate_fp16() -> None:
    accelerator = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=2)
    model = made(qwen(6), dtype=torch.float32).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    data = torch.utils.data.DataLoader([torch.tensor(ids(512, i)) for i in range(16)], batch_size=2)
    model, optimizer, data = accelerator.prepare(model, optimizer, data)
    for number, batch in enumerate(data):
        with accelerator.accumulate(model):
            loss = model(input_ids=batch, labels=batch).loss
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        show(f"batch {number}")


def sentences() -> Any:
    class Words(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = BertModel(
                BertConfig(hidden_size=384, intermediate_size=1536, num_hidden_layers=6, num_attention_heads=12)
            )

        def forward(self, features: Any, **_: Any) -> Any:
            found = self.model(input_ids=features["input_ids"], attention_mask=features["attention_mask"])
            return features | {"token_embeddings": found.last_hidden_state}

        def tokenize(self, texts: Any, **_: Any) -> None:
            raise NotImplementedError

    model = SentenceTransformer(modules=[Words(), Pooling(384)], device="cuda").train()
    show("model")
    for kind in (losses.MultipleNegativesRankingLoss, losses.CachedMultipleNegativesRankingLoss):
        loss = kind(model)
        optimizer = torch.optim.AdamW(loss.parameters(), lr=1e-4)
        for step in range(3):
            batch = [
                {
                    "input_ids": torch.randint(5, 30000, (64, 128), device="cuda"),
                    "attention_mask": torch.ones(64, 128, dtype=torch.long, device="cuda"),
                }
                for _ in "ab"
            ]
            value = loss(batch, None)
            show(f"loss {step}")
            value.backward()
            optimizer.step()
            optimizer.zero_grad()
            show(f"step {step}")


if __name__ == "__main__":
    run(globals())
