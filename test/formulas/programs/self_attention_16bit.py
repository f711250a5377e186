"""Self-attention as papers on activation memory count it: 16-bit, dropout on scores and output, no fused kernel."""

import torch
from torch import nn

b = 4  # batch
s = 128  # sequence
d = 512  # hidden
h = 8  # heads


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(d, d) for _ in range(4))
        self.scores_dropout = nn.Dropout(0.1)
        self.out_dropout = nn.Dropout(0.1)

    def heads(self, x):
        return x.view(s, b * h, d // h).transpose(0, 1)

    def forward(self, x):
        q, k, v = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        empty = torch.empty(b * h, s, s, dtype=x.dtype, device=x.device)
        scores = torch.baddbmm(empty, q, k.transpose(1, 2), beta=0.0, alpha=(d // h) ** -0.5)
        scores = self.scores_dropout(scores.softmax(dim=-1))
        context = torch.bmm(scores, v).transpose(0, 1).contiguous().view(s, b, d)
        return self.out_dropout(self.out(context))


model = SelfAttention().to("cuda", torch.bfloat16)
x = torch.randn(s, b, d, device="cuda", dtype=torch.bfloat16)
model(x).sum().backward()
