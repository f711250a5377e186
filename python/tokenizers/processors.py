"""tokenizers.processors: special tokens around a text; their number is real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._parts import Part, kinds, state_of

if TYPE_CHECKING:
    from typing import Any


_FIELDS = {
    "BertProcessing": "sep cls",
    "ByteLevel": "trim_offsets",
    "RobertaProcessing": "sep cls trim_offsets add_prefix_space",
    "Sequence": "processors",
    "TemplateProcessing": "single pair special_tokens",
}
globals().update(kinds(__name__, "PostProcessor", _FIELDS))


def added(processor: Any, tokenizer: Any, is_pair: bool = False) -> tuple[list[int], list[int], list[int]]:
    """The ids before a text, between two and after the last."""
    state = state_of(processor) or {}
    kind = state.get("type")
    if kind == "Sequence":
        found = ([], [], [])
        for part in state["processors"]:
            more = added(part, tokenizer, is_pair)
            found = (more[0] + found[0], found[1] + more[1], found[2] + more[2])
        return found
    if kind == "TemplateProcessing":
        return _template(state.get("pair" if is_pair else "single") or "$A", tokenizer)
    if kind in ("BertProcessing", "RobertaProcessing"):
        separator, begin = [state["sep"][1]], [state["cls"][1]]
        between = separator * (2 if kind == "RobertaProcessing" else 1) if is_pair else []
        return begin, between, separator
    return [], [], []


def _template(pieces, tokenizer):
    found, seen = ([], [], []), 0
    for piece in pieces.split() if isinstance(pieces, str) else pieces:
        if isinstance(piece, str):
            token = None if piece.startswith("$") else piece.rpartition(":")[0] or piece
        else:
            token = piece["SpecialToken"]["id"] if "SpecialToken" in piece else None
        if token is None:
            seen += 1
            continue
        number = tokenizer.token_to_id(token)
        found[seen].append(0 if number is None else number)
    # what stands behind a single text is after it
    return found if seen > 1 else (found[0], [], found[1])


def num_special_tokens_to_add(self: Any, is_pair: Any) -> int:
    return 0


def process(self: Any, encoding: Any, pair: Any = None, add_special_tokens: bool = True) -> Any:
    return encoding


Part.num_special_tokens_to_add, Part.process = num_special_tokens_to_add, process
