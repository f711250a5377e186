"""Validators of the arguments of a call."""

from .errors import Failed, Line, fail
from .lookup import looked_up, ways
from .state import kind
from .values import ArgsKwargs

_MISSING = {
    "positional_only": "missing_positional_only_argument",
    "positional_or_keyword": "missing_argument",
    "keyword_only": "missing_keyword_only_argument",
}


@kind("arguments", "arguments-v3")
def _arguments(build, schema):
    config = build.config
    by_alias = schema.get("validate_by_alias", config.get("validate_by_alias", True))
    by_name = schema.get("validate_by_name", config.get("validate_by_name", schema.get("populate_by_name", False)))
    several, named = schema.get("var_args_schema"), schema.get("var_kwargs_schema")
    several, named = several and build.of(several), named and build.of(named)
    parameters = []
    for one in schema["arguments_schema"]:
        mode = one.get("mode", "positional_or_keyword")
        if mode == "var_args":
            several = build.of(one["schema"])
        elif mode.startswith("var_kwargs"):
            named = build.of(one["schema"])
        else:
            parameters.append(
                (one["name"], mode, ways(one["name"], one.get("alias"), by_alias, by_name), build.of(one["schema"]))
            )

    def validate(value, state):
        if isinstance(value, ArgsKwargs):
            args, kwargs = value.args, dict(value.kwargs or {})
        elif isinstance(value, (tuple, list)):
            args, kwargs = tuple(value), {}
        elif isinstance(value, dict):
            args, kwargs = (), dict(value)
        else:
            raise fail("arguments_type", value)
        found, found_named, lines, used = [], {}, [], set()
        places = 0
        for i, (name, mode, places_of, check) in enumerate(parameters):
            by_place = mode != "keyword_only"
            places += by_place
            got = (args[i],) if by_place and i < len(args) else ()
            location = (i,)
            if mode != "positional_only":
                used.update(way[0] for way in places_of)
                way = next((one for one in places_of if looked_up(kwargs, one)), None)
                if way is not None and got:
                    lines.append(Line("multiple_argument_values", kwargs[way[0]]).at(*way))
                    continue
                if way is not None:
                    got, location = looked_up(kwargs, way), tuple(way)
            by_keyword = mode == "keyword_only" or (got and location != (i,))
            try:
                if not got:
                    default = getattr(check, "default", None)
                    if default is None:
                        at = (i,) if mode == "positional_only" else tuple(places_of[0])
                        lines.append(Line(_MISSING[mode], value).at(*at))
                        continue
                    result = default(state)
                    by_keyword = mode == "keyword_only" or bool(found_named)
                else:
                    result = check(got[0], state)
            except Failed as error:
                lines.extend(error.at(*location).lines)
                continue
            if by_keyword or (found_named and mode != "positional_only"):
                found_named[name] = result
            else:
                found.append(result)
        for i in range(places, len(args)):
            if several is None:
                lines.append(Line("unexpected_positional_argument", args[i]).at(i))
                continue
            try:
                found.append(several(args[i], state))
            except Failed as error:
                lines.extend(error.at(i).lines)
        for key, item in kwargs.items():
            if key in used:
                continue
            if named is None:
                lines.append(Line("unexpected_keyword_argument", item).at(key))
                continue
            try:
                found_named[key] = named(item, state)
            except Failed as error:
                lines.extend(error.at(key).lines)
        if lines:
            raise Failed(lines)
        return tuple(found), found_named

    return validate
