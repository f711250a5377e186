"""Validators of models, dataclasses and typed dictionaries: fields by name, what is too much, and instances made of them."""

from __future__ import annotations

import collections.abc
from typing import TYPE_CHECKING

from .choices import called
from .containers import guarded
from .errors import Failed, Line, PydanticOmit, fail
from .lookup import looked_up, ways
from .state import LAX, STRICT, kind
from .values import ArgsKwargs, PydanticUndefined

if TYPE_CHECKING:
    from typing import Any


_put = object.__setattr__


class _Field:
    """One field: how it is found, validated and defaulted."""

    __slots__ = ("name", "alias", "validate", "required", "frozen", "init", "init_only", "by_position")

    def __init__(self, build: Any, name: str, schema: Any, required: bool = True) -> None:
        inner = schema["schema"]
        self.name, self.alias, self.validate = name, schema.get("validation_alias"), build.of(inner)
        self.required = schema.get("required", required)
        self.frozen, self.init, self.init_only = (
            schema.get("frozen", False),
            schema.get("init", True),
            schema.get("init_only", False),
        )
        self.by_position = not schema.get("kw_only", True)

    def ways(self, state: Any, config: Any) -> list:
        by_alias = config.get("validate_by_alias", True) if state.by_alias is None else state.by_alias
        by_name = (
            config.get("validate_by_name", config.get("populate_by_name", False))
            if state.by_name is None
            else state.by_name
        )
        return ways(self.name, self.alias, by_alias, by_name)

    def default(self, state: Any) -> tuple:
        make = getattr(self.validate, "default", None)
        return () if make is None else (make(state),)


def _place(field, found_ways, config):
    if not config.get("loc_by_alias", True):
        return (field.name,)
    return tuple(found_ways[0])


def _run(fields, config, state, find, value, required=True):
    """The values of all fields, the names of those that were given, and the lines of what is wrong."""
    found, fields_set, lines, used = {}, set(), [], set()
    kept = state.data, state.field
    state.data = found
    for field in fields:
        places = field.ways(state, config)
        used.update(way[0] for way in places)
        state.field = field.name
        for way in places:
            got = find(way)
            if got:
                break
        else:
            got, way = (), places[0]
        try:
            if got:
                found[field.name] = field.validate(got[0], state)
                fields_set.add(field.name)
                continue
            default = field.default(state)
            if default:
                found[field.name] = default[0]
            elif field.required:
                lines.append(Line("missing", value).at(*_place(field, places, config)))
        except Failed as error:
            shown = way if config.get("loc_by_alias", True) else (field.name,)
            lines.extend(error.at(*shown).lines)
        except PydanticOmit:
            continue
    state.data, state.field = kept
    return found, fields_set, lines, used


def _extras(build, schema, state, behaviour, rest, lines):
    """What is given and no field takes."""
    behaviour = state.extra or behaviour
    if behaviour == "forbid":
        lines.extend(Line("extra_forbidden", item).at(key) for key, item in rest.items())
        return None
    if behaviour != "allow":
        return None
    inner, keys = schema.get("extras_schema"), schema.get("extras_keys_schema")
    validate, read_key, found = inner and build.of(inner), keys and build.of(keys), {}
    for key, item in rest.items():
        if not isinstance(key, str):
            lines.append(Line("invalid_key", key).at(str(key)))
            continue
        try:
            found[read_key(key, state) if read_key else key] = validate(item, state) if validate else item
        except Failed as error:
            lines.extend(error.at(key).lines)
    return found


