"""What a validation says when it fails: the errors of pydantic_core, with its words and in its layout."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self


TEMPLATES = {
    "no_such_attribute": "Object has no attribute '{attribute}'",
    "json_invalid": "Invalid JSON: {error}",
    "json_type": "JSON input should be string, bytes or bytearray",
    "needs_python_object": "Cannot check `{method_name}` when validating from json, use a JsonOrPython validator instead",
    "recursion_loop": "Recursion error - cyclic reference detected",
    "missing": "Field required",
    "frozen_field": "Field is frozen",
    "frozen_instance": "Instance is frozen",
    "extra_forbidden": "Extra inputs are not permitted",
    "invalid_key": "Keys should be strings",
    "get_attribute_error": "Error extracting attribute: {error}",
    "model_type": "Input should be a valid dictionary or instance of {class_name}",
    "model_attributes_type": "Input should be a valid dictionary or object to extract fields from",
    "dataclass_type": "Input should be a dictionary or an instance of {class_name}",
    "dataclass_exact_type": "Input should be an instance of {class_name}",
    "default_factory_not_called": "The default factory uses validated data, but at least one validation error occurred",
    "none_required": "Input should be None",
    "greater_than": "Input should be greater than {gt}",
    "greater_than_equal": "Input should be greater than or equal to {ge}",
    "less_than": "Input should be less than {lt}",
    "less_than_equal": "Input should be less than or equal to {le}",
    "multiple_of": "Input should be a multiple of {multiple_of}",
    "finite_number": "Input should be a finite number",
    "too_short": "{field_type} should have at least {min_length} item{plural} after validation, not {actual_length}",
    "too_long": "{field_type} should have at most {max_length} item{plural} after validation, not {actual_length}",
    "iterable_type": "Input should be iterable",
    "iteration_error": "Error iterating over object, error: {error}",
    "string_type": "Input should be a valid string",
    "string_sub_type": "Input should be a string, not an instance of a subclass of str",
    "string_unicode": "Input should be a valid string, unable to parse raw data as a unicode string",
    "string_too_short": "String should have at least {min_length} character{plural}",
    "string_too_long": "String should have at most {max_length} character{plural}",
    "string_pattern_mismatch": "String should match pattern '{pattern}'",
    "enum": "Input should be {expected}",
    "dict_type": "Input should be a valid dictionary",
    "mapping_type": "Input should be a valid mapping, error: {error}",
    "list_type": "Input should be a valid list",
    "tuple_type": "Input should be a valid tuple",
    "set_type": "Input should be a valid set",
    "set_item_not_hashable": "Set items should be hashable",
    "frozen_set_type": "Input should be a valid frozenset",
    "bool_type": "Input should be a valid boolean",
    "bool_parsing": "Input should be a valid boolean, unable to interpret input",
    "int_type": "Input should be a valid integer",
    "int_parsing": "Input should be a valid integer, unable to parse string as an integer",
    "int_from_float": "Input should be a valid integer, got a number with a fractional part",
    "float_type": "Input should be a valid number",
    "float_parsing": "Input should be a valid number, unable to parse string as a number",
    "bytes_type": "Input should be a valid bytes",
    "bytes_too_short": "Data should have at least {min_length} byte{plural}",
    "bytes_too_long": "Data should have at most {max_length} byte{plural}",
    "value_error": "Value error, {error}",
    "assertion_error": "Assertion failed, {error}",
    "literal_error": "Input should be {expected}",
    "date_type": "Input should be a valid date",
    "date_parsing": "Input should be a valid date in the format YYYY-MM-DD, {error}",
    "date_from_datetime_parsing": "Input should be a valid date or datetime, {error}",
    "date_from_datetime_inexact": "Datetimes provided to dates should have zero time - e.g. be exact dates",
    "time_type": "Input should be a valid time",
    "time_parsing": "Input should be in a valid time format, {error}",
    "datetime_type": "Input should be a valid datetime",
    "datetime_parsing": "Input should be a valid datetime, {error}",
    "datetime_from_date_parsing": "Input should be a valid datetime or date, {error}",
    "time_delta_type": "Input should be a valid timedelta",
    "time_delta_parsing": "Input should be a valid timedelta, {error}",
    "is_instance_of": "Input should be an instance of {class}",
    "is_subclass_of": "Input should be a subclass of {class}",
    "callable_type": "Input should be callable",
    "union_tag_invalid": "Input tag '{tag}' found using {discriminator} does not match any of the expected tags: {expected_tags}",
    "union_tag_not_found": "Unable to extract tag using discriminator {discriminator}",
    "arguments_type": "Arguments must be a tuple, list or a dictionary",
    "missing_argument": "Missing required argument",
    "unexpected_keyword_argument": "Unexpected keyword argument",
    "missing_keyword_only_argument": "Missing required keyword only argument",
    "unexpected_positional_argument": "Unexpected positional argument",
    "missing_positional_only_argument": "Missing required positional only argument",
    "multiple_argument_values": "Got multiple values for argument",
    "url_type": "URL input should be a string or URL",
    "url_parsing": "Input should be a valid URL, {error}",
    "url_scheme": "URL scheme should be {expected_schemes}",
    "uuid_type": "UUID input should be a string, bytes or UUID object",
    "uuid_parsing": "Input should be a valid UUID, {error}",
    "decimal_type": "Decimal input should be an integer, float, string or Decimal object",
    "decimal_parsing": "Input should be a valid decimal",
    "decimal_max_digits": "Decimal input should have no more than {max_digits} digit{plural} in total",
    "decimal_max_places": "Decimal input should have no more than {decimal_places} decimal place{plural}",
    "complex_type": "Input should be a valid python complex object, a number, or a valid complex string following the rules at https://docs.python.org/3/library/functions.html#complex",
    "missing_sentinel_error": "Input should be the 'MISSING' sentinel",
}  # fmt: skip
_COUNTS = ("min_length", "max_length", "max_digits", "decimal_places")


def _text(template, context):
    count = next((context[name] for name in _COUNTS if name in context), None)
    words = {name: _number(value) for name, value in context.items()}
    for name, value in words.items():
        template = template.replace("{" + name + "}", str(value))
    return template.replace("{plural}", "" if count == 1 else "s")


def _number(value):
    # a whole number of a float field is shown as JSON shows it
    return repr(value) if isinstance(value, float) else value


class Line:
    """One thing that is wrong, at one place of the input."""

    __slots__ = ("kind", "context", "input", "location", "message", "custom")

    def __init__(
        self, kind: str, value: Any, context: Any = None, message: str | None = None, custom: bool = False
    ) -> None:
        self.kind, self.input, self.context, self.location, self.custom = kind, value, context, (), custom
        self.message = message if message is not None else _text(TEMPLATES[kind], context or {})

    def at(self, *location: Any) -> Self:
        self.location = location + self.location
        return self


class Failed(Exception):
    """What a validator raises: the lines of a ValidationError to be."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def at(self, *location: Any) -> Self:
        for line in self.lines:
            line.at(*location)
        return self


