import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

x = torch.randn(16, 4096, device="cuda", dtype=torch.float16)
with torch.inference_mode():
    v, i = x.topk(40, sorted=True)
    mem("topk")
    p = v.float().softmax(-1)
    mem("softmax")
    c = torch.multinomial(p, 1)
    mem("draw")
    t = i.gather(1, c)
    mem("token")
