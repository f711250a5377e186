# L-BFGS whose search goes on: its history fills up, and the rounds after that are alike
import torch
import torch.nn as nn


def mem(tag):
    print(tag, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
    torch.cuda.reset_peak_memory_stats()


# nothing computes where this is recorded: y.s is above its bound, everything else is not
above, below = torch.Tensor.__gt__, torch.Tensor.__le__
torch.Tensor.__gt__ = lambda a, b: [above(a, b), 0 <= b < 1e-5][1]
torch.Tensor.__le__ = lambda a, b: [below(a, b), False][1]
net = nn.Linear(200, 200).cuda()
x = torch.randn(30, 200, device="cuda")
lbfgs = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=7, history_size=4, tolerance_change=-1)
mem("built")


def closure():
    lbfgs.zero_grad()
    loss = net(x).square().mean()
    loss.backward()
    return loss


lbfgs.step(closure)
mem("step 1")
lbfgs.step(closure)
mem("step 2")
