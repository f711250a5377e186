"""filelock: locks that nobody else can hold here, as one program runs at a time."""

__version__ = "3.20.0"


class Timeout(TimeoutError):
    """Raised where somebody else holds the lock too long; here nobody does."""

    def __init__(self, lock_file):
        super().__init__(f"The file lock '{lock_file}' could not be acquired.")
        self.lock_file = lock_file


class BaseFileLock:
    """Counts how often it is held; makes no file."""

    def __init__(self, lock_file, timeout=-1, mode=0o644, thread_local=True, *, blocking=True, is_singleton=False, **_):
        self.lock_file, self.timeout, self.blocking = lock_file, timeout, blocking
        self.lock_counter = 0

    @property
    def is_locked(self):
        return self.lock_counter > 0

    def acquire(self, timeout=None, poll_interval=0.05, **_):
        self.lock_counter += 1
        return self

    def release(self, force=False):
        self.lock_counter = 0 if force else max(self.lock_counter - 1, 0)

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()


class FileLock(BaseFileLock):
    """The lock of this system."""


class UnixFileLock(BaseFileLock):
    """The lock of Linux."""


class SoftFileLock(BaseFileLock):
    """The lock that is only a file."""
