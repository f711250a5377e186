import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
model = nn.Linear(80, 500).cuda(); ref = nn.Linear(80, 500).cuda().requires_grad_(False)
hc, hr = torch.randn(6, 20, 80, device="cuda"), torch.randn(6, 20, 80, device="cuda")
lc, lr = torch.randint(0, 500, (6, 20), device="cuda"), torch.randint(0, 500, (6, 20), device="cuda")
def logps(m, h, l):
    return torch.gather(m(h).log_softmax(-1), 2, l.unsqueeze(2)).squeeze(2).sum(-1)
pc, pr = logps(model, hc, lc), logps(model, hr, lr); mem("policy")
with torch.no_grad(): rc, rr = logps(ref, hc, lc), logps(ref, hr, lr)
mem("reference")
loss = -F.logsigmoid(0.1 * ((pc - pr) - (rc - rr))).mean(); mem("dpo")
loss.backward(); mem("bwd")
del loss, pc, pr
adv = torch.randn(6, 20, device="cuda")
lp = F.log_softmax(model(hc), -1).gather(-1, lc[..., None]).squeeze(-1); old = lp.detach()
ratio = (lp - old).exp(); mem("ratio")
pg = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean(); mem("ppo"); pg.backward(); mem("bwd")
