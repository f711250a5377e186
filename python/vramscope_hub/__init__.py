"""The Hugging Face hub without a network: what `huggingface_hub` asks for is placed in its cache first, as far as it is known here.

A file comes from the person's own cache, or is made from what is bundled: configurations as published, weights as headers of shapes and
dtypes, vocabularies as placeholders; what is pushed there goes nowhere. All libraries that load by a hub id go through two functions of `huggingface_hub`; nothing of the
libraries themselves is replaced. Everything else that would need a connection says that there is none.
"""

from __future__ import annotations

import importlib.machinery
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


_WRAPPED = {
    "huggingface_hub.file_download": "hf_hub_download",
    "huggingface_hub._snapshot_download": "snapshot_download",
    "huggingface_hub.utils._http": "get_session",
    "huggingface_hub.hf_api": "HfApi",
    "huggingface_hub._login": "login",
    "transformers.tokenization_utils": "PreTrainedTokenizer",
}


def watch() -> None:
    """From now on these functions know what is bundled, and that nothing can be fetched."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)


class Finder:
    """Finds the modules that fetch, as they are installed, and wraps their functions when they have run."""

    @staticmethod
    def find_spec(fullname: Any, path: str | None = None, target: Any = None) -> Any:
        if fullname not in _WRAPPED:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_wrap(module):
                from ._cache import WRAPPERS

                execute(module)
                name = _WRAPPED[fullname]
                setattr(module, name, WRAPPERS[name](getattr(module, name)))

            spec.loader.exec_module = execute_and_wrap
        return spec
