"""Schemas and inputs for pydantic_core, and what comes of each: run with the real one to record, and in the simulation to compare."""

try:
    from pydantic_core import SchemaSerializer, SchemaValidator, ValidationError, PydanticCustomError, PydanticOmit, PydanticUseDefault
except ImportError:
    from vramscope_pydantic import SchemaSerializer, SchemaValidator, ValidationError, PydanticCustomError, PydanticOmit, PydanticUseDefault
import dataclasses
import enum


class Colour(enum.Enum):
    red = "r"
    blue = "b"


class Model:
    __slots__ = "__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__"

    def __repr__(self):
        return f"Model({self.__dict__}, {sorted(self.__pydantic_fields_set__)}, {self.__pydantic_extra__})"


@dataclasses.dataclass
class Data:
    a: int
    b: str


def refuse(value):
    if value == 13:
        raise ValueError("unlucky")
    if value == 14:
        raise AssertionError("odd one")
    if value == 15:
        raise PydanticCustomError("mine", "{value} is not for me", {"value": value})
    if value == 16:
        raise PydanticOmit
    if value == 17:
        raise PydanticUseDefault
    return value


def with_info(value, info):
    return (value, info.field_name, dict(info.data or {}), info.mode, info.context)


def around(value, handler):
    return "wrapped" if value == "w" else handler(value)


INT, STR, FLOAT = {"type": "int"}, {"type": "str"}, {"type": "float"}


def field(schema, **more):
    return {"type": "model-field", "schema": schema, **more}


def fields(**named):
    return {"type": "model-fields", "fields": named}


def model(inner, **more):
    return {"type": "model", "cls": Model, "schema": inner, **more}