def fail(kind: str, value: Any, **context: Any) -> Failed:
    return Failed([Line(kind, value, context or None)])


class PydanticOmit(Exception):
    """A function raises it so that an item is left out."""

    def __repr__(self) -> str:
        return "PydanticOmit()"


class PydanticUseDefault(Exception):
    """A function raises it so that the default is taken."""


class SchemaError(Exception):
    """A schema that says nothing that can be validated."""

    def errors(self) -> list:
        return []

    def error_count(self) -> int:
        return 0


class PydanticSerializationError(ValueError):
    """A value that cannot be written."""


class PydanticSerializationUnexpectedValue(ValueError):
    """A value of another type than its field's."""


class PydanticCustomError(ValueError):
    """An error with words of its own."""

    def __init__(self, error_type: Any, message_template: Any, context: Any = None, /) -> None:
        self.type, self.message_template, self.context = error_type, message_template, context

    def message(self) -> Any:
        return _text(self.message_template, self.context or {})

    __str__ = message

    def __repr__(self) -> str:
        return f"{self.message()} [type={self.type}, context={self.context}]"


class PydanticKnownError(ValueError):
    """An error with words of pydantic."""

    def __init__(self, error_type: Any, context: Any = None, /) -> None:
        if error_type not in TEMPLATES:
            raise KeyError(f"Invalid error type: '{error_type}'")
        self.type, self.context = error_type, context

    @property
    def message_template(self) -> Any:
        return TEMPLATES[self.type]

    def message(self) -> Any:
        return _text(TEMPLATES[self.type], self.context or {})

    __str__ = message


