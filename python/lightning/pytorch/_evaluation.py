"""The part of a Trainer that validates, tests and predicts."""

from . import _loops
from ._parts import on_host


class Evaluates:
    """Mirrors loops/evaluation_loop.py and loops/prediction_loop.py."""

    def _limit(self, limit, loader):
        """How many batches, or None for all."""
        if isinstance(limit, float):
            return int(len(loader) * limit) if hasattr(loader, "__len__") else None
        return limit

    def _is_last(self, index, limit, loader):
        size = len(loader) if hasattr(loader, "__len__") else None
        last = min(n for n in (limit, size, float("inf")) if n is not None)
        return index + 1 >= last

    def _validates_after(self, index, limit, loader):
        every = self.val_check_interval
        if isinstance(every, float):
            if every == 1.0 or not hasattr(loader, "__len__"):
                return False
            every = max(int(len(loader) * every), 1)
        return (index + 1) % every == 0

    def _validates_at_end(self):
        every = self.check_val_every_n_epoch
        return self.val_check_interval == 1.0 and (not every or (self.current_epoch + 1) % every == 0)

    def _validate(self, model):
        self._evaluate(model, self.val_dataloaders, "validation", self.limit_val_batches)
        model.train()

    def _evaluate(self, model, loaders, stage, limit):
        if stage == "validation":
            model.on_validation_model_zero_grad()
        model.eval()
        self._call(f"on_{stage}_start")
        results = []
        with self._no_grad():
            self._call(f"on_{stage}_epoch_start")
            for number, loader in enumerate(loaders if isinstance(loaders, (list, tuple)) else [loaders]):
                results.append(_loops.evaluate(self, model, loader, number, self._limit(limit, loader), stage))
            self._call(f"on_{stage}_epoch_end")
        self._call(f"on_{stage}_end")
        return results

    def _evaluate_batch(self, model, batch, index, number, stage):
        batch = self._moved(batch, number)
        self._call(f"on_{stage}_batch_start", batch, index, number)
        with self.precision_plugin.step_context():
            output = self._step(model, f"{stage}_step", batch, index, number)
        self._call(f"on_{stage}_batch_end", output, batch, index, number)
        return on_host(output) if stage == "predict" else None

    def _only(self, model, loaders, datamodule, stage, phase, name):
        model = model or self.lightning_module
        if hasattr(loaders, name):
            loaders, datamodule = None, loaders
        self._begin(model, datamodule or self.datamodule, stage)
        loaders = loaders if loaders is not None else self._loader(name)
        if loaders is None:
            raise ValueError(f"An invalid dataloader was passed to `Trainer.{stage}(dataloaders=...)`.")
        results = self._evaluate(
            model, loaders, phase, getattr(self, f"limit_{'val' if stage == 'validate' else stage}_batches")
        )
        self._end(stage)
        if stage == "predict":
            return results[0] if len(results) == 1 else results
        return [{key: 0.0 for key in self.callback_metrics}]
