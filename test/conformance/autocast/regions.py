import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

lin = nn.Linear(300, 300).cuda()
x = torch.randn(40, 300, device="cuda")
@torch.autocast("cuda", dtype=torch.bfloat16)
def f(x):
    y = lin(x)
    mem("inside")
    return lin(y)
y = f(x); mem("decorated")
y.sum().backward(); mem("backward")
with torch.autocast("cuda", dtype=torch.bfloat16):
    a = lin(x)
    with torch.autocast("cuda", enabled=False):
        b = lin(x); mem("disabled")
    d = lin(x); mem("back")
    print(a.dtype, b.dtype, d.dtype)
mem("out")
del a, b, d, y
with torch.cuda.amp.autocast():
    y = lin(x); mem("cuda.amp")
with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
    for i in range(3):
        y = lin(x); mem("no grad loop")
with torch.inference_mode(), torch.autocast("cuda", dtype=torch.bfloat16):
    for i in range(2):
        y = lin(x); mem("inference loop")
mem("end")
