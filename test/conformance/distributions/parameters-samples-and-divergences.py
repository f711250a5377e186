import torch
from torch import distributions as D
from torch.nn import functional as F


def show(name, make):
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    made = make()
    kept = torch.cuda.memory_allocated() - before
    print(name, kept, torch.cuda.max_memory_allocated() - before)
    del made
    learned.grad = None


def backward(make):
    def run():
        make().backward()

    return run


def policy():
    choice = D.Categorical(logits=learned)
    action = choice.sample()
    return -(choice.log_prob(action) * weights).mean() - 0.01 * choice.entropy().mean()


given = torch.randn(512, 100, device="cuda")
learned = given.clone().requires_grad_()
probs = torch.softmax(given, -1)
weights = torch.ones(512, device="cuda")
ids = torch.randint(0, 100, (512,), device="cuda")

show("logits", lambda: D.Categorical(logits=given))
show("probs", lambda: D.Categorical(probs=probs))
show("unchecked", lambda: D.Categorical(logits=given, validate_args=False))
show("sample", lambda: D.Categorical(logits=given).sample())
show("samples", lambda: D.Categorical(logits=given).sample((7,)))
show("log_prob", lambda: D.Categorical(logits=learned).log_prob(ids))
show("entropy", lambda: D.Categorical(logits=learned).entropy())
show("log_prob of probs", lambda: D.Categorical(probs=torch.softmax(learned, -1)).log_prob(ids))
show("both", lambda: D.Categorical(logits=learned).probs)
show("support", lambda: D.Categorical(probs=probs).enumerate_support())
show("loss", backward(lambda: -D.Categorical(logits=learned).log_prob(ids).mean()))
show("policy", backward(policy))
show("divergence", lambda: D.kl_divergence(D.Categorical(logits=learned), D.Categorical(logits=given)))
show("one hot", lambda: D.OneHotCategorical(logits=learned).sample())
show("straight through", backward(lambda: D.OneHotCategoricalStraightThrough(logits=learned).rsample().sum()))
show("bernoulli", lambda: D.Bernoulli(logits=learned).log_prob(torch.ones_like(given)))
show("bernoulli entropy", lambda: D.Bernoulli(probs=torch.sigmoid(learned)).entropy())
show("bernoulli sample", lambda: D.Bernoulli(logits=given).sample((2,)))
show("normal", lambda: D.Normal(learned, given.exp()).rsample())
show("normal sample", lambda: D.Normal(given, 1.0).sample((3,)))
show("normal log_prob", backward(lambda: D.Normal(learned, given.exp()).log_prob(given).sum()))
show("normal entropy", lambda: D.Normal(learned, given.exp()).entropy())
show("normals", lambda: D.kl_divergence(D.Normal(learned, given.exp()), D.Normal(given, 1.0)))
show("independent", lambda: D.Independent(D.Normal(learned, given.exp()), 1).log_prob(given))
