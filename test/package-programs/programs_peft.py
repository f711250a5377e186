"""Every tuner of peft on a small Llama: wrap, two training steps, merge where it can."""

from phases import LENGTH, llama, steps, tokens

TARGETS = {"target_modules": ["q_proj", "v_proj", "down_proj"]}
TASK = {"task_type": "CAUSAL_LM"}
VIRTUAL = {"num_virtual_tokens": 4, **TASK}
SIZES = {"token_dim": 128, "num_transformer_submodules": 1, "num_attention_heads": 4, "num_layers": 2}

# The configuration of each tuner, with what it needs beyond its defaults.
TUNERS = {
    "LORA": ("LoraConfig", TARGETS),
    "LORA dora": ("LoraConfig", {**TARGETS, "use_dora": True}),
    "LORA rslora dropout": ("LoraConfig", {**TARGETS, "use_rslora": True, "lora_dropout": 0.1}),
    "LORA pissa": ("LoraConfig", {**TARGETS, "init_lora_weights": "pissa_niter_2"}),
    "LORA embedding and saved head": ("LoraConfig", {"target_modules": ["q_proj", "embed_tokens"], "modules_to_save": ["lm_head"]}),
    "LORA all linear": ("LoraConfig", {"target_modules": "all-linear", "r": 16}),
    "ADALORA": ("AdaLoraConfig", {**TARGETS, "total_step": 10}),
    "IA3": ("IA3Config", {"target_modules": ["k_proj", "v_proj", "down_proj"], "feedforward_modules": ["down_proj"]}),
    "LOHA": ("LoHaConfig", TARGETS),
    "LOKR": ("LoKrConfig", TARGETS),
    "OFT": ("OFTConfig", TARGETS),
    "BOFT": ("BOFTConfig", {**TARGETS, "boft_block_size": 4}),
    "VERA": ("VeraConfig", {"target_modules": ["q_proj", "v_proj"], "r": 16}),
    "FOURIERFT": ("FourierFTConfig", {**TARGETS, "n_frequency": 50}),
    "HRA": ("HRAConfig", TARGETS),
    "VBLORA": ("VBLoRAConfig", {**TARGETS, "vector_length": 32, "num_vectors": 60}),
    "LN_TUNING": ("LNTuningConfig", TASK),
    "MISS": ("MissConfig", TARGETS),
    "SHIRA": ("ShiraConfig", TARGETS),
    "C3A": ("C3AConfig", {**TARGETS, "block_size": 32}),
    "RANDLORA": ("RandLoraConfig", {"target_modules": ["q_proj", "v_proj"], "r": 8}),
    "TRAINABLE_TOKENS": ("TrainableTokensConfig", {"token_indices": [1, 2, 3]}),
    "WAVEFT": ("WaveFTConfig", {**TARGETS, "n_frequency": 64}),
    "ROAD": ("RoadConfig", TARGETS),
    "DELORA": ("DeloraConfig", TARGETS),
    "GRALORA": ("GraloraConfig", {**TARGETS, "r": 8, "gralora_k": 2}),
    "OSF": ("OSFConfig", TARGETS),
    "ADAMSS": ("AdamssConfig", {**TARGETS, "r": 16, "num_subspaces": 2}),
    "BEFT": ("BeftConfig", TARGETS),
    "LILY": ("LilyConfig", TARGETS),
    "FROD": ("FrodConfig", TARGETS),
    "PVERA": ("PveraConfig", {"target_modules": ["q_proj", "v_proj"], "r": 16}),
    "GLORA": ("GloraConfig", TARGETS),
    "UNILORA": ("UniLoraConfig", {**TARGETS, "theta_d_length": 64}),
    "HIRA": ("HiraConfig", {**TARGETS, "r": 8}),
    "CARTRIDGE": ("CartridgeConfig", VIRTUAL),
    "TINYLORA": ("TinyLoraConfig", TARGETS),
    "PSOFT": ("PsoftConfig", {**TARGETS, "r": 8}),
    "PEANUT": ("PeanutConfig", TARGETS),
    "DEFT": ("DeftConfig", TARGETS),
    "POLY": ("PolyConfig", {**TARGETS, "n_tasks": 2, "n_skills": 2}),
    "PROMPT_TUNING": ("PromptTuningConfig", VIRTUAL),
    "P_TUNING": ("PromptEncoderConfig", {**VIRTUAL, "encoder_hidden_size": 64}),
    "PREFIX_TUNING": ("PrefixTuningConfig", VIRTUAL),
    "PREFIX_TUNING projection": ("PrefixTuningConfig", {**VIRTUAL, "prefix_projection": True, "encoder_hidden_size": 64}),
    "ADAPTION_PROMPT": ("AdaptionPromptConfig", {"adapter_len": 4, "adapter_layers": 2, **TASK}),
    "CPT": ("CPTConfig", {"cpt_token_ids": [5, 6, 7, 8], "cpt_tokens_type_mask": [1, 2, 3, 4], **TASK}),
    "MULTITASK_PROMPT_TUNING": ("MultitaskPromptTuningConfig", {**VIRTUAL, **SIZES, "num_tasks": 2}),
}
MERGES = {"LORA", "LORA dora", "IA3", "LOHA", "LOKR", "OFT", "BOFT", "VERA", "HRA", "MISS", "SHIRA", "WAVEFT", "DELORA"}
TASKS = {"POLY", "MULTITASK_PROMPT_TUNING"}


def tuned(key, config, given):
    def program(phases):
        import peft
        import torch

        model = llama().cuda()
        phases.end("model")
        model = peft.get_peft_model(model, getattr(peft, config)(**{**given, "task_type": "CAUSAL_LM"}))
        model.cuda()
        phases.end("wrapped")
        inputs = {"input_ids": tokens(), "labels": tokens()}
        if key in TASKS:
            inputs["task_ids"] = torch.zeros(2, dtype=torch.long, device="cuda")
        if key == "CPT":
            inputs["input_type_mask"] = torch.ones(2, LENGTH, dtype=torch.long, device="cuda")
        steps(phases, model, inputs)
        if key in MERGES:
            model = model.merge_and_unload()
            phases.end("merged")

    return program


IMPORTS = ("peft", "transformers.models.llama.modeling_llama")
PROGRAMS = {key: tuned(key, *rest) for key, rest in TUNERS.items()}
