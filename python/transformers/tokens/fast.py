"""
A tokenizer on a vocabulary: the folder's own tokenizer.json, or placeholders for a published model's entries.

transformers/tokenization_utils_base.py and tokenization_utils_tokenizers.py: the calls of programs, their padding and truncation. Not here:
offsets, overflowing tokens, templates of a folder's own for conversations (turns are about as long).
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import torch

from ..configuration_utils import read_config
from ..errors import cannot_read
from .batch import BatchEncoding, as_tensors, padded
from .special import ROLES, SpecialTokens

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self

# Longer than any text: what a tokenizer has whose files name no longest one.
NO_LIMIT = int(1e30)


def _files(place):
    """tokenizer.json and tokenizer_config.json of a folder, or of a published model."""
    from vramscope_hub import _added

    held = place if os.path.isdir(place) else _added.added(place) or _added.cached(place)
    if held is not None:
        whole = os.path.join(held, "tokenizer.json")
        if os.path.isfile(whole):
            settings = os.path.join(held, "tokenizer_config.json")
            return tuple(_text(path) if os.path.isfile(path) else "{}" for path in (whole, settings))
    from vramscope_hub._vocabulary import tokenizer_files

    name = str(place).rstrip("/")
    files = tokenizer_files(os.path.basename(name) if os.path.isdir(name) else name, read_config(place))
    if not files:
        raise cannot_read(place)
    return files["tokenizer.json"](), files["tokenizer_config.json"]()


def _text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class PreTrainedTokenizerFast(SpecialTokens):
    """Texts to ids and back."""

    is_fast = True

    def __init__(self, tokenizer_object: Any = None, name_or_path: str = "", **settings: Any) -> None:
        self._tokenizer, self.name_or_path = tokenizer_object, name_or_path
        self._special = {role: _content(settings[role]) for role in ROLES if settings.get(role) is not None}
        self.additional_special_tokens = list(settings.get("additional_special_tokens") or ())
        self.model_max_length = settings.get("model_max_length") or NO_LIMIT
        self.padding_side = settings.get("padding_side", "right")
        self.truncation_side = settings.get("truncation_side", "right")
        self.chat_template = settings.get("chat_template")
        self.init_kwargs = settings
        self.model_input_names = settings.get("model_input_names") or ["input_ids", "attention_mask"]

    @classmethod
    def from_pretrained(cls, place: Any, *_: Any, **settings: Any) -> Self:
        """The tokenizer of a folder or a published model; OSError where neither is known."""
        from tokenizers import Tokenizer

        whole, own = _files(str(place))
        return cls(
            tokenizer_object=Tokenizer.from_str(whole), name_or_path=str(place), **{**json.loads(own), **settings}
        )

    def save_pretrained(self, folder: str, **_: Any) -> tuple:
        os.makedirs(folder, exist_ok=True)
        self._tokenizer.save(os.path.join(folder, "tokenizer.json"))
        settings = {"model_max_length": self.model_max_length, "chat_template": self.chat_template, **self._special}
        path = os.path.join(folder, "tokenizer_config.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(settings, file, indent=2)
        return (path,)

    # --- vocabulary

    @property
    def backend_tokenizer(self) -> Any:
        return self._tokenizer

    @property
    def vocab_size(self) -> int:
        return self._tokenizer.get_vocab_size(with_added_tokens=False)

    def __len__(self) -> int:
        return self._tokenizer.get_vocab_size()

    def get_vocab(self) -> dict:
        return self._tokenizer.get_vocab()

    vocab = property(get_vocab)

    def add_tokens(self, new_tokens: Any, special_tokens: bool = False) -> int:
        tokens = (
            [new_tokens] if isinstance(new_tokens, str) or not hasattr(new_tokens, "__iter__") else list(new_tokens)
        )
        return (self._tokenizer.add_special_tokens if special_tokens else self._tokenizer.add_tokens)(tokens)

    def add_special_tokens(self, special_tokens_dict: dict, **_: Any) -> int:
        """The number of tokens that are new."""
        added = 0
        for role, token in special_tokens_dict.items():
            tokens = [token] if role in ROLES else list(token)
            added += self._tokenizer.add_special_tokens([_content(one) for one in tokens])
            if role in ROLES:
                setattr(self, role, _content(token))
            else:
                self.additional_special_tokens += [_content(one) for one in tokens]
        return added

    def convert_tokens_to_ids(self, tokens: Any) -> Any:
        if not isinstance(tokens, str):
            return [self.convert_tokens_to_ids(token) for token in tokens]
        found = self._tokenizer.token_to_id(tokens)
        unknown = self._special.get("unk_token")
        return found if found is not None or unknown is None else self._tokenizer.token_to_id(unknown)

    def convert_ids_to_tokens(self, ids: Any, skip_special_tokens: bool = False) -> Any:
        if isinstance(ids, int):
            return self._tokenizer.id_to_token(ids)
        left_out = set(self.all_special_ids) if skip_special_tokens else ()
        return [self._tokenizer.id_to_token(int(i)) for i in ids if int(i) not in left_out]

    # --- texts to ids

    def tokenize(self, text: str, **_: Any) -> list:
        return self._tokenizer.encode(text, add_special_tokens=False).tokens

    def encode(self, text: Any, text_pair: Any = None, **settings: Any) -> Any:
        return self(text, text_pair, **settings)["input_ids"]

    def __call__(
        self,
        text: Any = None,
        text_pair: Any = None,
        text_target: Any = None,
        add_special_tokens: bool = True,
        padding: Any = False,
        truncation: Any = False,
        max_length: int | None = None,
        is_split_into_words: bool = False,
        pad_to_multiple_of: int | None = None,
        return_tensors: Any = None,
        return_token_type_ids: bool | None = None,
        return_attention_mask: bool | None = None,
        return_special_tokens_mask: bool = False,
        return_length: bool = False,
        **_: Any,
    ) -> BatchEncoding:
        """`input_ids`, `attention_mask` and the like of one text, or of many: lists, or tensors [texts, tokens]."""
        if text is None:
            return self(text_target, **_settings(locals()))
        is_many = isinstance(text, (list, tuple)) and (not is_split_into_words or isinstance(text[0], (list, tuple)))
        texts = list(text) if is_many else [text]
        pairs = list(text_pair) if is_many and text_pair is not None else [text_pair] * len(texts)
        longest = max_length if max_length is not None else min(self.model_max_length, NO_LIMIT)
        self._truncate(truncation not in (False, None, "do_not_truncate") and longest < NO_LIMIT, longest, truncation)
        made = [self._one(one, pair, is_split_into_words, add_special_tokens) for one, pair in zip(texts, pairs)]
        wanted = {
            "token_type_ids": return_token_type_ids if return_token_type_ids is not None else "token_type_ids" in self.model_input_names,
            "attention_mask": return_attention_mask is not False,
            "special_tokens_mask": return_special_tokens_mask,
        }  # fmt: skip
        names = {
            "input_ids": "ids",
            "token_type_ids": "type_ids",
            "attention_mask": "attention_mask",
            "special_tokens_mask": "special_tokens_mask",
        }
        rows = {
            name: [list(getattr(one, field)) for one in made] for name, field in names.items() if wanted.get(name, True)
        }
        if padding not in (False, None, "do_not_pad"):
            rows = self._padded(rows, max_length if padding == "max_length" else None, longest, pad_to_multiple_of)
        if return_length:
            rows["length"] = [len(row) for row in rows["input_ids"]]
        if text_target is not None:
            rows["labels"] = self(text_target, padding=padding, truncation=truncation, max_length=max_length)[
                "input_ids"
            ]
            rows["labels"] = rows["labels"] if is_many else [rows["labels"]]
        return as_tensors(
            rows if is_many or return_tensors is not None else {n: r[0] for n, r in rows.items()},
            return_tensors,
            made,
            self.padding_side,
        )

    def _truncate(self, does, longest, strategy):
        if does:
            named = strategy if isinstance(strategy, str) else "longest_first"
            self._tokenizer.enable_truncation(longest, strategy=named, direction=self.truncation_side)
        else:
            self._tokenizer.no_truncation()

    def _one(self, text, pair, is_split, special):
        if text is None or not isinstance(text, (str, list, tuple)):
            raise ValueError(
                "text input must be of type `str` (single example), `list[str]` (batch or single pretokenized example) or `list[list[str]]` "
                "(batch of pretokenized examples)."
            )
        if isinstance(text, (list, tuple)) and not is_split and pair is None and len(text) == 2:
            text, pair = text
        return self._tokenizer.encode(text, pair, is_pretokenized=is_split, add_special_tokens=special)

    def _padded(self, rows, length, longest, multiple):
        if self.pad_token is None:
            raise ValueError(
                "Asking to pad but the tokenizer does not have a padding token. Please select a token to use as `pad_token` "
                "`(tokenizer.pad_token = tokenizer.eos_token e.g.)` or add a new pad token via `tokenizer.add_special_tokens({'pad_token': '[PAD]'})`."
            )
        most = max((len(row) for row in rows["input_ids"]), default=0)
        length = most if length is None else max(most, length)
        if multiple:
            length = -(-length // multiple) * multiple
        pads = {"input_ids": self.pad_token_id, "special_tokens_mask": 1, "labels": -100}
        return padded(rows, self.padding_side, length, pads)

    def pad(self, encoded_inputs: Any, padding: Any = True, max_length: int | None = None, pad_to_multiple_of: int | None = None, return_tensors: Any = None, **_: Any) -> BatchEncoding:  # fmt: skip
        """Fills rows that were made one by one up to the longest of them, or to `max_length`."""
        each = encoded_inputs if isinstance(encoded_inputs, (list, tuple)) else None
        source = {name: [row[name] for row in each] for name in each[0]} if each is not None else encoded_inputs
        of_texts = {name: [_list(row) for row in rows] for name, rows in source.items() if _has_rows(rows)}
        rows = self._padded(of_texts, max_length if padding == "max_length" else None, NO_LIMIT, pad_to_multiple_of)
        others = {name: list(rows) for name, rows in source.items() if name not in of_texts}
        return as_tensors({**rows, **others}, return_tensors)

    # --- conversations

    def apply_chat_template(
        self, conversation: Any, tokenize: bool = True, add_generation_prompt: bool = False, return_tensors: Any = None, return_dict: bool = True, chat_template: Any = None, **settings: Any
    ) -> Any:  # fmt: skip
        """A conversation's text, or its ids: transformers 5 gives a dictionary, earlier releases the ids."""
        if self.chat_template is None and chat_template is None:
            raise ValueError(
                "Cannot use chat template functions because tokenizer.chat_template is not set and no template argument was passed! For "
                "information about writing templates and setting the tokenizer.chat_template attribute, please see the documentation at "
                "https://huggingface.co/docs/transformers/main/en/chat_templating"
            )
        is_many = bool(conversation) and not isinstance(conversation[0], dict)
        texts = [_turns(one, add_generation_prompt) for one in (conversation if is_many else [conversation])]
        if not tokenize:
            return texts if is_many else texts[0]
        known = ("padding", "truncation", "max_length")
        made = self(texts if is_many else texts[0], add_special_tokens=False, return_tensors=return_tensors, **{k: v for k, v in settings.items() if k in known})  # fmt: skip
        return made if return_dict else made["input_ids"]

    # --- ids to texts

    def decode(self, token_ids: Any, skip_special_tokens: bool = False, **_: Any) -> Any:
        ids = _list(token_ids)
        if ids and isinstance(ids[0], list):
            return [self.decode(row, skip_special_tokens) for row in ids]
        return self._tokenizer.decode([ids] if isinstance(ids, int) else ids, skip_special_tokens=skip_special_tokens)

    def batch_decode(self, sequences: Iterable, skip_special_tokens: bool = False, **_: Any) -> list:
        return [self.decode(row, skip_special_tokens) for row in sequences]

    batch_encode_plus = encode_plus = __call__


def _settings(given):
    return {name: value for name, value in given.items() if name not in ("self", "text", "text_target", "_")}


def _content(token):
    return token["content"] if isinstance(token, dict) else str(token)


def _list(row):
    return row.tolist() if hasattr(row, "tolist") else row


def _has_rows(rows):
    return len(rows) > 0 and isinstance(_list(rows[0]), list)


def _turns(messages, goes_on):
    """The template that placeholders of vocabularies have: vramscope_hub/_vocabulary.py."""
    texts = [f"<|im_start|>{m['role']}\n{_said(m['content'])}<|im_end|>\n" for m in messages]
    return "".join(texts) + ("<|im_start|>assistant\n" if goes_on else "")


def _said(content):
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content or ())


class AutoTokenizer:
    """Finds the tokenizer of a folder or a published model."""

    @staticmethod
    def from_pretrained(place: Any, *_: Any, **settings: Any) -> PreTrainedTokenizerFast:
        return PreTrainedTokenizerFast.from_pretrained(place, **settings)
