"""DDP with hooks that follow on one another: compression, PowerSGD, and a chain of one's own."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks, powerSGD_hook
from torch.nn.parallel import DistributedDataParallel as DDP

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


def chained(state, bucket):
    future = dist.all_reduce(bucket.buffer().div_(2), async_op=True).get_future()
    return future.then(lambda f: f.value()[0].mul_(2)).then(lambda f: f.value() + 0)


for name in ("bf16", "powersgd", "batched by shape", "chained"):
    net = nn.Sequential(nn.Linear(512, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.Linear(1024, 1024), nn.Linear(1024, 256))
    net = DDP(net.cuda(), bucket_cap_mb=4, gradient_as_bucket_view=name != "chained")
    if name == "bf16":
        net.register_comm_hook(None, default_hooks.bf16_compress_hook)
    elif name == "chained":
        net.register_comm_hook(None, chained)
    else:
        together = name != "powersgd"
        state = powerSGD_hook.PowerSGDState(None, matrix_approximation_rank=2, start_powerSGD_iter=2, batch_tensors_with_same_shape=together)
        net.register_comm_hook(state, powerSGD_hook.powerSGD_hook)
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    x = torch.randn(64, 512, device="cuda")
    mem(name)
    for step in range(4):
        net(x).sum().backward()
        mem("backward")
        opt.step()
        opt.zero_grad()
    mem("steps")
    del net, opt, x
dist.destroy_process_group()
