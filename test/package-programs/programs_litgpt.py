"""litgpt: its GPT in the shapes of several published models, made small: training steps, LoRA, adapters, a cache."""

import torch
from phases import steps, tokens

IMPORTS = ("litgpt.model", "litgpt.lora", "litgpt.adapter", "litgpt.adapter_v2")
SMALL = dict(n_layer=2, n_embd=128, n_head=4, padded_vocab_size=512, block_size=64)
LLAMA = dict(norm_class_name="RMSNorm", mlp_class_name="LLaMAMLP", intermediate_size=256, bias=False, n_query_groups=2, rotary_percentage=1.0, parallel_residual=False)
SHAPES = {
    "Llama": LLAMA,
    "Pythia": dict(parallel_residual=True, rotary_percentage=0.25),
    "Phi": dict(parallel_residual=True, shared_attention_norm=True, lm_head_bias=True, gelu_approximate="tanh"),
    "Gemma": LLAMA | dict(mlp_class_name="GemmaMLP", gelu_approximate="tanh", scale_embeddings=True, head_size=32),
    "Gemma 2": LLAMA
    | dict(mlp_class_name="GemmaMLP", gelu_approximate="tanh", attention_logit_softcapping=50.0, final_logit_softcapping=30.0, sliding_window_size=8),
    "Mixtral": LLAMA | dict(mlp_class_name="LLaMAMoE", n_expert=4, n_expert_per_token=2),
    "Qwen 3": LLAMA | dict(norm_qk=True, head_size=32),
}


def config(kind, shape, **changes):
    return kind(**{**SMALL, **SHAPES[shape], **changes})


def loss_of(logits):
    from litgpt.utils import chunked_cross_entropy

    return chunked_cross_entropy(logits[:, :-1], tokens(logits.size(1) - 1), chunk_size=0)


def called(model):
    """The model under the name of its input."""

    def call(input_ids):
        return model(input_ids)

    call.parameters = model.parameters
    return call


def trained(shape, chunk=0):
    def program(phases):
        from litgpt.model import GPT, Config

        model = GPT(config(Config, shape)).cuda()
        phases.end("model")
        steps(phases, called(model), {"input_ids": tokens()}, loss_of=loss_of)
        model.max_seq_length = 32
        model.set_kv_cache(batch_size=2, device="cuda")
        phases.end("cache")
        with torch.no_grad():
            model(tokens(8), torch.arange(8, device="cuda"))
            phases.end("prefill")
            model(tokens(1), torch.tensor([8], device="cuda"))
            phases.end("decode")

    return program


def adapted(module, mark, **changes):
    def program(phases):
        import importlib

        found = importlib.import_module(f"litgpt.{module}")
        model = found.GPT(config(found.Config, "Llama", **changes))
        getattr(found, mark)(model)
        model.cuda()
        phases.end("model")
        steps(phases, called(model), {"input_ids": tokens()}, loss_of=loss_of)

    return program


PROGRAMS = {f"{shape}, training": trained(shape) for shape in SHAPES} | {
    "LoRA": adapted("lora", "mark_only_lora_as_trainable", lora_r=4, lora_query=True, lora_value=True),
    "LoRA everywhere": adapted("lora", "mark_only_lora_as_trainable", lora_r=4, lora_query=True, lora_key=True, lora_value=True, lora_projection=True, lora_mlp=True, lora_head=True),
    "adapter": adapted("adapter", "mark_only_adapter_as_trainable", adapter_prompt_length=4, adapter_start_layer=0),
    "adapter v2": adapted("adapter_v2", "mark_only_adapter_v2_as_trainable", adapter_prompt_length=4, adapter_start_layer=0),
}
