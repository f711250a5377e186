"""torch.futures: results that are there at once."""


class Future:
    """A value that somebody sets; waiting for one that nobody set is an error, as nothing runs beside the program."""

    def __init__(self, *, devices=None):
        self._done, self._value, self._callbacks = False, None, []

    def __class_getitem__(cls, item):
        return cls

    def done(self):
        return self._done

    def wait(self):
        if not self._done:
            raise RuntimeError("vramscope: nothing runs beside the program that could set this future")
        return self._value

    value = wait

    def set_result(self, result):
        if self._done:
            raise RuntimeError("Future already completed")
        self._done, self._value = True, result
        for callback in self._callbacks:
            callback(self)

    def set_exception(self, result):
        raise result

    def add_done_callback(self, callback):
        callback(self) if self._done else self._callbacks.append(callback)

    def then(self, callback):
        made = Future()
        self.add_done_callback(lambda f: made.set_result(callback(f)))
        return made


def collect_all(futures):
    made = Future()
    made.set_result(list(futures))
    return made


def wait_all(futures):
    return [f.wait() for f in futures]
