/** Parts of torch programs that only some layouts have: tensor ranks with their sequence, stages of a pipeline, context ranks. */

import { indented } from "./program-lines.ts";

/** Rows of the sequence lie on tensor ranks between blocks, as torchtitan cuts them. */
export function tensorLines(headNorms: boolean, cutsLoss: boolean): string[] {
  const logits = cutsLoss ? "Shard(-1), use_local_output=False" : "Replicate()";
  return [
    "",
    "# tensor ranks hold parts of each matrix, and parts of the sequence between them",
    "rows = Shard(1)",
    'inputs = PrepareModuleInput(input_kwarg_layouts={"hidden_states": rows}, desired_input_kwarg_layouts={"hidden_states": Replicate()})',
    "parallelize_module(",
    "    model,",
    '    mesh["tp"],',
    "    {",
    '        "model.embed_tokens": RowwiseParallel(input_layouts=Replicate(), output_layouts=rows),',
    '        "model.norm": SequenceParallel(),',
    `        "lm_head": ColwiseParallel(input_layouts=rows, output_layouts=${logits}),`,
    "    },",
    ")",
    "for block in model.model.layers:",
    "    parallelize_module(",
    "        block,",
    '        mesh["tp"],',
    "        {",
    '            "input_layernorm": SequenceParallel(),',
    '            "self_attn": inputs,',
    '            "self_attn.q_proj": ColwiseParallel(),',
    '            "self_attn.k_proj": ColwiseParallel(),',
    '            "self_attn.v_proj": ColwiseParallel(),',
    ...(headNorms
      ? [
          '            "self_attn.q_norm": SequenceParallel(sequence_dim=2, use_local_output=True),',
          '            "self_attn.k_norm": SequenceParallel(sequence_dim=2, use_local_output=True),',
        ]
      : []),
    '            "self_attn.o_proj": RowwiseParallel(output_layouts=rows),',
    '            "post_attention_layernorm": SequenceParallel(),',
    '            "mlp": PrepareModuleInput(input_layouts=(rows,), desired_input_layouts=(Replicate(),)),',
    '            "mlp.gate_proj": ColwiseParallel(),',
    '            "mlp.up_proj": ColwiseParallel(),',
    '            "mlp.down_proj": RowwiseParallel(output_layouts=rows),',
    "        },",
    "    )",
  ];
}

/** A stage: its layers; the embedding in front of the first, norm and head behind the last. */
export function stageLines(stages: number, first: readonly number[], layers: readonly number[]): string[] {
  return [
    `first_layers, layer_counts = ${JSON.stringify(first)}, ${JSON.stringify(layers)}`,
    "",
    "class Stage(torch.nn.Module):",
    ...indented([
      "def __init__(self, whole, index):",
      ...indented([
        "super().__init__()",
        "body, begin = whole.model, first_layers[index]",
        "self.embed_tokens = body.embed_tokens if index == 0 else None",
        "self.layers = body.layers[begin : begin + layer_counts[index]]",
        "self.rotary_emb = body.rotary_emb",
        `self.norm = body.norm if index == ${stages - 1} else None`,
        `self.lm_head = whole.lm_head if index == ${stages - 1} else None`,
      ]),
      "",
      "def forward(self, x):",
      ...indented([
        "if self.embed_tokens is not None:",
        "    x = self.embed_tokens(x)",
        "positions = torch.arange(length, device=x.device)[None]",
        "angles = self.rotary_emb(x, positions)",
        "for layer in self.layers:",
        "    x = layer(x, attention_mask=None, position_ids=positions, position_embeddings=angles)",
        "return x if self.lm_head is None else self.lm_head(self.norm(x))",
      ]),
    ]),
    "",
    'model = Stage(model, mesh["pp"].get_local_rank())',
  ];
}

/** Each tensor rank's share of the loss from its logits, forward and backward. */
export const cutLossLines = (callArguments: readonly string[], backward: string): string[] => [
  "with loss_parallel():",
  `    logits = model(${callArguments.filter((word) => !word.startsWith("labels=")).join(", ")}).logits`,
  "    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1).float(), labels.flatten())",
  "    del logits",
  `    ${backward}`,
];

/** Attention that goes round context ranks takes no mask; transformers makes one where the positions of a rank have gaps (accelerate drops it so, too). */
export const MASKLESS: readonly string[] = [
  "",
  "def without_mask(module, args, kwargs):",
  '    return args, {**kwargs, "attention_mask": None}',
  "",
  "for name, module in model.named_modules():",
  '    if name.endswith("self_attn"):',
  "        module.register_forward_pre_hook(without_mask, with_kwargs=True)",
];

/** Sequences are cut over context ranks while the context lasts. */
export function contextLines(body: readonly string[], names: readonly string[]): string[] {
  const buffers = [...names, "positions"];
  return [
    "positions = torch.arange(length, device=device)[None]",
    `with context_parallel(mesh["cp"], buffers=[${buffers.join(", ")}], buffer_seq_dims=[${buffers.map(() => 1).join(", ")}]):`,
    ...indented(body),
  ];
}
