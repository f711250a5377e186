"""Validators that choose or wrap others: unions, defaults, functions of a person, definitions."""

from __future__ import annotations

import copy
import inspect
import json
from typing import TYPE_CHECKING

from .errors import Failed, Line, PydanticOmit, PydanticUseDefault, ValidationError, fail, lines_of
from .lookup import looked_up
from .state import EXACT, LAX, Info, kind, name_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


@kind("nullable")
def _nullable(build, schema):
    inner = build.of(schema["schema"])
    return lambda value, state: None if value is None else inner(value, state)


@kind("definitions")
def _definitions(build, schema):
    for one in schema["definitions"]:
        build.definitions[one["ref"]] = one
    return build.of(schema["schema"])


@kind("definition-ref")
def _reference(build, schema):
    ref, made = schema["schema_ref"], []

    def inner():
        if not made:
            # the definition may hold itself: it is made when the first value comes
            made.append(build.definitions.get(("made", ref)) or build.of(build.definitions[ref]))
            build.definitions["made", ref] = made[0]
        return made[0]

    def validate(value, state):
        return inner()(value, state)

    validate.assign = lambda whole, name, value, state: inner().assign(whole, name, value, state)
    return validate


@kind("chain")
def _chain(build, schema):
    steps = [build.of(one) for one in schema["steps"]]

    def validate(value, state):
        for step in steps:
            value = step(value, state)
        return value

    return validate


@kind("lax-or-strict")
def _lax_or_strict(build, schema):
    lax, strict, default = build.of(schema["lax_schema"]), build.of(schema["strict_schema"]), build.strict(schema)

    def validate(value, state):
        return (strict if state.is_strict(default) else lax)(value, state)

    return validate


@kind("json-or-python")
def _json_or_python(build, schema):
    text, python = build.of(schema["json_schema"]), build.of(schema["python_schema"])
    return lambda value, state: (text if state.mode == "json" else python)(value, state)


@kind("json")
def _json(build, schema):
    inner = build.of(schema["schema"]) if "schema" in schema else None

    def validate(value, state):
        if not isinstance(value, (str, bytes, bytearray)):
            raise fail("json_type", value)
        found = read_json(value)
        if inner is None:
            return found
        kept, state.mode = state.mode, "json"
        try:
            return inner(found, state)
        finally:
            state.mode = kept

    return validate


def read_json(value: Any) -> Any:
    try:
        return json.loads(value)
    except ValueError as error:
        raise fail("json_invalid", value, error=str(error)) from None


@kind("custom-error")
def _custom_error(build, schema):
    inner = build.of(schema["schema"])

    def validate(value, state):
        try:
            return inner(value, state)
        except Failed:
            raise Failed([_custom(schema, value)]) from None

    return validate


def _custom(schema, value):
    from .errors import TEMPLATES, PydanticCustomError

    kind_, words, context = (
        schema["custom_error_type"],
        schema.get("custom_error_message"),
        schema.get("custom_error_context"),
    )
    if words is None and kind_ in TEMPLATES:
        return Line(kind_, value, context)
    return Line(kind_, value, context, PydanticCustomError(kind_, words or "", context).message(), custom=True)


@kind("default")
def _default(build, schema):
    inner, on_error = build.of(schema["schema"]), schema.get("on_error", "raise")
    check = schema.get("validate_default", build.config.get("validate_default", False))

    def default(state):
        if "default" in schema:
            found = schema["default"]
            found = copy.deepcopy(found) if type(found).__hash__ is None else found
        else:
            make = schema["default_factory"]
            found = make(state.data or {}) if schema.get("default_factory_takes_data") else make()
        return inner(found, state) if check else found

    def validate(value, state):
        try:
            return inner(value, state)
        except PydanticUseDefault:
            return default(state)
        except Failed:
            if on_error == "raise":
                raise
            if on_error == "omit":
                raise PydanticOmit from None
            return default(state)

    if "default" in schema or "default_factory" in schema:
        validate.default = default
    if hasattr(inner, "assign"):
        validate.assign = inner.assign
    return validate


