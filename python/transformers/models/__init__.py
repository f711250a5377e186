"""One module per `model_type`. Importing this package makes all of them known, and the library's own parts of each as names of the same."""

import importlib
import os
import sys
import types

from torch._stand_ins import note

_PARTS = ("configuration", "modeling", "tokenization")


class _Part(types.ModuleType):
    """transformers.models.llama.modeling_llama and its like: what the family's module or the library's surface has."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        above, _, part = self.__name__.rpartition(".")
        if above == "transformers":  # where releases before 4 had it
            note("former_name", library=above, name=part)
            above = f"{__name__}.{part.partition('_')[2]}"
        family = sys.modules[above]
        found = getattr(family, name, None)
        return getattr(sys.modules["transformers"], name) if found is None else found


for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and _file != "__init__.py":
        _family = importlib.import_module(f"{__name__}.{_file[:-3]}")
        for _part in _PARTS:
            _name = f"{_part}_{_file[:-3]}"
            for _above in (_family.__name__, "transformers"):
                sys.modules.setdefault(f"{_above}.{_name}", _Part(f"{_above}.{_name}"))
