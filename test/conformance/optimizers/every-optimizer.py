import torch
import torch.nn as nn

def mem():
    return torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated()

O = torch.optim
cases = []
for cls, kw in [(O.SGD, dict(lr=0.1)), (O.Adam, {}), (O.AdamW, {}), (O.Adamax, {}), (O.NAdam, {}), (O.RAdam, {}), (O.RMSprop, {}), (O.Adagrad, {}), (O.Adadelta, {}), (O.ASGD, {})]:
    for extra in ({}, dict(foreach=False), dict(weight_decay=0.1), dict(weight_decay=0.1, foreach=False), dict(maximize=True), dict(maximize=True, weight_decay=0.1)):
        cases.append((cls, {**kw, **extra}))
cases += [(O.SGD, dict(lr=0.1, momentum=0.9)), (O.SGD, dict(lr=0.1, momentum=0.9, nesterov=True)), (O.SGD, dict(lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1)),
          (O.SGD, dict(lr=0.1, momentum=0.9, nesterov=True, foreach=False)), 
          (O.RMSprop, dict(momentum=0.9)), (O.RMSprop, dict(centered=True)), (O.RMSprop, dict(momentum=0.9, centered=True, foreach=False)),
          (O.Adam, dict(amsgrad=True)), (O.Adam, dict(amsgrad=True, foreach=False)), (O.Adam, dict(fused=True)), (O.AdamW, dict(fused=True, amsgrad=True)),
          (O.Adam, dict(capturable=True)), (O.Adam, dict(capturable=True, foreach=False)), (O.NAdam, dict(capturable=True)), (O.NAdam, dict(decoupled_weight_decay=True, weight_decay=0.1)),
          (O.RAdam, dict(capturable=True)), (O.RAdam, dict(capturable=True, foreach=False)), (O.Adamax, dict(capturable=True)), (O.RMSprop, dict(capturable=True, momentum=0.5)), (O.Adadelta, dict(capturable=True)), (O.ASGD, dict(capturable=True)),
          (O.Adagrad, dict(lr_decay=0.1, initial_accumulator_value=0.5)), (O.Adafactor, {}), (O.Adafactor, dict(foreach=True)), (O.Adafactor, dict(foreach=True, weight_decay=0.1, maximize=True)), (O.NAdam, dict(capturable=True, foreach=False))]
# step by step, ASGD reads a number that it keeps on the GPU
cases = [(cls, kw) for cls, kw in cases if cls is not O.ASGD or kw.get("foreach", True)]
for cls, kw in cases:
    params = [nn.Parameter(torch.randn(300, 200, device="cuda")), nn.Parameter(torch.randn(700, device="cuda")), nn.Parameter(torch.randn(90, 110, device="cuda", dtype=torch.bfloat16)), nn.Parameter(torch.randn(5, device="cuda"))]
    try:
        opt = cls(params, **kw)
        for p in params[:-1]:
            p.grad = torch.ones_like(p)
        torch.cuda.reset_peak_memory_stats()
        print(cls.__name__, kw, *mem())
        for i in range(2):
            torch.cuda.reset_peak_memory_stats()
            opt.step()
            print(" ", *mem())
        print(" ", sorted(opt.state[params[0]]), len(opt.state))
        opt.zero_grad(set_to_none=False)
        opt.zero_grad()
    except Exception as e:
        print("  error", type(e).__name__)
    del opt, params
print(*mem())
