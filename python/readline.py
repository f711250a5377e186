"""readline, which is built for a terminal: nobody types here, so histories are empty and bindings are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _nothing(*_: object) -> None:
    return None


parse_and_bind = read_init_file = read_history_file = write_history_file = append_history_file = _nothing
add_history = clear_history = set_history_length = set_completer = set_completer_delims = insert_text = _nothing
set_startup_hook = set_pre_input_hook = set_completion_display_matches_hook = redisplay = _nothing
set_auto_history = remove_history_item = replace_history_item = get_history_item = _nothing
backend = "readline"


def get_completer() -> Callable | None:
    return None


def get_completer_delims() -> str:
    return " \t\n`~!@#$%^&*()-=+[{]}\\|;:'\",<>/?"


def get_line_buffer() -> str:
    return ""


def get_history_length() -> int:
    return -1


def get_current_history_length() -> int:
    return 0
