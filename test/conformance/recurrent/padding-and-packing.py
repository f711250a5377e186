import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())

seqs = [torch.randn(n, 30, device="cuda", requires_grad=True) for n in (9, 7, 4, 1)]
p = nn.utils.rnn.pad_sequence(seqs)
mem("padded")
k = nn.utils.rnn.pack_padded_sequence(p, torch.tensor([9, 7, 4, 1]))
mem(f"packed {tuple(k.data.shape)} {k.batch_sizes.tolist()}")
u, l = nn.utils.rnn.pad_packed_sequence(k, batch_first=True)
mem(f"unpacked {l.tolist()}")
u.square().sum().backward()
mem("backward")
