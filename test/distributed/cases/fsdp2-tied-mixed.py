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


from torch.distributed.fsdp import fully_shard, MixedPrecisionPolicy
class LM(nn.Module):
    def __init__(self, v=3001, d=160):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(d, 4, 4 * d, batch_first=True, norm_first=True, dropout=0.0) for _ in range(3))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, v, bias=False)
        self.head.weight = self.emb.weight
    def forward(self, x):
        h = self.emb(x)
        for b in self.blocks:
            h = b(h)
        return self.head(self.norm(h))
net = LM().cuda()
mp = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32, output_dtype=torch.float32)
for b in net.blocks:
    fully_shard(b, mp_policy=mp)
fully_shard(net.norm, mp_policy=MixedPrecisionPolicy(param_dtype=torch.float32, output_dtype=torch.bfloat16))
fully_shard(net, mp_policy=mp, reshard_after_forward=False)
mem("sharded")
opt = torch.optim.AdamW(net.parameters(), lr=1e-3, foreach=True)
for step in range(2):
    x = torch.randint(0, 3001, (3, 41), device="cuda")
    out = net(x)
    mem("forward")
    loss = F.cross_entropy(out.flatten(0, 1), x.flatten())
    loss.backward()
    mem("backward")
    n = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    mem("clip")
    opt.step()
    opt.zero_grad()
    mem("step")
    del out, loss, n
dist.destroy_process_group()
