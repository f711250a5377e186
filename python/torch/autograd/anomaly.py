"""Anomaly detection: accepted, nothing is ever NaN here."""


class detect_anomaly:
    def __init__(self, check_nan=True):
        pass

    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


class set_detect_anomaly(detect_anomaly):
    def __init__(self, mode, check_nan=True):
        pass
