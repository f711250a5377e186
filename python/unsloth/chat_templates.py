"""Conversations of unsloth's programs: templates, columns brought to one form, and labels of the answers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch._stand_ins import lacks, note

if TYPE_CHECKING:
    from typing import Any

__getattr__ = lacks("unsloth.chat_templates")

# one turn a message, by either pair of names; the words around it are about as many as those of the published templates
_TEMPLATE = (
    "{% for message in messages %}"
    "{% set who = message['role'] if 'role' in message else message['from'] %}"
    "{% set said = message['content'] if 'content' in message else message['value'] %}"
    "{{ '<|start_header_id|>' ~ who ~ '<|end_header_id|>\n\n' }}"
    "{% if said is string %}{{ said }}{% else %}"
    "{% for part in said or [] %}{{ part['text'] if part['type'] == 'text' else '<image>' }}{% endfor %}{% endif %}"
    "{{ '<|eot_id|>' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
_ROLES = {"human": "user", "gpt": "assistant"}


def get_chat_template(
    tokenizer: Any,
    chat_template: str | tuple = "chatml",
    mapping: dict | None = None,
    map_eos_token: bool = True,
    system_message: str | None = None,
) -> Any:
    """The tokenizer with a template; `mapping` names the fields of its messages, which may have either pair of names here."""
    if isinstance(chat_template, (list, tuple)):
        tokenizer.chat_template = chat_template[0]
    else:
        own = None if mapping else getattr(tokenizer, "chat_template", None)
        tokenizer.chat_template = own or _TEMPLATE
        note("unsloth_template", "name", chat_template)
    return tokenizer


def _turns(conversation):
    return [
        {
            "role": _ROLES.get(turn.get("role", turn.get("from")), turn.get("role", turn.get("from"))),
            "content": turn.get("content", turn.get("value")),
        }
        for turn in conversation
    ]


def standardize_sharegpt(dataset: Any, *args: Any, **more: Any) -> Any:
    """Conversations with the fields `role` and `content`."""
    name = next((n for n in ("conversations", "messages") if n in dataset.column_names), None)
    if name is None:
        return dataset
    return dataset.map(lambda rows: {name: [_turns(each) for each in rows[name]]}, batched=True)


standardize_data_formats = standardize_sharegpt


def to_sharegpt(dataset: Any, merged_prompt: str = "", output_column_name: str = "output", **more: Any) -> Any:
    """One conversation a row: what the other columns say, and the answer."""

    def conversation(row):
        asked = " ".join(str(value) for name, value in row.items() if name != output_column_name)
        answer = str(row.get(output_column_name, ""))
        return {"conversations": [{"from": "human", "value": asked}, {"from": "gpt", "value": answer}]}

    return dataset.map(conversation)


def apply_chat_template(dataset: Any, tokenizer: Any, chat_template: str | None = None, **more: Any) -> Any:
    """A column `text` with each conversation as one text."""
    if getattr(tokenizer, "chat_template", None) is None:
        tokenizer.chat_template = _TEMPLATE

    def texts(rows):
        return {"text": [tokenizer.apply_chat_template(_turns(each), tokenize=False) for each in rows["conversations"]]}

    return dataset.map(texts, batched=True)


def train_on_responses_only(trainer: Any, *args: Any, **more: Any) -> Any:
    """Labels of questions are left out of the loss, which changes no size: the trainer as it is."""
    note("unsloth_all_labels")
    return trainer


def remove_special_tokens(tokenizer: Any, prompt: str) -> str:
    """The prompt without the token that the tokenizer puts in front itself."""
    first = tokenizer.bos_token
    return prompt.removeprefix(first) if first else prompt
