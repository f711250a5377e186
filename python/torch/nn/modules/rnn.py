"""Recurrent layers: a whole sequence in one operator."""

from __future__ import annotations

import math
import numbers
import warnings
import weakref
from typing import TYPE_CHECKING

import torch
from torch import _C

from .. import init
from ..parameter import Parameter
from ..utils.rnn import PackedSequence
from .module import Module

if TYPE_CHECKING:
    from typing import Any

    from torch import Tensor


_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    return tensor.index_select(dim, permutation)


class RNNBase(Module):
    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: torch.device | str | int | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(dropout, numbers.Number) or not 0 <= dropout <= 1 or isinstance(dropout, bool):
            raise ValueError("dropout should be a number in range [0, 1]")
        if dropout > 0 and num_layers == 1:
            warnings.warn("dropout applies between layers, so it expects num_layers greater than 1", stacklevel=2)
        if hidden_size <= 0 or num_layers <= 0:
            raise ValueError("hidden_size and num_layers must be greater than zero")
        if proj_size < 0 or proj_size >= hidden_size:
            raise ValueError("proj_size must be at least zero and smaller than hidden_size")
        if mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        self._flat_weight_refs = []
        self._flat_weights_names = []
        self._all_weights = []
        self._make_weights(_GATES[mode] * hidden_size, {"device": device, "dtype": dtype})
        self._init_flat_weights()
        self.reset_parameters()

    def _make_weights(self, gates, where):
        out = self.proj_size or self.hidden_size
        directions = 2 if self.bidirectional else 1
        for layer in range(self.num_layers):
            for direction in range(directions):
                width = self.input_size if layer == 0 else out * directions
                tail = f"_l{layer}" + ("_reverse" if direction else "")
                # PyTorch makes both biases even if they are not wanted, and drops them.
                w_ih = Parameter(torch.empty((gates, width), **where))
                w_hh = Parameter(torch.empty((gates, out), **where))
                b_ih = Parameter(torch.empty(gates, **where))
                b_hh = Parameter(torch.empty(gates, **where))
                made = {"weight_ih": w_ih, "weight_hh": w_hh}
                if self.bias:
                    made.update(bias_ih=b_ih, bias_hh=b_hh)
                if self.proj_size:
                    made["weight_hr"] = Parameter(torch.empty((self.proj_size, self.hidden_size), **where))
                for name, param in made.items():
                    setattr(self, name + tail, param)
                names = [name + tail for name in made]
                self._flat_weights_names.extend(names)
                self._all_weights.append(names)

    def _init_flat_weights(self):
        self._flat_weights = [getattr(self, name, None) for name in self._flat_weights_names]
        self._flat_weight_refs = [None if w is None else weakref.ref(w) for w in self._flat_weights]
        self.flatten_parameters()

    def __setattr__(self, name: str, value: Any) -> None:
        names = self.__dict__.get("_flat_weights_names")
        if names and name in names and "_flat_weights" in self.__dict__:
            self._flat_weights[names.index(name)] = value
        super().__setattr__(name, value)

    def flatten_parameters(self) -> None:
        """cuDNN wants the weights in one buffer: they become views of it, so a layer's bytes are one allocation."""
        weights = self._flat_weights
        if len(weights) != len(self._flat_weights_names) or not all(isinstance(w, torch.Tensor) for w in weights):
            return
        dtype = weights[0].dtype
        if not all(w.is_cuda and w.dtype == dtype and torch.backends.cudnn.is_acceptable(w) for w in weights):
            return
        if len({w.data_ptr() for w in weights}) != len(weights):
            return
        flatten = getattr(torch, "_cudnn_rnn_flatten_weight", None)
        if flatten is None:
            return
        per_layer = (4 if self.bias else 2) + (1 if self.proj_size else 0)
        kind = {"RNN_RELU": 0, "RNN_TANH": 1, "LSTM": 2, "GRU": 3}[self.mode]
        with torch.no_grad():
            flatten(
                weights,
                per_layer,
                self.input_size,
                kind,
                self.hidden_size,
                self.proj_size,
                self.num_layers,
                self.batch_first,
                bool(self.bidirectional),
            )

    def _apply(self, fn, recurse=True):
        self._flat_weight_refs = []
        result = super()._apply(fn, recurse)
        self._init_flat_weights()
        return result

    def reset_parameters(self) -> None:
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        if input.dtype != self._flat_weights[0].dtype and not torch.is_autocast_enabled():
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({self._flat_weights[0].dtype})"
            )
        expected = 2 if batch_sizes is not None else 3
        if input.dim() != expected:
            raise RuntimeError(f"input must have {expected} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def _rows(self, input, batch_sizes):
        if batch_sizes is not None:
            return int(batch_sizes[0])
        return input.size(0) if self.batch_first else input.size(1)

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        layers = self.num_layers * (2 if self.bidirectional else 1)
        return layers, self._rows(input, batch_sizes), self.proj_size or self.hidden_size

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Any) -> tuple:
        layers = self.num_layers * (2 if self.bidirectional else 1)
        return layers, self._rows(input, batch_sizes), self.hidden_size

    def check_hidden_size(self, hx: Tensor, expected: Any, msg: str = "Expected hidden size {}, got {}") -> None:
        if tuple(hx.size()) != tuple(expected):
            raise RuntimeError(msg.format(expected, list(hx.size())))

    def check_forward_args(self, input: Tensor, hidden: Tensor, batch_sizes: Tensor | None) -> None:
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Tensor, permutation: Tensor | None) -> Tensor:
        return hx if permutation is None else apply_permutation(hx, permutation)

    def _update_flat_weights(self):
        for ref, name in zip(self._flat_weight_refs, self._flat_weights_names):
            weight = getattr(self, name, None)
            if weight is not None and ref is not None and ref() is not weight:
                self._init_flat_weights()
                return

    def __getstate__(self) -> dict:
        self._update_flat_weights()
        state = super().__getstate__()
        del state["_flat_weight_refs"]
        return state

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        self._flat_weight_refs = [None if w is None else weakref.ref(w) for w in self._flat_weights]

    @property
    def all_weights(self) -> list[list[torch.nn.Parameter]]:
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        if self.bidirectional is not False:
            text += f", bidirectional={self.bidirectional}"
        return text

    # The call. The subclasses differ in their hidden state: one tensor, or two for LSTM.

    def _zeros(self, input, rows):
        layers = self.num_layers * (2 if self.bidirectional else 1)
        return torch.zeros(layers, rows, self.hidden_size, dtype=input.dtype, device=input.device)

    def _add_batch(self, hx):
        if hx.dim() != 2:
            raise RuntimeError(f"For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor")
        return hx.unsqueeze(1)

    def _drop_batch(self, hidden):
        return hidden.squeeze(1)

    def _hidden(self, result):
        return result[1]

    def forward(self, input: Tensor, hx: Any = None) -> tuple:
        self._update_flat_weights()
        orig_input = input
        batch_sizes = sorted_indices = unsorted_indices = None
        packed = isinstance(orig_input, PackedSequence)
        is_batched = True
        if packed:
            input, batch_sizes, sorted_indices, unsorted_indices = input
        else:
            if input.dim() not in (2, 3):
                raise ValueError(f"{self._get_name()}: Expected input to be 2D or 3D, got {input.dim()}D instead")
            is_batched = input.dim() == 3
            batch_dim = 0 if self.batch_first else 1
            if not is_batched:
                input = input.unsqueeze(batch_dim)
                if hx is not None:
                    hx = self._add_batch(hx)
        if hx is None:
            hx = self._zeros(input, self._rows(input, batch_sizes))
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(input, hx, batch_sizes)
        settings = (self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional)
        if batch_sizes is None:
            operator = getattr(_C.ops, self.mode.lower())
            result = operator(input, hx, *settings, self.batch_first, torch.backends.cudnn.enabled)
        else:
            operator = getattr(_C.ops, self.mode.lower() + "_data")
            result = operator(input, batch_sizes, hx, *settings)
        output = result[0]
        hidden = self._hidden(result)
        if packed:
            output = PackedSequence(output, batch_sizes, sorted_indices, unsorted_indices)
        elif not is_batched:
            output = output.squeeze(batch_dim)
            hidden = self._drop_batch(hidden)
        return output, self.permute_hidden(hidden, unsorted_indices)


