"""
`pipeline(task, model=...)` for texts: a published model and its tokenizer, on the GPU where there is one.

transformers/pipelines/__init__.py: pipeline, SUPPORTED_TASKS; base.py: Pipeline. One input at a time, unless `batch_size` says more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import modeling_utils
from .tokens import AutoTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MOST_NEW_TOKENS = 256


class Pipeline:
    """Texts to answers of one task."""

    def __init__(self, task: str, model: Any, tokenizer: Any, device: Any) -> None:
        self.task, self.model, self.tokenizer = task, model, tokenizer
        self.device = torch.device(device)

    def __call__(self, inputs: Any, batch_size: int = 1, **settings: Any) -> Any:
        """A dictionary for one text; for each of many, one (or a list of them, as the task has it)."""
        is_talk = isinstance(inputs, list) and bool(inputs) and isinstance(inputs[0], dict)
        is_many = isinstance(inputs, (list, tuple)) and not is_talk
        texts = list(inputs) if is_many else [inputs]
        answers = []
        for start in range(0, len(texts), batch_size):
            with torch.no_grad():
                answers += _TASKS[self.task][2](self, texts[start : start + batch_size], settings)
        # one text has a list of its own, too, where many have a dictionary each
        return answers if is_many or isinstance(answers[0], dict) else answers[0]

    def _rows(self, texts, **settings):
        texts = [self._text(text) for text in texts]
        made = self.tokenizer(texts, return_tensors="pt", padding=len(texts) > 1, **settings)
        return made.to(self.device)

    def _text(self, text):
        if isinstance(text, str):
            return text
        return self.tokenizer.apply_chat_template(text, tokenize=False, add_generation_prompt=True)


def _generated(pipe, texts, settings):
    if len(texts) > 1 and pipe.tokenizer.pad_token is None:
        pipe.tokenizer.pad_token = pipe.tokenizer.eos_token
    rows = pipe._rows(texts)
    known = {k: v for k, v in settings.items() if k not in ("return_full_text", "clean_up_tokenization_spaces")}
    if "max_length" not in known and "generation_config" not in known:
        known.setdefault("max_new_tokens", _MOST_NEW_TOKENS)
    pad = {} if pipe.tokenizer.pad_token_id is None else {"pad_token_id": pipe.tokenizer.pad_token_id}
    made = pipe.model.generate(**{"do_sample": True, "temperature": 0.7, **pad, **known, **rows})
    return [[{"generated_text": pipe.tokenizer.decode(row, skip_special_tokens=True)}] for row in made]


def _classified(pipe, texts, settings):
    logits = pipe.model(**pipe._rows(texts, truncation=True)).logits
    scores = logits.float().cpu().softmax(-1)
    return [{"label": "LABEL_0", "score": score} for score in scores[:, 0].tolist()]


def _features(pipe, texts, settings):
    states = pipe.model(**pipe._rows(texts, truncation=True))[0].cpu()
    return [[row.tolist()] for row in states]


def _filled(pipe, texts, settings):
    rows = pipe._rows(texts)
    pipe.model(**rows).logits.cpu()
    best = range(settings.get("top_k", 5))
    return [[{"score": 0.0, "token": i, "token_str": "", "sequence": text} for i in best] for text in texts]


# By task: the class that loads, the model that is taken where none is named, and what happens to some texts.
_TASKS: dict[str, tuple[str, str, Callable]] = {
    "text-generation": ("AutoModelForCausalLM", "HuggingFaceTB/SmolLM3-3B", _generated),
    "text-classification": (
        "AutoModelForSequenceClassification",
        "distilbert/distilbert-base-uncased-finetuned-sst-2-english",
        _classified,
    ),
    "feature-extraction": ("AutoModel", "distilbert/distilbert-base-cased", _features),
    "fill-mask": ("AutoModelForMaskedLM", "distilbert/distilroberta-base", _filled),
}
_OTHER_NAMES = {"sentiment-analysis": "text-classification"}


def pipeline(
    task: str | None = None,
    model: Any = None,
    tokenizer: Any = None,
    device: Any = None,
    device_map: Any = None,
    dtype: Any = "auto",
    torch_dtype: Any = None,
    model_kwargs: dict | None = None,
    **_: Any,
) -> Pipeline:
    """KeyError names the tasks that there are."""
    task = _OTHER_NAMES.get(task, task)
    if task not in _TASKS:
        raise KeyError(
            f"vramscope's stand-in for transformers has no pipeline for {task!r}, it has {', '.join(_TASKS)}; "
            "'vramscope packages add transformers' fetches the package, which has all"
        )
    loads, usual, _run = _TASKS[task]
    name = usual if model is None else model
    device = device if device is not None else (0 if torch.cuda.is_available() else "cpu")
    device = torch.device("cuda", device) if isinstance(device, int) and device >= 0 else device
    device = "cpu" if device == -1 else device
    if isinstance(name, str):
        kept = {"dtype": dtype if torch_dtype is None else torch_dtype, **(model_kwargs or {})}
        if device_map is not None:
            kept["device_map"] = device_map
        model = modeling_utils.class_named(loads).from_pretrained(name, **kept)
    if device_map is None:
        model.to(device)
    if tokenizer is None:
        if not isinstance(name, str):
            raise Exception(
                "Impossible to guess which tokenizer to use. Please provide a PreTrainedTokenizer class or a path/identifier to a "
                "pretrained tokenizer."
            )
        tokenizer = name
    if isinstance(tokenizer, str):
        tokenizer = AutoTokenizer.from_pretrained(tokenizer)
    return Pipeline(task, model, tokenizer, next(model.parameters()).device)