@kind("model-fields")
def _model_fields(build, schema):
    config = build.config
    fields = [_Field(build, name, one) for name, one in schema["fields"].items()]
    behaviour = schema.get("extra_behavior") or config.get("extra_fields_behavior") or "ignore"
    from_attributes = schema.get("from_attributes", config.get("from_attributes", False))

    def validate(value, state):
        by_attribute = False
        if isinstance(value, collections.abc.Mapping):
            pass
        elif state.attributes or (state.attributes is None and from_attributes):
            # what Python itself brings is no object with fields
            by_attribute = type(value).__module__ != "builtins"
            if not by_attribute:
                raise fail("model_attributes_type", value)
        else:
            raise fail("model_type", value, class_name=schema.get("model_name", "Model"))
        found, fields_set, lines, used = _run(
            fields, config, state, lambda way: looked_up(value, way, by_attribute), value
        )
        extra = {} if (state.extra or behaviour) == "allow" else None
        if not by_attribute:
            rest = {key: item for key, item in value.items() if key not in used}
            more = _extras(build, schema, state, behaviour, rest, lines)
            if more:
                extra = more
                fields_set.update(more)
        if lines:
            raise Failed(lines)
        state.fields_set = (state.fields_set or 0) + len(fields_set)
        return found, extra, fields_set

    def assign(values, name, value, state):
        field = next((one for one in fields if one.name == name), None)
        if field is None:
            if behaviour == "allow":
                more = build.of(schema["extras_schema"])(value, state) if "extras_schema" in schema else value
                return {}, {name: more}, {name}
            raise Failed([Line("no_such_attribute", value, {"attribute": name}).at(name)])
        if field.frozen:
            raise Failed([Line("frozen_field", value).at(name)])
        state.data, state.field = {key: item for key, item in values.items() if key != name}, name
        try:
            return {name: field.validate(value, state)}, None, {name}
        except Failed as error:
            raise error.at(name) from None

    validate.assign = assign
    return validate


@kind("typed-dict")
def _typed_dict(build, schema):
    build = build.under(schema.get("config"))
    config, strict = build.config, build.strict(schema)
    total = schema.get("total", config.get("typed_dict_total", True))
    fields = [_Field(build, name, one, total) for name, one in schema["fields"].items()]
    behaviour = schema.get("extra_behavior") or config.get("extra_fields_behavior") or "ignore"

    def validate(value, state):
        if not isinstance(value, dict) and (state.is_strict(strict) or not isinstance(value, collections.abc.Mapping)):
            raise fail("dict_type", value)
        found, fields_set, lines, used = _run(fields, config, state, lambda way: looked_up(value, way), value)
        rest = {key: item for key, item in value.items() if key not in used}
        found.update(_extras(build, schema, state, behaviour, rest, lines) or {})
        if lines:
            raise Failed(lines)
        state.fields_set = (state.fields_set or 0) + len(fields_set)
        return found

    return validate


def _again(schema, config, value, cls):
    """Whether an instance is validated once more."""
    how = schema.get("revalidate_instances", config.get("revalidate_instances", "never"))
    return how == "always" or (how == "subclass-instances" and type(value) is not cls)


@kind("model")
def _model(build, schema):
    build = build.under(schema.get("config"))
    if schema.get("extra_behavior"):
        build = build.under({"extra_fields_behavior": schema["extra_behavior"]})
    cls, config = schema["cls"], build.config
    inner, post_init, is_root = build.of(schema["schema"]), schema.get("post_init"), schema.get("root_model", False)

    def fill(made, found, fields_set, state):
        if is_root:
            _put(made, "__dict__", {"root": found})
            _put(made, "__pydantic_fields_set__", fields_set)
            _put(made, "__pydantic_extra__", None)
            _put(made, "__pydantic_private__", None)
        else:
            values, extra, names = found
            _put(made, "__dict__", values)
            _put(made, "__pydantic_extra__", extra)
            _put(made, "__pydantic_fields_set__", names)
            _put(made, "__pydantic_private__", None)
        if post_init:
            called(getattr(made, post_init), made, state.context)
        return made

    def validate(value, state):
        itself, state.itself = state.itself, None
        if itself is None and isinstance(value, cls):
            if type(value) is not cls:
                state.floor(STRICT)
            if not _again(schema, config, value, cls):
                state.fields_set = (state.fields_set or 0) + len(value.__pydantic_fields_set__)
                return value
            value = {**value.__dict__, **(value.__pydantic_extra__ or {})} if not is_root else value.root
        elif itself is None and schema.get("custom_init") and isinstance(value, dict):
            return cls(**value)
        if itself is None:
            state.floor(LAX)
        made = cls.__new__(cls) if itself is None else itself
        if not is_root:
            return fill(made, guarded(value, state, lambda: inner(value, state)), None, state)
        if value is not PydanticUndefined:
            state.field = "root"
            return fill(made, inner(value, state), {"root"}, state)
        default = getattr(inner, "default", None)
        if default is None:
            raise fail("missing", value)
        return fill(made, default(state), set(), state)

    def assign(made, name, value, state):
        if schema.get("frozen"):
            raise Failed([Line("frozen_instance", value).at(name)])
        if is_root:
            try:
                values, extra, fields_set = {"root": inner(value, state)}, None, {"root"}
            except Failed as error:
                raise error.at(name) from None
        else:
            values, extra, fields_set = assign_of(inner)(made.__dict__, name, value, state)
        # the whole dictionary is put back, as a function may have looked at the old one
        _put(made, "__dict__", {**made.__dict__, **values})
        if extra:
            _put(made, "__pydantic_extra__", {**(made.__pydantic_extra__ or {}), **extra})
        _put(made, "__pydantic_fields_set__", made.__pydantic_fields_set__ | fields_set)
        return made

    validate.assign = assign
    return validate


