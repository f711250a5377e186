"""Four stages by hand: accumulation, streams of one GPU, the current device, copies between GPUs, an optimizer over all."""

import torch
from torch import nn


def mem(tag):
    print(tag, [(torch.cuda.memory_allocated(i), torch.cuda.max_memory_allocated(i), torch.cuda.memory_reserved(i)) for i in range(4)])


stages = [nn.Sequential(nn.Linear(256 + 64 * i, 1024), nn.GELU(), nn.Linear(1024, 256 + 64 * (i + 1))).to(f"cuda:{i}") for i in range(4)]
head = nn.Linear(512, 1000).to(3)
opt = torch.optim.AdamW([p for s in [*stages, head] for p in s.parameters()], lr=1e-3)
mem("model")
for step in range(2):
    for micro in range(3):
        x = torch.randn(128, 256, device=0)
        for i, stage in enumerate(stages):
            x = stage(x.to(f"cuda:{i}", non_blocking=True))
        loss = nn.functional.cross_entropy(head(x), torch.randint(0, 1000, (128,)).to(x.device))
        loss.backward()
        mem(f"micro {micro}")
    torch.nn.utils.clip_grad_norm_(head.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    mem("step")
side = torch.cuda.Stream(device=2)
with torch.cuda.stream(side):
    print(torch.cuda.current_device(), torch.cuda.current_stream().device_index)
    a = torch.empty(1 << 20, device="cuda")
    b = a @ torch.empty(1 << 20, device="cuda:2")
print(torch.cuda.current_device(), a.device, b.device)
mem("stream")
with torch.cuda.device(1):
    c = torch.zeros(300, 300, device="cuda")
    d = c.half().to("cuda:3")
    e = torch.zeros_like(d)
    f = c.new_ones(5, 5)
    print(c.device, d.device, e.device, f.device, c.get_device(), torch.tensor([1.0], device="cuda").device)
print(d.type_as(a).device, c.cuda().device, a.cuda(1).device, c.t().to("cuda:0").stride(), torch.ones(3).cuda(2).device)
e.copy_(c)
mem("copies")
del a, b, c, d, e, f
torch.cuda.empty_cache()
torch.cuda.reset_peak_memory_stats(2)
mem("end")
try:
    torch.empty(1, device="cuda:0") + torch.empty(1, device="cuda:3")
except RuntimeError as error:
    print(error)
print((torch.ones(4, device="cuda:1") * torch.tensor(2.0)).device, torch.cat([torch.ones(2, device="cuda:2")] * 2).device)
