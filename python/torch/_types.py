"""dtypes, devices, sizes, memory formats and layouts: small values that scripts compare and print."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from . import _ranked

if TYPE_CHECKING:
    from typing import Any, Self

    import torch
    from torch import Tensor


class dtype:
    """An element type; one object per type."""

    __slots__ = ("name", "itemsize", "is_floating_point", "is_complex", "is_signed", "_bits")

    def __init__(self, name: str, itemsize: Any, kind: Any) -> None:
        self.name = name
        self.itemsize = itemsize
        self.is_floating_point = kind == "f"
        self.is_complex = kind == "c"
        self.is_signed = not name.startswith("u") and name != "bool"
        self._bits = itemsize * 8

    def __repr__(self) -> str:
        return "torch." + self.name

    def __reduce__(self) -> tuple:
        return self.name

    def to_real(self) -> torch.dtype:
        return DTYPES[
            {"complex64": "float32", "complex128": "float64", "complex32": "float16"}.get(self.name, self.name)
        ]

    def to_complex(self) -> torch.dtype:
        return DTYPES[
            {"float32": "complex64", "float64": "complex128", "float16": "complex32"}.get(self.name, self.name)
        ]


with open("/lib/vramscope/dtypes.json") as _file:
    _ENGINES = json.load(_file)  # src/tensor/dtype.ts

# The engine's types, and those that can be named only.
DTYPES = {
    name: dtype(name, size, kind)
    for name, size, kind in [
        *((row["name"], row["itemBytes"], "bifc"[row["kind"]]) for row in _ENGINES),
        *[(f"{sign}int{bits}", 1, "i") for sign in ("u", "") for bits in range(1, 8)],
        ("quint8", 1, "q"),
        ("qint8", 1, "q"),
        ("qint32", 4, "q"),
        ("quint4x2", 1, "q"),
        ("quint2x4", 1, "q"),
        ("bits8", 1, "i"),
        ("bits16", 2, "i"),
        ("float4_e2m1fn_x2", 1, "f"),
    ]
}
ALIASES = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "cfloat": "complex64",
    "cdouble": "complex128",
    "chalf": "complex32",
}


def _parsed(type, index):
    """Kind and index of a device that a rank's number names: 3, or "cuda:3"."""
    if isinstance(type, int):
        return "cuda", type
    kind = _ranked.tell_apart(_ranked.each(lambda text: text.partition(":")[0], type))
    return kind, _ranked.each(lambda text: int(text.partition(":")[2]), type)


_WORD = re.compile(r"[a-zA-Z_]+(:(0|[1-9]\d*))?")


class device:
    """Where a tensor lives: type and index."""

    # `_of`: the index on every rank, where it comes from a rank's number
    __slots__ = ("type", "index", "_of", "_before")

    def __new__(cls, type: str = "cpu", index: int | None = None) -> Self:
        if isinstance(type, device):
            return type
        if isinstance(type, _ranked.Ranked):
            type, index = _parsed(type, index)
        self = object.__new__(cls)
        if isinstance(type, int):
            type, index = "cuda", type
        kind, colon, number = type.partition(":")
        if not type:
            raise RuntimeError("Device string must not be empty")
        if not _WORD.fullmatch(type):
            raise RuntimeError(f"Invalid device string: '{type}'")
        if kind not in ("cpu", "cuda", "meta", "mps", "xpu", "hpu", "xla"):
            raise RuntimeError(
                f"Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: {kind}"
            )
        if colon:
            index = int(number)
        self.type = kind
        self.index, self._of = _ranked.plain(index), index if isinstance(index, _ranked.Ranked) else None
        if kind == "cuda" and _ranked.alike and index is not None and self._of is None:
            # the GPU of one rank by its number
            _ranked.tell_apart(_ranked.local == index)
        return self

    @classmethod
    def numbered(cls, place: Any) -> Self:
        """A GPU by its number, which is one for each rank where it is a rank's."""
        self = object.__new__(cls)
        self.type, self.index = "cuda", _ranked.plain(place)
        self._of = place if isinstance(place, _ranked.Ranked) else None
        return self

    @property
    def place(self) -> Any:
        """The index, with that of every rank where it comes from a rank's number."""
        return self.index if self._of is None else self._of

    def __repr__(self) -> str:
        index = self._written()
        return f"device(type='{self.type}')" if index is None else f"device(type='{self.type}', index={index})"

    def __str__(self) -> str:
        index = self._written()
        return self.type if index is None else f"{self.type}:{index}"

    def _written(self):
        return self.index if self._of is None else _ranked.written(self._of, 3)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, device) or self.type != other.type:
            return False
        if self._of is None and other._of is None:
            return self.index == other.index
        return self.place == other.place

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> tuple[Any, ...]:
        return device, (self.type,) if self.index is None else (self.type, _ranked.tell_apart(self.place))

    def __enter__(self) -> Self:
        from . import _defaults

        self._before = _defaults.device
        _defaults.device = self
        return self

    def __exit__(self, *_: Any) -> None:
        from . import _defaults

        _defaults.device = self._before


