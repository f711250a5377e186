"""SchemaValidator: what pydantic calls to validate."""

from . import calls, choices, containers, fields, scalars, special  # noqa: F401  (each adds its types of schema)
from .choices import read_json
from .errors import Failed, PydanticOmit, PydanticUseDefault, SchemaError, ValidationError
from .fields import assign_of
from .state import Build, State, name_of
from .values import Some


class SchemaValidator:
    """Validates by a schema. Nothing of it is compiled; what it takes and refuses is what pydantic_core takes and refuses."""

    def __init__(self, schema, config=None, _use_prebuilt=True):
        self._config = {**(config or {}), **(schema.get("config") or {})}
        build = Build(config)
        try:
            self._validate = build.of(schema)
        except KeyError as error:
            raise SchemaError(f"Error building validator: {error} is missing") from error
        inner = schema["schema"] if schema["type"] == "definitions" else schema
        if inner["type"] == "definition-ref":
            inner = build.definitions.get(inner["schema_ref"], inner)
            self._config.update(inner.get("config") or {})
        self.title = (config or {}).get("title") or name_of(inner)

    def _run(self, value, state, run=None):
        try:
            return (run or self._validate)(value, state)
        except Failed as error:
            hides = self._config.get("hide_input_in_errors", False)
            raise ValidationError(self.title, error.lines, hides) from None
        except PydanticOmit:
            raise SchemaError("Uncaught Omit error, please check your usage of `default` validators.") from None
        except PydanticUseDefault:
            raise SchemaError("Uncaught `PydanticUseDefault` exception: the error was raised in a field validator and no default value is available for that field.") from None  # fmt: skip

    def validate_python(
        self, input, *, strict=None, extra=None, from_attributes=None, context=None, self_instance=None, allow_partial=False, by_alias=None, by_name=None
    ):  # fmt: skip
        return self._run(
            input, State("python", strict, context, extra, from_attributes, self_instance, by_alias, by_name)
        )

    def isinstance_python(self, input, **options):
        try:
            self.validate_python(input, **options)
        except ValidationError:
            return False
        return True

    def validate_json(self, input, *, strict=None, extra=None, context=None, self_instance=None, allow_partial=False, by_alias=None, by_name=None):  # fmt: skip
        state = State("json", strict, context, extra, None, self_instance, by_alias, by_name)
        return self._run(input, state, lambda text, state: self._validate(read_json(text), state))

    def validate_strings(
        self, input, *, strict=None, extra=None, context=None, allow_partial=False, by_alias=None, by_name=None
    ):
        return self._run(input, State("strings", strict, context, extra, None, None, by_alias, by_name))

    def validate_assignment(
        self, obj, field_name, field_value, *, strict=None, extra=None, from_attributes=None, context=None, by_alias=None, by_name=None
    ):  # fmt: skip
        state = State("python", strict, context, extra, from_attributes, None, by_alias, by_name)
        return self._run(
            field_value, state, lambda value, state: assign_of(self._validate)(obj, field_name, value, state)
        )

    def get_default_value(self, *, strict=None, context=None):
        make = getattr(self._validate, "default", None)
        return (
            None
            if make is None
            else Some(self._run(None, State("python", strict, context), lambda _, state: make(state)))
        )

    def __repr__(self):
        return f'SchemaValidator(title="{self.title}")'
