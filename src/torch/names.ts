/**
 * Public names of PyTorch that came after the oldest known release, by the first release that has them: read from the Python sources and type
 * stubs that each release's package brings. A name is listed if the stand-in has it.
 */

import { TORCH_VERSIONS, type TorchVersion } from "./releases.ts";

export const NEW_NAMES: Partial<Record<TorchVersion, readonly string[]>> = {
  "1.13": [
    "torch.UntypedStorage",
    "torch.concatenate",
    "torch.cuda.memory._record_memory_history",
    "torch.cuda.memory._snapshot",
    "torch.linalg.vecdot",
    "torch.optim.lr_scheduler.PolynomialLR",
    "torch.unflatten",
  ],
  "2.0": [
    "torch.Tensor.untyped_storage",
    "torch.autograd.set_multithreading_enabled",
    "torch.compile",
    "torch.cuda.memory.get_allocator_backend",
    "torch.func",
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.optim.lr_scheduler.LRScheduler",
    "torch.set_default_device",
    "torch.vmap",
  ],
  "2.1": [
    "torch.Tensor.itemsize",
    "torch.Tensor.register_post_accumulate_grad_hook",
    "torch.compiler",
    "torch.cuda.memory._dump_snapshot",
    "torch.float8_e4m3fn",
    "torch.float8_e5m2",
    "torch.nn.CircularPad1d",
    "torch.nn.CircularPad2d",
    "torch.nn.CircularPad3d",
    "torch.nn.ZeroPad1d",
    "torch.nn.ZeroPad3d",
    "torch.nn.utils.parametrizations.weight_norm",
    "torch.utils.checkpoint.set_checkpoint_early_stop",
    "torch.utils.data.StackDataset",
  ],
  "2.2": [
    "torch.autograd.graph.get_gradient_edge",
    "torch.compiler.cudagraph_mark_step_begin",
    "torch.float8_e4m3fnuz",
    "torch.float8_e5m2fnuz",
    "torch.utils.checkpoint.set_checkpoint_debug_enabled",
  ],
  "2.3": [
    "torch.amp.GradScaler",
    "torch.compiler.is_compiling",
    "torch.compiler.is_dynamo_compiling",
    "torch.get_default_device",
    "torch.nn.LPPool3d",
    "torch.nn.attention",
    "torch.nn.functional.lp_pool3d",
    "torch.nn.utils.memory_format.convert_conv3d_weight_memory_format",
    "torch.uint16",
    "torch.uint32",
    "torch.uint64",
  ],
  "2.4": [
    "torch.OutOfMemoryError",
    "torch.amp.custom_bwd",
    "torch.amp.custom_fwd",
    "torch.amp.is_autocast_available",
    "torch.get_autocast_dtype",
    "torch.get_device_module",
    "torch.library.custom_op",
    "torch.library.register_fake",
    "torch.newaxis",
    "torch.nn.RMSNorm",
    "torch.nn.functional.rms_norm",
    "torch.serialization.add_safe_globals",
    "torch.set_autocast_dtype",
  ],
  "2.5": [
    "torch.cuda.MemPool",
    "torch.nn.Buffer",
    "torch.nn.attention.flex_attention",
    "torch.optim.Adafactor",
    "torch.serialization.safe_globals",
    "torch.utils.checkpoint.CheckpointPolicy",
    "torch.utils.checkpoint.SelectiveCheckpointContext",
    "torch.utils.checkpoint.create_selective_checkpoint_contexts",
  ],
  "2.6": ["torch.accelerator", "torch.nn.utils.clip_grads_with_norm_", "torch.nn.utils.get_total_norm"],
  "2.7": ["torch.float8_e8m0fnu"],
  "2.9": [
    "torch.accelerator.empty_cache",
    "torch.accelerator.max_memory_allocated",
    "torch.accelerator.max_memory_reserved",
    "torch.accelerator.memory_allocated",
    "torch.accelerator.memory_reserved",
    "torch.accelerator.memory_stats",
    "torch.accelerator.reset_accumulated_memory_stats",
    "torch.accelerator.reset_peak_memory_stats",
    "torch.optim.Muon",
  ],
  "2.10": [
    "torch.cuda.memory._get_memory_metadata",
    "torch.cuda.memory._set_memory_metadata",
    "torch.nn.functional.grouped_mm",
  ],
  "2.13": ["torch.nn.functional.linear_cross_entropy"],
  "2.14": ["torch.cuda.memory._annotate_tensor", "torch.cuda.memory._memory_metadata_supported"],
};

/** Names that a release does not have yet, the newest first: what is in a module before the module. */
export function namesAfter(version: TorchVersion): string[] {
  const from = TORCH_VERSIONS.indexOf(version) + 1;
  return TORCH_VERSIONS.slice(from)
    .toReversed()
    .flatMap((later) => NEW_NAMES[later] ?? []);
}