def lines_of(error: Any, value: Any) -> Any:
    """The lines that an exception of a person's function stands for; None where it goes on as it is."""
    if isinstance(error, Failed):
        return error.lines
    if isinstance(error, ValidationError):
        return [line for line in error._lines]
    if isinstance(error, PydanticCustomError):
        return [Line(error.type, value, error.context, error.message(), custom=True)]
    if isinstance(error, PydanticKnownError):
        return [Line(error.type, value, error.context)]
    if isinstance(error, ValueError):
        return [Line("value_error", value, {"error": error})]
    if isinstance(error, AssertionError):
        return [Line("assertion_error", value, {"error": error})]
    return None


def _shown(value):
    text = repr(value)
    return text if len(text) <= 50 else f"{text[:25]}...{text[-24:]}"


def _place(location):
    return ".".join(str(part) for part in location)


def _address(kind):
    """Where pydantic explains an error; "latest" for who uses the core alone."""
    try:
        from pydantic.version import version_short
    except ImportError:
        return f"https://errors.pydantic.dev/latest/v/{kind}"
    return f"https://errors.pydantic.dev/{version_short()}/v/{kind}"


class ValidationError(ValueError):
    """All that is wrong with an input."""

    def __init__(self, title: str, lines: Sequence[str], hide_input: bool = False) -> None:
        self.title, self._lines, self._hides = title, lines, hide_input

    @classmethod
    def from_exception_data(
        cls, title: str, line_errors: Any, input_type: str = "python", hide_input: bool = False
    ) -> Self:
        lines = []
        for error in line_errors:
            kind, context = error["type"], error.get("ctx")
            value = error.get("input")
            if isinstance(kind, PydanticCustomError):
                line = Line(kind.type, value, kind.context, kind.message(), custom=True)
            else:
                line = Line(kind, value, context)
            lines.append(line.at(*error.get("loc", ())))
        return cls(title, lines, hide_input)

    def error_count(self) -> int:
        return len(self._lines)

    def errors(self, *, include_url: bool = True, include_context: bool = True, include_input: bool = True) -> list:
        found = []
        for line in self._lines:
            one = {"type": line.kind, "loc": line.location, "msg": line.message}
            if include_input:
                one["input"] = line.input
            if include_context and line.context is not None:
                one["ctx"] = line.context
            if include_url and not line.custom:
                one["url"] = _address(line.kind)
            found.append(one)
        return found

    def json(
        self, *, indent: Any = None, include_url: bool = True, include_context: bool = True, include_input: bool = True
    ) -> Any:
        from .writing import json_text

        return json_text(
            self.errors(include_url=include_url, include_context=include_context, include_input=include_input),
            indent=indent,
            unknown=str,
        )

    def __str__(self) -> str:
        count = len(self._lines)
        text = [f"{count} validation error{'' if count == 1 else 's'} for {self.title}"]
        for line in self._lines:
            if line.location:
                text.append(_place(line.location))
            about = f"[type={line.kind}"
            if not self._hides:
                about += f", input_value={_shown(line.input)}, input_type={type(line.input).__name__}"
            text.append(f"  {line.message} {about}]")
            if not line.custom:
                text.append(f"    For further information visit {_address(line.kind)}")
        return "\n".join(text)

    __repr__ = __str__
