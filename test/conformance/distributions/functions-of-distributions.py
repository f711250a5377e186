# every function of the common distributions: numbers, scores, moments, larger batches
import torch
import torch.distributions as d

d.Distribution.set_default_validate_args(False)

CALLS = {
    "sample": lambda m, x: m.sample((3,)),
    "rsample": lambda m, x: m.rsample((2,)),
    "log_prob": lambda m, x: m.log_prob(x),
    "cdf": lambda m, x: m.cdf(x),
    "icdf": lambda m, x: m.icdf(torch.full(m.batch_shape, 0.3, device="cuda")),
    "mean": lambda m, x: m.mean,
    "mode": lambda m, x: m.mode,
    "variance": lambda m, x: m.variance,
    "stddev": lambda m, x: m.stddev,
    "entropy": lambda m, x: m.entropy(),
    "perplexity": lambda m, x: m.perplexity(),
    "enumerate_support": lambda m, x: m.enumerate_support(),
    "expand": lambda m, x: (m.expand((4, *m.batch_shape)).rsample if m.has_rsample else m.expand((4, *m.batch_shape)).sample)(),
}


def numbers(device, *shape):
    return torch.full(shape, 0.5, device=device)


def memory():
    text = f"{torch.cuda.memory_allocated()}/{torch.cuda.max_memory_allocated()}"
    torch.cuda.reset_peak_memory_stats()
    return text


def report(make):
    made = make()
    line = [type(made).__name__, memory()]
    x = (made.rsample if made.has_rsample else made.sample)()
    for name, call in CALLS.items():
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        try:
            kept = call(made, x)
        except (NotImplementedError, AttributeError):
            line.append(f"no {name}")
            continue
        line.append(f"{name} {torch.cuda.memory_allocated() - before} {torch.cuda.max_memory_allocated() - before} {tuple(kept.shape)}")
        del kept
    print(*line, made.has_rsample, made.has_enumerate_support, type(made.support).__name__, sep="\n  ")


N = 70, 300
half = numbers("cuda", *N)
square = torch.eye(40, device="cuda")
MAKERS = [
    lambda: d.Normal(half, 1.0),
    lambda: d.Laplace(half, half),
    lambda: d.Cauchy(0.0, half),
    lambda: d.StudentT(3.0, half, half),
    lambda: d.Uniform(half, 2.0),
    lambda: d.Exponential(half),
    lambda: d.Gamma(half, half),
    lambda: d.Chi2(half),
    lambda: d.Poisson(half),
    lambda: d.Beta(half, half),
    lambda: d.Dirichlet(half),
    lambda: d.Bernoulli(probs=half),
    lambda: d.Bernoulli(logits=half),
    lambda: d.Categorical(probs=half),
    lambda: d.Categorical(logits=half),
    lambda: d.OneHotCategorical(logits=half),
    lambda: d.OneHotCategoricalStraightThrough(probs=half),
    lambda: d.LogNormal(half, half),
    lambda: d.HalfNormal(half),
    lambda: d.Gumbel(half, half),
    lambda: d.RelaxedBernoulli(torch.tensor(0.5, device="cuda"), logits=half),
    lambda: d.MultivariateNormal(numbers("cuda", 30, 40), scale_tril=square),
    lambda: d.Independent(d.Normal(half, half), 1),
    lambda: d.Independent(d.Bernoulli(half), 0),
    lambda: d.TransformedDistribution(d.Uniform(half, 2.0), [d.ExpTransform(), d.AffineTransform(1.0, -half)]),
]
for make in MAKERS:
    report(make)
