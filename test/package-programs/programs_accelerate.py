"""accelerate: loops of one's own with prepare, in each precision, with accumulation, clipping, a schedule and offloading."""

import torch
from phases import llama, tokens

IMPORTS = ("accelerate", "transformers.models.llama.modeling_llama")


def batches(count=4):
    rows = [{"input_ids": row, "labels": row} for row in tokens(batch=2 * count, device="cpu")]
    return torch.utils.data.DataLoader(rows, batch_size=2)


def loop(clip=None, schedule=False, gather=False, evaluate=False, autocast=False, optimizer=torch.optim.AdamW, **given):
    def program(phases):
        from accelerate import Accelerator
        from accelerate.state import AcceleratorState

        AcceleratorState._reset_state(True)
        accelerator = Accelerator(**given)
        model = llama()
        chosen = optimizer(model.parameters(), lr=1e-3)
        scheduler = torch.optim.lr_scheduler.LambdaLR(chosen, lambda step: 1 / (step + 1))
        model, chosen, data, scheduler = accelerator.prepare(model, chosen, batches(), scheduler)
        phases.end("prepared")
        for index, batch in enumerate(data):
            with accelerator.accumulate(model):
                if autocast:
                    with accelerator.autocast():
                        loss = model(**batch).loss
                else:
                    loss = model(**batch).loss
                phases.end(f"forward {index}")
                accelerator.backward(loss)
                if clip and accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), clip)
                chosen.step()
                if schedule:
                    scheduler.step()
                chosen.zero_grad()
            if gather:
                accelerator.gather_for_metrics(loss.detach().reshape(1))
            phases.end(f"step {index}")
        if evaluate:
            model.eval()
            with torch.inference_mode():
                accelerator.gather_for_metrics(model(**batch).logits.argmax(-1))
            phases.end("evaluated")
            accelerator.unwrap_model(model)
            del batch, loss
            accelerator.free_memory(model, chosen)
            phases.end("freed")

    return program


def offloaded(phases):
    from accelerate import cpu_offload

    model = cpu_offload(llama(), execution_device=torch.device("cuda:0"))
    phases.end("model")
    with torch.no_grad():
        for _ in range(2):
            model(tokens())
            phases.end("inference")


def empty(phases):
    from accelerate import dispatch_model, init_empty_weights

    with init_empty_weights():
        model = llama()
    phases.end("empty")
    model.to_empty(device="cuda")
    phases.end("model")
    model = dispatch_model(model, {"": 0})
    with torch.no_grad():
        model(tokens())
    phases.end("inference")


PROGRAMS = {
    "plain loop": loop(),
    "bf16": loop(mixed_precision="bf16"),
    "fp16": loop(mixed_precision="fp16"),
    "fp16 with clipping": loop(mixed_precision="fp16", clip=1.0),
    "accumulation with clipping": loop(gradient_accumulation_steps=2, clip=1.0),
    "schedule and gathering": loop(schedule=True, gather=True),
    "bf16, evaluation, free_memory": loop(mixed_precision="bf16", evaluate=True),
    "autocast by hand": loop(mixed_precision="bf16", autocast=True),
    "SGD": loop(optimizer=torch.optim.SGD, gradient_accumulation_steps=2),
    "cpu_offload": offloaded,
    "init_empty_weights, dispatch_model": empty,
}
