import torch
import torch.nn as nn
import torch.nn.functional as F

def mem(tag):
    print(f"{tag:<44}{torch.cuda.memory_allocated():>12}{torch.cuda.max_memory_allocated():>12}")
    torch.cuda.reset_peak_memory_stats()

def go(name, fn, *inputs):
    try:
        mem(name)
        loss = fn(*inputs)
        mem("  forward")
        (loss if loss.dim() == 0 else loss.sum()).backward()
        mem("  backward")
        for t in inputs:
            if t.requires_grad:
                t.grad = None
    except Exception as e:
        print("  error", type(e).__name__)

N, C = 130, 70
x = torch.randn(N, C, device="cuda", requires_grad=True)
t = torch.rand(N, C, device="cuda")
y = torch.randint(0, C, (N,), device="cuda")
for r in ("mean", "sum", "none"):
    go(f"ce {r}", lambda a: nn.CrossEntropyLoss(reduction=r)(a, y), x)
    go(f"ce smooth {r}", lambda a: F.cross_entropy(a, y, label_smoothing=0.1, reduction=r), x)
    go(f"ce weight {r}", lambda a: F.cross_entropy(a, y, weight=torch.ones(C, device="cuda"), reduction=r, ignore_index=3), x)
    go(f"ce prob {r}", lambda a: F.cross_entropy(a, t, reduction=r), x)
    go(f"nll {r}", lambda a: F.nll_loss(F.log_softmax(a, 1), y, reduction=r), x)
    go(f"mse {r}", lambda a: nn.MSELoss(reduction=r)(a, t), x)
    go(f"l1 {r}", lambda a: nn.L1Loss(reduction=r)(a, t), x)
    go(f"smooth l1 {r}", lambda a: nn.SmoothL1Loss(reduction=r, beta=0.5)(a, t), x)
    go(f"huber {r}", lambda a: nn.HuberLoss(reduction=r)(a, t), x)
    go(f"bce {r}", lambda a: nn.BCELoss(reduction=r)(a.sigmoid(), t), x)
    go(f"bcel {r}", lambda a: nn.BCEWithLogitsLoss(reduction=r, pos_weight=torch.ones(C, device="cuda"))(a, t), x)
    go(f"kl {r}", lambda a: F.kl_div(a.log_softmax(1), t, reduction=r), x)
    go(f"kl log {r}", lambda a: F.kl_div(a.log_softmax(1), t, reduction=r, log_target=True), x)
    go(f"poisson {r}", lambda a: nn.PoissonNLLLoss(reduction=r)(a, t), x)
    go(f"hinge {r}", lambda a: nn.HingeEmbeddingLoss(reduction=r)(a, t), x)
    go(f"soft margin {r}", lambda a: nn.SoftMarginLoss(reduction=r)(a, t), x)
    go(f"mlsm {r}", lambda a: nn.MultiLabelSoftMarginLoss(reduction=r)(a, t), x)
    go(f"cos emb {r}", lambda a: nn.CosineEmbeddingLoss(reduction=r)(a, t, torch.ones(N, device="cuda")), x)
    go(f"rank {r}", lambda a: nn.MarginRankingLoss(reduction=r)(a[:, 0], t[:, 0], torch.ones(N, device="cuda")), x)
    go(f"triplet {r}", lambda a: nn.TripletMarginLoss(reduction=r)(a, t, t * 2), x)
    go(f"triplet swap {r}", lambda a: nn.TripletMarginLoss(reduction=r, swap=True)(a, t, t * 2), x)
    go(f"triplet dist {r}", lambda a: nn.TripletMarginWithDistanceLoss(reduction=r, swap=True)(a, t, t * 2), x)
go("batchmean", lambda a: F.kl_div(a.log_softmax(1), t, reduction="batchmean"), x)
go("mse weight", lambda a: F.mse_loss(a, t, weight=t), x)
go("l1 weight", lambda a: F.l1_loss(a, t, weight=t), x)
go("huber weight", lambda a: F.huber_loss(a, t, weight=t), x)
go("2d ce", lambda a: F.cross_entropy(a.view(10, 7, 13, 10), torch.zeros(10, 13, 10, dtype=torch.long, device="cuda")), x)
go("broadcast mse", lambda a: F.mse_loss(a, t[:1]), x)
