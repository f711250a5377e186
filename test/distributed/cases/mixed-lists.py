"""Lists with plain and distributed tensors: which operators and optimizers refuse them."""

import os, torch, torch.distributed as dist

dist.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import distribute_tensor, Shard

mesh = init_device_mesh("cuda", (int(os.environ["WORLD_SIZE"]),))
a = distribute_tensor(torch.randn(8, 4, device="cuda"), mesh, [Shard(0)])
b = torch.randn(8, 4, device="cuda")


def t(f):
    try:
        f()
        print("ok")
    except Exception as e:
        print(type(e).__name__, str(e)[:200])


t(lambda: torch._foreach_add_([a, b], 1))
t(lambda: torch._foreach_add([a, b], 1))
t(lambda: torch._foreach_mul_([b, a], 0.5))
t(lambda: torch._foreach_add_([a], [b]))
t(lambda: torch._foreach_add_([b], [a]))
t(lambda: torch._foreach_norm([a, b]))
t(lambda: torch._foreach_addcdiv_([a, b], [a, b], [a, b]))
t(lambda: torch._foreach_zero_([a, b]))
t(lambda: torch._foreach_lerp_([a, b], [a, b], 0.5))
p = [torch.nn.Parameter(a), torch.nn.Parameter(b)]
for q in p:
    q.grad = torch.zeros_like(q)
t(lambda: torch.optim.AdamW(p, foreach=True).step())
t(lambda: torch.optim.AdamW(p, foreach=False).step())
t(lambda: torch.optim.AdamW(p, fused=True).step())
t(lambda: torch.optim.AdamW(p).step())
t(lambda: torch.optim.SGD(p, lr=0.1).step())
t(lambda: torch.nn.utils.clip_grad_norm_(p, 1.0))
