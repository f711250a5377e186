"""class Checkpoint: a saved file that nobody has. What it holds is asked of the model that loads it: names and shapes are the model's own.

Reading it anywhere else says so: numbers that count (`epoch`, `step`, `best_loss`) start at 0, other entries are unknown in turn.
"""

from __future__ import annotations

import linecache
import opcode
import os
import re
import sys
import weakref
from typing import TYPE_CHECKING

from . import _C, _checkpoint_questions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Self

    import torch


_COUNTS = re.compile(r"epoch|step|iter|best|loss|acc|score|round|seen", re.IGNORECASE)
# of a whole model that was saved: what gives it back, and its tensors
_OF_MODELS = frozenset("float half double bfloat16 eval train cpu cuda to requires_grad_ state_dict".split())
_walked = []  # those whose entries a program went through: it makes another dictionary of them


class Checkpoint(dict):
    """Empty to look at; `load_state_dict` fills it."""

    def __init__(self, name: str, device: torch.device | str | int | None = None) -> None:
        super().__init__()
        self.name, self.device = name, device
        # entries live as long as the file's own would
        self._entries, self._tensors = {}, None

    def __reduce__(self) -> tuple:
        return Checkpoint, (self.name, self.device)

    def __missing__(self, key: Any) -> Any:
        if not isinstance(key, str):
            from vramscope_data import readers

            writers = readers.writers(self.name)
            made = f"; {' or '.join(writers)} may write it (vramscope run --save-files DIR keeps what a run writes)"
            raise TypeError(
                f"vramscope: {self.name} is not there, and the program reads it as an array or a list: "
                f"--data {os.path.basename(self.name)}=float64[100x1000], with its own dtype and shape, says what it holds"
                f"{made if writers else ''}"
            )
        if _COUNTS.search(key):
            return 0
        return self._entry(key)

    def _entry(self, key):
        if key not in self._entries:
            self._entries[key] = Checkpoint(f"{self.name}[{key!r}]", self.device)
        return self._entries[key]

    def pop(self, key: Any, *default: Any) -> Any:
        return default[0] if default else self[key]

    def __delitem__(self, key: Any) -> None:
        """Who takes an entry out does not want it; the model decides what is left."""

    def copy(self) -> Self:
        return self

    def items(self) -> Iterable:
        if _wants_first(sys._getframe(1)):
            return [("", self._entry(""))]
        _walked.append(weakref.ref(self))
        return super().items()

    def keys(self) -> Iterable:
        if _wants_first(sys._getframe(1)):
            return [""]
        _walked.append(weakref.ref(self))
        return super().keys()

    def __iter__(self) -> Iterator:
        count = _names_wanted(sys._getframe(1))
        if count:
            # a tuple of things that were saved together
            return iter([self._entry(place) for place in range(count)])
        if _wants_first(sys._getframe(1)):
            return iter([""])
        _walked.append(weakref.ref(self))
        return super().__iter__()

    def __contains__(self, key: Any) -> bool:
        return super().__contains__(key) or _checkpoint_questions.holds(key, sys._getframe(1))

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        if attribute in _OF_MODELS:
            return lambda *args, **options: self
        raise AttributeError(
            f"vramscope: {self.name} is not there. It would answer for a model's load_state_dict; what else it holds "
            f"('{attribute}' is asked for) nobody can know"
        )

    def answer(self, module: torch.nn.Module) -> Any:
        """What the file would have held for this module, on the device that it is loaded to."""
        import torch

        if self._tensors is not None:
            return self._tensors
        made = type(module.state_dict())()
        with torch.no_grad():
            for key, value in module.state_dict().items():
                if not isinstance(value, torch.Tensor):
                    continue
                device = self.device if self.device is not None else "cpu"
                made[key] = torch.empty(value.shape, dtype=value.dtype, device=device)
        _C._js.assume("checkpoint_of_model", _C.here(), "file", f"{self.name} ({len(made)} tensors)")
        self._tensors = made
        return made


_UNPACK = opcode.opmap["UNPACK_SEQUENCE"]


# how programs look at the first name of a file, to see whether `module.` stands before it
_FIRST = re.compile(r"next\(\s*iter\(|list\(.*\)\[0\]")


def _wants_first(frame):
    """Whether the line looks at one entry, and copies none: a name without anything before it answers."""
    return _FIRST.search(linecache.getline(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)) is not None


def _names_wanted(frame):
    """Into how many names the running instruction puts what it is given; 0 where it does something else."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at + 1] if 0 <= at < len(code) and code[at] == _UNPACK else 0


def of(state_dict: dict) -> Any:
    """The checkpoint that stands behind a dictionary: itself, or the one whose entries made an empty dictionary."""
    if isinstance(state_dict, Checkpoint):
        return state_dict
    return _walked[-1]() if _walked and isinstance(state_dict, dict) and not state_dict else None
