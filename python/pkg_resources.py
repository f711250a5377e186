"""pkg_resources: versions of packages and requirements, as programs ask for them."""

from typing import Any

import importlib.metadata
import os
import sys
from distutils.version import LooseVersion


def __getattr__(name: str) -> Any:
    """What lay inside of it before 70: programs take `packaging` from here."""
    if name != "packaging":
        raise AttributeError(f"module 'pkg_resources' has no attribute '{name}'")
    import packaging.specifiers
    import packaging.version

    return packaging


class DistributionNotFound(Exception):
    """No such package."""


class VersionConflict(Exception):
    """Another version."""


def parse_version(version: str) -> Any:
    return LooseVersion(str(version))


def require(*requirements: object) -> list:
    """Everything is as it should be."""
    return []


def get_distribution(name: str) -> Any:
    try:
        return importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        raise DistributionNotFound(name) from None


def parse_requirements(strs: Any) -> list:
    """The lines, each as it is written."""
    lines = strs.splitlines() if isinstance(strs, str) else strs
    return [text for line in lines if (text := line.partition("#")[0].strip()) and not text.startswith("-")]


def resource_filename(package_or_requirement: str, resource_name: str) -> str:
    return os.path.join(os.path.dirname(sys.modules[package_or_requirement].__file__), resource_name)


def resource_exists(package_or_requirement: str, resource_name: str) -> bool:
    return os.path.exists(resource_filename(package_or_requirement, resource_name))


def resource_string(package_or_requirement: str, resource_name: str) -> bytes:
    with open(resource_filename(package_or_requirement, resource_name), "rb") as file:
        return file.read()


def resource_stream(package_or_requirement: str, resource_name: str) -> Any:
    return open(resource_filename(package_or_requirement, resource_name), "rb")


def iter_entry_points(group: Any, name: str | None = None) -> Any:
    return iter(importlib.metadata.entry_points(group=group))
