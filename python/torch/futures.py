"""torch.futures: results that are there at once."""

from contextlib import nullcontext


class Future:
    """A value that somebody sets; waiting for one that nobody set is an error, as nothing runs beside the program."""

    def __init__(self, *, devices=None):
        self._done, self._value, self._callbacks, self._devices = False, None, [], list(devices or ())

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

    def _call(self, callback):
        """What follows on a value of a GPU runs on a stream of its own (invokeCallback of ATen/core/ivalue_inl.h)."""
        from torch.cuda.streams import Stream, stream

        with stream(Stream()) if self._devices else nullcontext():
            return callback(self)

    def add_done_callback(self, callback):
        self._call(callback) if self._done else self._callbacks.append(lambda future: future._call(callback))

    def then(self, callback):
        made = Future(devices=self._devices)
        self.add_done_callback(lambda future: made.set_result(callback(future)))
        return made


def collect_all(futures):
    made = Future(devices=[device for future in futures for device in future._devices])
    made.set_result(list(futures))
    return made


def wait_all(futures):
    return [f.wait() for f in futures]
