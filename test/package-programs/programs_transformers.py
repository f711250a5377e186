"""transformers.Trainer in its usual modes, on tokens that are made up."""

import os
import tempfile

import torch
from phases import LENGTH, VOCABULARY, llama

IMPORTS = ("transformers.trainer", "transformers.models.llama.modeling_llama", "peft")


class Rows(torch.utils.data.Dataset):
    def __init__(self, count=12, lengths=(LENGTH,)):
        generator = torch.Generator().manual_seed(0)
        self.rows = [torch.randint(3, VOCABULARY, (lengths[i % len(lengths)],), generator=generator) for i in range(count)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return {"input_ids": self.rows[index], "labels": self.rows[index]}


def arguments(kind=None, **changes):
    from transformers import TrainingArguments

    plain = dict(per_device_train_batch_size=2, max_steps=3, report_to="none", disable_tqdm=True, save_strategy="no", dataloader_pin_memory=False)
    return (kind or TrainingArguments)(output_dir=os.path.join(tempfile.gettempdir(), "programs"), **(plain | changes))


def with_phases(phases):
    """A callback that ends a phase after every step."""
    from transformers import TrainerCallback

    class Ends(TrainerCallback):
        def on_train_begin(self, args, state, control, **kwargs):
            phases.end("begin")

        def on_step_end(self, args, state, control, **kwargs):
            phases.end(f"step {state.global_step}")

        def on_evaluate(self, args, state, control, **kwargs):
            phases.end(f"evaluated {state.global_step}")

    return Ends()


def trained(make=llama, rows=Rows, **changes):
    def program(phases):
        from transformers import Trainer

        model = make()
        given = {"eval_dataset": Rows(4)} if "eval_strategy" in changes else {}
        trainer = Trainer(model=model, args=arguments(**changes), train_dataset=rows(), callbacks=[with_phases(phases)], **given)
        phases.end("trainer")
        trainer.train()
        phases.end("trained")

    return program


def with_lora():
    from peft import LoraConfig, get_peft_model

    return get_peft_model(llama(), LoraConfig(target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM"))


PROGRAMS = {
    "Trainer": trained(),
    "Trainer, bf16": trained(bf16=True),
    "Trainer, fp16": trained(fp16=True),
    "Trainer, gradient checkpointing": trained(gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": True}),
    "Trainer, checkpointing without reentry": trained(gradient_checkpointing=True, gradient_checkpointing_kwargs={"use_reentrant": False}),
    "Trainer, accumulation": trained(gradient_accumulation_steps=2),
    "Trainer, evaluation": trained(eval_strategy="steps", eval_steps=2, logging_steps=1),
    "Trainer, adafactor": trained(optim="adafactor"),
    "Trainer, sgd": trained(optim="sgd", lr_scheduler_type="cosine", warmup_steps=1),
    "Trainer, LoRA": trained(make=with_lora),
    "Trainer, LoRA with checkpointing": trained(make=with_lora, gradient_checkpointing=True),
    "Trainer, empty cache": trained(torch_empty_cache_steps=1, max_grad_norm=0.0),
}
