"""torch.distributed.device_mesh: ranks arranged along named axes, with a group for each line through this rank."""

from __future__ import annotations

import itertools
import math
import os
from typing import TYPE_CHECKING

import torch
from torch import _ranked

from . import _world

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from torch import Tensor
    from torch.distributed._nccl import ProcessGroup


def _get_device_handle(device_type="cuda"):
    return torch.cuda if device_type == "cuda" else None


class _MeshResources:
    """Meshes that are entered as contexts."""

    def __init__(self) -> None:
        self.stack = []

    def get_current_mesh(self) -> Any:
        if not self.stack:
            raise RuntimeError("No device mesh is currently active!")
        return self.stack[-1]

    def get_root_mesh(self, mesh: Any) -> Any:
        return mesh._get_root_mesh()


_mesh_resources = _MeshResources()


def _nested(shape, ranks):
    if len(shape) <= 1:
        return list(ranks)
    step = len(ranks) // shape[0] if shape[0] else 0
    return [_nested(shape[1:], ranks[i * step : (i + 1) * step]) for i in range(shape[0])]


def _flat(mesh):
    if isinstance(mesh, torch.Tensor):
        return tuple(mesh.shape), [int(x) for x in mesh._flat()]
    if isinstance(mesh, (list, tuple)):
        if not mesh or not isinstance(mesh[0], (list, tuple)):
            return (len(mesh),), list(mesh)
        parts = [_flat(row) for row in mesh]
        return (len(mesh), *parts[0][0]), [rank for _, row in parts for rank in row]
    return (1,), [int(mesh)]


