import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

enc = nn.TransformerEncoderLayer(96, 4, 200, dropout=0.1, batch_first=True, norm_first=True).cuda()
dec = nn.TransformerDecoderLayer(96, 4, 200, dropout=0.1, batch_first=True).cuda()
src, tgt = torch.randn(2, 33, 96, device="cuda"), torch.randn(2, 21, 96, device="cuda")
mem("built")
m = enc(src); mem("encoder")
tm = nn.Transformer.generate_square_subsequent_mask(21, device="cuda")
o = dec(tgt, m, tgt_mask=tm, tgt_is_causal=True); mem("decoder")
o.sum().backward(); mem("backward")
del m, o
t = nn.Transformer(96, 4, 2, 2, 160, dropout=0.0, batch_first=True).cuda()
mem("transformer")
pad = torch.zeros(2, 33, dtype=torch.bool, device="cuda")
y = t(src, tgt, tgt_mask=tm, src_key_padding_mask=pad, memory_key_padding_mask=pad); mem("forward")
y.mean().backward(); mem("backward")
del y
t.zero_grad()
mem("zeroed")
