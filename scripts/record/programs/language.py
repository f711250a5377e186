"""A language model of transformers by its published configuration (models.json), random weights: generation or fine-tuning.

usage: language.py MODEL generate DTYPE BATCH PROMPT TOKENS
       language.py MODEL train|checkpoint|autocast|eager|lora DTYPE BATCH LENGTH STEPS
"""

from __future__ import annotations

import json
import pathlib
import sys

import torch
import transformers

named, task, dtype = sys.argv[1], sys.argv[2], getattr(torch, sys.argv[3])
batch, length, count = (int(text) for text in sys.argv[4:7])
torch.manual_seed(0)


def show(phase: str) -> None:
    c = torch.cuda
    c.synchronize()
    free, total = c.mem_get_info()
    print(f"{phase}\t{c.memory_allocated()}\t{c.max_memory_allocated()}\t{c.memory_reserved()}", flush=True)
    print(f"context\t{phase}\t-1\tdevice\t{c.memory_reserved()}\t{total - free}", flush=True)
    c.reset_peak_memory_stats()


listed = json.loads((pathlib.Path(__file__).parent / "models.json").read_text())[named]
kind, fields = listed["class"], listed["config"]
attention = {"attn_implementation": "eager"} if task == "eager" else {}
config = transformers.AutoConfig.for_model(**fields, **attention)
torch.set_default_dtype(dtype)
with torch.device("cuda"):
    model = getattr(transformers, kind)(config)
torch.set_default_dtype(torch.float32)
print(f"parameters\t{sum(p.numel() for p in model.parameters())}")
show("model")
ids = torch.randint(10, config.vocab_size - 10, (batch, length), device="cuda")
if task == "generate":
    model.eval()
    model.generation_config.eos_token_id = None
    model.generation_config.pad_token_id = 0
    with torch.no_grad():
        model(ids)
    show("whole forward")
    for _ in range(2):
        model.generate(ids, max_new_tokens=count, do_sample=False)
        show("generate")
else:
    if task == "checkpoint":
        model.gradient_checkpointing_enable()
    if task == "lora":
        import peft

        model = peft.get_peft_model(
            model, peft.LoraConfig(r=16, target_modules=listed.get("lora", "all-linear"), task_type="CAUSAL_LM")
        )
    model.train()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-5)
    for step in range(count):
        with torch.autocast("cuda", torch.bfloat16, enabled=task == "autocast"):
            loss = model(input_ids=ids, labels=ids).loss
        show(f"forward {step}")
        loss.backward()
        show(f"backward {step}")
        optimizer.step()
        show(f"optimizer {step}")
        optimizer.zero_grad()
