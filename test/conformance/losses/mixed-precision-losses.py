import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
head = nn.Linear(64, 700).cuda()
h = torch.randn(5, 32, 64, device="cuda", requires_grad=True)
t = torch.randint(0, 700, (5, 32), device="cuda")
for dt in (torch.bfloat16, torch.float16):
    torch.cuda.reset_peak_memory_stats()
    with torch.autocast("cuda", dtype=dt):
        z = head(h); mem("logits")
        l1 = F.cross_entropy(z.view(-1, 700), t.view(-1)); mem("ce")
        l2 = F.cross_entropy(z.float().view(-1, 700), t.view(-1)); mem("float ce")
        l3 = F.mse_loss(z.sigmoid(), torch.zeros_like(z)); mem("mse")
        l4 = F.binary_cross_entropy_with_logits(z, torch.zeros_like(z)); mem("bce")
        l5 = F.kl_div(F.log_softmax(z, -1), F.softmax(z.detach(), -1), reduction="batchmean"); mem("kl")
    (l1 + l2 + l3 + l4 + l5).backward(); mem("bwd")
    del z, l1, l2, l3, l4, l5
    h.grad = None; head.zero_grad(); mem("clean")
