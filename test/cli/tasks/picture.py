"""A picture of 1,008 x 1,008 pixels before the prompt: 72 x 72 patches, of which four are one token."""

import torch
from transformers import Qwen2_5_VLForConditionalGeneration

model = Qwen2_5_VLForConditionalGeneration.from_pretrained("Qwen/Qwen2.5-VL-7B-Instruct", dtype=torch.bfloat16).cuda()
grid = torch.tensor([[1, 72, 72]])
patches = torch.randn(72 * 72, 3 * 2 * 14 * 14, dtype=torch.bfloat16, device="cuda")
picture = torch.full((1, 72 * 72 // 4), model.config.image_token_id)
tokens = torch.cat([torch.randint(0, 1000, (1, 64)), picture], dim=1).cuda()
with torch.no_grad():
    model.generate(tokens, pixel_values=patches, image_grid_thw=grid.cuda(), max_new_tokens=32)
