"""`python -m vramscope`, and the command of that name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from vramscope.command import NoNode, command_line, environment

if TYPE_CHECKING:
    from typing import Any


def main() -> Any:
    """Becomes Node with the same words; signals, streams and the exit status are Node's own."""
    try:
        words = command_line(sys.argv[1:])
    except NoNode as error:
        print(f"vramscope: {error}", file=sys.stderr)
        return 2
    if os.name == "posix":
        sys.stdout.flush()
        os.execve(words[0], words, environment())
    # Windows has no exec: Ctrl+C reaches both, and the one below answers it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(words, env=environment()).returncode


if __name__ == "__main__":
    sys.exit(main())
