"""torch.profiler: contexts that let the program run; tables come from the trace."""

from .autograd.profiler import profile as _autograd_profile, record_function


class ProfilerActivity:
    CPU = "cpu"
    CUDA = "cuda"


class ProfilerAction:
    NONE, WARMUP, RECORD, RECORD_AND_SAVE = range(4)


def schedule(*, wait=0, warmup=0, active=1, repeat=0, skip_first=0, **_):
    return lambda step: ProfilerAction.RECORD


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    return lambda prof: None


class profile(_autograd_profile):
    """torch.profiler.profile."""

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False, with_stack=False, **kw):
        super().__init__(enabled=True, record_shapes=record_shapes, profile_memory=profile_memory, with_stack=with_stack)
        self._ready = on_trace_ready

    def __exit__(self, *args):
        super().__exit__(*args)
        if self._ready is not None:
            self._ready(self)

    def step(self):
        pass

    def start(self):
        self.__enter__()

    def stop(self):
        self.__exit__(None, None, None)
