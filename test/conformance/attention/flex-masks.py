"""Block masks of flex_attention: made from functions, with and without full blocks, cut, cropped and moved."""

import torch
from torch.nn.attention.flex_attention import BlockMask, and_masks, create_block_mask, create_mask, or_masks


def show(phase):
    print(phase, torch.cuda.memory_allocated(), torch.cuda.max_memory_allocated(), flush=True)
    torch.cuda.reset_peak_memory_stats()


def causal(b, h, q, kv):
    return q >= kv


def window(b, h, q, kv):
    return q - kv <= 256


documents = torch.zeros(2, 2048, dtype=torch.int32, device="cuda")


def same_document(b, h, q, kv):
    return documents[b, q] == documents[b, kv]


show("documents")
MASKS = {
    "causal": (causal, None, None, 2048, 2048),
    "window": (and_masks(causal, window), None, None, 2048, 2048),
    "either": (or_masks(causal, window), None, 4, 1024, 2048),
    "documents": (and_masks(causal, same_document), 2, None, 2048, 2048),
    "lengths that are no multiples": (causal, 2, 4, 1000, 1500),
}
for name, (function, batch, heads, queries, keys) in MASKS.items():
    mask = create_block_mask(function, batch, heads, queries, keys, device="cuda")
    show(name)
    print(tuple(mask.shape), tuple(mask.kv_indices.shape), tuple(mask.q_indices.shape), mask.BLOCK_SIZE)
    part = mask[:, :, :2]
    show("part")
    print(tuple(part.shape), tuple(part.kv_indices.shape))
    less = mask._adjust(512, 512)
    show("cropped")
    print(tuple(less.shape), tuple(less.kv_indices.shape))
    dense = mask.to_dense()
    show("dense")
    print(tuple(dense.shape), dense.dtype)
    written = create_mask(function, batch, heads, queries, keys, device="cuda")
    show("written out")
    print(tuple(written.shape), written.dtype)
    del mask, part, less, dense, written
    show("gone")

mask = create_block_mask(causal, 1, 1, 2048, 2048, device="cuda", BLOCK_SIZE=(64, 256))
show("other blocks")
again = BlockMask.from_kv_blocks(mask.kv_num_blocks, mask.kv_indices, BLOCK_SIZE=(64, 256), mask_mod=causal)
show("from blocks")
