"""Trainers of unsloth's programs: those of trl, which take arguments of former releases, too."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("unsloth.trainer")

# names of former releases, and today's
_RENAMED = {"max_seq_length": "max_length", "tokenizer": "processing_class", "evaluation_strategy": "eval_strategy"}


def accept_former_arguments() -> None:
    """Classes of trl that are asked for from now on take the arguments that they once had."""
    import trl

    kind = type(trl)

    class Patched(kind):
        def __getattr__(self, name):
            value = super().__getattr__(name)
            if isinstance(value, type) and name.endswith(("Trainer", "Config")):
                _accept(value)
            return value

    trl.__class__ = Patched
    for name, value in list(vars(trl).items()):
        if isinstance(value, type) and name.endswith(("Trainer", "Config")):
            _accept(value)


def _accept(kind):
    if "_vramscope_accepts" in vars(kind):
        return
    kind._vramscope_accepts = True
    if dataclasses.is_dataclass(kind):
        kind.__init__ = _tolerant(kind.__init__, [field.name for field in dataclasses.fields(kind)])
    elif kind.__name__.endswith("Trainer"):
        kind.__init__ = _trainer(kind.__init__)


def _tolerant(init, known):
    @functools.wraps(init)
    def __init__(self, *args, **more):
        renamed = {_RENAMED.get(name, name) if name not in known else name: value for name, value in more.items()}
        for name in [n for n in renamed if n not in known]:
            note("unsloth_ignored", "name", name)
            del renamed[name]
        init(self, *args, **renamed)

    return __init__


def _trainer(init):
    accepted = set(inspect.signature(init).parameters)

    @functools.wraps(init)
    def __init__(self, *args, **more):
        settings = {}
        for name in [n for n in more if n not in accepted]:
            value = more.pop(name)
            today = _RENAMED.get(name, name)
            if today in accepted:
                more[today] = value
            else:
                settings[today] = value
        if settings:
            more["args"] = _with_settings(more.get("args"), settings, self)
        init(self, *args, **more)

    return __init__


def _with_settings(given, settings, trainer):
    """The trainer's configuration with what was once said to the trainer itself."""
    trl = sys.modules["trl"]
    own = getattr(trl, type(trainer).__name__.removesuffix("Trainer") + "Config", None)
    own = own if own is not None else trl.SFTConfig
    if given is None:
        given = own("outputs")
    elif not isinstance(given, own):
        fields = {field.name for field in dataclasses.fields(own) if field.init}
        given = own(**{name: value for name, value in given.to_dict().items() if name in fields})
    for name, value in settings.items():
        if value is None:
            continue
        if hasattr(given, name):
            setattr(given, name, value)
        else:
            note("unsloth_ignored", "name", name)
    return given


def UnslothTrainer(*args: Any, **more: Any) -> Any:
    """trl's, taken when it is used: importing it takes a while."""
    return sys.modules["trl"].SFTTrainer(*args, **more)


def UnslothTrainingArguments(*args: Any, **more: Any) -> Any:
    return sys.modules["trl"].SFTConfig(*args, **more)


def unsloth_train(trainer: Any, *args: Any, **more: Any) -> Any:
    return trainer.train(*args, **more)


def PatchDPOTrainer() -> None:
    """Nothing to do: trl's own runs."""


PatchKTOTrainer = PatchDPOTrainer


def PatchFastRL(*args: Any, **more: Any) -> None:
    """Nothing to do: trl's own runs."""


class UnslothVisionDataCollator:
    """Batches of conversations with pictures, by the model's processor."""

    def __init__(self, model: Any, processor: Any, *args: Any, **more: Any) -> None:
        self.processor = processor

    def __call__(self, examples: list) -> Any:
        texts, pictures = [], []
        for example in examples:
            messages = example["messages"]
            texts.append(self.processor.apply_chat_template(messages, tokenize=False, add_generation_prompt=False))
            pictures.append(
                [part["image"] for turn in messages for part in _parts(turn) if part.get("image") is not None]
            )
        batch = self.processor(text=texts, images=pictures, padding=True, return_tensors="pt")
        batch["labels"] = batch["input_ids"].clone()
        return batch


def _parts(turn):
    content = turn["content"]
    return content if isinstance(content, list) else []
