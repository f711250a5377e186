"""Anomaly detection: accepted, nothing is ever NaN here."""

from __future__ import annotations


class detect_anomaly:
    def __init__(self, check_nan: bool = True) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


class set_detect_anomaly(detect_anomaly):
    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        pass
