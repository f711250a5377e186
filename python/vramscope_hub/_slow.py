"""Tokenizers of transformers before 5 that read a vocabulary's own files (`BertTokenizer`): a placeholder has tokenizer.json alone,
so the class for that answers, with the numbers of tokens that AutoTokenizer gives.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_WHOLE = "tokenizer.json"


def wrap_slow(cls: Any) -> Any:
    """The class that such tokenizers are made from, with a `from_pretrained` that looks which files there are."""
    plain = cls.from_pretrained.__func__

    def from_pretrained(kind: Any, pretrained_model_name_or_path: Any, *inputs: Any, **options: Any) -> Any:
        if _is_whole(kind, os.fspath(pretrained_model_name_or_path), options):
            from transformers import PreTrainedTokenizerFast

            return PreTrainedTokenizerFast.from_pretrained(pretrained_model_name_or_path, *inputs, **options)
        return plain(kind, pretrained_model_name_or_path, *inputs, **options)

    cls.from_pretrained = classmethod(from_pretrained)
    return cls


def _is_whole(kind, name, options):
    """Whether of what the class reads nothing is there, and the vocabulary lies in one file for the other classes."""
    folder = options.get("subfolder") or ""
    if os.path.isdir(name):
        there = set(os.listdir(os.path.join(name, folder)))
    else:
        from ._cache import repository_of

        _, repository = repository_of(name, None, options.get("revision"), {"cache_dir": options.get("cache_dir")})
        start = f"{folder}/" if folder else ""
        files = () if repository is None else repository.files
        there = {file.removeprefix(start) for file in files if file.startswith(start)}
    return _WHOLE in there and not there & (set(kind.vocab_files_names.values()) - {_WHOLE})
