"""Names and figures of the machine: a Linux host with eight processors."""

from __future__ import annotations

import errno
import os
import platform
import shutil
import sys

_PROCESSORS = 8
_HOST = "vramscope"
_TRIPLET = "x86_64-linux-gnu"


def begin() -> None:
    sys.platform = "linux"
    system = type(os.uname())(("Linux", _HOST, "6.1.0", "#1 SMP", "x86_64"))
    os.uname = lambda: system
    platform._uname_cache = None
    platform.libc_ver = lambda *_, **__: ("glibc", "2.36")
    platform.processor = lambda: "x86_64"
    os.cpu_count = os.process_cpu_count = lambda: _PROCESSORS
    os.sched_getaffinity = lambda pid: set(range(_PROCESSORS))
    os.sched_setaffinity = lambda pid, mask: None
    os.getloadavg = lambda: (0.0, 0.0, 0.0)
    os.geteuid, os.getegid, os.nice = os.getuid, os.getgid, lambda increment: 0
    os.link = _link
    _name_host()
    sys.modules.setdefault("resource", _resource())
    sys.implementation._multiarch = _TRIPLET
    sys.modules.setdefault(f"_sysconfigdata_{getattr(sys, 'abiflags', '')}_linux_{_TRIPLET}", _built_as())


def _link(src: str, dst: str, *, src_dir_fd: int | None = None, dst_dir_fd: int | None = None, follow_symlinks: bool = True) -> None:  # fmt: skip
    """A copy: files here have one name each, and what is linked is read, or written anew, not written on in both."""
    if os.path.lexists(dst):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), src, None, dst)
    shutil.copy2(src, dst)


def _name_host():
    try:
        import socket
    except ImportError:
        return
    socket.gethostname = socket.getfqdn = lambda *_: _HOST
    # a host knows its own names; others would need a network
    asked = socket.gethostbyname
    own = ("localhost", _HOST)
    socket.gethostbyname = lambda name: "127.0.0.1" if name in own else asked(name)


def _built_as():
    """How this Python was built, as sysconfig reads it: what programs and packages ask of it, and no folder of a compiler."""
    version = f"{sys.version_info.major}{sys.version_info.minor}"
    made = type(sys)("_sysconfigdata")
    made.build_time_vars = {
        "EXT_SUFFIX": f".cpython-{version}-{_TRIPLET}.so",
        "SOABI": f"cpython-{version}-{_TRIPLET}",
        "MULTIARCH": _TRIPLET,
        "SHLIB_SUFFIX": ".so",
        "TZPATH": "/usr/share/zoneinfo:/usr/lib/zoneinfo:/usr/share/lib/zoneinfo:/etc/zoneinfo",
        "CC": "gcc",
        "CXX": "g++",
        "Py_DEBUG": 0,
        "Py_GIL_DISABLED": 0,
        "WITH_PYMALLOC": 1,
    }
    return made


def _resource():
    """Limits that are never met."""
    made = type(sys)("resource")
    made.RLIM_INFINITY = -1
    made.RUSAGE_SELF, made.RUSAGE_CHILDREN = 0, -1
    made.RLIMIT_NOFILE, made.RLIMIT_AS, made.RLIMIT_STACK = 7, 9, 3
    made.getrlimit = lambda which: (1048576, 1048576)
    made.setrlimit = lambda which, limits: None
    made.getrusage = lambda who: _Usage()
    made.error = OSError
    return made


class _Usage:
    ru_maxrss = 0
    ru_utime = ru_stime = 0.0
