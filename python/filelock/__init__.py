"""filelock: locks that nobody else can hold here, as one program runs at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Self


__version__ = "3.20.0"


class Timeout(TimeoutError):
    """Raised where somebody else holds the lock too long; here nobody does."""

    def __init__(self, lock_file: str) -> None:
        super().__init__(f"The file lock '{lock_file}' could not be acquired.")
        self.lock_file = lock_file


class BaseFileLock:
    """Counts how often it is held; makes no file."""

    def __init__(
        self,
        lock_file: Any,
        timeout: float = -1,
        mode: int = 0o644,
        thread_local: bool = True,
        *,
        blocking: bool = True,
        is_singleton: bool = False,
        **_: Any,
    ) -> None:
        self.lock_file, self.timeout, self.blocking = lock_file, timeout, blocking
        self.lock_counter = 0

    @property
    def is_locked(self) -> bool:
        return self.lock_counter > 0

    def acquire(self, timeout: float | None = None, poll_interval: float | None = 0.05, **_: Any) -> Self:
        self.lock_counter += 1
        return self

    def release(self, force: bool = False) -> None:
        self.lock_counter = 0 if force else max(self.lock_counter - 1, 0)

    def __enter__(self) -> Self:
        return self.acquire()

    def __exit__(self, *_: Any) -> None:
        self.release()


class FileLock(BaseFileLock):
    """The lock of this system."""


class UnixFileLock(BaseFileLock):
    """The lock of Linux."""


class SoftFileLock(BaseFileLock):
    """The lock that is only a file."""
