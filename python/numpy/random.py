"""numpy.random: numbers of Python's generator, so other ones than NumPy's for the same seed. Large arrays are placeholders."""

from __future__ import annotations

import random as _python
from typing import TYPE_CHECKING

from torch import _ranked
from torch._stand_ins import lacks

from ._array import MOST_VALUES, count, is_whole, ndarray, scalar
from ._distributions import DRAWS, drawn, method, shape_of
from ._make import asarray

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import ArrayLike, DTypeLike


__getattr__ = lacks("numpy.random")


def _plain(value):
    return isinstance(value, (int, float))


def _whole(seed):
    return 0 if seed is None else int(asarray(_ranked.draws(seed)).read()[0])


class _Source:
    """A stream of random numbers; arrays of more than MOST_VALUES draw none."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = _python.Random(_whole(seed))

    def _filled(self, size, kind, draw):
        shape = shape_of(size)
        if size is None:
            return scalar(draw(), kind)
        n = count(shape)
        return ndarray(shape, kind, [draw() for _ in range(n)] if n <= MOST_VALUES else None)

    def uniform(self, low: ArrayLike = 0.0, high: ArrayLike = 1.0, size: int | Sequence[int] | None = None) -> Any:
        if _plain(low) and _plain(high):
            return self._filled(size, "float64", lambda: self._random.uniform(low, high))
        return drawn(self._random, size, "float64", _python.Random.uniform, low, high)

    def normal(self, loc: ArrayLike = 0.0, scale: ArrayLike = 1.0, size: int | Sequence[int] | None = None) -> Any:
        if _plain(loc) and _plain(scale):
            return self._filled(size, "float64", lambda: self._random.gauss(loc, scale))
        return drawn(self._random, size, "float64", _python.Random.gauss, loc, scale)

    def dirichlet(self, alpha: Any, size: int | Sequence[int] | None = None) -> Any:
        alpha = asarray(alpha).read()
        shape = shape_of(size)
        values = []
        for _ in range(count(shape)):
            drawn = [self._random.gammavariate(a, 1.0) for a in alpha]
            values += [d / sum(drawn) for d in drawn]
        return ndarray((*shape, len(alpha)), "float64", values)

    def multinomial(self, n: int, pvals: Any, size: int | Sequence[int] | None = None) -> Any:
        weights = asarray(pvals).read()
        shape, values = shape_of(size), []
        for _ in range(count(shape)):
            picked = self._random.choices(range(len(weights)), weights, k=n)
            values += [picked.count(i) for i in range(len(weights))]
        return ndarray((*shape, len(weights)), "int64", values)

    def multivariate_normal(self, mean: Any, cov: Any, size: int | Sequence[int] | None = None, **_: Any) -> Any:
        n = len(asarray(mean))
        return self.normal(size=(*shape_of(size), n))

    def bytes(self, length: int) -> Any:
        return self._random.randbytes(length)

    def choice(self, a: ArrayLike, size: int | Sequence[int] | None = None, replace: bool = True, p: Any = None) -> Any:
        """From range(a) or from the first dimension of an array."""
        n = int(a) if is_whole(a) else len(a)
        shape = shape_of(size)
        wanted = count(shape)
        if not replace and wanted > n:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        if wanted > MOST_VALUES:
            picked = ndarray(shape, "int64")
        elif replace:
            weights = None if p is None else asarray(p).read()
            picked = ndarray(shape, "int64", self._random.choices(range(n), weights, k=wanted))
        else:
            picked = ndarray(shape, "int64", self._random.sample(range(n), wanted))
        if is_whole(a):
            return scalar(picked.read()[0], "int64") if size is None else picked
        return a[picked.item()] if size is None else asarray(a)[picked]

    def permutation(self, x: ArrayLike) -> Any:
        if is_whole(x):
            n = int(x)
            return ndarray((n,), "int64", self._random.sample(range(n), n) if n <= MOST_VALUES else None)
        x = asarray(x)
        return x[self.permutation(len(x))]

    def shuffle(self, x: ArrayLike) -> None:
        if isinstance(x, ndarray):
            x[:] = self.permutation(x)
        else:
            self._random.shuffle(x)


for _name in DRAWS:
    setattr(_Source, _name, method(_name))


class Generator(_Source):
    """What default_rng gives."""

    def __init__(self, bit_generator: Any = None) -> None:
        source = bit_generator.seed if isinstance(bit_generator, PCG64) else bit_generator
        super().__init__(source.generate_state(1) if isinstance(source, SeedSequence) else source)
        self._bits = bit_generator if isinstance(bit_generator, PCG64) else None

    def random(
        self, size: int | Sequence[int] | None = None, dtype: DTypeLike = float, out: ndarray | None = None
    ) -> Any:
        return self._filled(size, dtype, self._random.random)

    def standard_normal(self, size: int | Sequence[int] | None = None, dtype: DTypeLike = float) -> Any:
        return self._filled(size, dtype, lambda: self._random.gauss(0.0, 1.0))

    def integers(
        self,
        low: ArrayLike,
        high: ArrayLike = None,
        size: int | Sequence[int] | None = None,
        dtype: DTypeLike = "int64",
        endpoint: bool = False,
    ) -> Any:
        low, high = (0, low) if high is None else (low, high)
        if is_whole(low) and is_whole(high):
            return self._filled(size, dtype, lambda: self._random.randrange(low, high + endpoint))
        return drawn(self._random, size, dtype, lambda r, a, b: r.randrange(int(a), int(b) + endpoint), low, high)

    def permuted(self, x: ArrayLike, *, axis: int | None = None, out: ndarray | None = None) -> Any:
        x = asarray(x)
        if axis is None:
            return x.reshape(-1)[self.permutation(x.size)].reshape(x.shape)
        from ._arrange import apply_along_axis

        return apply_along_axis(self.permutation, axis, x)

    def spawn(self, n_children: int) -> list:
        return [Generator(self._random.getrandbits(32)) for _ in range(n_children)]

    @property
    def bit_generator(self) -> PCG64:
        self._bits = self._bits or PCG64()
        return self._bits


class RandomState(_Source):
    """The older interface, also that of the module's functions."""

    def seed(self, seed: int | None = None) -> None:
        self._random.seed(_whole(seed))

    def rand(self, *shape: Any) -> Any:
        return self.uniform(size=shape or None)

    def randn(self, *shape: Any) -> Any:
        return self.normal(size=shape or None)

    def random(self, size: int | Sequence[int] | None = None) -> Any:
        return self.uniform(size=size)

    random_sample = random

    def standard_normal(self, size: int | Sequence[int] | None = None) -> Any:
        return self.normal(size=size)

    def randint(
        self,
        low: ArrayLike,
        high: ArrayLike = None,
        size: int | Sequence[int] | None = None,
        dtype: DTypeLike = "int64",
    ) -> Any:
        low, high = (0, low) if high is None else (low, high)
        if not (is_whole(low) and is_whole(high)) and not (_plain(low) and _plain(high)):
            return drawn(self._random, size, dtype, lambda r, a, b: r.randrange(int(a), int(b)), low, high)
        if low >= high:
            raise ValueError("low >= high")
        return self._filled(size, dtype, lambda: self._random.randrange(low, high))

    def get_state(self, legacy: bool = True) -> tuple:
        return ("MT19937", self._random.getstate())

    def set_state(self, state: Any) -> None:
        self._random.setstate(state[1])


