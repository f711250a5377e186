"""What one validation carries along, and how a schema becomes a function that validates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import SchemaError

if TYPE_CHECKING:
    from typing import Any, Self


# How well a value fits, for unions: as it is, by a subclass, by conversion.
LAX, STRICT, EXACT = 0, 1, 2


class State:
    """One call of a validator."""

    __slots__ = ("mode", "strict", "context", "extra", "attributes", "itself", "data", "field", "fit", "fields_set", "by_alias", "by_name", "busy")  # fmt: skip

    def __init__(
        self,
        mode: Any,
        strict: bool | None = None,
        context: Any = None,
        extra: Any = None,
        attributes: Any = None,
        itself: Any = None,
        by_alias: Any = None,
        by_name: str | None = None,
    ) -> None:
        self.mode, self.strict, self.context, self.extra, self.attributes = mode, strict, context, extra, attributes
        self.itself, self.by_alias, self.by_name = itself, by_alias, by_name
        self.data, self.field, self.fit, self.fields_set = None, None, EXACT, None
        # what is being validated right now, for inputs that hold themselves
        self.busy = set()

    def is_strict(self, strict: bool) -> Any:
        return strict if self.strict is None else self.strict

    def floor(self, fit: Any) -> None:
        if fit < self.fit:
            self.fit = fit


class Info:
    """What functions are told of the validation that calls them."""

    def __init__(self, state: Any, config: Any) -> None:
        self.context, self.config, self.mode = state.context, config, state.mode
        self.data, self.field_name = state.data, state.field

    def __repr__(self) -> str:
        return f"ValidationInfo(config={self.config}, context={self.context!r}, data={self.data!r}, field_name={self.field_name!r})"


class Build:
    """Makes validators: each type of schema is a row of `kinds`."""

    kinds = {}

    def __init__(self, config: Any, definitions: Any = None) -> None:
        self.config = config or {}
        self.definitions = {} if definitions is None else definitions

    def under(self, config: Any) -> Build | Self:
        """The same schema's inner parts, which a model's own configuration rules."""
        return Build({**self.config, **config}, self.definitions) if config else self

    def of(self, schema: Any) -> Any:
        make = self.kinds.get(schema["type"])
        if make is None:
            raise SchemaError(f"Unknown schema type: {schema['type']!r}")
        return make(self, schema)

    def strict(self, schema: Any) -> Any:
        found = schema.get("strict")
        return bool(self.config.get("strict")) if found is None else found


def kind(*names: Any) -> Any:
    """Names the types of schema that a function makes validators of."""

    def named(make):
        for name in names:
            Build.kinds[name] = make
        return make

    return named


_BOUNDS = ("multiple_of", "le", "ge", "lt", "gt")
_LIMITS = {
    "int": _BOUNDS,
    "float": _BOUNDS,
    "str": ("pattern", "max_length", "min_length", "strip_whitespace", "to_lower", "to_upper"),
    "bytes": ("max_length", "min_length"),
}


def name_of(schema: Any) -> Any:
    """How a place in a union, and the head of an error, call a schema."""
    type_ = schema["type"]
    if type_ in ("model", "dataclass"):
        return schema.get("cls_name") or schema["cls"].__name__
    if type_ == "nullable":
        return f"nullable[{name_of(schema['schema'])}]"
    if type_ in ("list", "set", "frozenset", "generator"):
        return f"{type_}[{name_of(schema['items_schema']) if 'items_schema' in schema else 'any'}]"
    if type_ == "dict":
        parts = (schema.get("keys_schema"), schema.get("values_schema"))
        return f"dict[{','.join('any' if part is None else name_of(part) for part in parts)}]"
    if type_ == "tuple":
        variadic = schema.get("variadic_item_index")
        names = [name_of(one) + (", ..." if i == variadic else "") for i, one in enumerate(schema["items_schema"])]
        return f"tuple[{', '.join(names)}]"
    if type_ == "union":
        return f"union[{','.join(name_of(c[0] if isinstance(c, tuple) else c) for c in schema['choices'])}]"
    if type_ == "tagged-union":
        return f"tagged-union[{','.join(name_of(c) for c in schema['choices'].values())}]"
    if type_ == "literal":
        return f"literal[{','.join(map(repr, schema['expected']))}]"
    if type_ == "is-instance":
        return f"is-instance[{schema.get('cls_repr') or getattr(schema['cls'], '__qualname__', schema['cls'])}]"
    if type_ == "is-subclass":
        return f"is-subclass[{schema.get('cls_repr') or schema['cls'].__qualname__}]"
    if type_ == "enum":
        kind_of = schema.get("sub_type")
        return f"{kind_of + '-' if kind_of else ''}enum[{schema['cls'].__name__}]"
    if type_ in _LIMITS:
        return f"constrained-{type_}" if any(schema.get(key) is not None for key in _LIMITS[type_]) else type_
    if type_.startswith("function"):
        function = schema["function"]["function"]
        own = f"{getattr(function, '__name__', None) or repr(function)}()"
        return (
            f"{type_}[{own}]"
            if type_ in ("function-plain", "function-wrap")
            else f"{type_}[{own}, {name_of(schema['schema'])}]"
        )
    if type_ == "chain":
        return f"chain[{','.join(map(name_of, schema['steps']))}]"
    if type_ == "lax-or-strict":
        return f"lax-or-strict[lax={name_of(schema['lax_schema'])},strict={name_of(schema['strict_schema'])}]"
    if type_ == "json-or-python":
        return f"json-or-python[json={name_of(schema['json_schema'])},python={name_of(schema['python_schema'])}]"
    if type_ == "json":
        return f"json[{name_of(schema['schema']) if 'schema' in schema else 'any'}]"
    if type_ in ("default", "custom-error"):
        return f"{type_}[{name_of(schema['schema'])}]"
    if type_ == "definitions":
        return name_of(schema["schema"])
    if type_ == "call":
        return f"call[{schema.get('function_name') or schema['function'].__name__}]"
    if type_ == "definition-ref":
        return "..."
    return schema.get("cls_name") or schema.get("model_name") or schema.get("dataclass_name") or type_
