"""pwd: the one person of the simulated machine."""

from __future__ import annotations

import os
from typing import NamedTuple


class struct_passwd(NamedTuple):  # noqa: N801
    """As CPython's pwd names it."""

    pw_name: str
    pw_passwd: str
    pw_uid: int
    pw_gid: int
    pw_gecos: str
    pw_dir: str
    pw_shell: str


def _the_one():
    return struct_passwd("user", "x", os.getuid(), os.getgid(), "", os.path.expanduser("~"), "/bin/bash")


def getpwuid(uid: int) -> struct_passwd:
    """KeyError for anybody else."""
    if uid != os.getuid():
        raise KeyError(f"getpwuid(): uid not found: {uid}")
    return _the_one()


def getpwnam(name: str) -> struct_passwd:
    """KeyError for anybody else."""
    if name != _the_one().pw_name:
        raise KeyError(f"getpwnam(): name not found: {name!r}")
    return _the_one()


def getpwall() -> list[struct_passwd]:
    return [_the_one()]
