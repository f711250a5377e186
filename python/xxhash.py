"""A stand-in for xxhash: digests of the right length that tell contents apart; their bits are those of another hash."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from torch._stand_ins import lacks

if TYPE_CHECKING:
    from typing import Any, Self

__version__ = "3.6.0"


class _Hash:
    digest_size, block_size, name = 8, 32, "XXH64"

    def __init__(self, data: Any = b"", seed: int = 0) -> None:
        self.seed = seed
        self.reset()
        self.update(data)

    def reset(self) -> None:
        self._made = hashlib.blake2b(digest_size=self.digest_size, salt=self.seed.to_bytes(8, "little"))

    def update(self, data: Any) -> None:
        self._made.update(data.encode() if isinstance(data, str) else bytes(data))

    def digest(self) -> bytes:
        return self._made.digest()

    def hexdigest(self) -> str:
        return self._made.hexdigest()

    def intdigest(self) -> int:
        return int.from_bytes(self.digest(), "big")

    def copy(self) -> Self:
        made = type(self)(seed=self.seed)
        made._made = self._made.copy()
        return made


for _name, _size in {"xxh32": 4, "xxh64": 8, "xxh3_64": 8, "xxh3_128": 16, "xxh128": 16}.items():
    _kind = vars()[_name] = type(_name, (_Hash,), {"digest_size": _size, "name": _name.upper()})
    for _form in ("digest", "hexdigest", "intdigest"):
        vars()[f"{_name}_{_form}"] = lambda data=b"", seed=0, _kind=_kind, _form=_form: getattr(
            _kind(data, seed), _form
        )()
__getattr__ = lacks(__name__)
