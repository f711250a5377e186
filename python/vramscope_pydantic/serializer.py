"""SchemaSerializer: what pydantic calls to write a value by its schema."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from .errors import PydanticOmit, PydanticSerializationError
from .values import PydanticUndefined
from .writing import Options, dumped, key_text, plain, written

if TYPE_CHECKING:
    from typing import Any


_INNER = frozenset("nullable default function-before function-after custom-error".split())


def _part(chosen, key):
    """What an include or exclude says of one part: None for nothing, True for the whole."""
    if chosen is None:
        return None
    if isinstance(chosen, dict):
        found = chosen.get(key, chosen.get("__all__"))
        return True if found is ... else found
    return True if key in chosen or "__all__" in chosen else None


class Info:
    """What a serializing function is told."""

    def __init__(self, options: Any, field: Any = None) -> None:
        for name in "mode include exclude by_alias exclude_unset exclude_defaults exclude_none round_trip serialize_as_any context".split():
            setattr(self, name, getattr(options, name))
        self.exclude_computed_fields = options.exclude_computed_fields
        if field is not None:
            self.field_name = field

    def mode_is_json(self) -> bool:
        return self.mode == "json"


class _Writer:
    """Writes values by one schema and those inside it."""

    def __init__(self, config: Any, definitions: Any = None) -> None:
        self.config, self.definitions = config or {}, {} if definitions is None else definitions

    def write(self, schema: Any, value: Any, options: Any, model: Any = None, field: Any = None) -> Any:
        if schema is None:
            return self.any(value, options)
        own = schema.get("serialization")
        if own is not None and own["type"].startswith("function"):
            return self.function(schema, own, value, options, model, field)
        if own is not None and own["type"] in ("to-string", "format"):
            when = own.get("when_used", "json-unless-none")
            if self.used(when, value, options):
                return str(value) if own["type"] == "to-string" else format(value, own["formatting_string"])
            return self.any(value, options)
        if own is not None and own["type"] in ("model", "definition-ref") or (own is not None and "schema" in own):
            schema = own.get("schema", own)
        type_ = schema["type"]
        if value is None and type_ != "model":
            return None
        if type_ == "definitions":
            for one in schema["definitions"]:
                self.definitions[one["ref"]] = one
            return self.write(schema["schema"], value, options, model, field)
        if type_ == "definition-ref":
            return self.write(self.definitions.get(schema["schema_ref"]), value, options, model, field)
        if type_ in _INNER or (type_ == "function-wrap" and "schema" in schema):
            return self.write(schema["schema"], value, options, model, field)
        handler = _BY_TYPE.get(type_)
        return self.any(value, options) if handler is None else handler(self, schema, value, options)

    def any(self, value: Any, options: Any) -> Any:
        return plain(value, options, lambda item: self.any(item, _inside(options)))

    def used(self, when: str, value: Any, options: Any) -> bool:
        if "unless-none" in when and value is None:
            return False
        return not when.startswith("json") or options.mode == "json"

    def function(self, schema: dict, own: Any, value: Any, options: Any, model: Any, field: Any) -> Any:
        if not self.used(own.get("when_used", "always"), value, options):
            return self.write(
                {key: item for key, item in schema.items() if key != "serialization"}, value, options, model, field
            )
        args = [model] if own.get("is_field_serializer") else []
        args.append(value)
        if own["type"] == "function-wrap":
            inner = own.get("schema") or {key: item for key, item in schema.items() if key != "serialization"}

            def handler(value_in, index_key=None, /):
                return self.write(inner, value_in, options, model, field)

            args.append(handler)
        if own.get("info_arg"):
            args.append(Info(options, field if own.get("is_field_serializer") else None))
        found = own["function"](*args)
        result = own.get("return_schema")
        return self.any(found, options) if result is None else self.write(result, found, options)

    def items(self, schema: Any, value: Any, options: Any) -> Any:
        if not isinstance(value, (list, tuple, set, frozenset)):
            return self.any(value, options)
        inner, found = schema.get("items_schema"), []
        for i, item in enumerate(value):
            below = _chosen(options, i, len(value))
            if below is None:
                continue
            one = (
                inner[min(i, len(inner) - 1)]
                if isinstance(inner, list) and inner
                else None
                if isinstance(inner, list)
                else inner
            )
            try:
                found.append(self.write(one, item, below))
            except PydanticOmit:
                continue
        return found if options.mode == "json" or isinstance(value, list) else type(value)(found)

    def dictionary(self, schema: Any, value: Any, options: Any) -> Any:
        if not isinstance(value, dict):
            return self.any(value, options)
        found = {}
        for key, item in value.items():
            below = _chosen(options, key)
            if below is None or (item is None and options.exclude_none and False):
                continue
            name = self.write(schema.get("keys_schema"), key, _inside(options))
            found[key_text(name, options) if options.mode == "json" else name] = self.write(
                schema.get("values_schema"), item, below
            )
        return found

    def fields(self, schema: Any, values: dict, options: Any, model: Any = None, fields_set: Any = None) -> dict:
        found = {}
        known = (
            schema["fields"] if isinstance(schema["fields"], dict) else {one["name"]: one for one in schema["fields"]}
        )
        by_alias = self.config.get("serialize_by_alias", False) if options.by_alias is None else options.by_alias
        for name, value in values.items():
            one = known.get(name)
            if one is not None and (one.get("serialization_exclude") or one.get("init_only")):
                continue
            if (options.exclude_unset and fields_set is not None and name not in fields_set) or (
                options.exclude_none and value is None
            ):
                continue
            if one is not None and one.get("serialization_exclude_if") and one["serialization_exclude_if"](value):
                continue
            if options.exclude_defaults and one is not None and _is_default(one["schema"], value):
                continue
            below = _chosen(options, name)
            if below is None or _is_missing(value):
                continue
            shown = one.get("serialization_alias", name) if one is not None and by_alias else name
            try:
                found[shown] = self.write(one and one["schema"], value, below, model, name)
            except PydanticOmit:
                continue
        for one in (
            schema.get("computed_fields", ()) if not (options.exclude_computed_fields or options.round_trip) else ()
        ):
            name = one["property_name"]
            below = _chosen(options, name)
            value = getattr(model, name)
            if below is None or (options.exclude_none and value is None):
                continue
            found[one.get("alias", name) if by_alias else name] = self.write(
                one["return_schema"], value, below, model, name
            )
        return found

    def model(self, schema: Any, value: Any, options: Any) -> Any:
        cls = schema["cls"]
        if not isinstance(value, cls):
            _unexpected(cls.__name__, value, options)
            return self.any(value, options)
        if options.serialize_as_any and type(value) is not cls:
            return self.any(value, options)
        writer = _Writer({**self.config, **(schema.get("config") or {})}, self.definitions)
        if schema.get("root_model"):
            return writer.write(schema["schema"], value.root, options, value, "root")
        inner = schema["schema"]
        while inner["type"] not in ("model-fields", "definition-ref", "definitions"):
            inner = inner["schema"]
        # a field that only a subclass has is not this schema's
        known = {name: item for name, item in value.__dict__.items() if name in inner.get("fields", value.__dict__)}
        values = {**known, **(value.__pydantic_extra__ or {})}
        return writer.fields(inner, values, options, value, value.__pydantic_fields_set__)

    def dataclass(self, schema: Any, value: Any, options: Any) -> Any:
        if not isinstance(value, schema["cls"]):
            return self.any(value, options)
        inner = schema["schema"]
        while inner["type"] != "dataclass-args":
            inner = inner["schema"]
        values = {name: getattr(value, name) for name in schema["fields"] if hasattr(value, name)}
        return _Writer({**self.config, **(schema.get("config") or {})}, self.definitions).fields(
            inner, values, options, value
        )

    def typed_dict(self, schema: Any, value: Any, options: Any) -> Any:
        return self.fields(schema, value, options, value) if isinstance(value, dict) else self.any(value, options)

    def union(self, schema: Any, value: Any, options: Any) -> Any:
        choices = schema["choices"].values() if isinstance(schema["choices"], dict) else schema["choices"]
        for one in choices:
            inner = one[0] if isinstance(one, tuple) else one
            if _is_of(inner, value, self.definitions):
                return self.write(inner, value, options)
        return self.any(value, options)

    def branch(self, schema: Any, value: Any, options: Any) -> Any:
        return self.write(schema["json_schema" if options.mode == "json" else "python_schema"], value, options)

    def last(self, schema: Any, value: Any, options: Any) -> Any:
        return self.write(schema["steps"][-1], value, options)

    def strict(self, schema: Any, value: Any, options: Any) -> Any:
        return self.write(schema["strict_schema"], value, options)


_BY_TYPE = {
    "list": _Writer.items, "tuple": _Writer.items, "set": _Writer.items, "frozenset": _Writer.items, "dict": _Writer.dictionary,
    "model": _Writer.model, "dataclass": _Writer.dataclass, "typed-dict": _Writer.typed_dict, "union": _Writer.union,
    "tagged-union": _Writer.union, "json-or-python": _Writer.branch, "chain": _Writer.last, "lax-or-strict": _Writer.strict,
}  # fmt: skip
_TYPES = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "bytes": bytes,
    "list": list,
    "dict": dict,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}


def _is_of(schema, value, definitions):
    type_ = schema["type"]
    if type_ == "definition-ref":
        return schema["schema_ref"] in definitions and _is_of(definitions[schema["schema_ref"]], value, definitions)
    if type_ in ("model", "dataclass"):
        return isinstance(value, schema["cls"])
    if type_ in _TYPES:
        return type(value) is _TYPES[type_]
    return _is_of(schema["schema"], value, definitions) if isinstance(schema.get("schema"), dict) else False


def _is_default(schema, value):
    if schema["type"] != "default":
        return False
    if "default" not in schema and not schema.get("default_factory_takes_data"):
        return schema["default_factory"]() == value
    return schema.get("default", PydanticUndefined) == value


def _is_missing(value):
    return type(value).__name__ == "Sentinel" and "MISSING" in repr(value)


def _unexpected(name, value, options):
    text = f"Expected `{name}` - serialized value may not be as expected [input_value={value!r}, input_type={type(value).__name__}]"
    if options.warnings == "error":
        raise PydanticSerializationError(text)
    if options.warnings not in (False, "none"):
        import warnings

        warnings.warn(
            f"Pydantic serializer warnings:\n  PydanticSerializationUnexpectedValue({text})", UserWarning, stacklevel=2
        )


def _inside(options):
    """The same for what lies inside, without what was said of the outer parts."""
    if options.include is None and options.exclude is None:
        return options
    made = Options.__new__(Options)
    made.__dict__.update(options.__dict__, include=None, exclude=None)
    return made


def _chosen(options, key, length=None):
    """How one part is written; None where it is left out."""
    if options.include is None and options.exclude is None:
        return options
    include, exclude = _part(options.include, key), _part(options.exclude, key)
    if length is not None:
        include = include if include is not None else _part(options.include, key - length)
        exclude = exclude if exclude is not None else _part(options.exclude, key - length)
    if exclude is True or (options.include is not None and not include):
        return None
    made = Options.__new__(Options)
    made.__dict__.update(options.__dict__, include=None if include is True else include, exclude=exclude or None)
    return made


class SchemaSerializer:
    """Writes by a schema."""

    def __init__(self, schema: Any, config: Any = None, _use_prebuilt: bool = True) -> None:
        self._schema, self._writer = schema, _Writer({**(config or {}), **(schema.get("config") or {})})

    def written(self, value: Any, options: Any) -> Any:
        return self._writer.write(self._schema, value, options)

    def to_python(self, value: Any, *, mode: Any = None, **kwargs: Any) -> Any:
        return self.written(value, Options(mode, self._writer.config, **kwargs))

    def to_json(self, value: Any, *, indent: Any = None, ensure_ascii: bool = False, **kwargs: Any) -> Any:
        options = Options("json", self._writer.config, **kwargs)
        how = self._writer.config.get("ser_json_inf_nan", "null")
        return dumped(self.written(value, options), indent, ensure_ascii, how).encode()

    def __repr__(self) -> str:
        return f"SchemaSerializer({self._schema.get('type')!r})"


def to_jsonable_python(
    value: Any,
    *,
    serialize_unknown: bool = False,
    by_alias: bool = True,
    timedelta_mode: str = "iso8601",
    bytes_mode: str = "utf8",
    **kwargs: Any,
) -> Any:
    config = {"ser_json_timedelta": timedelta_mode, "ser_json_bytes": bytes_mode}
    return written(
        value,
        Options("json", config, by_alias=by_alias, unknown=_text_of if serialize_unknown else None, **_known(kwargs)),
    )


def to_json(
    value: Any, *, indent: Any = None, ensure_ascii: bool = False, inf_nan_mode: str = "constants", **kwargs: Any
) -> Any:
    return dumped(to_jsonable_python(value, **kwargs), indent, ensure_ascii, inf_nan_mode).encode()


def _known(options):
    names = inspect.signature(Options.__init__).parameters
    return {key: item for key, item in options.items() if key not in ("mode", "config") or key not in names}


def _text_of(value):
    try:
        return str(value)
    except Exception:
        return f"<Unserializable {type(value).__name__} object>"
