"""torch.fx: names that libraries import."""


def wrap(f):
    return f


class Proxy:
    pass
