# what the common distributions check: their parameters when they are made, numbers when they are scored
import torch
import torch.distributions as d

CALLS = {"log_prob": lambda m, x: m.log_prob(x), "cdf": lambda m, x: m.cdf(x), "support": lambda m, x: m.support.check(x)}


def report(make, x):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    made = make()
    line = [type(made).__name__, torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before]
    for name, call in CALLS.items():
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        try:
            kept = call(made, x)
        except NotImplementedError:
            line.append(f"no {name}")
            continue
        line.append(f"{name} {torch.cuda.memory_allocated() - before} {torch.cuda.max_memory_allocated() - before} {tuple(kept.shape)}")
        del kept
    print(*line, list(made.arg_constraints), made.support.event_dim, made.support.is_discrete)


half = torch.full((70, 300), 0.5, device="cuda")
shares = torch.full((70, 300), 1 / 300, device="cuda")
one_hot = torch.zeros(70, 300, device="cuda")
one_hot[:, 0] = 1
numbers = torch.zeros(70, dtype=torch.int64, device="cuda")
square = torch.eye(40, device="cuda")
vectors = torch.full((30, 40), 0.5, device="cuda")
temperature = torch.tensor(0.5, device="cuda")
MADE = [
    (lambda: d.Normal(half, 1.0), half),
    (lambda: d.Laplace(half, half), half),
    (lambda: d.Cauchy(0.0, half), half),
    (lambda: d.StudentT(3.0, half, half), half),
    (lambda: d.Uniform(half, 2.0), half),
    (lambda: d.Exponential(half), half),
    (lambda: d.Gamma(half, half), half),
    (lambda: d.Chi2(half), half),
    (lambda: d.Poisson(half), one_hot),
    (lambda: d.Beta(half, half), half),
    (lambda: d.Dirichlet(half), shares),
    (lambda: d.Bernoulli(probs=half), one_hot),
    (lambda: d.Bernoulli(logits=half), one_hot),
    (lambda: d.Categorical(probs=half), numbers),
    (lambda: d.Categorical(logits=half), numbers),
    (lambda: d.OneHotCategorical(logits=half), one_hot),
    (lambda: d.LogNormal(half, half), half),
    (lambda: d.HalfNormal(half), half),
    (lambda: d.Gumbel(half, half), half),
    (lambda: d.RelaxedBernoulli(temperature, logits=half), half),
    (lambda: d.MultivariateNormal(vectors, scale_tril=square), vectors),
    (lambda: d.Independent(d.Normal(half, half), 1), half),
    (lambda: d.TransformedDistribution(d.Normal(half, 2.0), [d.ExpTransform(), d.AffineTransform(1.0, half)]), 4 * half),
]
for make, x in MADE:
    report(make, x)
