"""Styles: how a module's parameters are sharded, and what becomes of its inputs and outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import nn

from .._api import distribute_module, distribute_tensor
from .._dtensor import DTensor
from .._spec import normalized
from ..placement_types import Placement, Replicate, Shard

if TYPE_CHECKING:
    from typing import Any


class ParallelStyle:
    """What is done to one module."""

    src_data_rank = 0

    def _apply(self, module, device_mesh):
        raise NotImplementedError


def _distributed(module, mesh, placements, source):
    """The module's own parameters under these placements, one for all or one for each name."""
    for name, param in list(module.named_parameters(recurse=False)):
        placement = placements[name] if isinstance(placements, dict) else placements
        made = nn.Parameter(
            distribute_tensor(param, mesh, [placement], src_data_rank=source), requires_grad=param.requires_grad
        )
        module.register_parameter(name, made)


def _as_distributed(tensor, mesh, layouts, wanted):
    if not isinstance(tensor, DTensor):
        tensor = DTensor.from_local(tensor, mesh, layouts, run_check=False)
    if layouts != wanted:
        tensor = tensor.redistribute(placements=wanted, async_op=True)
    return tensor


def _with_layout(output, layouts, local):
    if output.placements != normalized(layouts, output.ndim):
        output = output.redistribute(placements=layouts, async_op=True)
    return output.to_local() if local else output


class _LinearStyle(ParallelStyle):
    """Of a linear layer or an embedding: placements of its parameters by kind of module."""

    placements = {}

    def __init__(self, *, input_layouts: Any = None, output_layouts: Any = None, use_local_output: bool = True) -> None:
        self.input_layouts = (input_layouts or self.default_input,)
        self.output_layouts = (output_layouts or self.default_output,)
        self.use_local_output = use_local_output

    def _apply(self, module, device_mesh):
        kind = next((k for k in self.placements if isinstance(module, k)), None)
        if kind is None:
            raise NotImplementedError(f"{type(self).__name__} currently only support nn.Linear and nn.Embedding!")
        placements, wanted = self.placements[kind]

        def partition(name, part, mesh):
            _distributed(part, mesh, placements, self.src_data_rank)

        def prepare(mod, inputs, mesh):
            return _as_distributed(inputs[0], mesh, self.input_layouts, (wanted,))

        def finish(mod, output, mesh):
            return _with_layout(output, self.output_layouts, self.use_local_output)

        return distribute_module(module, device_mesh, partition, prepare, finish)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(input_layouts={self.input_layouts}, output_layouts={self.output_layouts}, use_local_output={self.use_local_output})"


class ColwiseParallel(_LinearStyle):
    """Columns of the result are on different ranks."""

    default_input, default_output = Replicate(), Shard(-1)
    placements = {nn.Linear: (Shard(0), Replicate()), nn.Embedding: (Shard(1), Replicate())}


class RowwiseParallel(_LinearStyle):
    """Rows of the weight are on different ranks: results are summed."""

    default_input, default_output = Shard(-1), Replicate()
    placements = {
        nn.Linear: ({"weight": Shard(1), "bias": Replicate()}, Shard(-1)),
        nn.Embedding: (Shard(0), Replicate()),
    }


class SequenceParallel(ParallelStyle):
    """Parameters on every rank, activations cut along the sequence."""

    def __init__(self, *, sequence_dim: int = 1, use_local_output: bool = False) -> None:
        self.sequence_sharding = (Shard(sequence_dim),)
        self.use_local_output = use_local_output

    def _apply(self, module, device_mesh):
        def partition(name, part, mesh):
            for key, param in list(part.named_parameters(recurse=False)):
                # on every rank as it is: nothing is sent
                part.register_parameter(
                    key,
                    nn.Parameter(
                        DTensor.from_local(param, mesh, [Replicate()], run_check=False),
                        requires_grad=param.requires_grad,
                    ),
                )

        def prepare(mod, inputs, mesh):
            tensor = inputs[0]
            if isinstance(tensor, DTensor):
                if tensor.placements != self.sequence_sharding:
                    tensor = tensor.redistribute(placements=self.sequence_sharding, async_op=True)
                return tensor
            return DTensor.from_local(tensor, mesh, self.sequence_sharding, run_check=False)

        def finish(mod, output, mesh):
            return output.to_local() if self.use_local_output else output

        return distribute_module(module, device_mesh, partition, prepare, finish)

    def __repr__(self) -> str:
        return (
            f"SequenceParallel(sequence_dim={self.sequence_sharding[0].dim}, use_local_output={self.use_local_output})"
        )


def _layouts(value):
    return None if value is None else (value,) if isinstance(value, Placement) else tuple(value)


