import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.distributed._functional_collectives as funcol

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


dim, hidden, tokens, experts, k = 256, 512, 512, 8, 2
local = experts // world
w1 = nn.Parameter(torch.randn(local, dim, hidden, device="cuda", dtype=torch.bfloat16))
w2 = nn.Parameter(torch.randn(local, hidden, dim, device="cuda", dtype=torch.bfloat16))
router = nn.Linear(dim, experts, bias=False, device="cuda", dtype=torch.bfloat16)
mem("model")
for step in range(2):
    x = torch.randn(tokens, dim, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    scores = router(x).float().softmax(-1)
    weights, ids = scores.topk(k, dim=-1)
    mem("routed")
    order = ids.flatten().argsort()
    rows = x.repeat_interleave(k, 0)[order]
    mem("permuted")
    split = [tokens * k // world] * world
    sent = funcol.all_to_all_single_autograd(rows, split, split, dist.group.WORLD)
    mem("dispatched")
    offsets = torch.arange(1, local + 1, device="cuda", dtype=torch.int32) * (tokens * k // local)
    h = torch._grouped_mm(sent, w1, offs=offsets)
    y = torch._grouped_mm(torch.nn.functional.silu(h), w2, offs=offsets)
    mem("experts")
    back = funcol.all_to_all_single_autograd(y, split, split, dist.group.WORLD)
    out = torch.zeros_like(rows).index_copy(0, order, back).view(tokens, k, dim)
    out = (out * weights.unsqueeze(-1).to(out.dtype)).sum(1)
    mem("combined")
    out.float().pow(2).mean().backward()
    mem("backward")
    router.zero_grad()
    w1.grad = w2.grad = None
dist.destroy_process_group()
