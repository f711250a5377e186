"""Special tokens by role: `eos_token`, `eos_token_id` and the like. transformers/tokenization_utils_base.py: SPECIAL_TOKENS_ATTRIBUTES"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

ROLES = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")


class SpecialTokens:
    """`_special` has the tokens that are set."""

    _special: dict

    @property
    def special_tokens_map(self) -> dict:
        return dict(self._special)

    @property
    def all_special_tokens(self) -> list:
        return list(dict.fromkeys([*self._special.values(), *self.additional_special_tokens]))

    @property
    def all_special_ids(self) -> list:
        return [self.convert_tokens_to_ids(token) for token in self.all_special_tokens]


def _token(role: str) -> property:
    def get(self: SpecialTokens) -> Any:
        return self._special.get(role)

    def put(self: SpecialTokens, token: Any) -> None:
        if token is None:
            self._special.pop(role, None)
        else:
            self._special[role] = str(token)

    return property(get, put)


def _id(role: str) -> property:
    def get(self: SpecialTokens) -> Any:
        token = self._special.get(role)
        return None if token is None else self.convert_tokens_to_ids(token)

    def put(self: SpecialTokens, index: Any) -> None:
        setattr(self, role, None if index is None else self.convert_ids_to_tokens(index))

    return property(get, put)


for _role in ROLES:
    setattr(SpecialTokens, _role, _token(_role))
    setattr(SpecialTokens, f"{_role}_id", _id(_role))
