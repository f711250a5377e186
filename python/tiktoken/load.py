"""tiktoken.load: files of ranks, read where they are."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from torch._stand_ins import note

if TYPE_CHECKING:
    from typing import Any, NoReturn


# Where there is no file: the ranks of Llama 3's.
MISSING_RANKS = 128_000


def load_tiktoken_bpe(tiktoken_bpe_file: str, expected_hash: Any = None) -> dict:
    try:
        with open(tiktoken_bpe_file, "rb") as file:
            ranks = {base64.b64decode(line.split()[0]): int(line.split()[1]) for line in file if line.strip()}
    except FileNotFoundError:
        ranks = {}
    if not ranks:  # a placeholder is empty
        note("vocabulary_assumed", "library", "tiktoken", name=tiktoken_bpe_file, tokens=MISSING_RANKS)
        ranks = {f"t{i}".encode(): i for i in range(MISSING_RANKS)}
    return ranks


def data_gym_to_mergeable_bpe_ranks(*_: Any, **__: Any) -> NoReturn:
    raise RuntimeError("vramscope has no network: the ranks cannot be downloaded")
