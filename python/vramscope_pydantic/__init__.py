"""Stands in for pydantic_core's compiled module: validates and writes by the schemas that the installed pydantic makes.

Everything is validated that a schema asks for, in Python. Addresses are split but hosts not translated, patterns are those of `re`, and
moments are read by `fromisoformat`. Partial JSON is not read: it is refused as JSON that is not whole, in the words of Python's reader.
"""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING

from . import gather
from .choices import read_json as _read_json
from .errors import (
    TEMPLATES,
    Failed,
    PydanticCustomError,
    PydanticKnownError,
    PydanticOmit,
    PydanticSerializationError,
    PydanticSerializationUnexpectedValue,
    PydanticUseDefault,
    SchemaError,
    ValidationError,
)
from .serializer import SchemaSerializer, to_json, to_jsonable_python
from .validator import SchemaValidator
from .values import ArgsKwargs, MultiHostUrl, PydanticUndefined, PydanticUndefinedType, Some, TzInfo, Url

if TYPE_CHECKING:
    from typing import Any


__all__ = [
    "ArgsKwargs", "MultiHostUrl", "PydanticCustomError", "PydanticKnownError", "PydanticOmit", "PydanticSerializationError",
    "PydanticSerializationUnexpectedValue", "PydanticUndefined", "PydanticUndefinedType", "PydanticUseDefault", "SchemaError",
    "SchemaSerializer", "SchemaValidator", "Some", "TzInfo", "Url", "ValidationError", "from_json", "list_all_errors", "to_json",
    "to_jsonable_python", "validate_core_schema",
]  # fmt: skip


def _version():
    import importlib.metadata

    try:
        return importlib.metadata.version("pydantic-core")
    except importlib.metadata.PackageNotFoundError:
        return "0"


__version__ = _version()
build_profile, build_info, _recursion_limit = "release", "", 255


def from_json(data: Any, *, allow_inf_nan: bool = True, cache_strings: str = "all", allow_partial: bool = False) -> Any:
    try:
        return _read_json(data)
    except Failed as error:
        raise ValueError(error.lines[0].context["error"]) from None


def list_all_errors() -> list:
    return [
        {"type": kind, "message_template_python": words, "example_message_python": words, "example_context": None}
        for kind, words in TEMPLATES.items()
    ]


def validate_core_schema(schema: Any, *, strict: bool | None = None) -> Any:
    return schema


# newer releases have the walk over schemas in the compiled module
_schema_gather = types.ModuleType(f"{__name__}._schema_gather")
_schema_gather.MissingDefinitionError = gather.MissingDefinitionError
_schema_gather.gather_schemas_for_cleaning = gather.gather_schemas_for_cleaning
sys.modules[_schema_gather.__name__] = _schema_gather
