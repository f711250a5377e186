"""numpy.dtypes: the class of each dtype, by its long name."""

from . import _dtypes

_LONG = {
    "BoolDType": "bool", "Int8DType": "int8", "UInt8DType": "uint8", "Int16DType": "int16", "UInt16DType": "uint16",
    "Int32DType": "int32", "UInt32DType": "uint32", "Int64DType": "int64", "UInt64DType": "uint64", "Float16DType": "float16",
    "Float32DType": "float32", "Float64DType": "float64", "Complex64DType": "complex64", "Complex128DType": "complex128",
}  # fmt: skip
for _long, _name in _LONG.items():
    globals()[_long] = type(
        _long, (_dtypes.dtype,), {"__init__": lambda self, kind=_name: _dtypes.dtype.__init__(self, kind)}
    )
