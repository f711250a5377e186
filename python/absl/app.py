"""absl.app: reads the command line and calls main with the rest."""

from typing import Any

import sys

from . import flags


class UsageError(Exception):
    """A wrong argument."""


def run(main: Any, argv: Any = None, flags_parser: Any = None) -> None:
    rest = flags.FLAGS(sys.argv if argv is None else argv)
    sys.exit(main(rest))
