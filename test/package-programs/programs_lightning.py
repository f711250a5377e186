"""lightning: a module of one's own under its Trainer, in each precision and with its usual options."""

import os
import tempfile

import torch
from phases import llama, tokens

IMPORTS = ("lightning", "transformers.models.llama.modeling_llama")


def module(phases, manual=False):
    import lightning

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.automatic_optimization = not manual
            self.model = llama()

        def training_step(self, batch, index):
            loss = self.model(input_ids=batch, labels=batch).loss
            phases.end(f"forward {index}")
            if manual:
                optimizer = self.optimizers()
                self.manual_backward(loss)
                optimizer.step()
                optimizer.zero_grad()
            self.log("loss", loss)
            return loss

        def validation_step(self, batch, index):
            self.log("validation", self.model(input_ids=batch, labels=batch).loss)

        def on_train_batch_end(self, outputs, batch, index):
            phases.end(f"step {index}")

        def on_validation_end(self):
            phases.end("validated")

        def configure_optimizers(self):
            optimizer = torch.optim.AdamW(self.parameters(), lr=1e-3)
            return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1)]

    return Module()


def data(count=4):
    return torch.utils.data.DataLoader(list(tokens(batch=2 * count, device="cpu")), batch_size=2)


def fitted(manual=False, validate=False, **given):
    def program(phases):
        import lightning

        plain = dict(accelerator="gpu", devices=1, max_epochs=1, logger=False, enable_progress_bar=False, enable_checkpointing=False)
        trainer = lightning.Trainer(**(plain | dict(enable_model_summary=False, num_sanity_val_steps=0, default_root_dir=os.path.join(tempfile.gettempdir(), "lit")) | given))
        model = module(phases, manual)
        trainer.fit(model, data(), data(2) if validate else None)
        phases.end("fitted")

    return program


def fabric(**given):
    def program(phases):
        from lightning.fabric import Fabric

        one = Fabric(accelerator="cuda", devices=1, **given)
        one.launch()
        model = llama()
        model, optimizer = one.setup(model, torch.optim.AdamW(model.parameters(), lr=1e-3))
        loader = one.setup_dataloaders(data())
        phases.end("prepared")
        for index, batch in enumerate(loader):
            loss = model(input_ids=batch, labels=batch).loss
            phases.end(f"forward {index}")
            one.backward(loss)
            one.clip_gradients(model, optimizer, max_norm=1.0, error_if_nonfinite=False)
            optimizer.step()
            optimizer.zero_grad()
            phases.end(f"step {index}")

    return program


PROGRAMS = {
    "Trainer": fitted(),
    "Trainer, bf16-mixed": fitted(precision="bf16-mixed"),
    "Trainer, 16-mixed": fitted(precision="16-mixed"),
    "Trainer, bf16-true": fitted(precision="bf16-true"),
    "Trainer, accumulation with clipping": fitted(accumulate_grad_batches=2, gradient_clip_val=1.0),
    "Trainer, validation": fitted(validate=True),
    "Trainer, manual optimization": fitted(manual=True),
    "Trainer, two epochs": fitted(max_epochs=2),
    "Fabric": fabric(),
    "Fabric, bf16-mixed": fabric(precision="bf16-mixed"),
    "Fabric, bf16-true": fabric(precision="bf16-true"),
}
