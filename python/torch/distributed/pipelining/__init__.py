"""torch.distributed.pipelining: stages of a model on several ranks, and the order in which their micro-batches run."""

from .microbatch import TensorChunkSpec
from .schedules import (
    Schedule1F1B,
    ScheduleDualPipeV,
    ScheduleGPipe,
    ScheduleInterleaved1F1B,
    ScheduleInterleavedZeroBubble,
    ScheduleLoopedBFS,
    ScheduleZBVZeroBubble,
)
from .stage import PipelineStage


def _by_tracing(name):
    def refuse(*_, **__):
        raise NotImplementedError(
            f"vramscope does not simulate torch.distributed.pipelining.{name}, which traces a model to split it; "
            "stages made by hand (PipelineStage) are simulated"
        )

    return refuse


pipeline, pipe_split, build_stage = map(_by_tracing, ("pipeline", "pipe_split", "build_stage"))


class SplitPoint:
    """Where `pipeline` would cut."""

    BEGINNING, END = 1, 2


class Pipe:
    """What `pipeline` would give."""
