"""absl.app: reads the command line and calls main with the rest."""

import sys

from . import flags


class UsageError(Exception):
    """A wrong argument."""


def run(main, argv=None, flags_parser=None):
    rest = flags.FLAGS(sys.argv if argv is None else argv)
    sys.exit(main(rest))
