"""What is raised for texts that are no YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING


if TYPE_CHECKING:
    from typing import Any


class YAMLError(Exception):
    """Any error."""


class MarkedYAMLError(YAMLError):
    """One at a line."""

    def __init__(self, problem: Any = None, line: int | None = None) -> None:
        super().__init__(problem if line is None else f'{problem}\n  in "<yaml>", line {line}')
        self.problem, self.problem_mark = problem, None
