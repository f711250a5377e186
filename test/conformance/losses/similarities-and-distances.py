import torch, torch.nn as nn
import torch.nn.functional as F
def mem(t): print(t, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
x1 = torch.randn(64, 128, device="cuda", requires_grad=True); x2 = torch.randn(64, 128, device="cuda", requires_grad=True)
for n, f in {"cos": lambda: F.cosine_similarity(x1, x2), "cos bcast": lambda: F.cosine_similarity(x1[:, None], x2[None], dim=-1), "pd": lambda: F.pairwise_distance(x1, x2),
             "pd1": lambda: F.pairwise_distance(x1, x2, p=1), "pd keep": lambda: nn.PairwiseDistance(2, keepdim=True)(x1, x2), "dot": lambda: (x1 * x2).sum(-1)}.items():
    y = f(); mem(n)
    y.sum().backward(); mem("bwd")
    x1.grad = x2.grad = None
    del y
l = F.triplet_margin_with_distance_loss(x1, x2, x1.detach().flip(0), distance_function=lambda a, b: 1 - F.cosine_similarity(a, b)); mem("triplet fn")
l.backward(); mem("bwd"); x1.grad = x2.grad = None; del l
l = nn.TripletMarginLoss(swap=True, p=2)(x1, x2, x2.detach() * 2); mem("swap")
l.backward(); mem("bwd")
