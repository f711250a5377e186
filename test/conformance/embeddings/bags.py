import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
for mode in ("mean", "sum", "max"):
    bag = nn.EmbeddingBag(2000, 64, mode=mode).cuda()
    ids = torch.randint(0, 2000, (600,), device="cuda"); off = torch.arange(0, 600, 20, device="cuda")
    mem(mode)
    y = bag(ids, off); mem("fwd")
    y.sum().backward(); mem("bwd")
    y = bag(ids.view(30, 20)); mem("2d")
    y.sum().backward(); mem("bwd")
    del y, bag
w = torch.rand(600, device="cuda", requires_grad=True)
bag = nn.EmbeddingBag(2000, 64, mode="sum", include_last_offset=True).cuda()
y = bag(ids, torch.arange(0, 601, 20, device="cuda"), per_sample_weights=w); mem("weighted")
y.sum().backward(); mem("bwd")
bag.requires_grad_(False)
y = bag(ids, torch.arange(0, 601, 20, device="cuda")); mem("frozen")