CPU = device("cpu")
CUDA0 = device("cuda", 0)
META = device("meta")
DEVICES = {"cpu": CPU, "cuda": CUDA0, "meta": META}
GEOMETRIES = {}  # what the engine said of a tensor -> the same as objects: most tensors are made in the shapes of others


def first_gpu_is(place: Any) -> None:
    """Says which GPU the engine's first one is; what was made with another one is forgotten."""
    DEVICES["cuda"] = device.numbered(place)
    GEOMETRIES.clear()


class Size(tuple):
    """A shape."""

    def numel(self) -> int:
        n = 1
        for s in self:
            n *= s
        return n

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, index: int | slice) -> int | torch.Size:
        result = tuple.__getitem__(self, index)
        return Size(result) if isinstance(index, slice) else result

    def __add__(self, other: tuple[int, ...]) -> torch.Size:
        return Size(tuple.__add__(self, tuple(other)))

    def __radd__(self, other: tuple[int, ...]) -> torch.Size:
        return Size(tuple(other) + tuple(self))

    def __mul__(self, n: int) -> torch.Size:
        return Size(tuple.__mul__(self, n))

    __rmul__ = __mul__

    def __reduce__(self) -> tuple:
        return Size, (tuple(self),)


class _Named:
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return "torch." + self.name

    def __reduce__(self) -> tuple:
        return self.name


class memory_format(_Named):
    """Order of dimensions in memory."""


class layout(_Named):
    """Dense or sparse."""


FORMATS = [memory_format(n) for n in ("contiguous_format", "preserve_format", "channels_last", "channels_last_3d")]
LAYOUTS = [
    layout(n) for n in ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "_mkldnn")
]


class finfo:
    """Numeric limits of a float type."""

    _TABLE = {
        "float64": (64, 2.220446049250313e-16, 1.7976931348623157e308, 2.2250738585072014e-308, 1e-15),
        "float32": (32, 1.1920928955078125e-07, 3.4028234663852886e38, 1.1754943508222875e-38, 1e-06),
        "float16": (16, 0.0009765625, 65504.0, 6.103515625e-05, 0.001),
        "bfloat16": (16, 0.0078125, 3.3895313892515355e38, 1.1754943508222875e-38, 0.01),
        "float8_e4m3fn": (8, 0.125, 448.0, 0.015625, 1.0),
        "float8_e5m2": (8, 0.25, 57344.0, 6.103515625e-05, 1.0),
    }

    def __init__(self, type: Any = None) -> None:
        if type is None:
            from . import _defaults

            type = _defaults.dtype
        name = type.to_real().name
        if name not in self._TABLE:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        self.bits, self.eps, self.max, self.tiny, self.resolution = self._TABLE[name]
        self.min = -self.max
        self.smallest_normal = self.tiny
        self.dtype = name


class iinfo:
    """Numeric limits of an integer type."""

    def __init__(self, type: Any) -> None:
        if type.is_floating_point or type.is_complex:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.bits = type._bits
        self.dtype = type.name
        if type.name == "bool" or type.name.startswith("u"):
            self.min, self.max = 0, 2**self.bits - 1
        else:
            self.min, self.max = -(2 ** (self.bits - 1)), 2 ** (self.bits - 1) - 1


class Generator:
    """A random generator: on the CPU its numbers are those of PyTorch, on the GPU it has a seed and a state only."""

    _made = 0

    def __init__(self, device: torch.device | str | int | None = "cpu") -> None:
        self.device = device if not isinstance(device, str) else globals()["device"](device)
        self._seed = 67280421310721
        self._number = Generator._made  # 0 is the default generator
        Generator._made += 1

    def manual_seed(self, seed: int) -> Generator:
        from . import _C

        self._seed = seed = _ranked.draws(seed)
        if self.device.type == "cpu" and _C._js is not None:
            _C._js.seedGenerator(self._number, int(seed) % 2**32)
        return self

    def seed(self) -> int:
        return self._seed

    def initial_seed(self) -> int:
        return self._seed

    def get_state(self) -> Tensor:
        import torch

        return torch.empty(5056, dtype=torch.uint8)

    def set_state(self, state: Any) -> Generator:
        return self


# objects that ranks send one another are as long as PyTorch's: pickles name these under torch
for _kind in (dtype, device, Size, memory_format, layout):
    _kind.__module__ = "torch"
# that of dtype is a string of its own (Dtype.cpp), so it is pickled once more
dtype.__module__ = str(b"torch", "ascii")
