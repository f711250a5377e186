"""The magic `%%vramscope`: a cell runs on a simulated GPU, and the notebook shows the report and the timeline."""

from __future__ import annotations

import html
import os
import shlex
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from IPython.core.magic import Magics, line_cell_magic, magics_class
from IPython.display import HTML, display
from vramscope.command import NoNode, command_line, environment

if TYPE_CHECKING:
    from typing import Any


FRAME_PIXELS = 640
EARLIER = "--earlier"


@magics_class
class VramscopeMagics(Magics):
    """`%%vramscope [--earlier] [options of run]`, and `%vramscope COMMAND ...` for every command."""

    @line_cell_magic
    def vramscope(self, line: int, cell: Any = None) -> None:
        """Runs this cell on a simulated GPU; nothing of it happens in this kernel.

        `--earlier` puts the cells that ran before in front of it, without their magics. Other words are options of
        `vramscope run`: `%%vramscope --gpu t4 --torch 2.6`. As `%vramscope gpus` it is the command.
        """
        words = shlex.split(line)
        if cell is None:
            self.told([*words])
            return
        # the last one that was read is this one
        number = len(self.shell.user_ns.get("In", [])) - 1
        source = cell
        if EARLIER in words:
            words.remove(EARLIER)
            source = "\n".join([*earlier_cells(self.shell), cell])
        self.simulate(words, number, source)

    def simulate(self, words: Any, number: int, source: str) -> None:
        """A file beside the notebook, so that the cell imports what the notebook imports; it goes when the run ends."""
        script = cell_file(number)
        with tempfile.TemporaryDirectory() as folder:
            page = os.path.join(folder, "report.html")
            try:
                with open(script, "w", encoding="utf-8") as file:
                    file.write(source)
                options = ["--python", sys.executable, "--color", "never", "--export", f"html={page}", *words]
                self.told(["run", *options, script])
            finally:
                if os.path.exists(script):
                    os.remove(script)
            if os.path.exists(page):
                with open(page, encoding="utf-8") as file:
                    display(HTML(frame(file.read())))

    def told(self, words: Any) -> None:
        """Runs the command; its output appears below the cell, line by line."""
        try:
            words = command_line(words)
        except NoNode as error:
            print(f"vramscope: {error}", file=sys.stderr)
            return
        # nobody asks a question in the middle of a notebook
        running = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"COLUMNS": "100", **environment()},
            encoding="utf-8",
            errors="replace",
        )
        with running:
            try:
                for text in running.stdout:
                    print(text, end="", flush=True)
            except KeyboardInterrupt:
                running.terminate()
                raise


def cell_file(number: int) -> str:
    """A name of which no file lies here yet."""
    name = f"cell_{number}.py"
    return name if not os.path.exists(name) else f"cell_{number}_{os.getpid()}.py"


def earlier_cells(shell: Any) -> list:
    """The cells that ran before this one, as they were typed, without magics and shell lines."""
    cells = shell.history_manager.input_hist_raw[1:-1]
    lines = [line for cell in cells if not cell.lstrip().startswith("%%") for line in cell.splitlines()]
    return [line for line in lines if not line.lstrip().startswith(("%", "!"))]


def frame(page: Any) -> str:
    """The report in a frame of its own, in which no script runs."""
    return (
        f'<div><iframe title="VRAMScope" sandbox style="width:100%;height:{FRAME_PIXELS}px;border:0" '
        f'srcdoc="{html.escape(page, quote=True)}"></iframe></div>'
    )
