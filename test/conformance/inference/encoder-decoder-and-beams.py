import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()

class S2S(nn.Module):
    def __init__(self, V, d):
        super().__init__()
        self.e = nn.Embedding(V, d)
        self.t = nn.Transformer(d, 4, 2, 2, 2 * d, dropout=0.0, batch_first=True)
        self.o = nn.Linear(d, V)
    def forward(self, s, t):
        m = nn.Transformer.generate_square_subsequent_mask(t.shape[1], device=t.device)
        return self.o(self.t(self.e(s), self.e(t), tgt_mask=m))
torch.backends.mha.set_fastpath_enabled(False)
m = S2S(200, 64).cuda().eval()
s = torch.randint(0, 200, (2, 23), device="cuda")
mem("built")
with torch.no_grad():
    t = torch.zeros(2, 1, dtype=torch.long, device="cuda")
    for i in range(3):
        logits = m(s, t)
        t = torch.cat([t, logits[:, -1].argmax(-1, keepdim=True)], 1); mem(f"greedy {i}")
    mem_ = m.t.encoder(m.e(s)); mem("encoded")
    beams = mem_.repeat_interleave(3, 0); mem("beams")
    tb = torch.zeros(6, 1, dtype=torch.long, device="cuda")
    scores = torch.zeros(6, device="cuda")
    for i in range(2):
        lp = F.log_softmax(m.o(m.t.decoder(m.e(tb), beams))[:, -1], -1)
        total = (scores[:, None] + lp).view(2, -1)
        scores, idx = total.topk(3, -1)
        beam = idx // 200
        tok = idx % 200
        sel = (beam + torch.arange(2, device="cuda")[:, None] * 3).view(-1)
        tb = torch.cat([tb.index_select(0, sel), tok.view(-1, 1)], 1)
        scores = scores.view(-1); mem(f"beam {i}")
