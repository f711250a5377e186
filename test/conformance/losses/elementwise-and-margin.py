import torch, torch.nn as nn
import torch.nn.functional as F
x = torch.randn(90, 210, device="cuda", requires_grad=True)
y = torch.randn(90, 210, device="cuda")
s = torch.sign(y)
def run(n, f):
    torch.cuda.reset_peak_memory_stats(); b = torch.cuda.memory_allocated()
    l = f(); a = torch.cuda.memory_allocated() - b
    l.backward()
    print(n, a, torch.cuda.memory_allocated() - b, torch.cuda.max_memory_allocated() - b)
    x.grad = None
for r in ("mean", "sum"):
    run("mse", lambda: nn.MSELoss(reduction=r)(x, y))
    run("l1", lambda: nn.L1Loss(reduction=r)(x, y))
    run("sl1", lambda: nn.SmoothL1Loss(reduction=r, beta=0.5)(x, y))
    run("huber", lambda: nn.HuberLoss(reduction=r)(x, y))
    run("bcel", lambda: nn.BCEWithLogitsLoss(reduction=r)(x, y.sigmoid()))
    run("bcel pos", lambda: nn.BCEWithLogitsLoss(reduction=r, pos_weight=torch.ones(210, device="cuda"))(x, y.sigmoid()))
    run("bce", lambda: nn.BCELoss(reduction=r)(x.sigmoid(), y.sigmoid()))
    run("kl", lambda: nn.KLDivLoss(reduction=r)(x.log_softmax(1), y.softmax(1)))
    run("kl log", lambda: nn.KLDivLoss(reduction=r, log_target=True)(x.log_softmax(1), y.log_softmax(1)))
    run("hinge", lambda: nn.HingeEmbeddingLoss(reduction=r)(x, s))
    run("margin", lambda: nn.MarginRankingLoss(0.5, reduction=r)(x, y, s))
    run("softmargin", lambda: nn.SoftMarginLoss(reduction=r)(x, s))
    run("triplet", lambda: nn.TripletMarginLoss(reduction=r)(x, y, y + 1))
    run("poisson", lambda: nn.PoissonNLLLoss(full=True, reduction=r)(x, y.abs()))
    run("cos", lambda: nn.CosineEmbeddingLoss(0.1, reduction=r)(x, y, s[:, 0]))
    run("mlsm", lambda: nn.MultiLabelSoftMarginLoss(reduction=r)(x, (s > 0).float()))