class DeviceMesh:
    """Ranks in row-major order over a shape. A slice keeps its root, so that groups are made once."""

    def __init__(
        self,
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: tuple[str, ...] | None = None,
        backend_override: tuple | None = None,
        _init_backend: bool = True,
        _rank: int | None = None,
        **hidden: Any,
    ) -> None:
        self._device_type = str(device_type)
        shape, ranks = hidden["_layout"] if "_layout" in hidden else _flat(mesh)
        self._shape, self._all = tuple(shape), list(ranks)
        self._mesh_dim_names = tuple(mesh_dim_names) if mesh_dim_names else None
        self._known_identity = None
        self._root = hidden.get("_root")
        self._flattened = {}  # meshes of one dimension, by name
        self._flat_axes = ()  # as such a mesh: the axes of the whole one
        self._groups = hidden.get("_groups")
        world = self._prepare()
        self._rank = world.rank()
        if len(self._all) > world.size() or any(not 0 <= rank < world.size() for rank in self._all):
            raise RuntimeError(
                f"Mesh should not be bigger than default world size {world.size()}, but found {len(self._all)} ranks!"
            )
        if len(set(self._all)) != len(self._all):
            raise RuntimeError(f"DeviceMesh must not contain a rank twice, but got {self._all}")
        self._place = hidden["_place"] if "_place" in hidden else self._coordinates()
        if self._groups is None and _init_backend:
            self._groups = [self._group_along(axis) for axis in range(len(self._shape))]

    def _prepare(self):
        if not _world.is_initialized():
            _world.init_process_group()
        # the process uses the GPU of its number unless it chose one before
        if self._device_type == "cuda" and torch.cuda._devices.untouched() and "LOCAL_RANK" in os.environ:
            torch.cuda.set_device(_ranked.each(int, os.environ["LOCAL_RANK"]))
        return _world._require()

    def _coordinates(self):
        if not _ranked.tell_apart(_ranked.each(lambda rank: rank in self._all, self._rank)):
            return None
        place, out = _ranked.each(self._all.index, self._rank), []
        for size in reversed(self._shape):
            out.append(place % size)
            place //= size
        return tuple(reversed(out))

    def _lines(self, axis):
        """The ranks of every line along an axis."""
        steps = [math.prod(self._shape[i + 1 :]) for i in range(len(self._shape))]
        others = [range(size) if i != axis else (0,) for i, size in enumerate(self._shape)]
        for start in itertools.product(*others):
            base = sum(at * step for at, step in zip(start, steps))
            yield [self._all[base + k * steps[axis]] for k in range(self._shape[axis])]

    def _group_along(self, axis):
        world = _world._require()
        if self._shape[axis] == world.size() and len(self._shape) == 1 and self._all == world._ranks:
            return world
        return _world._new_lines(list(self._lines(axis)))

    # --- what it is

    @property
    def device_type(self) -> str:
        return self._device_type

    @property
    def mesh(self) -> Tensor:
        for group in self._groups or ():
            if group is not None:
                _ranked.tell_apart(group._line)
        return torch.tensor(_nested(self._shape, self._all), dtype=torch.int)

    @property
    def mesh_dim_names(self) -> tuple[str, ...] | None:
        return self._mesh_dim_names

    @property
    def ndim(self) -> int:
        return len(self._shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._shape)

    def size(self, mesh_dim: int | None = None) -> int:
        return math.prod(self._shape) if mesh_dim is None else self._shape[mesh_dim]

    def numel(self) -> int:
        return math.prod(self._shape)

    def _get_root_mesh(self):
        return self._root or self

    def _axis(self, mesh_dim):
        if isinstance(mesh_dim, str):
            if mesh_dim not in (self._mesh_dim_names or ()):
                raise KeyError(
                    f"Invalid mesh_dim_names '{mesh_dim}' specified. Valid mesh_dim_names are {self._mesh_dim_names}."
                )
            return self._mesh_dim_names.index(mesh_dim)
        return mesh_dim

    _get_mesh_dim_by_name = _axis

    def get_group(self, mesh_dim: int | str | None = None) -> ProcessGroup:
        if mesh_dim is None:
            if self.ndim > 1:
                raise RuntimeError(
                    f"Found the DeviceMesh have {self.ndim} dimensions. Optional kwarg `mesh_dim` needs to be specified when device_mesh.ndim > 1."
                )
            mesh_dim = 0
        if (
            isinstance(mesh_dim, str)
            and mesh_dim in self._get_root_mesh()._flattened
            and mesh_dim not in (self._mesh_dim_names or ())
        ):
            return self._get_root_mesh()._flattened[mesh_dim].get_group()
        return self._groups[self._axis(mesh_dim)]

    def get_all_groups(self) -> list[ProcessGroup]:
        return [self.get_group(i) for i in range(self.ndim)]

    @property
    def _dim_group_names(self):
        return [group.group_name for group in self._groups]

    def get_rank(self) -> int:
        return _world.get_rank()

    def get_local_rank(self, mesh_dim: int | str | None = None) -> int:
        if self.ndim > 1 and mesh_dim is None:
            raise RuntimeError(f"Found the DeviceMesh have {self.ndim} dimensions. Optional kwarg `mesh_dim` needs to be specified when device_mesh.ndim > 1.")  # fmt: skip
        return _world.get_rank(self.get_group(mesh_dim if mesh_dim is not None else 0))

    def get_coordinate(self) -> tuple[int, ...] | None:
        return tuple(self._place) if self._place is not None else None

    def _sym_get_coordinate(self, index):
        return self._place[index]

    def _is_current_rank_part_of_mesh(self):
        return self._place is not None

    # --- parts of it

    def __getitem__(self, names: Sequence[str]) -> DeviceMesh:
        names = (names,) if isinstance(names, str) else tuple(names)
        if not self._mesh_dim_names:
            raise RuntimeError("Cannot slice a DeviceMesh without mesh_dim_names!")
        if names == self._mesh_dim_names:
            return self
        root = self._get_root_mesh()
        if len(names) == 1 and names[0] not in self._mesh_dim_names and names[0] in root._flattened:
            return root._flattened[names[0]]
        parts = self._axes_of(names)
        axes = [axis for part in parts for axis in part]
        own = [self._mesh_dim_names.index(name) if name in self._mesh_dim_names else None for name in names]
        flat = [root._flattened.get(name) for name in names]
        return DeviceMesh(
            self._device_type,
            mesh_dim_names=names,
            _layout=([math.prod(self._shape[axis] for axis in part) for part in parts], self._through(axes)),
            _root=root,
            _groups=[made._groups[0] if at is None else self._groups[at] for at, made in zip(own, flat)],
            _place=None
            if self._place is None
            else tuple(made._place[0] if at is None else self._place[at] for at, made in zip(own, flat)),
        )

    def _axes_of(self, names):
        """Which axes of this mesh each name stands for: one of its own, or those that the whole mesh has flattened under that name."""
        root = self._get_root_mesh()
        flattened = {name: made._flat_axes for name, made in root._flattened.items()} if self is root else {}
        valid = [*self._mesh_dim_names, *flattened]
        if not all(name in valid for name in names):
            raise KeyError(f"Invalid mesh_dim_names {names} specified. Valid mesh_dim_names are {valid}.")
        parts = [
            (self._mesh_dim_names.index(name),) if name in self._mesh_dim_names else flattened[name] for name in names
        ]
        axes = [axis for part in parts for axis in part]
        if axes != sorted(axes):
            raise KeyError(f"Invalid mesh_dim_names {names} specified. Mesh dim indices should be in ascending order.")
        if len(set(axes)) < len(axes):
            raise RuntimeError(f"Slicing overlapping dim_names {names} is not allowed.")
        return parts

    def _through(self, axes):
        """The ranks that are reached from this one along the axes."""
        if self._place is None:
            return []
        steps = [math.prod(self._shape[i + 1 :]) for i in range(self.ndim)]
        base = sum(_ranked.plain(at) * step for i, (at, step) in enumerate(zip(self._place, steps)) if i not in axes)
        coordinates = itertools.product(*[range(self._shape[axis]) for axis in axes])
        return [self._all[base + sum(at * steps[axis] for at, axis in zip(place, axes))] for place in coordinates]

    def _flatten(self, mesh_dim_name=None, backend_override=None):
        root = self._get_root_mesh()
        name = mesh_dim_name or "_".join(self._mesh_dim_names)
        if name in root._flattened:
            return root._flattened[name]
        if self.ndim == 1 and mesh_dim_name in (None, *self._mesh_dim_names):
            return self
        axes = (
            [axis for part in root._axes_of(self._mesh_dim_names) for axis in part]
            if self._mesh_dim_names
            else range(root.ndim)
        )
        if self is root:
            own = _world._require() if self._all == _world._require()._ranks else _world.new_group(self._all)
        else:
            others = [i for i in range(root.ndim) if i not in axes]
            steps = [math.prod(root._shape[i + 1 :]) for i in range(root.ndim)]
            lines = []
            for start in itertools.product(*[range(root._shape[i]) for i in others]):
                base = sum(at * steps[i] for at, i in zip(start, others))
                coordinates = itertools.product(*[range(root._shape[i]) for i in axes])
                lines.append(
                    [root._all[base + sum(at * steps[i] for at, i in zip(place, axes))] for place in coordinates]
                )
            own = _world._new_lines(lines)
        made = DeviceMesh(
            self._device_type,
            mesh_dim_names=(name,),
            _layout=((len(self._all),), self._all),
            _root=root,
            _groups=[own],
            _place=None if own is None else (own.rank(),),
        )
        made._flat_axes = tuple(axes)
        root._flattened[name] = made
        return made

    def _unflatten(self, dim, mesh_sizes, mesh_dim_names, backend_override=None):
        axis = self._axis(dim)
        if math.prod(mesh_sizes) != self._shape[axis]:
            raise ValueError(f"mesh_sizes {mesh_sizes} do not multiply to {self._shape[axis]}")
        shape = (*self._shape[:axis], *mesh_sizes, *self._shape[axis + 1 :])
        names = (*self._mesh_dim_names[:axis], *mesh_dim_names, *self._mesh_dim_names[axis + 1 :])
        return DeviceMesh(self._device_type, mesh_dim_names=names, _layout=(shape, self._all))

    @staticmethod
    def _concatenate(device_mesh_list):
        root = device_mesh_list[0]._get_root_mesh()
        return root[tuple(name for mesh in device_mesh_list for name in mesh.mesh_dim_names)]

    @staticmethod
    def from_group(
        group: ProcessGroup | list[ProcessGroup],
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: tuple[str, ...] | None = None,
        backend_override: Any = None,
    ) -> DeviceMesh:
        if not isinstance(group, (list, tuple)):
            layout = ((group.size(),), list(group._ranks))
            return DeviceMesh(device_type, mesh_dim_names=mesh_dim_names, _layout=layout, _groups=[group])
        return DeviceMesh(device_type, mesh_dim_names=mesh_dim_names, _layout=_flat(mesh), _groups=list(group))

    def __enter__(self) -> DeviceMesh:
        _mesh_resources.stack.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        _mesh_resources.stack.pop()

    def _identity(self):
        known = self._known_identity
        if known is None:
            # all ranks are in it: of a large world, too many to gather for each comparison
            known = self._known_identity = self._device_type, self._shape, tuple(self._all), self._mesh_dim_names
        return known

    def __eq__(self, other: object) -> bool:
        return self is other or isinstance(other, DeviceMesh) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        inside = (
            ", ".join(f"{n}={s}" for n, s in zip(self._mesh_dim_names, self._shape))
            if self._mesh_dim_names
            else self._shape
        )
        return f"DeviceMesh(({inside}), '{self._device_type}')"

    def __reduce__(self) -> tuple:
        return _rebuilt, (self._device_type, self._shape, self._all, self._mesh_dim_names)


