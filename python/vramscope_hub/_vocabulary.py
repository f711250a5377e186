"""Tokenizers of published models: a placeholder for each entry of the vocabulary, with the special tokens where the model has them.

Texts become about one token for four letters (see tokenizers._words). What is real: the size of the vocabulary as the configuration gives
it, which tokens go around a text, and their ids.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ._repositories import say

if TYPE_CHECKING:
    from typing import Any


_UNIGRAM = """t5 mt5 umt5 longt5 switch_transformers albert camembert xlnet deberta-v2 mbart m2m_100 nllb-moe pegasus pegasus_x big_bird
    rembert fnet marian plbart pix2struct siglip siglip_text_model xglm xlm-roberta xlm-roberta-xl speecht5 udop xlm""".split()
_WORDPIECE = """bert distilbert electra mobilebert convbert funnel layoutlm lxmert mpnet nomic_bert splinter squeezebert tapas
    visual_bert vilt blip git roformer flava align dpr bert-generation""".split()
_ROBERTA = "roberta bart longformer led data2vec-text ibert layoutlmv3 bridgetower blenderbot roberta-prelayernorm modernbert esm".split()
# Families whose tokens have names that programs mention. Each: the special tokens by role, and what goes around a text.
_T5 = ({"pad_token": ("<pad>", 0), "eos_token": ("</s>", 1), "unk_token": ("<unk>", 2)}, (), ("eos_token",))
_XLM = (
    {"bos_token": ("<s>", 0), "cls_token": ("<s>", 0), "pad_token": ("<pad>", 1), "eos_token": ("</s>", 2), "sep_token": ("</s>", 2),
     "unk_token": ("<unk>", 3), "mask_token": ("<mask>", -1)},
    ("bos_token",), ("eos_token",),
)  # fmt: skip
_BERT = (
    {"pad_token": ("[PAD]", 0), "unk_token": ("[UNK]", 100), "cls_token": ("[CLS]", 101), "sep_token": ("[SEP]", 102),
     "mask_token": ("[MASK]", 103)},
    ("cls_token",), ("sep_token",),
)  # fmt: skip
_LLAMA = ({"unk_token": ("<unk>", 0), "bos_token": ("<s>", 1), "eos_token": ("</s>", 2)}, ("bos_token",), ())
_LLAMA3 = (
    {"bos_token": ("<|begin_of_text|>", 128000), "eos_token": ("<|end_of_text|>", 128001)}, ("bos_token",), (),
)  # fmt: skip
_GEMMA = (
    {"pad_token": ("<pad>", 0), "eos_token": ("<eos>", 1), "bos_token": ("<bos>", 2), "unk_token": ("<unk>", 3)},
    ("bos_token",), (),
)  # fmt: skip
_QWEN = ({"pad_token": ("<|endoftext|>", 151643), "eos_token": ("<|im_end|>", 151645)}, (), ())
_CLIP = (
    {"bos_token": ("<|startoftext|>", -2), "eos_token": ("<|endoftext|>", -1), "pad_token": ("<|endoftext|>", -1),
     "unk_token": ("<|endoftext|>", -1)},
    ("bos_token",), ("eos_token",),
)  # fmt: skip
_WHISPER = (
    {"bos_token": ("<|endoftext|>", 50257), "eos_token": ("<|endoftext|>", 50257), "pad_token": ("<|endoftext|>", 50257)}, (), ("eos_token",),
)  # fmt: skip
# Everything else, GPT-2 first: one token that ends a text.
_PLAIN = (
    {"bos_token": ("<|endoftext|>", -1), "eos_token": ("<|endoftext|>", -1), "unk_token": ("<|endoftext|>", -1)},
    (),
    (),
)
_NAMED = {
    "t5": _T5, "mt5": _T5, "umt5": _T5, "longt5": _T5, "switch_transformers": _T5, "clip": _CLIP, "clip_text_model": _CLIP,
    "whisper": _WHISPER, "modernbert": _BERT,
}  # fmt: skip
_CHAT = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
# Models whose published vocabulary has a template for conversations: what is trained for them says so in its name, or its whole family is.
_CHAT_WORDS = (
    "instruct", "chat", "-it", "qwen", "zephyr", "assistant", "hermes", "distill", "gpt-oss", "phi-3", "phi-4", "deepseek-r1", "deepseek-v",
    "glm-4", "smollm3", "kimi", "minimax", "command-r", "tulu", "qwq", "magistral", "devstral", "ministral", "nemotron", "dolphin",
)  # fmt: skip
_NO_CHAT = re.compile(r"[-_]base\b")


# Families whose tokenizers say of each token which of two texts it belongs to: models/auto/tokenization_auto.py, and the classes named there.
_WITH_TYPES = """align bert bros canine chinese_clip convbert deberta deberta-v2 electra ernie flava layoutlm layoutlmv2 markuplm
    megatron-bert mobilebert nezha nomic_bert qdqbert roc_bert squeezebert tapas vilt visual_bert""".split()


def placeholder(index: int) -> str:
    """The piece that stands for an entry."""
    return f"⟨{index}⟩"


def _rules(model_type, size):
    """Special tokens by role, and the roles that go before and after a text."""
    if model_type in _NAMED:
        return _NAMED[model_type]
    if model_type in _UNIGRAM or model_type in _ROBERTA:
        return _XLM
    if model_type in _WORDPIECE:
        return _BERT
    if model_type.startswith("gemma") or model_type in ("paligemma", "recurrent_gemma", "t5gemma"):
        return _GEMMA
    if model_type.startswith("qwen") and size > 151645:
        return _QWEN
    if size == 128256:
        return _LLAMA3
    if size < 40000 and model_type not in ("gpt2", "opt", "biogpt", "ctrl"):
        return _LLAMA
    return _PLAIN


def tokenizer_files(repo_id: str, config: Any) -> dict:
    """The files of a tokenizer; none where the model reads no text."""
    text = config.get("text_config") or config.get("decoder") or config
    size = text.get("vocab_size") or config.get("vocab_size") or text.get("n_vocab")
    if not isinstance(size, int) or size < 8:
        return {}
    model_type = text.get("model_type") or config.get("model_type") or ""
    ids = {
        k.removesuffix("_id"): v
        for k, v in {**config, **text}.items()
        if k.endswith("_token_id") and isinstance(v, int)
    }
    return {
        "tokenizer_config.json": lambda: _settings(repo_id, model_type, size, ids, text),
        "tokenizer.json": lambda: _vocabulary(repo_id, model_type, size, ids),
    }


def _special(model_type, size, ids):
    """Roles to (token, id); ids that the configuration gives win."""
    roles, before, after = _rules(model_type, size)
    found = {}
    for role, (token, index) in roles.items():
        index = ids.get(role, index)
        found[role] = (token, index if 0 <= index < size else size + min(index, -1))
    # what pads has an entry of its own where the configuration names one
    padding = ids.get("pad_token")
    if "pad_token" not in found and padding is not None and padding not in {index for _, index in found.values()}:
        found["pad_token"] = ("<pad>", padding)
    # a token of one name has one id
    by_name = {}
    for role, (token, index) in found.items():
        found[role] = (token, by_name.setdefault(token, index))
    return found, before, after


def _settings(repo_id, model_type, size, ids, text):
    special, _, _ = _special(model_type, size, ids)
    length = text.get("max_position_embeddings") or text.get("n_positions") or 512
    state = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": length,
        "clean_up_tokenization_spaces": False,
        **{role: token for role, (token, _) in special.items()},
    }
    if model_type in _WITH_TYPES:
        state["model_input_names"] = ["input_ids", "token_type_ids", "attention_mask"]
    name = repo_id.lower()
    if any(word in name for word in _CHAT_WORDS) and not (_NO_CHAT.search(name) and "qwen" not in name):
        state["chat_template"] = _CHAT
    return json.dumps(state)


def _vocabulary(repo_id, model_type, size, ids):
    special, before, after = _special(model_type, size, ids)
    names = {index: token for token, index in special.values()}
    pieces = [names.get(i) or placeholder(i) for i in range(size)]
    if model_type in _UNIGRAM:
        model = {
            "type": "Unigram",
            "unk_id": special.get("unk_token", ("", 0))[1],
            "vocab": [[piece, 0.0] for piece in pieces],
        }
    else:
        kind = "WordPiece" if model_type in _WORDPIECE else "BPE"
        unknown = special.get("unk_token", (None,))[0]
        model = {
            "type": kind,
            "unk_token": unknown,
            "vocab": {piece: i for i, piece in enumerate(pieces)},
            "merges": [],
        }
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    say("hub_vocabulary", repo_id, tokens=size)
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [{"id": i, "content": token, **flags} for i, token in sorted(names.items())],
            "normalizer": None,
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": _around(special, before, after),
            "decoder": None,
            "model": model,
        },
        ensure_ascii=False,
    )


def _around(special, before, after):
    """A template that puts the tokens of these roles around a text."""

    def pieces(roles):
        return [{"SpecialToken": {"id": special[role][0], "type_id": 0}} for role in roles]

    used = {special[role] for role in (*before, *after)}
    single = [*pieces(before), {"Sequence": {"id": "A", "type_id": 0}}, *pieces(after)]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, {"Sequence": {"id": "B", "type_id": 1}}, *pieces(after)],
        "special_tokens": {token: {"id": token, "ids": [i], "tokens": [token]} for token, i in used},
    }
