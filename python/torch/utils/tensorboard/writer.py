"""SummaryWriter: writes event files that TensorBoard opens. They stay in the sandbox unless the run saves the program's files."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from ... import _C
from . import _graph, _histogram, _hparams, _protos
from ._records import RecordFile

if TYPE_CHECKING:
    from typing import Any, Self

    import torch


_started = 0  # event files of this process, for their names


class FileWriter:
    """One event file."""

    def __init__(self, log_dir: str, max_queue: int = 10, flush_secs: int = 120, filename_suffix: str = "") -> None:
        global _started
        _started += 1
        self._log_dir = str(log_dir)
        now = time.time()
        self.path = os.path.join(
            self._log_dir,
            f"events.out.tfevents.{int(now):010d}.vramscope.{os.getpid()}.{_started - 1}{filename_suffix}",
        )
        self._file = RecordFile(self.path)
        self._file.write(_protos.event(now, file_version="brain.Event:2"))

    def get_logdir(self) -> str:
        return self._log_dir

    def add(self, step: int | None = None, walltime: float | None = None, **parts: Any) -> None:
        self._file.write(
            _protos.event(time.time() if walltime is None else walltime, None if step is None else int(step), **parts)
        )

    def add_summary(self, summary: Any, global_step: int | None = None, walltime: float | None = None) -> None:
        self.add(global_step, walltime, summary=summary)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    @property
    def closed(self) -> bool:
        return self._file.closed


class SummaryWriter:
    """Scalars, histograms, texts, hyperparameters and a model's graph, in event files below `log_dir`."""

    def __init__(
        self,
        log_dir: str | None = None,
        comment: str = "",
        purge_step: Any = None,
        max_queue: int = 10,
        flush_secs: int = 120,
        filename_suffix: str = "",
    ) -> None:
        if not log_dir:
            from datetime import datetime

            log_dir = os.path.join("runs", datetime.now().strftime("%b%d_%H-%M-%S") + "_vramscope" + comment)
        self.log_dir = str(log_dir)
        self.filename_suffix = filename_suffix
        self.all_writers = {}
        self.default_bins = _histogram.default_bins()
        self._get_file_writer()

    def _get_file_writer(self):
        return self._writer_at(self.log_dir)

    file_writer = property(_get_file_writer)

    def _writer_at(self, folder):
        writer = self.all_writers.get(folder)
        if writer is None or writer.closed:
            writer = self.all_writers[folder] = FileWriter(folder, filename_suffix=self.filename_suffix)
        return writer

    def get_logdir(self) -> str:
        return self.log_dir

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """One number; what a tensor on the simulated device holds is a placeholder."""
        value = float(scalar_value)
        if new_style:
            body = _protos.data(9, _protos.metadata("scalars")) + _protos.data(8, _protos.float_tensor(value))
        else:
            body = _protos.single(2, value)
        self._get_file_writer().add_summary(_protos.summary(tag, body), global_step, walltime)

    def add_scalars(
        self, main_tag: Any, tag_scalar_dict: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Several numbers in one plot: each has an event file in a folder of its own."""
        for tag, value in tag_scalar_dict.items():
            writer = self._writer_at(f"{self.log_dir}/{main_tag.replace('/', '_')}_{tag}")
            writer.add_summary(_protos.summary(main_tag, _protos.single(2, float(value))), global_step, walltime)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: int | None = None,
        bins: str = "tensorflow",
        walltime: float | None = None,
        max_bins: Any = None,
    ) -> None:
        counts = _histogram.counts_of(values)
        limits = self.default_bins if isinstance(bins, str) else list(bins) if not isinstance(bins, int) else None
        if limits is None:
            low, high = min(counts), max(counts)
            low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
            limits = [low + (high - low) * i / bins for i in range(bins + 1)]
        body = _protos.data(5, _histogram.encode(counts, limits))
        self._get_file_writer().add_summary(_protos.summary(tag, body), global_step, walltime)

    def add_text(
        self, tag: str, text_string: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        body = _protos.data(9, _protos.metadata("text")) + _protos.data(8, _protos.text_tensor(text_string))
        self._get_file_writer().add_summary(_protos.summary(f"{tag}/text_summary", body), global_step, walltime)

    def add_hparams(
        self,
        hparam_dict: Any,
        metric_dict: Any,
        hparam_domain_discrete: Any = None,
        run_name: Any = None,
        global_step: int | None = None,
    ) -> None:
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        with SummaryWriter(os.path.join(self.log_dir, run_name or str(time.time()))) as inner:
            for summary in _hparams.summaries(hparam_dict, metric_dict, hparam_domain_discrete):
                inner.file_writer.add_summary(summary, global_step)
            for name, value in metric_dict.items():
                inner.add_scalar(name, value, global_step)

    def add_graph(
        self, model: torch.nn.Module, input_to_model: Any = None, verbose: bool = False, use_strict_trace: bool = True
    ) -> None:
        """The operators of model(input_to_model) with their shapes and memory, and the memory again as statistics of a run."""
        if not hasattr(model, "forward"):
            return
        graph, statistics = _graph.model_graph(model, input_to_model)
        writer = self._get_file_writer()
        writer.add(graph_def=graph)
        writer.add(tagged_run_metadata=_protos.data(1, "step1") + _protos.data(2, statistics))

    def flush(self) -> None:
        for writer in self.all_writers.values():
            if not writer.closed:
                writer.flush()

    def close(self) -> None:
        for writer in self.all_writers.values():
            writer.close()
        self.all_writers = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _not_written(name):
    def method(self, *args, **kwargs):
        _C._js.assume("tensorboard_not_written", _C.here(), "method", name)

    method.__name__ = name
    method.__doc__ = "Pictures, sound and the like depend on values: nothing is written, and the report says so."
    return method


for _name in "add_image add_images add_image_with_boxes add_figure add_video add_audio add_embedding add_pr_curve add_pr_curve_raw add_mesh add_custom_scalars add_custom_scalars_multilinechart add_custom_scalars_marginchart add_onnx_graph add_tensor add_histogram_raw".split():
    setattr(SummaryWriter, _name, _not_written(_name))
