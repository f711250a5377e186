import os

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F

rank, world, local_rank = (int(os.environ[k]) for k in ("RANK", "WORLD_SIZE", "LOCAL_RANK"))
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
dev = torch.device("cuda", local_rank)


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, Replicate
from torch.distributed.tensor.parallel import parallelize_module, ColwiseParallel, RowwiseParallel, SequenceParallel, PrepareModuleInput, PrepareModuleOutput, loss_parallel
mesh = init_device_mesh("cuda", (4,))
D, V = 132, 1000
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(D), nn.RMSNorm(D)
        self.q, self.k, self.v, self.o = (nn.Linear(D, D, bias=i == 3) for i in range(4))
        self.up, self.down = nn.Linear(D, 3 * D), nn.Linear(3 * D, D)
        self.attn = Attn(self)
        self.mlp = nn.Sequential(self.up, nn.GELU(), self.down)
    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))
class Attn(nn.Module):
    def __init__(self, b):
        super().__init__()
        self.q, self.k, self.v, self.o = b.q, b.k, b.v, b.o
    def forward(self, x):
        b, s, _ = x.shape
        q, k, v = (f(x).view(b, s, -1, 33).transpose(1, 2) for f in (self.q, self.k, self.v))
        return self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, s, -1))
class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D)
        self.blocks = nn.ModuleList(Block() for _ in range(2))
        self.norm = nn.RMSNorm(D)
        self.out = nn.Linear(D, V, bias=False)
    def forward(self, x):
        h = self.emb(x)
        for b in self.blocks:
            h = b(h)
        return self.out(self.norm(h))
net = LM().cuda()
parallelize_module(net, mesh, {"emb": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1), use_local_output=False), "norm": SequenceParallel(),
    "out": ColwiseParallel(input_layouts=Shard(1), output_layouts=Shard(-1), use_local_output=False)})
for b in net.blocks:
    parallelize_module(b, mesh, {"n1": SequenceParallel(), "n2": SequenceParallel(),
        "attn": PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)), "mlp": PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)),
        "attn.q": ColwiseParallel(), "attn.k": ColwiseParallel(), "attn.v": ColwiseParallel(), "attn.o": RowwiseParallel(output_layouts=Shard(1), use_local_output=False),
        "mlp.0": ColwiseParallel(), "mlp.2": RowwiseParallel(output_layouts=Shard(1), use_local_output=False)})
mem("parallel")
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
for step in range(2):
    x = torch.randint(0, V, (2, 48), device="cuda")
    out = net(x)
    mem("forward")
    with loss_parallel():
        loss = F.cross_entropy(out.flatten(0, 1), x.flatten())
        mem("loss")
        del out
        loss.backward()
    mem("backward")
    opt.step()
    opt.zero_grad()
    mem("step")
    del loss
dist.destroy_process_group()
