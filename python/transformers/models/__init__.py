"""One module per `model_type`. Importing this package makes all of them known."""

import importlib
import os

for _file in sorted(os.listdir(os.path.dirname(__file__))):
    if _file.endswith(".py") and _file != "__init__.py":
        importlib.import_module(f"{__name__}.{_file[:-3]}")
