import torch
from torch.distributions import AffineTransform, ComposeTransform, ExpTransform, Independent, Normal, RelaxedBernoulli
from torch.distributions import SigmoidTransform, TanhTransform, TransformedDistribution
from torch.distributions.relaxed_bernoulli import LogitRelaxedBernoulli


def say(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


loc = torch.zeros(300, 1000, device="cuda", requires_grad=True)
scale = torch.ones(300, 1000, device="cuda", requires_grad=True)
# a policy as soft actor-critic has it
policy = TransformedDistribution(Independent(Normal(loc, scale), 1), [TanhTransform(cache_size=1)])
say("policy")
action = policy.rsample()
say("action")
score = policy.log_prob(action.detach())
say("score")
(action.sum() - score.sum()).backward()
say("backward")
del policy, action, score
moved = TransformedDistribution(Normal(loc, scale), [AffineTransform(torch.ones_like(loc), 2.0), ExpTransform(), SigmoidTransform()])
drawn = moved.sample((2,))
say("moved")
probability = moved.log_prob(drawn)
say("its probability")
probability.mean().backward()
say("its backward")
both = ComposeTransform([AffineTransform(1.0, scale), ExpTransform()])
x = torch.randn(300, 1000, device="cuda")
y = both(x)
back = both.inv(y)
jacobian = both.log_abs_det_jacobian(x, y)
say("composed")
del moved, drawn, probability, both, x, y, back, jacobian
logits = torch.randn(400, 900, device="cuda", requires_grad=True)
gate = RelaxedBernoulli(torch.tensor(0.5, device="cuda"), logits=logits)
say("gate")
soft = gate.rsample()
say("soft")
soft.sum().backward()
say("soft backward")
scored = gate.log_prob(soft.detach())
say("scored")
scored.sum().backward()
say("scored backward")
plain = LogitRelaxedBernoulli(0.5, probs=torch.full((400, 900), 0.25, device="cuda"))
kept = plain.sample()
say("plain")
del gate, soft, scored, plain, kept
say("end")
