"""torch.distributions: the few that training scripts use."""

from ._joining import broadcast_tensors


class Distribution:
    def sample(self, sample_shape=()):
        import torch

        with torch.no_grad():
            return self.rsample(sample_shape)


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = (
            broadcast_tensors(loc, scale) if hasattr(loc, "shape") and hasattr(scale, "shape") else (loc, scale)
        )

    def rsample(self, sample_shape=()):
        import torch

        shape = tuple(sample_shape) + tuple(self.loc.shape)
        eps = torch.empty(shape, dtype=self.loc.dtype, device=self.loc.device).normal_()
        return self.loc + eps * self.scale

    def log_prob(self, value):
        import math

        var = self.scale**2
        return -((value - self.loc) ** 2) / (2 * var) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def entropy(self):
        return 0.5 + 0.9189385332046727 + self.scale.log()


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
            self.logits = self.probs.log()
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
            self.probs = self.logits.softmax(-1)

    def sample(self, sample_shape=()):
        flat = self.probs.reshape(-1, self.probs.size(-1))
        return flat.multinomial(1, True).reshape(self.probs.shape[:-1])

    def log_prob(self, value):
        return self.logits.gather(-1, value.long().unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        return -(self.logits * self.probs).sum(-1)


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        self.probs = probs if probs is not None else logits.sigmoid()

    def sample(self, sample_shape=()):
        return self.probs.bernoulli()
