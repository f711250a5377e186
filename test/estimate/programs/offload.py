"""torchao's optimizer on the host, and one that steps inside of backward: allocated bytes of three steps."""

import sys

import torch

net = torch.nn.Sequential(*[torch.nn.Linear(512, 512) for _ in range(4)]).cuda()
how = sys.argv[1]
if how == "in-backward":
    steppers = {p: torch.optim.AdamW([p], lr=1e-5, foreach=False) for p in net.parameters()}

    def step_at_once(parameter):
        steppers[parameter].step()
        steppers[parameter].zero_grad()

    for parameter in net.parameters():
        parameter.register_post_accumulate_grad_hook(step_at_once)
    optimizers = []
else:
    from torchao.optim import CPUOffloadOptimizer

    optimizers = [CPUOffloadOptimizer(net.parameters(), torch.optim.AdamW, offload_gradients=how == "gradients", lr=1e-3)]
for step in range(3):
    x = torch.randn(64, 512, device="cuda")
    loss = net(x).square().mean()
    print("forward", torch.cuda.memory_allocated())
    loss.backward()
    print("backward", torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()
    print("step", torch.cuda.memory_allocated(), torch.cuda.memory_reserved())
