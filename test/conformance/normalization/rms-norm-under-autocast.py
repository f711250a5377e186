import torch, torch.nn as nn
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
rn = nn.RMSNorm(384).cuda()
lin = nn.Linear(384, 384, bias=False).cuda()
x = torch.randn(8, 70, 384, device="cuda")
with torch.autocast("cuda", dtype=torch.bfloat16):
    h = lin(x); mem("linear")
    y = rn(h); mem("rms"); print(y.dtype)
    z = lin(y); mem("linear again")
    loss = z.float().pow(2).mean()
mem("loss")
loss.backward(); mem("bwd")
rn.weight.grad = None; lin.weight.grad = None
rb = nn.RMSNorm(384, eps=1e-6, elementwise_affine=False).cuda()
y = rb(x.half()); mem("half without weight")
