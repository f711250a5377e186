"""What a program is called in a record."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


CORPUS = pathlib.Path(__file__).resolve().parents[3] / "test" / "conformance"


def name_of(program: Any) -> str:
    """`subject/program` in the corpus, which has a folder for each subject; elsewhere a program is called as its file."""
    named = program.relative_to(CORPUS) if CORPUS in program.parents else pathlib.Path(program.name)
    return str(named.with_suffix(""))
