import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
lin = nn.Linear(128, 128).cuda()
x = torch.randn(64, 30, 128, device="cuda")
with torch.autocast("cuda", dtype=torch.bfloat16):
    h = F.dropout(F.relu(lin(x)), 0.25, training=True); mem("bf16 dropout"); print(h.dtype)
    h = F.dropout(lin(h), 0.25, training=True, inplace=True); mem("inplace")
    loss = h.float().sum()
mem("loss")
loss.backward(); mem("bwd")
