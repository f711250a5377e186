"""A Llama, a Qwen and a BERT program with transformers, peft and accelerate, in words that every release from 4.38 on knows."""

import torch
from phases import BATCH, LENGTH, VOCABULARY, llama, llama_config, steps, tokens
from programs_transformers import trained

IMPORTS = (
    "transformers.trainer",
    "transformers.models.llama.modeling_llama",
    "transformers.models.qwen2.modeling_qwen2",
    "transformers.models.bert.modeling_bert",
    "peft",
    "accelerate",
)


def qwen(**changes):
    from transformers import Qwen2Config, Qwen2ForCausalLM

    return Qwen2ForCausalLM(llama_config(Qwen2Config, **changes))


def bert(kind="BertForMaskedLM", **changes):
    import transformers

    sizes = dict(vocab_size=VOCABULARY, hidden_size=128, intermediate_size=256, num_hidden_layers=2, num_attention_heads=4)
    return getattr(transformers, kind)(transformers.BertConfig(**(sizes | changes)))


def training(make, prepare=None, **inputs):
    def program(phases):
        model = make().cuda().train()
        if prepare:
            model = prepare(model)
        phases.end("model")
        ids = tokens()
        given = {name: value() for name, value in inputs.items()}
        steps(phases, model, {"input_ids": ids, "labels": ids} | given)

    return program


def generating(make, **options):
    def program(phases):
        model = make().cuda().eval()
        phases.end("model")
        ids = tokens()
        made = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=6, min_new_tokens=6, **options)
        phases.end("generated")
        del made
        with torch.no_grad():
            output = model(ids, use_cache=True)
        phases.end("prefill")
        del output
        phases.end("end")

    return program


def checkpoints(model):
    model.gradient_checkpointing_enable()
    return model.to(torch.bfloat16)


def lora(model):
    from peft import LoraConfig, get_peft_model

    return get_peft_model(model, LoraConfig(target_modules="all-linear", r=4, lora_dropout=0.1, task_type="CAUSAL_LM"))


def accelerated(make, **given):
    def program(phases):
        from accelerate import Accelerator
        from accelerate.state import AcceleratorState

        AcceleratorState._reset_state(True)
        accelerator = Accelerator(**given)
        model = make()
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        rows = [{"input_ids": row, "labels": row} for row in tokens(batch=8, device="cpu")]
        model, optimizer, data = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(rows, batch_size=2))
        phases.end("prepared")
        for index, batch in enumerate(data):
            with accelerator.accumulate(model):
                accelerator.backward(model(**batch).loss)
                optimizer.step()
                optimizer.zero_grad()
            phases.end(f"step {index}")

    return program


PROGRAMS = {
    "Llama, training": training(llama),
    "Llama, eager attention": training(lambda: llama(attn_implementation="eager")),
    "Llama, checkpoints in bfloat16": training(llama, checkpoints),
    "Llama, generate": generating(llama),
    "Llama, generate with sampling": generating(llama, do_sample=True, top_k=5),
    "Llama, LoRA": training(llama, lora),
    "Llama, Trainer": trained(),
    "Qwen2, training": training(qwen),
    "Qwen2, masked": training(qwen, attention_mask=lambda: torch.ones(BATCH, LENGTH, dtype=torch.long, device="cuda")),
    "Qwen2, generate": generating(qwen),
    "Qwen2, LoRA": training(qwen, lora),
    "Qwen2, Trainer in bf16 with checkpoints": trained(make=qwen, bf16=True, gradient_checkpointing=True),
    "BERT, training": training(bert),
    "BERT, masked": training(bert, attention_mask=lambda: torch.ones(BATCH, LENGTH, dtype=torch.long, device="cuda")),
    "BERT, classes": training(lambda: bert("BertForSequenceClassification", num_labels=3), labels=lambda: torch.ones(BATCH, dtype=torch.long, device="cuda")),
    "BERT, accelerate in bf16": accelerated(bert, mixed_precision="bf16", gradient_accumulation_steps=2),
    "BERT, accelerate in fp16": accelerated(bert, mixed_precision="fp16"),
}
