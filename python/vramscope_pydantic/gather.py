"""Which definitions a schema refers to, and how often: pydantic puts those used once in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any


# Keys of schemas under which others lie: one, several, or by name.
_ONE = frozenset(
    "schema items_schema keys_schema values_schema lax_schema strict_schema json_schema python_schema extras_schema extras_keys_schema "
    "var_args_schema var_kwargs_schema arguments_schema return_schema json_schema_input_schema serialization".split()
)
_SEVERAL = frozenset("definitions choices steps computed_fields fields".split())


class MissingDefinitionError(LookupError):
    """A reference points to nothing."""

    def __init__(self, schema_reference: Any, /) -> None:
        self.schema_reference = schema_reference


def gather_schemas_for_cleaning(schema: Any, definitions: Any) -> tuple:
    references, deferred = {}, []

    def walk(one):
        if isinstance(one, tuple):
            one = one[0]
        if not isinstance(one, dict):
            return
        if one.get("type") == "definition-ref":
            ref = one["schema_ref"]
            if ref in references:
                # met a second time: it stays a reference
                references[ref] = None
                return
            if ref not in definitions:
                raise MissingDefinitionError(ref)
            references[ref] = one
            walk(definitions[ref])
            walk(one.get("serialization"))
            note(one)
            return
        for key, inner in one.items():
            if key in _ONE and not isinstance(inner, list):
                walk(inner)
            elif key in _ONE or key in _SEVERAL:
                for part in inner.values() if isinstance(inner, dict) else inner:
                    walk(part)
        note(one)

    def note(one):
        if "pydantic_internal_union_discriminator" in (one.get("metadata") or {}):
            deferred.append(one)

    walk(schema)
    return references, deferred
