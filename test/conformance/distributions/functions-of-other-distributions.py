# every function of the other distributions: numbers, scores, moments, larger batches
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


def report(make, x=None, without=()):
    made = make()
    line = [type(made).__name__, memory()]
    x = (made.rsample if made.has_rsample else made.sample)() if x is None else x
    for name, call in CALLS.items():
        if name in without:
            continue
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


half = numbers("cuda", 70, 300)
two = numbers("cuda", 70, 300) * 4
vectors = numbers("cuda", 30, 40)
warm = torch.tensor(0.5, device="cuda")
MAKERS = [
    lambda: d.Geometric(probs=half),
    lambda: d.NegativeBinomial(3.0, logits=half),
    lambda: d.ContinuousBernoulli(probs=half),
    lambda: d.ContinuousBernoulli(logits=half),
    lambda: d.Weibull(half, two),
    lambda: d.Pareto(half, 2.0),
    lambda: d.InverseGamma(two, half),
    lambda: d.HalfCauchy(half),
    lambda: d.FisherSnedecor(two, 5.0),
    lambda: d.Kumaraswamy(two, half),
    lambda: d.RelaxedOneHotCategorical(warm, logits=half),
    lambda: d.relaxed_categorical.ExpRelaxedCategorical(warm, probs=half),
    lambda: d.LogisticNormal(half, half),
    lambda: d.LowRankMultivariateNormal(vectors, numbers("cuda", 30, 40, 5), vectors),
    lambda: d.MixtureSameFamily(d.Categorical(logits=vectors), d.Normal(vectors, vectors)),
    lambda: d.MixtureSameFamily(d.Categorical(logits=vectors), d.Independent(d.Normal(numbers("cuda", 30, 40, 7), 1.0), 1)),
    lambda: d.LKJCholesky(12, torch.ones(50, device="cuda")),
    lambda: d.GeneralizedPareto(half, half, half),
]
for make in MAKERS:
    report(make)
# what some of their functions do depends on values
counted = "entropy", "perplexity", "enumerate_support"
report(lambda: d.Multinomial(10, probs=half), without=counted)
report(lambda: d.Binomial(10, probs=half), without=counted)
report(lambda: d.Binomial(two, logits=half), without=counted)
drawn = "sample", "rsample", "expand"
report(lambda: d.VonMises(half, two), x=half, without=drawn)