class SeedSequence:
    """A seed from which others come."""

    def __init__(self, entropy: Any = None, *, spawn_key: Sequence = (), pool_size: int = 4, **_: Any) -> None:
        self.entropy, self.spawn_key = 0 if entropy is None else entropy, tuple(spawn_key)

    def spawn(self, n_children: int) -> list:
        return [SeedSequence(self.entropy, spawn_key=(*self.spawn_key, i)) for i in range(n_children)]

    def generate_state(self, n_words: int, dtype: DTypeLike = "uint32") -> Any:
        source = _python.Random(f"{self.entropy}{self.spawn_key}")
        return ndarray((n_words,), dtype, [source.getrandbits(32) for _ in range(n_words)])


class PCG64:
    """A source of bits; what is told of its state is kept, and changes nothing."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed
        self.state = {"bit_generator": "PCG64", "state": {"state": 0, "inc": 1}, "has_uint32": 0, "uinteger": 0}


MT19937 = Philox = PCG64


def default_rng(seed: int | None = None) -> Any:
    return seed if isinstance(seed, Generator) else Generator(seed)


_global = RandomState()
seed, rand, randn, random, random_sample = (
    _global.seed,
    _global.rand,
    _global.randn,
    _global.random,
    _global.random_sample,
)
randint, uniform, normal, standard_normal = _global.randint, _global.uniform, _global.normal, _global.standard_normal
choice, permutation, shuffle = _global.choice, _global.permutation, _global.shuffle
get_state, set_state = _global.get_state, _global.set_state
dirichlet, multinomial, multivariate_normal, bytes = (
    getattr(_global, name) for name in "dirichlet multinomial multivariate_normal bytes".split()
)
for _name in DRAWS:
    globals()[_name] = getattr(_global, _name)
random_integers = lambda low, high=None, size=None: _global.randint(  # noqa: E731
    *((1, low + 1) if high is None else (low, high + 1)), size
)
ranf = sample = _global.random
BitGenerator = SFC64 = PCG64DXSM = PCG64
