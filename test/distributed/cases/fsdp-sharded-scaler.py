# ShardedGradScaler reduces what it found over the ranks, in a tensor of one number
import os, torch, torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler
dist.init_process_group("nccl")
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
net = FSDP(torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 8)).cuda())
opt = torch.optim.AdamW(net.parameters())
scaler = ShardedGradScaler()
for step in range(3):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = net(torch.randn(16, 256, device="cuda")).sum()
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    print(step, "unscaled", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    scaler.step(opt)
    scaler.update()
    opt.zero_grad()
    print(step, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
dist.destroy_process_group()
