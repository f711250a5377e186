"""The functions whose Python signature has several forms, gathered: which are torch.NAME, which are methods of Tensor too."""

from . import (
    _C,
    _arithmetic,
    _conversions,
    _creation,
    _joining,
    _literals,
    _promotion,
    _queries,
    _reductions,
    _shaping,
)

ROOMS = (
    _reductions,
    _shaping,
    _joining,
    _arithmetic,
    _creation,
    _literals,
    _conversions,
    _promotion,
    _queries,
)

METHODS = """norm view_as reshape reshape_as
expand expand_as movedim moveaxis swapaxes swapdims adjoint split tensor_split hsplit vsplit
repeat_interleave tile flip fliplr flipud narrow ravel broadcast_to pow clamp clip clamp_ clip_ softmax
log_softmax equal allclose bernoulli to cuda cpu type_as to_dense diff multinomial addmm is_conj is_neg""".split()


# Python code in PyTorch too, or nothing to let go of.
_WITH_FRAMES = frozenset(
    """empty zeros ones rand randn full arange range_ linspace logspace eye randint randperm tensor as_tensor asarray empty_strided
    is_tensor is_storage broadcast_shapes tril_indices triu_indices einsum split norm tensordot meshgrid block_diag broadcast_tensors
    atleast_1d atleast_2d atleast_3d cartesian_prod chain_matmul""".split()
)


def _public_of(room):
    return {
        name: value
        for name, value in vars(room).items()
        if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == room.__name__
    }


_FORMS = {name: value for room in ROOMS for name, value in _public_of(room).items()}


def _as_called(name):
    return _FORMS[name] if name in _WITH_FRAMES else _C.compiled(_FORMS[name])


def public():
    """The functions that are torch.NAME, without those that are only methods."""
    return {name: _as_called(name) for name in _FORMS}


def methods():
    """The functions that are Tensor.NAME, too."""
    return {**{name: _as_called(name) for name in METHODS}, **_conversions.CAST_METHODS}
