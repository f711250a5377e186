"""Headers, whose names have no case."""


class CaseInsensitiveDict(dict):
    """A dict of headers; names keep how they were written and are found in any case."""

    def __init__(self, data=(), **more):
        super().__init__()
        self.update(data, **more)

    def _written(self, key):
        return next((own for own in super().keys() if own.lower() == key.lower()), key)

    def __setitem__(self, key, value):
        super().__setitem__(self._written(key), value)

    def __getitem__(self, key):
        return super().__getitem__(self._written(key))

    def __delitem__(self, key):
        super().__delitem__(self._written(key))

    def __contains__(self, key):
        return super().__contains__(self._written(key))

    def get(self, key, default=None):
        return super().get(self._written(key), default)

    def update(self, data=(), **more):
        for key, value in {**dict(data), **more}.items():
            self[key] = value