class RNN(RNNBase):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        args = list(args)
        self.nonlinearity = args.pop(3) if len(args) > 3 else kwargs.pop("nonlinearity", "tanh")
        if self.nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{self.nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__("RNN_" + self.nonlinearity.upper(), *args, **kwargs)


class GRU(RNNBase):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def _zeros(self, input, rows):
        layers = self.num_layers * (2 if self.bidirectional else 1)
        where = {"dtype": input.dtype, "device": input.device}
        h_zeros = torch.zeros(layers, rows, self.proj_size or self.hidden_size, **where)
        c_zeros = torch.zeros(layers, rows, self.hidden_size, **where)
        return h_zeros, c_zeros

    def _add_batch(self, hx):
        return super()._add_batch(hx[0]), super()._add_batch(hx[1])

    def _drop_batch(self, hidden):
        return hidden[0].squeeze(1), hidden[1].squeeze(1)

    def _hidden(self, result):
        return result[1:]

    def check_forward_args(self, input: Tensor, hidden: tuple[Tensor, Tensor], batch_sizes: Tensor | None) -> None:
        self.check_input(input, batch_sizes)
        self.check_hidden_size(
            hidden[0], self.get_expected_hidden_size(input, batch_sizes), "Expected hidden[0] size {}, got {}"
        )
        self.check_hidden_size(
            hidden[1], self.get_expected_cell_size(input, batch_sizes), "Expected hidden[1] size {}, got {}"
        )

    def permute_hidden(self, hx: tuple[Tensor, Tensor], permutation: Tensor | None) -> tuple[Tensor, Tensor]:
        if permutation is None:
            return hx
        return apply_permutation(hx[0], permutation), apply_permutation(hx[1], permutation)