def _rebuilt(device_type, shape, ranks, names):
    return DeviceMesh(device_type, mesh_dim_names=names, _layout=(shape, ranks))


def init_device_mesh(
    device_type: str,
    mesh_shape: tuple[int, ...],
    *,
    mesh_dim_names: tuple[str, ...] | None = None,
    backend_override: dict | None = None,
) -> DeviceMesh:
    """The whole world as a mesh of this shape."""
    if mesh_dim_names is not None:
        if len(set(mesh_dim_names)) != len(mesh_dim_names):
            raise RuntimeError(f"Each mesh_dim_name must be unique. Found repeated mesh_dim_name in mesh_dim_names {mesh_dim_names}")  # fmt: skip
        if len(mesh_shape) != len(mesh_dim_names):
            raise RuntimeError(f"mesh_shape and mesh_dim_names should have same length! Found len(mesh_dim_names): {len(mesh_dim_names)} and len(mesh_shape):{len(mesh_shape)}")  # fmt: skip
    if device_type and not str(device_type).isalpha():
        raise RuntimeError(f"Device type with index is not supported but got {device_type}. ")
    shape = tuple(mesh_shape)
    return DeviceMesh(device_type, mesh_dim_names=mesh_dim_names, _layout=(shape, list(range(math.prod(shape)))))