class PrepareModuleInput(ParallelStyle):
    """A module's inputs become distributed tensors with the layouts that it wants."""

    def __init__(
        self, *, input_layouts: Placement | tuple[Placement | None, ...] | None=None, desired_input_layouts: Placement | tuple[Placement | None, ...] | None=None, input_kwarg_layouts: dict[str, Placement] | None=None,
        desired_input_kwarg_layouts: dict[str, Placement] | None=None, use_local_output: bool=False,
    ) -> None:  # fmt: skip
        self.input_layouts, self.desired_input_layouts = _layouts(input_layouts), _layouts(desired_input_layouts)
        self.use_local_output = use_local_output
        self.kwarg_layouts, self.desired_kwarg_layouts = input_kwarg_layouts or {}, desired_input_kwarg_layouts or {}
        if self.input_layouts is not None and len(self.input_layouts) != len(self.desired_input_layouts):
            raise AssertionError("input_layouts and desired_input_layouts should have same length!")

    def _one(self, value, mesh, layout, wanted):
        if layout is None:
            return value
        if not isinstance(value, DTensor):
            value = DTensor.from_local(value, mesh, (layout,), run_check=False)
        if wanted is not None and layout != wanted:
            value = value.redistribute(placements=(wanted,))
        return value.to_local() if self.use_local_output else value

    def _inputs(self, inputs, mesh):
        if self.input_layouts is None:
            return inputs
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        if len(inputs) != len(self.input_layouts):
            raise ValueError("module inputs and input_layouts should have same length!")
        return tuple(
            self._one(value, mesh, layout, wanted)
            for value, layout, wanted in zip(inputs, self.input_layouts, self.desired_input_layouts)
        )

    def _apply(self, module, device_mesh):
        def with_kwargs(mod, inputs, kwargs):
            kwargs = {
                key: self._one(value, device_mesh, self.kwarg_layouts.get(key), self.desired_kwarg_layouts.get(key))
                for key, value in kwargs.items()
            }
            return self._inputs(inputs, device_mesh), kwargs

        if self.kwarg_layouts:
            module.register_forward_pre_hook(with_kwargs, with_kwargs=True)
        else:
            module.register_forward_pre_hook(lambda mod, inputs: self._inputs(inputs, device_mesh))
        return module


class PrepareModuleOutput(ParallelStyle):
    """A module's outputs become distributed tensors, or local ones, with the layouts that others want."""

    def __init__(
        self,
        *,
        output_layouts: Placement | tuple[Placement | None, ...],
        desired_output_layouts: Placement | tuple[Placement, ...],
        use_local_output: bool = True,
    ) -> None:
        self.output_layouts, self.desired_output_layouts = _layouts(output_layouts), _layouts(desired_output_layouts)
        self.use_local_output = use_local_output

    def _one(self, value, mesh, layout, wanted):
        if layout is None:
            return value
        if not isinstance(value, DTensor):
            value = DTensor.from_local(value, mesh, (layout,), run_check=False)
        if layout != wanted:
            value = value.redistribute(placements=(wanted,))
        return value.to_local() if self.use_local_output else value

    def _outputs(self, outputs, mesh):
        single = not isinstance(outputs, tuple)
        made = tuple(
            self._one(value, mesh, layout, wanted)
            for value, layout, wanted in zip(
                (outputs,) if single else outputs, self.output_layouts, self.desired_output_layouts
            )
        )
        return made[0] if single else made

    def _apply(self, module, device_mesh):
        module.register_forward_hook(lambda mod, inputs, outputs: self._outputs(outputs, device_mesh))
        return module


class PrepareModuleInputOutput(ParallelStyle):
    """Both of the two above."""

    def __init__(self, *, input_layouts: Placement | tuple[Placement | None, ...] | None=None, desired_input_layouts: Placement | tuple[Placement | None, ...] | None=None, use_local_input: bool=False, output_layouts: Placement | tuple[Placement | None, ...] | None=None,
                 desired_output_layouts: Placement | tuple[Placement, ...] | None=None, use_local_output: bool=True, **kwargs: Any) -> None:  # fmt: skip
        self.before = PrepareModuleInput(
            input_layouts=input_layouts,
            desired_input_layouts=desired_input_layouts,
            use_local_output=use_local_input,
            **kwargs,
        )
        self.after = PrepareModuleOutput(
            output_layouts=output_layouts,
            desired_output_layouts=desired_output_layouts,
            use_local_output=use_local_output,
        )

    def _apply(self, module, device_mesh):
        return self.after._apply(self.before._apply(module, device_mesh), device_mesh)
