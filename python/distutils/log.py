"""distutils.log: nothing is built, so nothing is said."""


def set_verbosity(v: int) -> None:
    """There is nothing to say."""


def set_threshold(level: int) -> int:
    return 0


def debug(msg: str, *args: object) -> None:
    """There is nothing to say."""


info = warn = error = fatal = debug
