import torch, torch.nn as nn
from torch.utils.checkpoint import checkpoint
net = nn.Sequential(nn.Linear(256, 512), nn.GELU(), nn.Dropout(0.3), nn.Linear(512, 256), nn.Dropout(0.3)).cuda()
x = torch.randn(300, 256, device="cuda", requires_grad=True)
base = torch.cuda.memory_allocated()
y = net(x).sum()
print("plain", torch.cuda.memory_allocated() - base)
y.backward()
print("bwd", torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated())
net.zero_grad(); x.grad = None; del y
torch.cuda.reset_peak_memory_stats()
y = checkpoint(net, x, use_reentrant=False, preserve_rng_state=False).sum()
print("checkpoint", torch.cuda.memory_allocated() - base)
y.backward()
print("bwd", torch.cuda.memory_allocated() - base, torch.cuda.max_memory_allocated())
