# normal vectors by each form of their covariance, and distributions with a place and a width
import torch
from torch.distributions import Cauchy, HalfNormal, Laplace, LogNormal, MultivariateNormal, StudentT

torch.distributions.Distribution.set_default_validate_args(False)


def say(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


loc = torch.zeros(40, 30, device="cuda", requires_grad=True)
spread = torch.full((40, 30), 2.0, device="cuda", requires_grad=True)
say("parameters")
for name, matrix in (
    ("scale_tril", torch.diag_embed(spread)),
    ("scale_tril", torch.eye(30, device="cuda")),
):
    made = MultivariateNormal(loc, **{name: matrix})
    say(f"{name} {tuple(matrix.shape)}")
    drawn = made.rsample((3,))
    say("drawn")
    score = made.log_prob(drawn.detach())
    say("score")
    entropy = made.entropy()
    say("entropy")
    (drawn.sum() + score.sum() + entropy.sum()).backward(retain_graph=True)
    say("backward")
    print(made.batch_shape, made.event_shape, drawn.shape, score.shape, entropy.shape, made.variance.shape)
    del made, drawn, score, entropy
    loc.grad = spread.grad = None
    say("gone")
del matrix
for kind in (Laplace, Cauchy, LogNormal):
    made = kind(loc, spread)
    drawn = made.rsample((2,))
    say(kind.__name__)
    score = made.log_prob(drawn.detach().abs() + 1)
    say("score")
    (drawn.sum() + score.sum() + made.entropy().sum()).backward()
    say("backward")
    del made, drawn, score
made = StudentT(spread, loc, spread)
drawn = made.rsample()
score = made.log_prob(drawn.detach())
(drawn.sum() + score.sum()).backward()
say("StudentT")
del made, drawn, score
made = HalfNormal(spread)
drawn = made.rsample()
score = made.log_prob(drawn.detach())
(drawn.sum() + score.sum()).backward()
say("HalfNormal")
