"""Requirements that programs ask for: the short form has what it has."""


def require_version(requirement: str, hint: str | None = None) -> None:
    """Nothing is refused: what is missing says so when it is used."""


def require_version_core(requirement: str) -> None:
    """Nothing is refused."""
