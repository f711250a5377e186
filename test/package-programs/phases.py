"""What the programs share: bytes after each phase, a quiet beginning, small models and data."""

import gc

import torch

BATCH, LENGTH, VOCABULARY = 2, 16, 512


class Phases(dict):
    """Bytes after each phase."""

    def end(self, name):
        c = torch.cuda
        self[name] = [c.memory_allocated(), c.max_memory_allocated(), c.memory_reserved()]
        c.reset_peak_memory_stats()


def warm_up():
    """Takes the workspaces of both threads, so that every program begins with the same."""
    layer = torch.nn.Linear(8, 8).cuda()
    layer(torch.ones(8, 8, device="cuda")).sum().backward()
    del layer
    settle()


def settle():
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


def llama(**changes):
    from transformers import LlamaConfig, LlamaForCausalLM

    return LlamaForCausalLM(llama_config(LlamaConfig, **changes))


def llama_config(kind, **changes):
    sizes = dict(vocab_size=VOCABULARY, hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2)
    return kind(**(sizes | dict(pad_token_id=0, bos_token_id=1, eos_token_id=2) | changes))


def tokens(length=LENGTH, batch=BATCH, device="cuda"):
    return torch.randint(3, VOCABULARY, (batch, length), device=device)


def steps(phases, model, inputs, optimizer=None, count=2, loss_of=None):
    """Forward, backward and optimizer steps, a phase each."""
    optimizer = optimizer or torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-4)
    for step in range(1, count + 1):
        output = model(**inputs)
        loss = loss_of(output) if loss_of else output.loss
        del output
        phases.end(f"forward {step}")
        loss.backward()
        phases.end(f"backward {step}")
        optimizer.step()
        optimizer.zero_grad()
        del loss
        phases.end(f"step {step}")
