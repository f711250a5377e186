"""Other programs: a few harmless questions get an answer, everything else is refused in words."""

from __future__ import annotations

import ast
import contextlib
import errno
import io
import os
import shlex
import subprocess
from typing import TYPE_CHECKING

from . import file_commands, sound_commands

if TYPE_CHECKING:
    from typing import Any, Self


_REVISION = "0" * 40


def begin() -> None:
    subprocess.Popen = Popen
    os.popen = _popen
    os.system = _system


def _words(command):
    return shlex.split(command) if isinstance(command, str) else [os.fspath(word) for word in command]


def answer(command: Any) -> Any:
    """(exit status, standard output) of a command that may be asked, or None."""
    words = _words(command)
    if not words:
        return None
    name = os.path.basename(words[0])
    rule = _ANSWERS.get(name)
    return None if rule is None else rule(words[1:])


_GIT_SAYS_NOTHING = frozenset(
    "status diff log branch describe config tag show ls-files remote fetch rev-list stash submodule".split()
)


def _git(words):
    if words[:1] == ["rev-parse"]:
        if "--is-inside-work-tree" in words:
            return 0, "true\n"
        if "--show-toplevel" in words:
            return 0, "/home/user\n"
        if "--abbrev-ref" in words:
            return 0, "main\n"
        return 0, _REVISION[:7] + "\n" if "--short" in words else _REVISION + "\n"
    if words in (["version"], ["--version"]):
        return 0, "git version 2.43.0\n"
    if words[:1] == ["symbolic-ref"]:
        return 0, "main\n" if "--short" in words else "refs/heads/main\n"
    if words[:1] and words[0] in _GIT_SAYS_NOTHING:
        return 0, ""
    return 128, ""


def _nvidia_smi(words):
    import torch

    found = torch.cuda.get_device_properties(0)
    total = found.total_memory // 2**20
    used = torch.cuda.memory_reserved() // 2**20
    figures = {
        "name": found.name, "memory.total": f"{total} MiB", "memory.used": f"{used} MiB",
        "memory.free": f"{total - used} MiB", "index": "0", "driver_version": "580.00", "count": "1",
        "utilization.gpu": "0 %", "utilization.memory": "0 %", "temperature.gpu": "30", "power.draw": "60.00 W",
    }  # fmt: skip
    for word in words:
        if word.startswith("--query-gpu="):
            names = word.partition("=")[2].split(",")
            row = ", ".join(figures.get(name.strip(), "[N/A]") for name in names)
            if any("nounits" in other for other in words):
                row = row.replace(" MiB", "").replace(" %", "").replace(" W", "")
            head = "" if any("noheader" in other for other in words) else ", ".join(names) + "\n"
            return 0, f"{head}{row}\n"
    if words in (["-L"], ["--list-gpus"]):
        return 0, f"GPU 0: {found.name} (UUID: GPU-00000000-0000-0000-0000-000000000000)\n"
    return 0, f"{found.name}  {used}MiB / {total}MiB\n"


def _df(words):
    """One disk with room, as the coreutils print it."""
    kind = any(word.startswith("-") and "T" in word for word in words)
    head = "Filesystem     Type 1K-blocks     Used Available Use% Mounted on" if kind else (
        "Filesystem     1K-blocks     Used Available Use% Mounted on")  # fmt: skip
    row = "/dev/sda1      ext4 1048576000 52428800 996147200   5% /" if kind else (
        "/dev/sda1      1048576000 52428800 996147200   5% /")  # fmt: skip
    return 0, f"{head}\n{row}\n"


_TELL_OF_PYTHON = frozenset("json platform site sys sysconfig".split())


def _asks_only(line):
    if isinstance(line, ast.Import):
        return all(module.name in _TELL_OF_PYTHON for module in line.names)
    call = line.value if isinstance(line, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"


def _python(words):
    """What another interpreter says of itself when it is asked by `-c`, which is what this one says; lines that do more are refused."""
    if len(words) != 2 or words[0] != "-c":
        return None
    try:
        lines = ast.parse(words[1]).body
    except SyntaxError:
        return None
    if not all(_asks_only(line) for line in lines):
        return None
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(words[1], {"__name__": "__main__"})
    return 0, said.getvalue()


def _nothing(words):
    return 0, ""


_ANSWERS = {
    **file_commands.COMMANDS, "ffmpeg": sound_commands.samples,
    "git": _git, "python": _python, "python3": _python, "df": _df,
    "nvidia-smi": _nvidia_smi, "hostname": lambda words: (0, "vramscope\n"),
    "uname": lambda words: (0, "Linux\n"), "nproc": lambda words: (0, f"{os.cpu_count()}\n"),
    "echo": lambda words: (0, " ".join(words) + "\n"), "true": _nothing, "sleep": _nothing, "clear": _nothing,
    "whoami": lambda words: (0, "user\n"), "stty": lambda words: (0, "24 80\n" if words == ["size"] else ""),
    "tput": lambda words: (0, {"cols": "80\n", "lines": "24\n"}.get(words[0] if words else "", "")),
}  # fmt: skip


def _say(code, words):
    from torch import _C

    _C._js.assume(code, _C.here(), "command", " ".join(words)[:80])


def _asked(command):
    words = _words(command)
    found = answer(command)
    if found is None:
        _say("process_refused", words)
        # as of a command that is not installed: programs are ready for that
        raise FileNotFoundError(errno.ENOENT, "a simulated program starts no processes", words[0] if words else "")
    _say("process_answered", words)
    return found


class Popen:
    """A process that is over when it begins."""

    def __init__(self, args: Any, bufsize: int=-1, executable: Any=None, stdin: Any=None, stdout: Any=None, stderr: Any=None, *_: Any, text: str | None=None,
                 universal_newlines: Any=None, encoding: str | None=None, errors: Any=None, **__: Any) -> None:  # fmt: skip
        self.args = args
        self.returncode, out = _asked(args)
        self.pid = os.getpid()
        as_text = text or universal_newlines or encoding or errors
        self._out = out if as_text or isinstance(out, bytes) else out.encode()
        empty = "" if as_text else b""
        piped = io.StringIO if as_text else io.BytesIO
        self.stdin = piped() if stdin == subprocess.PIPE else None
        self.stdout = piped(self._out) if stdout == subprocess.PIPE else None
        self.stderr = piped(empty) if stderr == subprocess.PIPE else None
        self._error = empty if self.stderr is not None else None
        if stdout is None and out:
            print(out, end="")

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def communicate(self, input: Any = None, timeout: float | None = None) -> tuple:
        return self._out if self.stdout is not None else None, self._error

    def wait(self, timeout: float | None = None) -> Any:
        return self.returncode

    def poll(self) -> Any:
        return self.returncode

    def kill(self) -> None:
        """It is over."""

    terminate = kill

    def send_signal(self, number: int) -> None:
        """It is over."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        """It is over."""


def _popen(command, mode="r", buffering=-1):
    return io.StringIO(_asked(command)[1])


_NOT_FOUND = 127  # what a shell says of a program that it does not have


def _system(command):
    """A shell's line: one command after another, as long as each ends well where `&&` stands; a shell raises nothing."""
    status = 0
    for line in command.replace("||", "\n|| ").replace("&&", "\n&& ").replace(";", "\n").splitlines():
        after = line.strip()
        if after.startswith(("&&", "||")):
            if (status == 0) != after.startswith("&&"):
                continue
            after = after[2:].strip()
        if not after:
            continue
        try:
            status, out = _asked(after)
        except (OSError, ValueError):
            status, out = _NOT_FOUND, ""
        print(out, end="")
    return status << 8
