"""A `ctypes` without powers: its names are there, so that packages import; nothing is loaded, and no memory is reached."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_SIZES = {
    "c_bool": 1, "c_byte": 1, "c_ubyte": 1, "c_char": 1, "c_short": 2, "c_ushort": 2, "c_int16": 2, "c_uint16": 2, "c_int8": 1,
    "c_uint8": 1, "c_int": 4, "c_uint": 4, "c_int32": 4, "c_uint32": 4, "c_float": 4, "c_wchar": 4, "c_long": 8, "c_ulong": 8,
    "c_longlong": 8, "c_ulonglong": 8, "c_int64": 8, "c_uint64": 8, "c_size_t": 8, "c_ssize_t": 8, "c_double": 8, "c_longdouble": 16,
    "c_void_p": 8, "c_char_p": 8, "c_wchar_p": 8, "py_object": 8,
}  # fmt: skip


class ArgumentError(Exception):
    """Raised by PyTorch's and other packages' calls of native code; nothing here does."""


class _Type(type):
    def __mul__(cls, length: int) -> _Type:
        return _Type(f"{cls.__name__}_Array_{length}", (_Data,), {"_size": cls._size * length, "_length_": length})

    __rmul__ = __mul__

    def in_dll(cls, *place: Any) -> None:
        _refuse(place[-1] if place else None)

    from_address = from_buffer = from_buffer_copy = in_dll


class _Data(metaclass=_Type):
    """A value that native code would share; here a plain one."""

    _size = 8

    def __init__(self, *values: Any, **fields: Any) -> None:
        self.value = values[0] if values else 0
        self.__dict__.update(fields)


class Structure(_Data):
    _fields_ = ()


class Union(_Data):
    _fields_ = ()


BigEndianStructure = LittleEndianStructure = Structure


class CDLL:
    """A library that cannot be loaded."""

    def __init__(self, name: str | None = None, *args: Any, **kwargs: Any) -> None:
        _refuse(name)


PyDLL = CDLL


class _Loader:
    """`cdll` and its like: to name a library is to load it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _refuse(name)

    def LoadLibrary(self, name: str) -> None:
        _refuse(name)


# no `pythonapi`: packages that ask whether it is there do without it, as on interpreters that are not CPython
cdll = pydll = _Loader()
DEFAULT_MODE, RTLD_GLOBAL, RTLD_LOCAL = 0, 256, 0


def _refuse(name):
    raise OSError(f"{name}: native libraries are not loaded in the simulation")


def _refused(name):
    def function(*args, **kwargs):
        _refuse(name)

    function.__name__ = name
    return function


def POINTER(kind: str) -> _Type:
    return _Type(f"LP_{getattr(kind, '__name__', kind)}", (_Data,), {})


def CFUNCTYPE(*kinds: Any, **options: Any) -> _Type:
    return _Type("CFunctionType", (_Data,), {})


PYFUNCTYPE = CFUNCTYPE


def sizeof(kind: str) -> Any:
    fields = getattr(kind, "_fields_", None)
    return sum(sizeof(field[1]) for field in fields) if fields else kind._size


def byref(value: Any, offset: int = 0) -> Any:
    return value


def pointer(value: Any) -> Any:
    return value


def find_library(name: str) -> None:
    return None


def install() -> None:
    """Puts the names where Python looks for them."""
    module = types.ModuleType("ctypes", __doc__)
    vars(module).update(
        {name: value for name, value in globals().items() if not name.startswith("_") and name != "install"}
    )
    for name, size in _SIZES.items():
        setattr(module, name, _Type(name, (_Data,), {"_size": size, "_type_": name}))
    for name in (
        "addressof",
        "cast",
        "memmove",
        "memset",
        "string_at",
        "wstring_at",
        "create_string_buffer",
        "resize",
        "get_errno",
    ):
        setattr(module, name, _refused(name))
    module.util = types.ModuleType("ctypes.util")
    module.util.find_library = find_library
    module.wintypes = types.ModuleType("ctypes.wintypes")
    for name in "BOOL BYTE CHAR DWORD HANDLE LONG LPCWSTR LPWSTR SHORT SMALL_RECT UINT ULONG WCHAR WORD _COORD".split():
        setattr(module.wintypes, name, _Type(name, (_Data,), {}))
    module.__path__ = []
    for part in (module, module.util, module.wintypes):
        sys.modules[part.__name__] = part
