"""torch.func: calling modules as functions, and gradients as functions. Batching rules (vmap) are not modelled."""

import torch
from torch.nn.utils.stateless import functional_call as _call


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    if isinstance(parameter_and_buffer_dicts, dict):
        values = parameter_and_buffer_dicts
    else:
        keys = [key for d in parameter_and_buffer_dicts for key in d]
        if len(keys) != len(set(keys)):
            raise ValueError("parameter_and_buffer_dicts have a key in common")
        values = {key: value for d in parameter_and_buffer_dicts for key, value in d.items()}
    return _call(module, values, args, kwargs, tie_weights=tie_weights, strict=strict)


def _stacked(tensors):
    result = torch.stack(tensors)
    return result.detach().requires_grad_() if all(t.requires_grad for t in tensors) else result


def stack_module_state(models):
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    params = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return tuple({key: _stacked(tuple(d[key] for d in many)) for key in many[0]} for many in (params, buffers))


def grad_and_value(func, argnums=0, has_aux=False):
    def wrapped(*args, **kwargs):
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        args = list(args)
        leaves, rebuilt = [], []
        for n in numbers:
            found, args[n] = _with_grad(args[n])
            leaves += found
            rebuilt.append((len(found), args[n]))
        with torch.enable_grad():
            result = func(*args, **kwargs)
        output, aux = result if has_aux else (result, None)
        grads = iter(torch.autograd.grad(output, leaves, allow_unused=True))
        shaped = tuple(_filled(like, grads) for _, like in rebuilt)
        shaped = shaped[0] if isinstance(argnums, int) else shaped
        return (shaped, (output.detach(), aux)) if has_aux else (shaped, output.detach())

    return wrapped


def grad(func, argnums=0, has_aux=False):
    both = grad_and_value(func, argnums, has_aux)

    def wrapped(*args, **kwargs):
        gradient, rest = both(*args, **kwargs)
        return (gradient, rest[1]) if has_aux else gradient

    return wrapped


def _with_grad(value):
    """The same structure with tensors that take gradients, and those tensors in order."""
    if isinstance(value, torch.Tensor):
        leaf = value.detach().requires_grad_()
        return [leaf], leaf
    if isinstance(value, dict):
        parts = {key: _with_grad(v) for key, v in value.items()}
        return [leaf for found, _ in parts.values() for leaf in found], {key: like for key, (_, like) in parts.items()}
    if isinstance(value, (list, tuple)):
        parts = [_with_grad(v) for v in value]
        return [leaf for found, _ in parts for leaf in found], type(value)(like for _, like in parts)
    return [], value


def _filled(like, grads):
    if isinstance(like, torch.Tensor):
        gradient = next(grads)
        return torch.zeros_like(like) if gradient is None else gradient
    if isinstance(like, dict):
        return {key: _filled(v, grads) for key, v in like.items()}
    if isinstance(like, (list, tuple)):
        return type(like)(_filled(v, grads) for v in like)
    return like


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    raise NotImplementedError("torch.vmap is not modelled: operators inside it run with another shape than the program shows")