def called(function: Callable, value: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except (PydanticOmit, PydanticUseDefault, Failed):
        raise
    except Exception as error:
        lines = lines_of(error, value)
        if lines is None:
            raise
        raise Failed(lines) from None


@kind("function-before", "function-after", "function-plain", "function-wrap")
def _function(build, schema):
    type_, function = schema["type"], schema["function"]["function"]
    informed, field = schema["function"]["type"] == "with-info", schema["function"].get("field_name")
    inner = build.of(schema["schema"]) if type_ != "function-plain" else None
    config = build.config or None

    def informs(state):
        if not informed:
            return ()
        info = Info(state, config)
        if field is not None:
            info.field_name = field
        return (info,)

    def before(value, state):
        return inner(called(function, value, value, *informs(state)), state)

    def after(value, state):
        return called(function, value, inner(value, state), *informs(state))

    def plain(value, state):
        return called(function, value, value, *informs(state))

    def wrap(value, state):
        return called(function, value, value, handled(state, inner), *informs(state))

    def handled(state, inner):
        def handler(value_in, outer_location=None, /):
            try:
                return inner(value_in, state)
            except Failed as error:
                if outer_location is not None:
                    error.at(outer_location)
                raise ValidationError(name_of(schema), error.lines) from None

        return handler

    def assign(made, name, value, state):
        """An assignment to a field of what `inner` validates: the function sees the whole."""

        def to(whole, state):
            return inner.assign(whole, name, value, state)

        if type_ == "function-before":
            return to(called(function, made, made, *informs(state)), state)
        if type_ == "function-after":
            return called(function, made, to(made, state), *informs(state))
        return called(function, made, made, handled(state, to), *informs(state))

    made = {"function-before": before, "function-after": after, "function-plain": plain, "function-wrap": wrap}[type_]
    default = getattr(inner, "default", None)
    if default is not None and type_ != "function-plain":
        # a default goes through the function as a value does
        made.default = (lambda state: after_default(default, state)) if type_ == "function-after" else default

    if hasattr(inner, "assign"):
        made.assign = assign

    def after_default(default, state):
        found = default(state)
        return called(function, found, found, *informs(state))

    return made


def _best(value, state, choices):
    """The choice that fits best: most fields set, then the exactest; the first of equals."""
    lines, best = [], None
    kept_fit, kept_set = state.fit, state.fields_set
    for label, validate in choices:
        state.fit, state.fields_set = EXACT, None
        try:
            found = validate(value, state)
        except Failed as error:
            lines.extend(error.at(label).lines)
            continue
        count = state.fields_set if state.fields_set is not None else -1
        if count == -1 and state.fit == EXACT:
            state.fit, state.fields_set = kept_fit, kept_set
            return found
        if best is None or (count, state.fit) > best[:2]:
            best = (count, state.fit, found)
    state.fit, state.fields_set = kept_fit, kept_set
    if best is None:
        raise Failed(lines)
    state.floor(best[1])
    if best[0] >= 0:
        state.fields_set = max(best[0], state.fields_set or 0)
    return best[2]


@kind("union")
def _union(build, schema):
    pairs = [one if isinstance(one, tuple) else (one, None) for one in schema["choices"]]
    choices = [(label or name_of(one), build.of(one)) for one, label in pairs]
    own = schema.get("custom_error_type")

    def left_to_right(value, state):
        lines = []
        for label, validate in choices:
            try:
                return validate(value, state)
            except Failed as error:
                lines.extend(error.at(label).lines)
        raise Failed(lines)

    def validate(value, state):
        try:
            if schema.get("mode") == "left_to_right":
                return left_to_right(value, state)
            return _best(value, state, choices)
        except Failed:
            if own is None:
                raise
            raise Failed([_custom(schema, value)]) from None

    if len(choices) == 1 and schema.get("auto_collapse", True) and own is None:
        return choices[0][1]
    return validate


@kind("tagged-union")
def _tagged_union(build, schema):
    by_tag = {tag: one if isinstance(one, str) else build.of(one) for tag, one in schema["choices"].items()}
    discriminator = schema["discriminator"]
    shown = (
        f"{discriminator.__name__}()"
        if callable(discriminator)
        else " | ".join(repr(".".join(map(str, p))) for p in _paths(discriminator))
    )

    def tag_of(value, state):
        if callable(discriminator):
            return discriminator(value)
        for path in _paths(discriminator):
            found = looked_up(
                value, path, attributes=schema.get("from_attributes", True) and not isinstance(value, dict)
            )
            if found:
                return found[0]
        return None

    def validate(value, state):
        tag = tag_of(value, state)
        choice = by_tag.get(tag) if tag is not None and getattr(type(tag), "__hash__", None) else None
        if choice is None and tag is not None and hasattr(tag, "value"):
            choice = by_tag.get(tag.value)
        while isinstance(choice, (str, int)):
            choice = by_tag[choice]
        if choice is None:
            if schema.get("custom_error_type"):
                raise Failed([_custom(schema, value)])
            if tag is None:
                raise fail("union_tag_not_found", value, discriminator=shown)
            tags = ", ".join(repr(getattr(one, "value", one)) for one in by_tag)
            raise fail("union_tag_invalid", value, discriminator=shown, tag=str(tag), expected_tags=tags)
        try:
            return choice(value, state)
        except Failed as error:
            raise error.at(tag) from None

    return validate


def _paths(alias):
    if isinstance(alias, str):
        return [[alias]]
    return alias if alias and isinstance(alias[0], list) else [alias]


@kind("call")
def _call(build, schema):
    arguments, function = build.of(schema["arguments_schema"]), schema["function"]
    result = build.of(schema["return_schema"]) if "return_schema" in schema else None

    def validate(value, state):
        args, kwargs = arguments(value, state)
        found = function(*args, **kwargs)
        if result is None:
            return found
        if inspect.iscoroutine(found):
            return found
        try:
            return result(found, state)
        except Failed as error:
            raise error.at("return") from None

    return validate
