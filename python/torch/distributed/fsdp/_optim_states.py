"""Optimizer states under the names of a plain module: whole, on one rank, or sharded (torch/distributed/fsdp/_optim_utils.py)."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import torch
import torch.distributed as dist

from . import _lazy, _state_dicts
from ._flat_layout import padded_shard
from ._optim_utils import _OptimStateKey, agree_on_keys, gather_state_info
from ._states import clean_tensor_name, states_below
from .api import FullOptimStateDictConfig, OptimStateKeyType, ShardedOptimStateDictConfig, StateDictType

if TYPE_CHECKING:
    from typing import Any


def _names_of(model):
    """For every registered parameter the names that it stands for: of a flat one all it is made of."""
    flat = {s._handle.flat_param: s for s in states_below(model) if s._handle is not None}
    names, bases = {}, {}
    for name, module in model.named_modules():
        bases.setdefault(module, clean_tensor_name(name + ".").rstrip("."))
    for name, param in model.named_parameters():
        state = flat.get(param)
        if state is None:
            names[param] = [clean_tensor_name(name)]
        else:
            base = bases[state]
            names[param] = [
                f"{base}.{n}" if base else n
                for n in _state_dicts._names(state)[: len(state._handle.layout.param_infos)]
            ]
    return names


def _state_of_names(model):
    """The instance and the place in its flat parameter of every name."""
    found, bases = {}, {}
    for name, module in model.named_modules():
        bases.setdefault(module, clean_tensor_name(name + ".").rstrip("."))
    for state in states_below(model):
        if state._handle is not None:
            base = bases[state]
            for i, name in enumerate(_state_dicts._names(state)[: len(state._handle.layout.param_infos)]):
                found[f"{base}.{name}" if base else name] = (state, i)
    return found


def _gathered_state(state, values):
    """The whole flat tensor of each state of a flat parameter; scalars as they are."""
    handle, whole = state._handle, {}
    for name in sorted(values):
        value = values[name]
        if not torch.is_tensor(value) or value.dim() == 0:
            whole[name] = value.detach().clone() if torch.is_tensor(value) else value
            continue
        if not handle.sharded:
            whole[name] = value
            continue
        if value.device.type != state.compute_device.type:
            value = value.to(state.compute_device)
        buffer = value.new_zeros(*handle.flat_param._full_param_padded.size())
        dist.all_gather_into_tensor(buffer, value, group=state.process_group)
        whole[name] = buffer[: handle.unsharded_size.numel()]
    return whole


def _unflattened(state, values, to_save, shard, on_host):
    """One dict of states for each parameter of a flat one."""
    whole = _gathered_state(state, values)
    if not to_save:
        return []
    views = {
        name: state._handle.layout.views(value)
        for name, value in whole.items()
        if torch.is_tensor(value) and value.dim() > 0
    }
    made = []
    for i in range(len(state._handle.layout.param_infos)):
        own = {name: parts[i] for name, parts in views.items()}
        if shard:
            as_dtensor = getattr(state._optim_state_dict_config, "_use_dtensor", False)
            own = {name: _state_dicts.sharded(state, part, as_dtensor) for name, part in own.items()}
        own.update({name: value for name, value in whole.items() if name not in views})
        made.append(own)
    if on_host:
        for own in made:
            for name, value in own.items():
                if hasattr(value, "cpu"):
                    own[name] = value.cpu()
    return made


class OptimStates:
    """Part of FullyShardedDataParallel: state dicts of optimizers."""

    @staticmethod
    def _optim_dict(model, optim, osd, full, rank0_only, shard, on_host, group):
        states = states_below(model)
        for state in states:
            _lazy.lazy_init(state)
        to_save = not rank0_only or dist.get_rank(group) == 0 or shard
        names = _names_of(model)
        flat = {s._handle.flat_param: s for s in states if s._handle is not None}
        state_of = _state_of_names(model)
        numbers = [p for g in optim.param_groups for p in g["params"]]
        source = osd["state"] if osd is not None else optim.state_dict()["state"]
        keys = [
            _OptimStateKey(tuple(names[p]), p in flat or names[p][0] in state_of)
            for i, p in enumerate(numbers)
            if i in source and names.get(p)
        ]
        if states:
            agree_on_keys(keys, states[0]._use_orig_params, group, states[0].compute_device)
        result = {}
        handled = set()
        for i, param in enumerate(numbers):
            values = source.get(i, {})
            own = names.get(param, [])
            if param in flat:
                made = _unflattened(flat[param], values, to_save, shard, on_host)
                result.update(zip(own, made))
            elif own and own[0] in state_of and own[0] not in handled:
                state, _ = state_of[own[0]]
                layout = state._handle.layout
                all_names = [n for n, (s, _) in state_of.items() if s is state]
                handled.update(all_names)
                index = {p: k for k, p in enumerate(numbers)}
                parts = [source.get(index.get(p, -1), {}) for p in layout.params]
                made = _of_original_params(state, parts, all_names, to_save, shard, on_host)
                result.update({n: v for n, v in zip(all_names, made) if v})
            elif own and own[0] not in state_of and to_save:
                result[own[0]] = {
                    k: (v.cpu() if on_host and torch.is_tensor(v) else v) for k, v in copy.copy(values).items()
                }
        if not to_save:
            return {}
        groups = []
        for one in optim.param_groups:
            listed = [n for p in one["params"] for n in names.get(p, [])]
            groups.append({**{k: copy.deepcopy(v) for k, v in one.items() if k != "params"}, "params": listed})
        return {"state": result, "param_groups": groups}

    @staticmethod
    def optim_state_dict(
        model: torch.nn.Module,
        optim: torch.optim.Optimizer,
        optim_state_dict: dict | None = None,
        group: torch.distributed.ProcessGroup | None = None,
    ) -> Any:
        settings = _state_dicts.get_type(model)
        kind, config = settings.state_dict_type, settings.optim_state_dict_config
        return OptimStates._optim_dict(
            model,
            optim,
            optim_state_dict,
            full=kind == StateDictType.FULL_STATE_DICT,
            rank0_only=getattr(config, "rank0_only", False),
            shard=kind == StateDictType.SHARDED_STATE_DICT,
            on_host=getattr(config, "offload_to_cpu", True),
            group=group,
        )

    @staticmethod
    def full_optim_state_dict(
        model: torch.nn.Module,
        optim: torch.optim.Optimizer,
        optim_input: Any = None,
        rank0_only: bool = True,
        group: torch.distributed.ProcessGroup | None = None,
    ) -> Any:
        return OptimStates._optim_dict(model, optim, None, True, rank0_only, False, True, group)

    @staticmethod
    def sharded_optim_state_dict(
        model: torch.nn.Module, optim: torch.optim.Optimizer, group: torch.distributed.ProcessGroup | None = None
    ) -> Any:
        return OptimStates._optim_dict(model, optim, None, False, False, True, False, group)

    @staticmethod
    def optim_state_dict_to_load(
        model: torch.nn.Module,
        optim: torch.optim.Optimizer,
        optim_state_dict: dict,
        is_named_optimizer: bool = False,
        load_directly: bool = False,
        group: torch.distributed.ProcessGroup | None = None,
    ) -> Any:
        states = {s._handle.flat_param: s for s in states_below(model) if s._handle is not None}
        names, state_of = _names_of(model), _state_of_names(model)
        saved_states, result, number = optim_state_dict["state"], {}, 0
        groups = []
        for one in optim.param_groups:
            first = number
            for param in one["params"]:
                own = names.get(param, [])
                if param in states and own and own[0] in saved_states:
                    result[number] = _flattened(states[param], [saved_states[n] for n in own])
                elif own and own[0] in saved_states:
                    result[number] = _own_piece(state_of.get(own[0]), saved_states[own[0]])
                number += 1
            groups.append({**{k: v for k, v in one.items() if k != "params"}, "params": list(range(first, number))})
        made = {"state": {k: v for k, v in result.items() if v}, "param_groups": groups}
        if load_directly:
            optim.load_state_dict(made)
        return made

    @staticmethod
    def shard_full_optim_state_dict(
        full_optim_state_dict: Any,
        model: torch.nn.Module,
        optim_input: Any = None,
        optim: torch.optim.Optimizer | None = None,
    ) -> Any:
        return OptimStates.optim_state_dict_to_load(model, optim, full_optim_state_dict)

    flatten_sharded_optim_state_dict = staticmethod(
        lambda sharded_optim_state_dict, model, optim: OptimStates.optim_state_dict_to_load(
            model, optim, sharded_optim_state_dict
        )
    )

    scatter_full_optim_state_dict = staticmethod(
        lambda full_optim_state_dict, model, optim_input=None, optim=None, group=None: (
            OptimStates.optim_state_dict_to_load(model, optim, full_optim_state_dict)
        )
    )

    @staticmethod
    def rekey_optim_state_dict(
        optim_state_dict: dict,
        optim_state_key_type: Any,
        model: torch.nn.Module,
        optim_input: Any = None,
        optim: torch.optim.Optimizer | None = None,
    ) -> dict:
        numbers = {n: i for i, n in enumerate(n for own in _names_of(model).values() for n in own)}
        if optim_state_key_type == OptimStateKeyType.PARAM_NAME:
            numbers = {i: n for n, i in numbers.items()}
        return {
            "state": {numbers.get(k, k): v for k, v in optim_state_dict["state"].items()},
            "param_groups": [
                {**one, "params": [numbers.get(k, k) for k in one["params"]]}
                for one in optim_state_dict["param_groups"]
            ],
        }


def _whole(state, value):
    if torch.is_tensor(value) and type(value).__name__ != "DTensor":
        return value
    return (
        _state_dicts.gathered(state, value) if hasattr(value, "local_shards") or hasattr(value, "placements") else value
    )


def _flattened(state, parts):
    """One state of the flat parameter from those of its parameters."""
    handle, made = state._handle, {}
    parts = [{name: _whole(state, value) for name, value in own.items()} for own in parts]
    for name, sample in parts[0].items():
        if not torch.is_tensor(sample) or sample.dim() == 0:
            made[name] = sample
            continue
        pieces = [torch.flatten(own[name].to("cpu")) for own in parts]
        flat = handle.layout.flattened(pieces, sample.dtype, torch.device("cpu"))
        made[name] = padded_shard(flat, handle.rank, handle.world_size)[0] if handle.sharded else flat
    return made


def _own_piece(place, values):
    """A rank's piece of the states of one parameter (use_orig_params)."""
    if place is None:
        return values
    state, i = place
    torch._ranked.tell_apart(state._handle.rank)
    part = state._handle.in_shard[i]
    values = {name: _whole(state, value) for name, value in values.items()}
    if not part.in_shard:
        return {}
    return {
        name: value.flatten()[part.first : part.last + 1].clone()
        if torch.is_tensor(value) and value.dim() > 0 and state._handle.sharded
        else value
        for name, value in values.items()
    }


