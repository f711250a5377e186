"""What Python refuses since a release that is newer than most programs, where those before it ran on."""

from __future__ import annotations

import argparse

from . import options


def begin() -> None:
    # 3.14 reads the help of an option when it is added, and not only when it is shown
    argparse._ActionsContainer._check_help = lambda self, action: options.added(action)
