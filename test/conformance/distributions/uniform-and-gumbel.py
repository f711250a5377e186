import torch
from torch.distributions import Gumbel, Uniform
from torch.distributions.gumbel import Gumbel as SameGumbel


def say(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())


low = torch.zeros(300, 1000, device="cuda")
high = torch.ones(300, 1000, device="cuda", requires_grad=True)
uniform = Uniform(low, high)
say("uniform")
drawn = uniform.rsample((2,))
say("drawn from it")
score = uniform.log_prob(drawn.detach())
say("score")
(drawn.sum() + score.sum()).backward()
say("backward")
del drawn, score, uniform, high
print(Gumbel is SameGumbel)
logits = torch.randn(500, 700, device="cuda", requires_grad=True)
gumbel = Gumbel(torch.tensor(0.0, device="cuda"), torch.tensor(1.0, device="cuda"))
say("gumbel")
noise = gumbel.sample(logits.shape)
say("noise")
loss = ((logits + noise) / 2).softmax(-1).square().sum()
loss.backward()
say("softened")
wide = Gumbel(logits, torch.ones_like(logits), validate_args=False)
say("wide")
out = wide.rsample()
say("drawn with history")
out.sum().backward()
say("backward again")
print(gumbel.entropy().shape, wide.mean.shape, wide.batch_shape)
say("end")
