/** What is done to a model after it is made, as rows of Python: what is checkpointed, what is pruned, 8-bit layers. */

export interface ChangeOfModel {
  readonly id: string;
  readonly imports: readonly string[];
  /** Lines after `model` is made, before adapters. */
  readonly lines: readonly string[];
}

const BLOCKS = "from transformers.modeling_layers import GradientCheckpointingLayer";
const ENABLE = "model.gradient_checkpointing_enable()";
/** A block keeps its activations unless its number is a multiple. */
const everyNth = (n: number): ChangeOfModel => ({
  id: `every-${n}`,
  imports: [BLOCKS],
  lines: [
    ENABLE,
    "blocks = [module for module in model.modules() if isinstance(module, GradientCheckpointingLayer)]",
    "for index, block in enumerate(blocks):",
    `    block.gradient_checkpointing = index % ${n} == 0`,
  ],
});

export const CHECKPOINTING: readonly ChangeOfModel[] = [
  { id: "none", imports: [], lines: [] },
  { id: "blocks", imports: [], lines: [ENABLE] },
  everyNth(2),
  everyNth(4),
  {
    id: "operators",
    imports: ["from torch.utils.checkpoint import CheckpointPolicy, create_selective_checkpoint_contexts"],
    lines: [
      "# a block's results of attention and of every second product are kept (torchtitan's selective checkpointing)",
      'attentions = [f"_scaled_dot_product_{kind}_attention" for kind in ("flash", "efficient", "cudnn")]',
      'kept = {getattr(torch.ops.aten, name).default for name in [*attentions, "addmm", "bmm", "topk"]}',
      "",
      "def contexts():",
      "    products = [0, 0]",
      "",
      "    def policy(context, op, *args, **kwargs):",
      "        if op == torch.ops.aten.mm.default:",
      "            products[context.is_recompute] += 1",
      "            is_kept = products[context.is_recompute] % 2 == 1",
      "        else:",
      "            is_kept = op in kept",
      "        return CheckpointPolicy.MUST_SAVE if is_kept else CheckpointPolicy.PREFER_RECOMPUTE",
      "",
      "    return create_selective_checkpoint_contexts(policy)",
      "",
      'model.gradient_checkpointing_enable({"use_reentrant": False, "context_fn": contexts})',
    ],
  },
  {
    id: "attention",
    imports: ["from functools import partial", "from torch.utils.checkpoint import checkpoint"],
    lines: [
      "# only what attention computes is computed again; an attention within another one is part of it",
      "model.config.get_text_config().use_cache = False",
      'names = [name for name, module in model.named_modules() if type(module).__name__.endswith("Attention")]',
      "for name in names:",
      '    if not any(name.startswith(f"{outer}.") for outer in names):',
      "        part = model.get_submodule(name)",
      "        part.forward = partial(checkpoint, part.forward, use_reentrant=False)",
    ],
  },
];

/** What transformers' Trainer does for `use_liger_kernel` (integrations/liger.py). */
export const LIGER_IMPORTS: readonly string[] = [
  "from liger_kernel.transformers import _apply_liger_kernel_to_instance",
];
export const LIGER_LINES: readonly string[] = ["_apply_liger_kernel_to_instance(model=model)"];

export const PRUNING: readonly (ChangeOfModel & {
  /** Share of the inner width that stays. */ readonly inner: number;
})[] = [
  { id: "none", imports: [], lines: [], inner: 1 },
  {
    id: "masks",
    imports: ["from torch.nn.utils import prune"],
    lines: [
      "# a mask beside each matrix; the product of both is made anew at each call",
      "head = model.get_output_embeddings()",
      "for module in [m for m in model.modules() if isinstance(m, torch.nn.Linear) and m is not head]:",
      '    prune.l1_unstructured(module, "weight", amount=0.5)',
    ],
    inner: 1,
  },
  { id: "structured", imports: [], lines: [], inner: 0.5 },
];

/** A linear layer whose three products are of 8-bit numbers with a scale per tensor, as torchao's float8 training has it. */
export const FLOAT8_LINES: readonly string[] = [
  "",
  "def eight_bits(x, dtype):",
  '    scale = torch.finfo(dtype).max / torch.linalg.vector_norm(x, float("inf")).float().clamp(min=1e-12)',
  "    return (x * scale.to(x.dtype)).to(dtype), scale.reciprocal()",
  "",
  "def by_columns(x):",
  "    return x.t().contiguous().t()",
  "",
  "class Float8Product(torch.autograd.Function):",
  "    # inputs and weights are kept as they are, and become 8 bits again in backward",
  "    @staticmethod",
  "    def forward(ctx, x, weight):",
  "        ctx.save_for_backward(x, weight)",
  "        x8, of_x = eight_bits(x.flatten(0, -2), torch.float8_e4m3fn)",
  "        weight8, of_weight = eight_bits(weight, torch.float8_e4m3fn)",
  "        product = torch._scaled_mm(x8, weight8.t(), scale_a=of_x, scale_b=of_weight, out_dtype=x.dtype, use_fast_accum=True)",
  "        return product.view(*x.shape[:-1], -1)",
  "",
  "    @staticmethod",
  "    def backward(ctx, grad):",
  "        x, weight = ctx.saved_tensors",
  "        grad8, of_grad = eight_bits(grad.flatten(0, -2), torch.float8_e5m2)",
  "        weight8, of_weight = eight_bits(weight, torch.float8_e4m3fn)",
  "        of_input = torch._scaled_mm(grad8, by_columns(weight8), scale_a=of_grad, scale_b=of_weight, out_dtype=x.dtype)",
  "        if not ctx.needs_input_grad[1]:",
  "            return of_input.view(x.shape), None",
  "        x8, of_x = eight_bits(x.flatten(0, -2), torch.float8_e4m3fn)",
  "        return of_input.view(x.shape), torch._scaled_mm(grad8.t().contiguous(), by_columns(x8), scale_a=of_grad, scale_b=of_x, out_dtype=weight.dtype)",
  "",
  "class Float8Linear(torch.nn.Linear):",
  "    def forward(self, x):",
  "        product = Float8Product.apply(x, self.weight)",
  "        return product if self.bias is None else product + self.bias",
  "",
  "head = model.get_output_embeddings()",
  "for module in [m for m in model.modules() if type(m) is torch.nn.Linear]:",
  "    if module is not head and module.in_features % 16 == 0 and module.out_features % 16 == 0:",
  "        module.__class__ = Float8Linear",
];
