# gamma, Dirichlet, beta and their kin: parameters with history, samples, scores, entropies and backward
import torch
from torch.distributions import Beta, Chi2, Dirichlet, Exponential, Gamma, Poisson

torch.distributions.Distribution.set_default_validate_args(False)


def say(name):
    print(name, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()


one = torch.full((300, 200), 2.0, device="cuda", requires_grad=True)
two = torch.full((300, 200), 3.0, device="cuda", requires_grad=True)
say("parameters")
for kind, given in (
    (Gamma, (one, two)),
    (Gamma, (one, 1.5)),
    (Chi2, (one,)),
    (Exponential, (two,)),
    (Beta, (one, two)),
    (Dirichlet, (one,)),
):
    made = kind(*given)
    say(f"{kind.__name__} made")
    drawn = made.rsample((2,))
    say("drawn")
    score = made.log_prob(drawn.detach())
    say("score")
    entropy = made.entropy()
    say("entropy")
    (drawn.sum() + score.sum() + entropy.sum()).backward()
    say("backward")
    print(made.batch_shape, made.event_shape, drawn.shape, made.mean.shape, made.variance.shape)
    del made, drawn, score, entropy
    one.grad = two.grad = None
    say("gone")
counts = Poisson(one)
drawn = counts.sample()
say("counts")
score = counts.log_prob(drawn)
say("score of counts")
score.sum().backward()
say("end")
