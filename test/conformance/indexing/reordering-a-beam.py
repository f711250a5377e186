import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

beams = torch.randn(4, 5, 20, 16, device="cuda")
scores = torch.randn(4, 5, 100, device="cuda")
mem("start")
top, where = scores.view(4, -1).topk(5, dim=-1)
beam, token = where // 100, where % 100
mem("top")
picked = beams.gather(1, beam[:, :, None, None].expand(-1, -1, 20, 16))
mem("picked")
flat = beams.view(20, 20, 16).index_select(0, (beam + torch.arange(4, device="cuda")[:, None] * 5).flatten())
mem("selected")
same = beams[torch.arange(4, device="cuda")[:, None], beam]
mem("indexed")
del picked, flat
mem("deleted")
