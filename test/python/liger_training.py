"""Two steps of a small model with Liger's kernels, with and without checkpoints, and what is allocated after each part."""

import torch
from transformers import AutoConfig, AutoModelForCausalLM, Qwen2Config

from liger_kernel.transformers import apply_liger_kernel_to_qwen2

sizes = dict(hidden_size=512, intermediate_size=1536, num_hidden_layers=3, num_attention_heads=8, num_key_value_heads=2)
config = Qwen2Config(**sizes, vocab_size=8000, tie_word_embeddings=False, use_cache=False)
base = 0


def show(name):
    print(name, torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated() - base)
    torch.cuda.reset_peak_memory_stats()


for again in (False, True):
    base = torch.cuda.memory_allocated()
    model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16).to("cuda")
    apply_liger_kernel_to_qwen2(model=model)
    if again:
        model.gradient_checkpointing_enable()
    model.train()
    show("model")
    ids = torch.zeros(2, 700, dtype=torch.int64, device="cuda")
    for step in range(2):
        loss = model(input_ids=ids, labels=ids).loss
        print("forward", torch.cuda.memory_allocated() - base)
        torch.cuda.reset_peak_memory_stats()
        loss.backward()
        show("backward")
        del loss
