"""SchemaValidator: what pydantic calls to validate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import calls, choices, containers, fields, scalars, special  # noqa: F401  (each adds its types of schema)
from .choices import read_json
from .errors import Failed, PydanticOmit, PydanticUseDefault, SchemaError, ValidationError
from .fields import assign_of
from .state import Build, State, name_of
from .values import Some

if TYPE_CHECKING:
    from typing import Any


class SchemaValidator:
    """Validates by a schema. Nothing of it is compiled; what it takes and refuses is what pydantic_core takes and refuses."""

    def __init__(self, schema: Any, config: Any = None, _use_prebuilt: bool = True) -> None:
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
        self, input: Any, *, strict: bool | None=None, extra: Any=None, from_attributes: Any=None, context: Any=None, self_instance: Any=None, allow_partial: bool=False, by_alias: Any=None, by_name: str | None=None
    ) -> Any:  # fmt: skip
        return self._run(
            input, State("python", strict, context, extra, from_attributes, self_instance, by_alias, by_name)
        )

    def isinstance_python(self, input: Any, **options: Any) -> bool:
        try:
            self.validate_python(input, **options)
        except ValidationError:
            return False
        return True

    def validate_json(self, input: Any, *, strict: bool | None=None, extra: Any=None, context: Any=None, self_instance: Any=None, allow_partial: bool=False, by_alias: Any=None, by_name: str | None=None) -> Any:  # fmt: skip
        state = State("json", strict, context, extra, None, self_instance, by_alias, by_name)
        return self._run(input, state, lambda text, state: self._validate(read_json(text), state))

    def validate_strings(
        self,
        input: Any,
        *,
        strict: bool | None = None,
        extra: Any = None,
        context: Any = None,
        allow_partial: bool = False,
        by_alias: Any = None,
        by_name: str | None = None,
    ) -> Any:
        return self._run(input, State("strings", strict, context, extra, None, None, by_alias, by_name))

    def validate_assignment(
        self, obj: Any, field_name: str, field_value: Any, *, strict: bool | None=None, extra: Any=None, from_attributes: Any=None, context: Any=None, by_alias: Any=None, by_name: str | None=None
    ) -> Any:  # fmt: skip
        state = State("python", strict, context, extra, from_attributes, None, by_alias, by_name)
        return self._run(
            field_value, state, lambda value, state: assign_of(self._validate)(obj, field_name, value, state)
        )

    def get_default_value(self, *, strict: bool | None = None, context: Any = None) -> Any:
        make = getattr(self._validate, "default", None)
        return (
            None
            if make is None
            else Some(self._run(None, State("python", strict, context), lambda _, state: make(state)))
        )

    def __repr__(self) -> str:
        return f'SchemaValidator(title="{self.title}")'