def _of_original_params(state: Any, parts: Any, names: Any, to_save: bool, shard: bool, on_host: bool) -> list[dict]:
    """States of parameters whose pieces lie on several ranks: gathered into one flat tensor, one kind of state after another."""
    handle = state._handle
    if not handle.sharded:
        return list(parts) if to_save else []
    infos = {n: own for n, own, param in zip(names, parts, handle.layout.params) if own or param.requires_grad}
    gather_state_info(dict(sorted(infos.items())), state.process_group)
    kinds, scalars = {}, {}
    for own in parts:
        for name, value in own.items():
            is_piece = torch.is_tensor(value) and value.dim() > 0
            (kinds if is_piece else scalars).setdefault(name, value)
    made = [dict(scalars) for _ in parts]
    if not kinds:
        return made if to_save else []
    device, dtype = state.compute_device, next(iter(kinds.values())).dtype
    # one tensor for all kinds: what lies on the device for long is a copy of it
    gathered = torch.empty(handle.padded_size, dtype=dtype, device=device)
    for kind in sorted(kinds):
        pieces = [own[kind].to(device) if kind in own else None for own in parts]
        local_shard = torch.cat(_local_pieces(handle, pieces, dtype, device))
        dist.all_gather_into_tensor(gathered, local_shard, group=state.process_group)
        if not to_save:
            continue
        for own, param, value in zip(
            made, handle.layout.params, handle.layout.views(gathered[: handle.unsharded_size.numel()])
        ):
            if param.requires_grad or kind in own:
                own[kind] = _kept(state, value, shard, on_host)
    return made if to_save else []


def _kept(state, value, shard, on_host):
    if shard:
        value = _state_dicts.sharded(state, value, getattr(state._optim_state_dict_config, "_use_dtensor", False))
    elif not on_host:
        value = value.detach().clone()
    return value.cpu() if on_host else value


def _local_pieces(handle, pieces, dtype, device):
    """What this rank's shard is joined of: pieces of states, and memory of any content for padding and frozen parameters."""
    found, pairs, start = [], iter(zip(pieces, handle.layout.params)), 0
    begin = handle.rank * handle.sharded_size.numel()
    end = begin + handle.sharded_size.numel()
    for numel, padding in zip(handle.layout.numels, handle.layout.is_padding):
        piece, param = (None, None) if padding else next(pairs)
        inside = min(end, start + numel) - max(begin, start)
        if (padding or (piece is None and not param.requires_grad)) and inside > 0:
            found.append(torch.empty(inside, dtype=dtype, device=device))
        if piece is not None:
            found.append(piece.flatten())
        start += numel
    missing = handle.sharded_size.numel() - sum(piece.numel() for piece in found)
    if missing > 0:
        found.append(torch.empty(missing, dtype=dtype, device=device))
    return found
