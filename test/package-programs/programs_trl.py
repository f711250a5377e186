"""trl's trainers on rows that are tokenized already, with and without LoRA."""

import torch
from phases import VOCABULARY, llama, llama_config
from programs_transformers import arguments, with_phases

IMPORTS = ("datasets", "trl.trainer.sft_trainer", "trl.trainer.dpo_trainer", "trl.trainer.reward_trainer", "trl.trainer.grpo_trainer", "trl.trainer.kto_trainer", "peft")


def row(length, first):
    return [3 + (first * 31 + i * 7) % (VOCABULARY - 3) for i in range(length)]


def rows(**lengths):
    from datasets import Dataset

    return Dataset.from_dict({name: [row(n, i) for i, n in enumerate(each)] for name, each in lengths.items()})


def tokenizer():
    """One token for each word."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = {f"w{i}": i for i in range(VOCABULARY)}
    one = Tokenizer(models.WordLevel(words, unk_token="w3"))
    one.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=one, pad_token="w0", bos_token="w1", eos_token="w2", unk_token="w3", padding_side="left")


def lora(task="CAUSAL_LM"):
    from peft import LoraConfig

    return LoraConfig(target_modules=["q_proj", "v_proj"], task_type=task)


def program(trainer, config, data, make=llama, peft=None, given=None, **changes):
    def run(phases):
        import trl

        kwargs = given() if given else {}
        if peft is not None:
            kwargs["peft_config"] = peft()
        args = arguments(getattr(trl, config), bf16=changes.pop("bf16", False), gradient_checkpointing=changes.pop("gradient_checkpointing", False), **changes)
        one = getattr(trl, trainer)(make(), args=args, train_dataset=data(), processing_class=tokenizer(), callbacks=[with_phases(phases)], **kwargs)
        phases.end("trainer")
        one.train()
        phases.end("trained")

    return run


def classifier():
    from transformers import LlamaConfig, LlamaForSequenceClassification

    return LlamaForSequenceClassification(llama_config(LlamaConfig, num_labels=1))


def sft():
    return rows(input_ids=[16, 24, 20, 12] * 2)


def pairs():
    from datasets import Dataset

    said = lambda n, i: " ".join(f"w{t}" for t in row(n, i))
    return Dataset.from_dict({name: [said(n, i) for i in range(8)] for name, n in (("prompt", 8), ("chosen", 12), ("rejected", 10))})


def judged():
    return rows(chosen_ids=[16, 20] * 4, rejected_ids=[14, 24] * 4)


def prompts():
    from datasets import Dataset

    return Dataset.from_dict({"prompt": [" ".join(f"w{t}" for t in row(6, i)) for i in range(8)]})


def reward(completions, **kwargs):
    return [float(i % 2) for i in range(len(completions))]


def rewarded():
    return {"reward_funcs": reward}


def referred():
    return {"ref_model": llama()}


ONLINE = dict(num_generations=2, max_completion_length=8, use_vllm=False)

PROGRAMS = {
    "SFT": program("SFTTrainer", "SFTConfig", sft),
    "SFT, LoRA": program("SFTTrainer", "SFTConfig", sft, peft=lora),
    "SFT, bf16 with checkpoints": program("SFTTrainer", "SFTConfig", sft, bf16=True, gradient_checkpointing=True),
    "SFT, packing": program("SFTTrainer", "SFTConfig", sft, packing=True, max_length=32, packing_strategy="wrapped"),
    "DPO": program("DPOTrainer", "DPOConfig", pairs, given=referred),
    "DPO, LoRA": program("DPOTrainer", "DPOConfig", pairs, peft=lora),
    "DPO, bf16 with checkpoints": program("DPOTrainer", "DPOConfig", pairs, given=referred, bf16=True, gradient_checkpointing=True),
    "reward": program("RewardTrainer", "RewardConfig", judged, make=classifier),
    "reward, LoRA": program("RewardTrainer", "RewardConfig", judged, make=classifier, peft=lambda: lora("SEQ_CLS")),
    "reward, bf16": program("RewardTrainer", "RewardConfig", judged, make=classifier, bf16=True),
    "GRPO": program("GRPOTrainer", "GRPOConfig", prompts, given=rewarded, **ONLINE),
    "GRPO, LoRA": program("GRPOTrainer", "GRPOConfig", prompts, peft=lora, given=rewarded, **ONLINE),
    "RLOO": program("RLOOTrainer", "RLOOConfig", prompts, given=rewarded, beta=0.0, **ONLINE),
}
