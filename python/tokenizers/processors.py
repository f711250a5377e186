"""tokenizers.processors: special tokens around a text; their number is real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._parts import Part, kinds

if TYPE_CHECKING:
    from typing import Any


globals().update(
    kinds(__name__, "PostProcessor", "BertProcessing ByteLevel RobertaProcessing Sequence TemplateProcessing")
)


def added(processor: Any, tokenizer: Any) -> tuple:
    """The ids before and after one text."""
    state = processor if isinstance(processor, dict) else processor._json() if isinstance(processor, Part) else {}
    kind = state.get("type")
    if kind == "Sequence":
        parts = getattr(processor, "processors", None) or state.get("processors") or (processor._args[0] if getattr(processor, "_args", ()) else [])  # fmt: skip
        before, after = [], []
        for part in parts:
            first, last = added(part, tokenizer)
            before, after = first + before, after + last
        return before, after
    if kind == "TemplateProcessing":
        return _template(processor, state, tokenizer)
    if kind in ("BertProcessing", "RobertaProcessing"):
        pair = list(getattr(processor, "_args", ())) or [state.get("sep"), state.get("cls")]
        ids = [p[1] for p in pair if p]
        return ids[1:2], ids[:1]
    return [], []


def _template(processor, state, tokenizer):
    single = state.get("single") or (processor._args[0] if getattr(processor, "_args", ()) else "$A")
    pieces = single.split() if isinstance(single, str) else single
    before, after, seen = [], [], False
    for piece in pieces:
        if isinstance(piece, dict):
            if "Sequence" in piece:
                seen = True
                continue
            token = piece["SpecialToken"]["id"]
        else:
            if piece.startswith("$"):
                seen = True
                continue
            token = piece.partition(":")[0]
        found = tokenizer.token_to_id(token)
        (after if seen else before).append(0 if found is None else found)
    return before, after


def num_special_tokens_to_add(self: Any, is_pair: Any) -> int:
    return 0


def process(self: Any, encoding: Any, pair: Any = None, add_special_tokens: bool = True) -> Any:
    return encoding


Part.num_special_tokens_to_add, Part.process = num_special_tokens_to_add, process