CHECKED = {"type": "function-after", "function": {"type": "no-info", "function": refuse}, "schema": INT}
CASES = [
    (INT, [1, "1", " 2 ", "1_0", 2.0, 2.5, "x", True, None, b"3", float("inf"), "3.0", "3.1", ""]),
    ({"type": "int", "ge": 1, "lt": 5, "multiple_of": 2}, [0, 2, 3, 5, 6]),
    ({"type": "int", "strict": True}, [1, "1", 1.0, True]),
    (FLOAT, ["1.5", 1, "nan", "x", True, None, b"2", []]),
    ({"type": "float", "gt": 0.5, "allow_inf_nan": False}, [0.5, 1, "inf"]),
    ({"type": "bool"}, [1, 0, "yes", "F", "maybe", 2, 1.5, None]),
    ({"type": "str", "min_length": 2, "max_length": 3, "strip_whitespace": True}, ["ab", " a ", "abcd", b"ab", 5]),
    ({"type": "str", "pattern": "^a+$"}, ["aa", "ab"]),
    ({"type": "bytes", "max_length": 2}, [b"ab", "abc", 1]),
    ({"type": "none"}, [None, 0]),
    ({"type": "any"}, [1, None]),
    ({"type": "literal", "expected": [1, "a"]}, [1, "a", "1", 2]),
    ({"type": "enum", "cls": Colour, "members": list(Colour)}, ["r", Colour.blue, "x", 1]),
    ({"type": "is-instance", "cls": Colour}, [Colour.red, "r"]),
    ({"type": "is-subclass", "cls": int}, [bool, str, 1]),
    ({"type": "callable"}, [len, 1]),
    ({"type": "list", "items_schema": INT, "min_length": 1, "max_length": 3}, [[1, "2"], (1,), [], [1, 2, 3, 4], ["x", 1, "y"], "ab", {1}]),
    ({"type": "set", "items_schema": INT}, [[1, 1], {2}, "a"]),
    ({"type": "set"}, [[[1]]]),
    ({"type": "frozenset", "items_schema": INT}, [[1]]),
    ({"type": "tuple", "items_schema": [INT, STR]}, [[1, "a"], (1,), (1, "a", 2), ("x", 3), "ab"]),
    ({"type": "tuple", "items_schema": [STR, INT], "variadic_item_index": 1}, [("a", 1, "2"), ("a",), (), ("a", "x")]),
    ({"type": "dict", "keys_schema": STR, "values_schema": INT}, [{"a": "1"}, {1: "x"}, [("a", 1)], None]),
    ({"type": "nullable", "schema": INT}, [None, "1", "x"]),
    ({"type": "union", "choices": [INT, STR]}, ["1", 1, 1.5, None]),
    ({"type": "union", "choices": [INT, FLOAT]}, ["1", "1.5", 1.5, True]),
    ({"type": "union", "choices": [FLOAT, STR], "mode": "left_to_right"}, ["1", "x", None]),
    ({"type": "chain", "steps": [STR, INT]}, ["3", 3]),
    (CHECKED, [1, 13, 14, 15]),
    ({"type": "list", "items_schema": CHECKED}, [[1, 16, 2], [13, "x"]]),
    ({"type": "default", "schema": CHECKED, "default": 99}, [1, 17, "x"]),
    ({"type": "default", "schema": INT, "default": 9, "on_error": "default"}, ["x"]),
    ({"type": "function-before", "function": {"type": "no-info", "function": lambda v: v * 2}, "schema": INT}, [2, "1"]),
    ({"type": "function-wrap", "function": {"type": "no-info", "function": around}, "schema": INT}, ["w", "3", "q"]),
    ({"type": "function-plain", "function": {"type": "with-info", "function": with_info}}, [1]),
    ({"type": "lax-or-strict", "lax_schema": STR, "strict_schema": INT}, [1, "a"]),
    ({"type": "json", "schema": {"type": "list", "items_schema": INT}}, ["[1]", '["x"]', 5]),
    ({"type": "custom-error", "schema": INT, "custom_error_type": "own", "custom_error_message": "No"}, ["x"]),
    (
        fields(a=field(INT), b=field({"type": "default", "schema": STR, "default": "d"}), c=field({"type": "default", "schema": {"type": "function-plain", "function": {"type": "with-info", "function": with_info}}, "default": 0})),
        [{"a": "1"}, {"a": 1, "b": "x", "c": 5, "z": 1}, {}, {"a": "x", "b": 1}, 5],
    ),
    ({**fields(a=field(INT)), "extra_behavior": "forbid"}, [{"a": 1, "b": 2}]),
    ({**fields(a=field(INT)), "extra_behavior": "allow"}, [{"a": 1, "b": 2}]),
    (fields(a=field(INT, validation_alias="A"), b=field({"type": "default", "schema": INT, "default": 1}, validation_alias=[["x", 0], ["y"]])), [{"A": 1}, {"a": 1}, {"A": "q", "x": [5]}, {"A": 1, "y": "z"}]),
    (model(fields(a=field(INT), b=field({"type": "default", "schema": STR, "default": "d"}))), [{"a": "1"}, {"a": "x"}, 3]),
    (model(fields(m=field(model(fields(a=field(INT))))), config={"title": "Outer"}), [{"m": {"a": "5"}}, {"m": {"a": "x"}}, {"m": 1}]),
    ({"type": "typed-dict", "fields": {"a": {"type": "typed-dict-field", "schema": INT}, "b": {"type": "typed-dict-field", "schema": STR, "required": False}}}, [{"a": "1"}, {"b": 2}, 1]),
    (
        {"type": "dataclass", "cls": Data, "fields": ["a", "b"], "schema": {"type": "dataclass-args", "dataclass_name": "Data", "fields": [{"type": "dataclass-field", "name": "a", "schema": INT}, {"type": "dataclass-field", "name": "b", "schema": STR}]}},
        [{"a": "1", "b": "x"}, {"a": "x"}, Data(1, "q"), 4],
    ),
    (
        {"type": "tagged-union", "discriminator": "k", "choices": {"x": fields(k=field(STR), a=field(INT)), "y": fields(k=field(STR), b=field(STR))}},
        [{"k": "x", "a": "1"}, {"k": "y", "b": 1}, {"k": "z"}, {}],
    ),
    (
        {"type": "definitions", "schema": {"type": "definition-ref", "schema_ref": "n"}, "definitions": [{**fields(v=field(INT), kids=field({"type": "default", "schema": {"type": "list", "items_schema": {"type": "definition-ref", "schema_ref": "n"}}, "default": []})), "ref": "n"}]},
        [{"v": 1, "kids": [{"v": "2"}]}, {"v": 1, "kids": [{"v": 1, "kids": [{}]}]}],
    ),
    (
        {"type": "call", "function": lambda a, b=2, *c, k: (a, b, c, k), "arguments_schema": {"type": "arguments", "arguments_schema": [{"name": "a", "schema": INT}, {"name": "b", "schema": {"type": "default", "schema": INT, "default": 7}}, {"name": "k", "mode": "keyword_only", "schema": STR}], "var_args_schema": INT}},
        [{"a": "1", "k": "x"}, (1, 2), {"a": 1, "k": "x", "z": 1}, {}],
    ),
    ({"type": "decimal", "max_digits": 3, "decimal_places": 1}, ["1.5", 1.25, "1234", "x"]),
    ({"type": "complex"}, ["1+2j", 1, "x"]),
    ({"type": "timedelta"}, ["P1DT2H", 60, "x"]),
    ({"type": "date"}, ["2020-01-02", 0]),
    ({"type": "datetime"}, ["2020-01-02T03:04:05", "2020-01-02T03:04:05Z", 0]),
    ({"type": "uuid"}, ["12345678-1234-5678-1234-567812345678", 1]),
    ({"type": "url"}, ["https://a.b/c?d=e#f", "http://", 1]),
]
WRITTEN = [
    ({"type": "any"}, {"a": (1, {2}), 3: b"x", None: Colour.red}),
    ({"type": "list", "items_schema": {"type": "any", "serialization": {"type": "function-plain", "function": lambda v: v * 2}}}, [1, 2]),
    ({"type": "int", "serialization": {"type": "to-string"}}, 5),
    ({"type": "float", "serialization": {"type": "format", "formatting_string": ".2f"}}, 1.0),
    (fields(a=field(INT, serialization_alias="A"), b=field(INT, serialization_exclude=True)), {"a": 1, "b": 2}),
]


def shown(value):
    """Sets in their order."""
    return f"({', '.join(map(shown, value))})" if isinstance(value, tuple) else repr(sorted(value)) if isinstance(value, set) else repr(value)


for schema, inputs in CASES:
    validator = SchemaValidator(schema)
    print(validator.title)
    for value in inputs:
        for strict in (None, True):
            try:
                print("  ok", shown(validator.validate_python(value, strict=strict, context="c")))
            except ValidationError as error:
                lines = [(e["type"], e["loc"], e["msg"], {k: str(v) for k, v in e.get("ctx", {}).items()}) for e in error.errors(include_url=False)]
                print("  no", error.title, lines)
for schema, value in WRITTEN:
    writer = SchemaSerializer(schema)
    if schema["type"] != "model-fields":
        print(writer.to_python(value), writer.to_python(value, mode="json"), writer.to_json(value))