def assign_of(validate: Any) -> Any:
    found = getattr(validate, "assign", None)
    if found is None:
        raise TypeError("This validator does not support assignment")
    return found


@kind("dataclass-args")
def _dataclass_args(build, schema):
    config, name = build.config, schema["dataclass_name"]
    fields = [_Field(build, one["name"], one) for one in schema["fields"]]
    behaviour = schema.get("extra_behavior") or config.get("extra_fields_behavior") or "ignore"

    def validate(value, state):
        lines = []
        if isinstance(value, ArgsKwargs):
            args, named = value.args, dict(value.kwargs or {})
        elif isinstance(value, dict):
            args, named = (), dict(value)
        else:
            raise fail("dataclass_type", value, class_name=name)
        by_place = [field for field in fields if field.by_position and field.init]
        positions = {field.name: i for i, field in enumerate(by_place)}
        for i in range(len(by_place), len(args)):
            lines.append(Line("unexpected_positional_argument", args[i]).at(i))
        places = {}
        for field in by_place[: len(args)]:
            if field.name in named:
                lines.append(Line("multiple_argument_values", named[field.name]).at(field.name))
            places[field.name] = args[positions[field.name]]
        given_all = {**named, **places}

        def numbered(found_lines):
            # what was given by position is called by its number
            for line in found_lines:
                if line.location and line.location[0] in positions and line.location[0] in places:
                    line.location = (positions[line.location[0]], *line.location[1:])

        taking = [field for field in fields if field.init or field.name not in named]
        found, _, more, used = _run(taking, config, state, lambda way: looked_up(given_all, way), value)
        numbered(more)
        lines.extend(more)
        shut = {field.name for field in fields if not field.init}
        rest = {key: item for key, item in named.items() if key not in used or key in shut}
        word = state.extra or behaviour
        if word == "forbid":
            lines.extend(Line("unexpected_keyword_argument", item).at(key) for key, item in rest.items())
        elif word == "allow":
            found.update(rest)
        if lines:
            raise Failed(lines)
        inits = tuple(found.pop(field.name) for field in fields if field.init_only)
        return found, inits if schema.get("collect_init_only") else None

    def assign(values, name, value, state):
        field = next((one for one in fields if one.name == name), None)
        if field is None:
            if behaviour == "allow":
                return {name: value}
            raise Failed([Line("no_such_attribute", value, {"attribute": name}).at(name)])
        if field.frozen:
            raise Failed([Line("frozen_field", value).at(name)])
        state.data, state.field = {key: item for key, item in values.items() if key != name}, name
        try:
            return {name: field.validate(value, state)}
        except Failed as error:
            raise error.at(name) from None

    validate.assign = assign
    return validate


@kind("dataclass")
def _dataclass(build, schema):
    build = build.under(schema.get("config"))
    cls, config, strict = schema["cls"], build.config, build.strict(schema)
    inner, names = build.of(schema["schema"]), schema["fields"]

    def fill(made, result, state):
        found, inits = result
        for key, item in found.items():
            _put(made, key, item)
        if schema.get("post_init"):
            called(made.__post_init__, made, *(inits or ()))
        return made

    def validate(value, state):
        itself, state.itself = state.itself, None
        if itself is not None:
            fill(itself, inner(value, state), state)
            return itself
        if isinstance(value, cls):
            if not _again(schema, config, value, cls):
                return value
            value = {name: getattr(value, name) for name in names if hasattr(value, name)}
        elif state.is_strict(strict) and state.mode == "python":
            raise fail("dataclass_exact_type", value, class_name=cls.__name__)
        else:
            state.floor(LAX)
        return fill(cls.__new__(cls), inner(value, state), state)

    def assign(made, name, value, state):
        if schema.get("frozen"):
            raise Failed([Line("frozen_instance", value).at(name)])
        values = {key: getattr(made, key) for key in names if hasattr(made, key)}
        for key, item in assign_of(inner)(values, name, value, state).items():
            _put(made, key, item)
        return made

    validate.assign = assign
    return validate
