import torch
import torch.nn as nn
from torch.optim import lr_scheduler as S

def run(name, make, opt=lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9), n=14, metric=None):
    p = nn.Parameter(torch.zeros(1))
    o = opt([{"params": [p]}, {"params": [nn.Parameter(torch.zeros(2))], "lr": 0.02}])
    s = make(o)
    out = []
    for i in range(n):
        out.append(" ".join(f"{g['lr']:.8f}" for g in o.param_groups))
        o.step()
        s.step(*([metric(i)] if metric else []))
    print(name, out, [f"{x:.8f}" for x in s.get_last_lr()])
    d = s.state_dict()
    s.load_state_dict(d)

run("lambda", lambda o: S.LambdaLR(o, [lambda e: 0.9 ** e, lambda e: 1 / (e + 1)]))
run("mult", lambda o: S.MultiplicativeLR(o, lambda e: 0.95))
run("step", lambda o: S.StepLR(o, 3, 0.5))
run("multi", lambda o: S.MultiStepLR(o, [2, 5, 5, 9], 0.3))
run("const", lambda o: S.ConstantLR(o, 0.3, 4))
run("linear", lambda o: S.LinearLR(o, 0.1, 0.8, 6))
run("exp", lambda o: S.ExponentialLR(o, 0.8))
run("poly", lambda o: S.PolynomialLR(o, 8, 2.0))
run("cos", lambda o: S.CosineAnnealingLR(o, 5, 0.001))
run("warm", lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2, 0.01))
run("cyclic", lambda o: S.CyclicLR(o, 0.01, 0.1, 3, 5))
run("cyclic2", lambda o: S.CyclicLR(o, 0.01, 0.1, 3, mode="triangular2"))
run("cyclic3", lambda o: S.CyclicLR(o, [0.01, 0.02], [0.1, 0.3], 3, mode="exp_range", gamma=0.9, cycle_momentum=False))
run("one", lambda o: S.OneCycleLR(o, 0.3, total_steps=15))
run("one3", lambda o: S.OneCycleLR(o, [0.3, 0.1], epochs=5, steps_per_epoch=3, three_phase=True, anneal_strategy="linear"))
run("oneadam", lambda o: S.OneCycleLR(o, 0.3, total_steps=15), opt=lambda p: torch.optim.Adam(p, lr=0.1))
run("seq", lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1, total_iters=3), S.CosineAnnealingLR(o, 8), S.ExponentialLR(o, 0.5)], [3, 9]))
run("chain", lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.5, 4), S.ExponentialLR(o, 0.9)]))
run("plateau", lambda o: S.ReduceLROnPlateau(o, patience=1, factor=0.5, cooldown=1), metric=lambda i: [3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5][i])
run("plateau max", lambda o: S.ReduceLROnPlateau(o, "max", patience=0, min_lr=0.03, threshold_mode="abs"), metric=lambda i: i % 3)
run("swalr", lambda o: torch.optim.swa_utils.SWALR(o, 0.05, 4))
o = torch.optim.AdamW([nn.Parameter(torch.zeros(3))], lr=1e-3)
print(o)
