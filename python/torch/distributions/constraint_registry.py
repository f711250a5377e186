"""torch.distributions.constraint_registry: which maps lead from all numbers to what a constraint allows."""

from __future__ import annotations

from numbers import Number
from typing import TYPE_CHECKING

from . import constraints, transforms

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    def __init__(self) -> None:
        self._registry = {}
        super().__init__()

    def register(self, constraint: Any, factory: Callable | None = None) -> Callable:
        """Says what makes the map of a constraint's class; without a maker it decorates one."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not isinstance(kind, type) or not issubclass(kind, constraints.Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: constraints.Constraint) -> transforms.Transform:
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to, transform_to = ConstraintRegistry(), ConstraintRegistry()


def _from_exp(loc, scale):
    return transforms.ComposeTransform([transforms.ExpTransform(), transforms.AffineTransform(loc, scale)])


def _to_interval(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, Number) and low == 0 and isinstance(high, Number) and high == 1:
        return transforms.SigmoidTransform()
    scale = high - low
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, scale)])


def _through_parts(registry):
    """Constraints of constraints: the parts' maps come from the same registry."""
    registry.register(
        constraints.independent,
        lambda c: transforms.IndependentTransform(registry(c.base_constraint), c.reinterpreted_batch_ndims),
    )
    registry.register(
        constraints.cat, lambda c: transforms.CatTransform([registry(part) for part in c.cseq], c.dim, c.lengths)
    )
    registry.register(
        constraints.stack, lambda c: transforms.StackTransform([registry(part) for part in c.cseq], c.dim)
    )


for _registry in (biject_to, transform_to):
    _through_parts(_registry)
    _registry.register(constraints.real, lambda c: transforms.identity_transform)
    # `positive` and `nonnegative` are of the classes of half lines, whose makers come last, as in PyTorch
    _registry.register(constraints.greater_than, lambda c: _from_exp(c.lower_bound, 1))
    _registry.register(constraints.greater_than_eq, lambda c: _from_exp(c.lower_bound, 1))
    _registry.register(constraints.less_than, lambda c: _from_exp(c.upper_bound, -1))
    _registry.register(constraints.interval, _to_interval)
    _registry.register(constraints.half_open_interval, _to_interval)
    _registry.register(constraints.corr_cholesky, lambda c: transforms.CorrCholeskyTransform())
biject_to.register(constraints.simplex, lambda c: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda c: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda c: transforms.LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda c: transforms.PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda c: transforms.PositiveDefiniteTransform())
