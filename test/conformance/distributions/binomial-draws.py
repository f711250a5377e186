# binomial numbers from counts and probabilities, broadcast, with a generator, in three types
import torch


def show(name, t):
    print(name, tuple(t.shape), t.dtype, t.requires_grad, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


count = torch.full((300, 200), 10.0, device="cuda")
prob = torch.full((300, 200), 0.5, device="cuda")
show("drawn", torch.binomial(count, prob))
show("by name", torch.binomial(count=count, prob=prob, generator=torch.Generator(device="cuda")))
try:
    show("broadcast", torch.binomial(count, prob[0]))
except RuntimeError as error:
    print(error)
show("double", torch.binomial(count.double(), prob.double()))
show("half", torch.binomial(count.half(), prob.half()))
