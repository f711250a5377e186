"""Direct preference optimization by hand: a policy that learns, and a frozen reference beside it."""

import torch
from torch.nn import functional as F
from transformers import AutoModelForCausalLM

NAME = "Qwen/Qwen2.5-1.5B"
policy = AutoModelForCausalLM.from_pretrained(NAME, dtype=torch.bfloat16).cuda()
policy.train()
policy.gradient_checkpointing_enable()
reference = AutoModelForCausalLM.from_pretrained(NAME, dtype=torch.bfloat16).cuda().eval().requires_grad_(False)
optimizer = torch.optim.AdamW(policy.parameters(), lr=1e-6)


def log_probability(model, tokens):
    logits = model(tokens).logits[:, :-1]
    return -F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], reduction="none").sum(-1)


for _ in range(2):
    # chosen and rejected answers, one after the other
    tokens = torch.randint(0, 150_000, (4, 1024), device="cuda")
    with torch.no_grad():
        expected = log_probability(reference, tokens)
    chosen, rejected = (log_probability(policy, tokens) - expected).chunk(2)
    loss = -F.logsigmoid(0.1 * (chosen - rejected)).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
