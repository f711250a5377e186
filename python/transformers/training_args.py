"""TrainingArguments: the settings of a training as a dataclass, so that programs add fields of their own and parse them from words."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from typing import TYPE_CHECKING, Any

import torch
from torch._stand_ins import note

if TYPE_CHECKING:
    from collections.abc import Iterator

# Names by type and default, as the library has them in 5.12.1; output_dir comes first, because programs give it by position.
_FIELDS = (
    (str | None, None,
     "output_dir optim optim_args torch_compile_backend torch_compile_mode run_name trackio_space_id trackio_bucket_id "
     "trackio_static_space_id hub_token hub_model_id hub_revision metric_for_best_model ddp_backend fsdp resume_from_checkpoint "
     "logging_dir report_to evaluation_strategy fp16_backend fsdp_transformer_layer_cls_to_wrap"),
    (int, 8, "per_device_train_batch_size per_device_eval_batch_size"),
    (int, 1, "gradient_accumulation_steps"),
    (int, -1, "max_steps local_rank past_index"),
    (int, 0, "dataloader_num_workers"),
    (int, 42, "seed"),
    (int, 1800, "ddp_timeout"),
    (int | None, None,
     "torch_empty_cache_steps eval_accumulation_steps save_total_limit data_seed dataloader_prefetch_factor ddp_bucket_cap_mb tpu_num_cores"),
    (float, 3.0, "num_train_epochs"),
    (float, 5e-5, "learning_rate"),
    (float, 0.0, "weight_decay label_smoothing_factor"),
    (float, 0, "warmup_steps eval_delay"),
    (float, 0.9, "adam_beta1"),
    (float, 0.999, "adam_beta2"),
    (float, 1e-8, "adam_epsilon"),
    (float, 1.0, "max_grad_norm"),
    (float, 500, "logging_steps save_steps"),
    (float | None, None, "neftune_noise_alpha eval_steps warmup_ratio"),
    (bool, False,
     "bf16 fp16 bf16_full_eval fp16_full_eval gradient_checkpointing torch_compile use_liger_kernel use_cache auto_find_batch_size "
     "logging_first_step prediction_loss_only eval_on_start eval_use_gather_object batch_eval_metrics save_only_model save_on_each_node "
     "enable_jit_checkpoint push_to_hub hub_always_push load_best_model_at_end ignore_data_skip full_determinism "
     "restore_callback_states_from_checkpoint use_cpu dataloader_drop_last dataloader_persistent_workers do_train do_eval do_predict "
     "overwrite_output_dir group_by_length no_cuda include_inputs_for_metrics use_ipex use_mps_device jit_mode_eval"),
    (bool, True,
     "average_tokens_across_devices log_on_each_node logging_nan_inf_filter eval_do_concat_batches dataloader_pin_memory "
     "remove_unused_columns skip_memory_metrics save_safetensors"),
    (bool | None, None,
     "tf32 disable_tqdm hub_private_repo greater_is_better ddp_find_unused_parameters ddp_broadcast_buffers ddp_static_graph"),
    (str, "linear", "lr_scheduler_type"),
    (str, "steps", "logging_strategy save_strategy"),
    (str, "no", "eval_strategy include_num_input_tokens_seen"),
    (str, "passive", "log_level"),
    (str, "warning", "log_level_replica"),
    (str, "every_save", "hub_strategy"),
    (str, "huggingface", "project"),
    (str, "random", "train_sampling_strategy"),
    (str, "length", "length_column_name"),
    (str, "auto", "half_precision_backend"),
    (str, "O1", "fp16_opt_level"),
    (str, "", "debug"),
    (list[str] | None, None, "label_names include_for_metrics optim_target_modules"),
    (dict | str | None, None,
     "lr_scheduler_kwargs gradient_checkpointing_kwargs accelerator_config fsdp_config deepspeed liger_kernel_config parallelism_config"),
)  # fmt: skip
# What would change the memory of a training and is not done here.
_NOT_DONE = (
    "fsdp", "deepspeed", "use_liger_kernel", "neftune_noise_alpha", "label_smoothing_factor", "optim_target_modules",
    "auto_find_batch_size", "bf16_full_eval", "fp16_full_eval", "parallelism_config",
)  # fmt: skip
_DEFAULTS = {name: default for _, default, names in _FIELDS for name in names.split()}

_Fields = dataclasses.make_dataclass(
    "_Fields", [(name, kind, default) for kind, default, names in _FIELDS for name in names.split()], init=False
)


@dataclasses.dataclass(init=False)
class TrainingArguments(_Fields):
    """Settings of a training; what is not listed here is kept, and changes nothing."""

    def __init__(self, output_dir: Any = None, **values: Any) -> None:
        self.__dict__.update({**_DEFAULTS, "output_dir": output_dir, **values})
        self.__post_init__()

    def __post_init__(self) -> None:
        if self.fp16 and self.bf16:
            raise ValueError("At most one of fp16 and bf16 can be True, but not both")
        if self.output_dir is None:
            self.output_dir = "trainer_output"
        if self.evaluation_strategy is not None:
            self.eval_strategy = self.evaluation_strategy
        for name in ("gradient_checkpointing_kwargs", "lr_scheduler_kwargs"):
            text = getattr(self, name)
            if isinstance(text, str):
                setattr(self, name, json.loads(text))
        if self.optim is None:
            self.optim = "adamw_torch_fused" if torch.__version__ >= (2, 8) else "adamw_torch"
        left_out = [name for name in _NOT_DONE if getattr(self, name) not in (None, False, 0, "", [])]
        if left_out:
            note("short_form_options", library="transformers.TrainingArguments", names=", ".join(left_out))

    @property
    def device(self) -> torch.device:
        return torch.device("cuda" if torch.cuda.is_available() and not (self.use_cpu or self.no_cuda) else "cpu")

    @property
    def train_batch_size(self) -> int:
        return self.per_device_train_batch_size

    @property
    def eval_batch_size(self) -> int:
        return self.per_device_eval_batch_size

    n_gpu = world_size = 1
    process_index = local_process_index = 0
    should_log = should_save = True

    def get_process_log_level(self) -> int:
        return 20

    @contextlib.contextmanager
    def main_process_first(self, local: bool = True, desc: str = "") -> Iterator[None]:
        yield

    def to_dict(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
